"""Block tables and tokens by the compiled core equal those by numpy, item by item."""

from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import core
from victor.errors import ConfigError
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import (
    BUNDLE_BASE,
    CLOSE,
    OPEN,
    OPEN_WITH_ATTRIBUTES,
    TAG_BASE,
    Events,
    Head,
)
from victor.page.parsing.events import record as recorded
from victor.page.parsing.line_events import record_lines
from victor.page.parsing.tags import IDS, PAGE
from victor.page.table.blocks import validate
from victor.page.table.one_page import one_page
from victor.page.table.segment import segment
from victor.page.table.tokens import tokenize
from victor.page.verdict.removed_parts import without

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

PAGES = Path(__file__).parents[2] / "annotations" / "pages"
SPLITS = (("tag", False), ("tag", True), ("block", False))
WHITE, BREAK = " \n\t\xa0\u3000\u2028\r\f", chr(LINE_BREAK)
JOINERS, UNSEEN, ZERO_WIDTH = "\u200d\u2066\u200e\ufe0f", "\xad\u2060\ufeff", "\u200b"
THAI = "กขคงาิ"
CHARACTERS = f"aB1_.,%é東カ{THAI}ི་ཀΩ\U0001f600{WHITE}{WHITE}{BREAK}{JOINERS}{UNSEEN}{ZERO_WIDTH}"


def arrays(table):
    """Name and array of every column of a table and of the tables in it."""
    for field in fields(table):
        value = getattr(table, field.name)
        if isinstance(value, np.ndarray):
            yield field.name, value
        elif is_dataclass(value):
            yield from ((f"{field.name}.{name}", column) for name, column in arrays(value))


def assert_equal(compiled, plain):
    pairs = zip(arrays(compiled), arrays(plain), strict=True)
    for (name, ours), (_, wanted) in pairs:
        assert ours.dtype == wanted.dtype, name
        assert np.array_equal(ours, wanted), name
        assert not ours.flags.writeable, name


def by_numpy(function, *arguments, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return function(*arguments, **options)


def compare(events, splits=SPLITS):
    for split, pre_lines in splits:
        ours = segment(events, split, pre_lines=pre_lines)
        validate(ours)
        wanted = by_numpy(segment, events, split, pre_lines=pre_lines)
        assert_equal(ours, wanted)
        assert_equal(ours.tokens, by_numpy(lambda table=wanted: table.tokens))


def code(name, kind=OPEN):
    return TAG_BASE + 3 * IDS[name] + kind


def events_of(codes):
    """Events of codes; their bundles are not looked at here."""
    array = np.array(codes, dtype=np.uint32)
    heads = (Head(),) * codes.count(code(PAGE))
    return Events(array, np.zeros(len(heads) + 1, np.int64), (), (), heads)


def text_codes(max_size=8):
    return st.lists(st.sampled_from(CHARACTERS).map(ord), max_size=max_size)


def element(inside):
    name = st.sampled_from(["p", "b", "pre", "li", "span", "listing", "math", "#custom", "h2"])
    bundle = st.one_of(st.none(), st.integers(0, 9))

    def wrap(drawn):
        tag, row, children = drawn
        start = [code(tag)] if row is None else [code(tag, OPEN_WITH_ATTRIBUTES), BUNDLE_BASE + row]
        return [*start, *chain(*children), code(tag, CLOSE)]

    return st.tuples(name, bundle, st.lists(inside, max_size=5)).map(wrap)


def streams():
    """Codes of balanced pages; images have an end in some."""
    voids = st.sampled_from(
        [[code("br"), LINE_BREAK], [code("br")], [code("hr")], [code("wbr")],
         [code("input", OPEN_WITH_ATTRIBUTES), BUNDLE_BASE]]
    )  # fmt: skip
    with_images = st.one_of(
        text_codes(), voids, st.just([code("img"), ord("x"), code("img", CLOSE)])
    )
    without_end = st.one_of(text_codes(), voids, st.just([code("img")]))

    def page(leaves):
        inside = st.lists(st.recursive(leaves, element, max_leaves=25), max_size=6)
        return inside.map(lambda parts: [code(PAGE), *chain(*parts), code(PAGE, CLOSE)])

    def pages(leaves):
        return st.lists(page(leaves), max_size=3).map(lambda drawn: [*chain(*drawn)])

    return st.one_of(pages(with_images), pages(without_end))


def test_annotated_pages():
    pages = [path.read_bytes() for path in sorted(PAGES.glob("*.html"))]
    assert pages
    compare(recorded(pages))
    for page in pages[::4]:
        compare(recorded([page], alt_text=True))


@settings(max_examples=60, deadline=None)
@given(streams())
def test_any_stream(codes):
    compare(events_of(codes))


@settings(max_examples=40, deadline=None)
@given(strategies.batch())
def test_any_page(pages):
    compare(recorded(pages))


@settings(max_examples=20, deadline=None)
@given(strategies.batch())
def test_lines_of_the_source(pages):
    compare(record_lines(pages), [("line", False)])


def test_lines_must_have_been_recorded():
    with pytest.raises(ConfigError, match="lines of the source were not recorded"):
        segment(recorded([b"<p>a"]), "line")


def test_tables_made_of_others():
    pages = [path.read_bytes() for path in sorted(PAGES.glob("*.html"))[:6]]
    table = segment(recorded(pages))
    for page in range(table.n_pages):
        plain = one_page(table, page)
        assert_equal(one_page(table, page).tokens, by_numpy(lambda plain=plain: plain.tokens))
    last_of_many = np.diff(table.segment_starts) > 1
    gone = np.zeros(len(table.segments), dtype=bool)
    gone[table.segment_starts[1:][last_of_many] - 1] = True
    reduced, plain = (without(table, gone, table.tags.id == IDS["br"]) for _ in range(2))
    assert_equal(reduced.tokens, by_numpy(lambda: plain.tokens))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from(CHARACTERS.replace(BREAK, "\u2028") + THAI * 3), max_size=40),
        max_size=5,
    )
)
def test_tokens_of_any_text(blocks):
    chars = np.frombuffer("".join(blocks).encode("utf-32-le"), dtype=np.uint32)
    starts = np.cumsum([0, *map(len, blocks)], dtype=np.int64)[:-1]
    some = starts[1:]  # characters before the first block
    for block_starts, segment_starts in ((starts, starts), (some, starts[:0])):
        ours = tokenize(chars, block_starts, segment_starts)
        assert_equal(ours, by_numpy(tokenize, chars, block_starts, segment_starts))
