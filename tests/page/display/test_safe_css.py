"""Style sheets that cannot ask for anything: what is rewritten, what goes, what stays."""

import re

import pytest
from hostile.pattern_baits import Bait, is_slow
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.display.safe_css import inert

PIECES = (
    "url(", "u\\72l(", "\\55 RL(", "URL(", ")", '"', "'", "\\", "\n", "/*", "*/", "//evil/x",
    "x.png", "@import ", "@\\69mport ", "image-set(", "-webkit-image-set(", "src(", "expression(",
    ";", "{", "}", ":", " ", "<", "</style>", "<!--", "-->", "a", "\\61", "#", "@media", "(", "é",
    "data:image/png;base64,AA", "--x", "behavior:", "-moz-binding:", ",", "\0", "\r", "\f", "\t",
    "5", "-", "attr(", "var(--x)",
)  # fmt: skip


def resolve(reference):
    return f"/a/{reference}" if re.fullmatch(r"\w[\w./]*", reference) else None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("p{background:url( 'x.png' ) red}", 'p{background:url("/a/x.png") red}'),
        ("p{background:url(x.png)}", 'p{background:url("/a/x.png")}'),
        ("p{background:url(http://e/x.png)}", "p{background:none}"),
        (r"p{background:u\72 l(http://e/x.png)}", "p{background:none}"),
        (r"p{background:url(\2f/e/x)}", "p{background:none}"),
        ("p{background:url(unclosed", 'p{background:url("/a/unclosed")'),
        ('p{background:url("a b" c)}', 'p{background:v-none("a b" c)}'),
        ('p{background:image-set("http://e/x" 1x)}', 'p{background:v-none("http://e/x" 1x)}'),
        ("p{width:expression(alert(1))}", "p{width:v-none(alert(1))}"),
        ("p{behavior:url(x.htc)}", 'p{v-none:url("/a/x.htc")}'),
        ("p{scroll-behavior:smooth}", "p{scroll-behavior:smooth}"),
        ("@import 'x.css' screen;p{}", '@import url("/a/x.css") screen;p{}'),
        ("@import url(//e/x.css);p{}", "p{}"),
        ('@im\\port "http://e";p{}', '@v-none "http://e";p{}'),
        ("@charset 'x';@namespace url(http://e);", "@v-none 'x';@v-none none;"),
        ("@media (width <= 9px){p{}}", "@media (width <= 9px){p{}}"),
        ("<!-- p{color:red} -->", "  p{color:red}  "),
        ('p{content:"</style>"}', 'p{content:"\\3c /style>"}'),
        ("p{}</style><script>", "p{} /style> script>"),
        (".a/**/.b{}/* url(x)", ".a/**/.b{}/**/"),
        ('p{content:"a\n;background:url(//e)}', "p{content: \n;background:none}"),
        ("a:link,a:any-link{}", "a[data-href],a[data-href]{}"),
        (r".md\:flex{color:rgb(1 2 3)}", r".md\:flex{color:rgb(1 2 3)}"),
        ("color:red", "color:red"),
        ("position:fixed;top:0", "contain:layout;position:static;top:0"),
        (
            "p{Position : -webkit-sticky !important}",
            "p{contain:layout;Position : static !important}",
        ),
        ("position:relative;x-position:fixed", "position:relative;x-position:fixed"),
        ("position:sticky-not;p:fixed", "position:sticky-not;p:fixed"),
        ("@supports (position:sticky){p{}}", "@supports (position:sticky){p{}}"),
    ],
)
def test_what_becomes_of_styles(written, expected):
    assert inert(written, resolve) == expected


def unescaped(escape):
    """The character of an escape; one that is escaped begins nothing, ``\\@`` no at-rule."""
    if escape[1]:
        return chr(int(escape[1], 16) % 0xD800)
    return escape[2] if escape[2].isalnum() else "x"


def asks(css):
    """Addresses in what a tokenizer of its own finds: strings and comments first, then names."""
    plain = re.sub(r'(?s)/\*.*?(\*/|\Z)|url\("/a/[\w./]*"\)', " ", css)
    plain = re.sub(r"\\(?:([0-9a-fA-F]{1,6})[ \n\t]?|([^\n]))", unescaped, plain)
    return re.findall(r'(?i)(?<![#\w-])(?:url|src|image-set)\(|@import(?! url\("/a/)', plain)


@pytest.mark.slow
@settings(derandomize=True, max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_nothing_is_asked_for_and_no_element_ends(css):
    written = inert(css, resolve)
    assert "</" not in written
    without_strings = re.sub(
        r""""(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'""", '""', written
    )
    assert not asks(re.sub(r'url\(""\)', "", without_strings))


@pytest.mark.parametrize(
    "css",
    ["@import a" * 20_000, "url(" * 50_000, 'url("' * 50_000, "/*" * 100_000, "\\" * 200_001,
     "a" * 500_000, "@import " + "a" * 500_000, '"' + "\\\n" * 200_000, "<" * 300_000],
)  # fmt: skip
def test_endless_styles_take_linear_time(css):
    assert len(inert(css, resolve)) <= 2 * len(css)


@pytest.mark.parametrize(
    "bait",
    [
        Bait("@import a", " ", "}"),
        Bait("@import url(", " ", "!"),
        Bait("", "@import a b ", ""),
        Bait("", "@import ", ""),
        Bait("", "@import '", ""),
        Bait("", "url(", ""),
        Bait("url(", " ", "'"),
        Bait("", "url(\n", ""),
        Bait("", 'url("a" ', ""),
        Bait("", "u\\72 l(", ""),
        Bait("", "\\75", ""),
        Bait("", "\\0", ""),
        Bait("", '"\\', ""),
        Bait("", "/*", ""),
        Bait("", "a", "{"),
    ],
    ids=str,
)
def test_time_is_linear(bait):
    assert not is_slow(lambda css: inert(css, resolve), bait, str)
