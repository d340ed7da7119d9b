"""However broken the markup is, the stream of a page is balanced and its text is text."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import CLOSE, TAG_BASE, record
from victor.page.parsing.tags import NAMES as KNOWN

NAMES = (
    "html head body title p div span a b i font table caption tr td tbody ul li dl dt select "
    "option script style textarea br hr img form button frameset frame noframes plaintext xmp svg "
    "math iframe noscript template object x-y unknown pre meta link col nobr center image a:b 1x"
).split()
DEBRIS = (
    "<![CDATA[", "]]>", "<?xml version='1.0'?>", "<?php", "?>", "<!--", "-->", "<", "</", ">",
    "</>", "<!doctype html>", "<!", "&", "&#0;", "&#xD800;", "&#x10FFFF;", "\0", "\ufeff",
    "\U00010000", "'", '"', "=", "text", " ", "<p ", "<p class=", "</p ", "<p class=x <b>",
)  # fmt: skip


def broken_markup():
    """Start and end tags in any order, and pieces of other things."""
    name = st.sampled_from(NAMES)
    pieces = st.one_of(
        name.map("<{}>".format),
        name.map("</{}>".format),
        name.map("<{} class=x alt=y>".format),
        st.sampled_from(DEBRIS),
    )
    return st.lists(pieces, max_size=40).map(lambda found: "".join(found).encode())


def check(pages, unbalanced, **options):
    events = record(pages, **options)
    for first, last in zip(events.page_starts[:-1], events.page_starts[1:], strict=True):
        assert unbalanced(events.codes[first:last]) is None
        own = events.codes[first:last]
        assert own[0] == TAG_BASE
        assert own[-1] == TAG_BASE + CLOSE
        tags = own[(own >= 0xD800) & (own < 0xE000) & (own != LINE_BREAK)]
        assert tags.max() < TAG_BASE + 3 * len(KNOWN)
    return events


@settings(max_examples=250, deadline=None, derandomize=True)
@given(page=broken_markup(), alt_text=st.booleans())
@example(b"<p>a</html>b<html><p>c", False)
@example(b"a</p>b</br>c</body>", False)
@example(b"<frameset><frame><p>a</frameset>b", False)
@example(b"<table><p>a<tr>b<td><table>c</td></table>", False)
@example(b"<applet><svg></applet></svg><title>", True)
def test_broken_markup(unbalanced, page, alt_text):
    check([page], unbalanced, alt_text=alt_text)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(page=st.binary(max_size=200))
def test_random_bytes(unbalanced, page):
    check([page], unbalanced)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    page=broken_markup(), edits=st.lists(st.tuples(st.integers(0), st.integers(0, 255)), max_size=5)
)
def test_damaged_bytes(unbalanced, page, edits):
    damaged = bytearray(page)
    for place, value in edits:
        if damaged:
            damaged[place % len(damaged)] = value
    check([bytes(damaged)], unbalanced)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(pages=st.lists(broken_markup(), max_size=4))
def test_batches(unbalanced, pages):
    events = check(pages, unbalanced)
    alone = [record([page]) for page in pages]
    assert [len(one.codes) for one in alone] == np.diff(events.page_starts).tolist()
    assert events.heads == tuple(one.heads[0] for one in alone)


@pytest.mark.parametrize("page", [b"<p>a</b>", b"</p>", b"<b><i></b></i>"])
def test_the_check_can_fail(unbalanced, page):
    codes = record([page]).codes
    tags = np.flatnonzero((codes >= 0xD800) & (codes < 0xE000))
    assert unbalanced(codes) is None
    assert unbalanced(np.delete(codes, tags[-1])) is not None
    assert unbalanced(np.delete(codes, tags[0])) is not None
