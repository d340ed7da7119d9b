"""Block tables and tokens of any events keep what later stages rely on."""

from pathlib import Path

import markup_strategies
import numpy as np
import strategies
from hypothesis import given
from hypothesis import strategies as st
from valid_table import validate

from victor.page.parsing.characters import JOINER, LINE_BREAK, SPACE, class_table
from victor.page.parsing.events import record as recorded
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import some_pages
from victor.page.table.segment import segment
from victor.page.table.tokens import tokenize
from victor.page.verdict.removed_parts import without

PAGES = Path(__file__).parents[2] / "annotations" / "pages"
SPLITS = (("tag", False), ("tag", True), ("block", False))
WHITE, BREAK = " \n\t\xa0\u3000\u2028\r\f", chr(LINE_BREAK)
JOINERS, UNSEEN, ZERO_WIDTH = "\u200d\u2066\u200e\ufe0f", "\xad\u2060\ufeff", "\u200b"
THAI = "กขคงาิ"
CHARACTERS = f"aB1_.,%é東カ{THAI}ི་ཀΩ\U0001f600{WHITE}{WHITE}{BREAK}{JOINERS}{UNSEEN}{ZERO_WIDTH}"


def check(events, splits=SPLITS):
    for split, pre_lines in splits:
        table = segment(events, split, pre_lines=pre_lines)
        validate(table)
        check_tokens(table.tokens, table.chars, table.start, table.segments.start)


def check_tokens(tokens, chars, block_starts, segment_starts):
    """Tokens are in order and seen; blocks and segments own those that begin in them."""
    assert (tokens.start < tokens.end).all()
    assert (tokens.end[:-1] <= tokens.start[1:]).all()
    assert not (class_table()[chars[tokens.start]] == SPACE).any()
    first = class_table()[chars[tokens.start]]
    assert ((tokens.first_class == first) | (first == JOINER)).all()
    for starts, offsets in (
        (block_starts, tokens.block_offsets),
        (segment_starts, tokens.segment_offsets),
    ):
        first = np.searchsorted(tokens.start, starts)
        assert offsets.tolist() == [*first, len(tokens.start)]


def test_annotated_pages():
    pages = [path.read_bytes() for path in sorted(PAGES.glob("*.html"))]
    assert pages
    check(recorded(pages))
    for page in pages[::4]:
        check(recorded([page], alt_text=True))


@given(
    st.one_of(
        strategies.batch(),
        st.lists(markup_strategies.pages(), max_size=3),
        st.lists(st.binary(max_size=200), max_size=3),
    )
)
def test_any_page(pages):
    check(recorded(pages))


def test_tables_made_of_others():
    pages = [path.read_bytes() for path in sorted(PAGES.glob("*.html"))[:6]]
    table = segment(recorded(pages))
    for page, markup in enumerate(pages):
        alone = segment(recorded([markup])).tokens
        assert some_pages(table, [page]).tokens.start.tolist() == alone.start.tolist()
    last_of_many = np.diff(table.segment_starts) > 1
    gone = np.zeros(len(table.segments), dtype=bool)
    gone[table.segment_starts[1:][last_of_many] - 1] = True
    reduced = without(table, gone, table.tags.id == IDS["br"])
    check_tokens(reduced.tokens, reduced.chars, reduced.start, reduced.segments.start)
    assert reduced.words.sum() < table.words.sum()


TEXTS = st.text(st.sampled_from(CHARACTERS.replace(BREAK, "\u2028") + THAI * 3), max_size=40)


@given(st.lists(TEXTS, max_size=5))
def test_tokens_of_any_text(blocks):
    chars = np.frombuffer("".join(blocks).encode("utf-32-le"), dtype=np.uint32)
    starts = np.cumsum([0, *map(len, blocks)], dtype=np.int64)[:-1]
    some = starts[1:]  # characters before the first block
    for block_starts, segment_starts in ((starts, starts), (some, starts[:0])):
        tokens = tokenize(chars, block_starts, segment_starts)
        check_tokens(tokens, chars, block_starts, segment_starts)
