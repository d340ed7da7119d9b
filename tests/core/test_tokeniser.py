"""Events of pages are what lxml reports of them; references, marks, limits, and time."""

import html
import time
from html.entities import html5
from pathlib import Path

import markup_strategies
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import PARSES_AS_THE_CORE, heard, recorded, unescaped_value
from valid_table import validate

from tests.rows import repeated, tables
from victor.base import core
from victor.page.parsing.events import ATTRIBUTES, record
from victor.page.parsing.tags import DEEPEST
from victor.page.table.segment import segment

needs_parser = pytest.mark.skipif(
    not PARSES_AS_THE_CORE, reason="lxml has a libxml2 that is older than the rules"
)
PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))


def check(pages, *, attributes=ATTRIBUTES, alt_text=False):
    """The events are those of lxml's parser."""
    events = record(pages, attributes=attributes, alt_text=alt_text)
    for page, found in zip(pages, recorded(events), strict=True):
        assert found == heard(page, attributes=attributes, alt_text=alt_text)
    return events


@needs_parser
@pytest.mark.parametrize("alt_text", [False, True])
def test_pages_of_the_web(alt_text):
    pages = [path.read_bytes().decode("utf-8", "replace").encode() for path in PAGES]
    assert len(check(pages, alt_text=alt_text).heads) == len(pages) > 10


@needs_parser
@given(st.lists(markup_strategies.pages(), max_size=3), st.booleans())
def test_odd_pages(pages, alt_text):
    check(pages, alt_text=alt_text)


@given(markup_strategies.pages(), st.integers(DEEPEST - 6, DEEPEST + 6))
def test_pages_below_the_bound_of_the_depth(page, depth):
    table = segment(record([b"<div>" * depth + page + b"</div>" * depth + b"<p>after"]))
    validate(table)
    assert table.elements.depth.max() <= DEEPEST


ROWS = {
    name: [repeated(page).encode("latin-1") for page in pages]
    for name, pages in tables(__file__).items()
}


@pytest.mark.parametrize("page", ROWS["edges"])
@needs_parser
def test_edges(page):
    check([page, b"<p class=x>between", page], alt_text=True)


@pytest.mark.parametrize(
    "attributes",
    [
        (), ("",), ("class", "class"), ("Class",), ("href", "x" * 60), ("data-x", *ATTRIBUTES),
        (">",), tuple(f"k{i}" for i in range(70)),
    ],
)  # fmt: skip
@needs_parser
def test_any_attributes_can_be_asked_for(attributes):
    page = "<p class=1 CLASS=2 data-x=3 é=4 href=5 k3=6 a\0=7>x<hr k69 k0=1><a =x>"
    check([page.encode(), PAGES[0].read_bytes()], attributes=attributes)


@pytest.mark.parametrize(
    "page", [b"a\xff<p>", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
)
def test_what_is_no_utf8_becomes_a_replacement_character(page):
    valid = page.decode("utf-8", "replace").encode()
    found, wanted = record([b"<p class=a>", page]), record([b"<p class=a>", valid])
    assert found.codes.tolist() == wanted.codes.tolist()
    assert 0xFFFD in found.codes


def test_all_named_references():
    names = [f"&{name}" for name in html5]
    texts = [f"{name} {name.rstrip(';')}x {name}=" for name in names]
    values = [f"{name}={name} {name.rstrip(';')}a {name}" for name in names]
    page = "".join(f"<p id='{v}'>|{t}" for t, v in zip(texts, values, strict=True))
    items = recorded(record([page.encode()], attributes=("id",)))[0]
    found = [item for item in items if item[0] == "|"]
    assert found == ["|" + html.unescape(text) for text in texts]
    bundles = [item[2][0] for item in items if item[0] == "p" and not item[1]]
    assert bundles == [unescaped_value(value) for value in values]


NUMBERS = range(100_000)
NUMBERED = [
    b"<p " + b" ".join(b"k%d" % number for number in NUMBERS) + b">",
    b"".join(b"<x%d>" % number for number in NUMBERS),
]


@pytest.mark.parametrize("page", ROWS["long"] + NUMBERED)
def test_time_is_linear(page):
    """A page that is four times as long takes about four times as long, on any machine."""

    def seconds(markup):
        before = time.process_time()
        core.compiled.events((markup,), ATTRIBUTES, 0, 1000)
        return time.process_time() - before

    quarter = page[: len(page) // 4] + b">"  # a tag that does not end costs less
    assert seconds(page) < 10 * seconds(quarter) + 0.05
