"""Too many of one thing, or one thing that is too large."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import ENGLISH, SCRIPT_MARK, TEXT, UTF_8, page

GROUP: Final = Group("amounts")
_BLOCKS: Final = "too-many-blocks"
_BYTES: Final = "too-many-bytes"

_REPEATED: Final = {
    "empty-paragraphs": ("<p>", 1_000_000),
    "letters-in-spans": ("<span>a</span>", 1_000_000),
    "breaks": ("a<br>", 1_000_000),
    "items": ("<li>item</li>", 150_000),
    "links": ('<a href="/x">link</a> ', 200_000),
    "pictures": ('<img src="x.png" alt="a lamp">', 200_000),
    "options": ("<option>choice", 150_000),
    "inputs": ("<input value=x>", 200_000),
    "comments": ("<!--c-->x ", 1_000_000),
    "instructions": ("<?php x ?>y ", 500_000),
    "rules": ("<hr>", 200_000),
    "headings": ("<h2>Heading</h2>", 190_000),
    "headings-and-text": ("<h3>Heading</h3>text of it", 90_000),
    "quotes": ("<blockquote>said</blockquote>", 150_000),
    "emphases": ("<b>a</b><i>b</i> ", 250_000),
    "notes": ('x<sup><a href="#n1">1</a></sup> ', 100_000),
    "abbreviations": ('<abbr title="that is">i.e.</abbr> ', 150_000),
    "times": ('<time datetime="2024-02-30T25:61">then</time> ', 150_000),
    "scripts": ("<script>x</script>", 200_000),
    "styles": ("<style>p{}</style>y", 200_000),
    "frames": ('<iframe src="x.html">alt</iframe>', 150_000),
    "formulas": ("<math><mi>x</mi><mo>=</mo><mn>1</mn></math> ", 100_000),
    "rubies": ("<ruby>漢<rt>kan</rt></ruby>", 150_000),
    "code": ("<code>x</code> <kbd>y</kbd> ", 150_000),
    "blocks-of-code": ("<pre><code>x = 1\n</code></pre>", 100_000),
    "definitions": ("<dt>name<dd>what it is", 90_000),
    "captions": ("<figure><img src=x><figcaption>caption</figcaption></figure>", 100_000),
    "entities": ("&nbsp;&eacute;&#8222;", 900_000),
    "hidden": ("<p hidden>nobody</p><p style='display:none'>sees</p>", 90_000),
    "drawings": ("<svg><title>t</title><path d='M0 0'/></svg>", 200_000),
}
"""What follows the article, and how often."""


def _behind(repeated: str, count: int) -> object:
    return lambda n: page(TEXT + repeated * n(count))


for _name, (_repeated, _count) in _REPEATED.items():
    GROUP.add(_name, _behind(_repeated, _count))

GROUP.add("too-many-paragraphs", lambda n: page(TEXT + "<p>word" * n(300_000)), expected=_BLOCKS)
GROUP.add(
    "too-many-cells", lambda n: page(TEXT + "<table>" + "<tr><td>1" * n(300_000)), expected=_BLOCKS
)
GROUP.add("lines", lambda n: page(TEXT + "<pre>" + "x\n" * n(2_000_000) + "</pre>"))
GROUP.add("one-paragraph", lambda n: page(TEXT + "<p>" + "word " * n(3_500_000) + "</p>"))
GROUP.add("one-word", lambda n: page("<h1>" + "ab" * n(2_500_000) + "</h1>" + TEXT))
GROUP.add(
    "words-all-different",
    lambda n: page(TEXT + "<p>" + " ".join(f"w{i}x" for i in range(n(2_000_000))) + "</p>"),
)
GROUP.add(
    "classes-all-different",
    lambda n: page(TEXT + "".join(f'<p class="c{i}">w {i}' for i in range(n(190_000)))),
)
GROUP.add(
    "elements-all-different",
    lambda n: page(TEXT + "".join(f"<t{i}>w</t{i}>" for i in range(n(100_000)))),
)
GROUP.add(
    "anchors-all-different",
    lambda n: page(
        TEXT + "".join(f'<p id=a{i}><a href="#a{i + 1}">w {i}</a>' for i in range(n(90_000)))
    ),
)
GROUP.add("articles", lambda n: page(TEXT + f"<article>{TEXT}</article>" * n(10_000)))
GROUP.add("title", lambda n: page(TEXT, f"{UTF_8}<title>" + "word " * n(1_000_000) + "</title>"))
GROUP.add("name-of-a-tag", lambda n: page(TEXT + "<" + "x" * n(5_000_000) + ">y"))
GROUP.add("comment", lambda n: page("<!--" + "- - " * n(4_000_000) + "-->" + TEXT))
GROUP.add(
    "script",
    lambda n: page("<script>" + f"var a='{SCRIPT_MARK}';\n" * n(700_000) + "</script>" + TEXT),
)
GROUP.add(
    "picture-in-base64",
    lambda n: page('<img src="data:image/png;base64,' + "QUJD" * n(3_750_000) + '">' + TEXT),
)
GROUP.add("one-article-of-19-mb", lambda n: page(TEXT * n(16_500)))
GROUP.add(
    "page-of-105-mb",
    lambda n: page(TEXT + "<p>filler words here</p>\n" * n(4_200_000)),
    expected=_BYTES,
)
GROUP.add(
    "script-of-105-mb",
    lambda n: page("<script>" + "var a = 1;\n" * n(9_500_000) + "</script>" + TEXT),
    expected=_BYTES,
)
GROUP.add("blanks-of-105-mb", lambda n: b" " * n(105_000_000) + page(TEXT), expected=_BYTES)
GROUP.add("nothing", lambda n: b"", key=None)
GROUP.add("one-blank", lambda n: b" ", key=None)
GROUP.add("blanks-only", lambda n: b" \n\t" * n(5_000_000), key=None)
GROUP.add("one-letter", lambda n: b"a", key=None)
GROUP.add("tags-only", lambda n: b"<p><div></div>" * n(500_000), key=None, expected=ANY)
GROUP.add("text-only", lambda n: " ".join(ENGLISH.paragraphs * n(15_000)).encode())
