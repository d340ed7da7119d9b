"""Raw-text elements and comments without an end get one; what is closed stays as it is."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from victor.page.parsing.events import record
from victor.page.parsing.unclosed import closed, marks, with_ended_divs
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

PAGES = Path(__file__).parents[2] / "annotations" / "pages"
ENDS = re.compile(
    rb"<(title|textarea|style|script|xmp|iframe)\b[^>]*>.*?(</\1\s*>)|<!--(?!\[).*?(-->)",
    re.DOTALL | re.IGNORECASE,
)


def texts(markup: bytes) -> list[str]:
    return block_texts(segment(record([markup])))


def words(markup: bytes) -> Counter[str]:
    return Counter(" ".join(texts(markup)).split())


@pytest.mark.parametrize(
    ("page", "n_ends"),
    [
        ("<pre><div>a</pre>b", 1),
        ("<PRE id='<div>'><DIV class='>'><div>a</div><span></pre>b", 1),
        ("<pre><div><div>a</pre><pre></div><div>b</pre>c", 3),
        ("<pre><div>a</div></pre><div>b</pre>", 0),
        ("<pre><div/>a</pre><pre><!-- <div> --><dive>b</pre>", 0),
        ("<pre><ul><li><div>a</pre>b", 0),  # the list ends the code for the parser
        ("<div><pre>a</div></pre>b", 0),
    ],
)
def test_the_end_of_code_ends_what_is_open_in_it(page, n_ends):
    """As in browsers; libxml2 takes no notice of ``</pre>`` while a ``<div>`` is open."""
    markup, tags = with_ended_divs(page.encode(), marks(page.encode()))
    assert markup.lower().count(b"</div>") == page.lower().count("</div>") + n_ends
    assert np.array_equal(tags.at, marks(markup).at)
    if n_ends:
        codes = etree.fromstring(markup, etree.HTMLParser()).iter("pre")
        assert all(len("".join(code.itertext())) == 1 for code in codes)


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.html")), ids=lambda path: path.stem)
def test_pages_that_lack_nothing_stay(path):
    markup = path.read_bytes()
    assert closed(markup) == (markup, ())


WITHOUT_END = [
    b"<title>A page\n", b"<textarea name=a>Write here", b"<style>p > a { color: red }\n",
    b"<script>if (a < b) c('<p>');\n", b"<script src=a.js>", b"<script>/* a */ a();\n",
    b"<script type='text/javascript'>\nvar a = {b: '<div>'};\n", b"<!-- remark", b"<!-- remark\n",
    b"<!-- <p>hidden</p>\n", b"<!--<div><b>hidden</b></div>\n",
]  # fmt: skip
_BLOCK = rb"(?:p|div|li|ul|ol|h[1-6]|header|nav|main|article|footer|table|tr|td)\b"
PLACES = re.compile(rb"</%b[^>]*>(?=\s*</?%b)" % (_BLOCK, _BLOCK))
"""Between two block-level tags: nobody can tell text that goes on from what is in the piece."""


@cache
def page(path: Path) -> tuple[bytes, Counter[str], list[tuple[int, int]], list[int]]:
    """A page, its words, the ends that can be missing, and where elements can be put in."""
    markup = path.read_bytes()
    ends = [match.span(2 if match[1] else 3) for match in ENDS.finditer(markup)]
    inside = {at for match in ENDS.finditer(markup) for at in range(*match.span())}
    places = [match.end() for match in PLACES.finditer(markup) if match.end() not in inside]
    return markup, words(markup), ends, places or [len(markup)]


@st.composite
def pages_that_lack_an_end(draw: st.DrawFn) -> tuple[Counter[str], bytes]:
    """The words of one of our pages, and the page without an end, or with a piece without one."""
    markup, before, ends, places = page(draw(st.sampled_from(sorted(PAGES.glob("*.html")))))
    if ends and draw(st.booleans()):
        start, end = draw(st.sampled_from(ends))
        return before, markup[:start] + markup[end:]
    at, piece = draw(st.sampled_from(places)), draw(st.sampled_from(WITHOUT_END))
    return before, markup[:at] + piece + markup[at:]


@given(pages_that_lack_an_end())
def test_the_words_of_a_page_that_lacks_an_end_are_read(case):
    before, markup = case
    assert (before - words(markup)).total() <= 0.01 * before.total()


PIECES = [
    "<title>", "</title>", "<script>", "</script>", "<script type=text/template>", "<style>",
    "</style>", "<textarea>", "</textarea>", "<!--", "-->", "<!-->", "--!>", "<p>", "</p>", "x ",
    "'", '"', "`", "/*", "*/", "//", "\n", ";", "\\", "=", ">", "<", "<iframe/>", "</br>", "<b a='",
    "<xmp>", "url(", "<svg>", "\0", "é",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_but_ends_is_added(page):
    markup = page.encode()
    repaired, names = closed(markup)
    assert bool(names) == (repaired != markup)
    left = iter(repaired)
    assert all(byte in left for byte in markup)


@given(
    st.binary(max_size=40) | st.lists(st.sampled_from(PIECES)).map(lambda x: "".join(x).encode())
)
def test_marks_are_those_of_a_regular_expression(markup):
    written = re.compile(
        rb"<!--|</br(?=[\s/>])|</?(?:iframe|noframes|script|style|textarea|title|xmp)(?=[\s/>])",
        re.IGNORECASE,
    )
    expected = [match.start() for match in written.finditer(markup.replace(b"\v", b"."))]
    assert marks(markup).at.tolist() == expected


def test_the_head_says_what_was_repaired():
    assert record([b"<title>a<p>b"]).heads[0].repaired == ("title",)
    assert record([b"<title>a</title><p>b"]).heads[0].repaired == ()


def test_a_title_without_end_is_still_the_title():
    head = record([b"<title>A page\n<meta name=author content=B><p>b"]).heads[0]
    assert head.title == "A page"
    assert head.meta == {"author": "B"}
