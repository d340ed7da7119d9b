"""However broken the markup is, the stream of a page is balanced and its text is text."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import CLOSE, TAG_BASE, record
from victor.page.parsing.tags import NAMES as KNOWN
from victor.page.parsing.tags import VOID

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


def unbalanced(codes):
    """The first tag of a stream that does not fit the tags before it, None if all do."""
    tags = codes[(codes >= TAG_BASE) & (codes < TAG_BASE + 3 * len(KNOWN))].tolist()
    closed = {(code - TAG_BASE) // 3 for code in tags if (code - TAG_BASE) % 3 == CLOSE}
    # An image has an end when it has alternative text.
    void = {n for n, name in enumerate(KNOWN) if name in VOID and n not in closed}
    stack = []
    for code in tags:
        number, kind = divmod(code - TAG_BASE, 3)
        if kind == CLOSE and not (stack and stack.pop() == number):
            return KNOWN[number]
        if kind != CLOSE and number not in void:
            stack.append(number)
    return KNOWN[stack[-1]] if stack else None


def check(pages, **options):
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
def test_broken_markup(page, alt_text):
    check([page], alt_text=alt_text)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(page=st.binary(max_size=200))
def test_random_bytes(page):
    check([page])


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    page=broken_markup(), edits=st.lists(st.tuples(st.integers(0), st.integers(0, 255)), max_size=5)
)
def test_damaged_bytes(page, edits):
    damaged = bytearray(page)
    for place, value in edits:
        if damaged:
            damaged[place % len(damaged)] = value
    check([bytes(damaged)])


@settings(max_examples=50, deadline=None, derandomize=True)
@given(pages=st.lists(broken_markup(), max_size=4))
def test_batches(pages):
    events = check(pages)
    alone = [record([page]) for page in pages]
    assert [len(one.codes) for one in alone] == np.diff(events.page_starts).tolist()
    assert events.heads == tuple(one.heads[0] for one in alone)
