"""What each block is to the reader of its page, by rules on the labels of any labeler.

The headline comes first, then the comments of readers. What else the labeler keeps is a heading or
text, and text is told apart by the element that it stands in: an item, a cell, code, a quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Floats, Ints, Labels, unchanging
from victor.base.labels import HEADER, OTHER, TEXT, Kind, Label
from victor.base.lazy import cached_property
from victor.kinds.comments import Comments, Extent
from victor.kinds.names import Signs
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import HEADING_LINK, Verdict

Value = TypeVar("Value", bound=np.generic)

_ITEMS: Final = frozenset({"li", "dt", "dd"})
_CELLS: Final = frozenset({"td", "th"})
_QUOTES: Final = frozenset({"blockquote"})
_PREFORMATTED: Final = frozenset({"pre", "listing", "xmp"})
_CODE: Final = frozenset({"pre", "code", "listing", "xmp"})


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    return verdict.with_kinds(_KindsOfVerdict(verdict, pages))


class Kinds(Struct, frozen=True, eq=False, dict=True):
    """The kinds of the n blocks of a table, given their labels."""

    table: BlockTable  # of `split: block`, with the attributes of `victor.page.names.name_groups`
    labels: Codes  # (n,) uint8 `victor.base.labels.Label`
    is_data: Bools | None = None  # (E,) is the element a table of data; None if nobody has looked

    @cached_property
    def codes(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind`."""
        if not len(self.table):
            return np.zeros(0, dtype=np.uint8)
        codes = np.full(len(self.table), Kind.OTHER, dtype=np.uint8)
        codes[self.labels == TEXT] = self._of_text[self.labels == TEXT]
        codes[self.labels == HEADER] = Kind.HEADING
        codes[self.comments.said] = Kind.COMMENT
        codes[self.is_headline] = Kind.HEADLINE
        return codes

    @cached_property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page; asks for no other kind."""
        is_headline = np.zeros(len(self.table), dtype=bool)
        is_headline[self._headlines[self._headlines >= 0]] = True
        return is_headline

    @cached_property
    def comments(self) -> Comments:
        """The comments of readers."""
        return Comments(self.signs, Extent(self.table, self.labels), self._headlines)

    @cached_property
    def signs(self) -> Signs:
        """How markup names what is around the blocks, and what short ones say."""
        return Signs(self.table)

    @cached_property
    def _headlines(self) -> Ints:
        return headlines(self.signs, self.labels)

    @property
    def _of_text(self) -> Codes:
        """(n,) what running text is, by the innermost element that says it."""
        table, of_element = self.table, self._of_elements()
        inner = table.elements.nearest(of_element != Kind.TEXT)[table.container]
        codes = np.where(inner >= 0, of_element[inner], np.uint8(Kind.TEXT))
        # All of the block is code; in items and cells that is only how they are set.
        is_code = table.sum_segments((~table.segments_inside(_CODE)).astype(np.int64)) == 0
        codes[is_code & (codes == Kind.TEXT)] = Kind.CODE
        return codes

    def _of_elements(self) -> Codes:
        """(E,) kind of the text directly in each element, TEXT for one that says nothing."""
        elements, tag = self.table.elements, self.table.elements.tag
        codes = np.full(len(tag), Kind.TEXT, dtype=np.uint8)
        codes[member_mask(_ITEMS)[tag]] = Kind.ITEM
        if self.is_data is not None:
            around = elements.innermost(frozenset({"table"}))
            is_cell = member_mask(_CELLS)[tag] & (around >= 0)
            codes[is_cell & self.is_data[around]] = Kind.CELL
        # Some forums write whole posts as quotes, under names that say better what they are.
        is_quote = member_mask(_QUOTES)[tag] & ~self.signs.is_named("body", "said")
        codes[is_quote | self.signs.is_named("quote")] = Kind.QUOTE
        codes[member_mask(_PREFORMATTED)[tag]] = Kind.CODE
        return codes


class _KindsOfVerdict(Struct, frozen=True, eq=False, dict=True):
    """The kinds of the n blocks of a verdict, whatever its labeler reads of a page."""

    verdict: Verdict  # of the labeler
    pages: Sequence[bytes]  # as UTF-8 bytes

    @cached_property
    def codes(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind` of the blocks."""
        return self._spread(self._kinds.codes)

    @cached_property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page, without the kinds of the others."""
        return self._spread(self._kinds.is_headline)

    @cached_property
    def among_comments(self) -> Bools:
        """(n,) does the block stand among comments, as what they say, a name or a button."""
        return self._spread(self._kinds.comments.blocks)

    def _spread(self, values: NDArray[Value]) -> NDArray[Value]:
        """(n,) from the blocks that rules read; zero for all where there is no such block."""
        outer = self._outer
        return values[outer] if len(values) else np.zeros(len(outer), values.dtype)

    @cached_property
    def _kinds(self) -> Kinds:
        """Of the blocks that rules read: cut at block-level tags, with names of the markup."""
        verdict, table = self.verdict, self._named
        if table is verdict.table:
            is_data = None if verdict.tables is None else verdict.tables.is_data
            return Kinds(table, verdict.labels, is_data)
        return Kinds(table, _labels(verdict, self._outer, len(table)), _data_tables(verdict, table))

    @cached_property
    def _named(self) -> BlockTable:
        """A table that is not cut at block-level tags, or without names, is made again."""
        table = self.verdict.table
        if table.split == "block" and set(ATTRIBUTES) <= {*table.attributes}:
            return table
        return read_pages(self.pages, attributes=ATTRIBUTES)

    @cached_property
    def _outer(self) -> Ints:
        """(n,) which of the blocks that rules read holds each block of the verdict."""
        table, named = self.verdict.table, self._named
        outer = np.searchsorted(_of_blocks(named), _of_blocks(table), side="right") - 1
        return np.maximum(outer, 0)


def _data_tables(verdict: Verdict, named: BlockTable) -> Bools | None:
    """(E,) which elements of another table of the same pages are the verdict's tables of data."""
    if verdict.tables is None:
        return None
    starts = verdict.table.shared_tags[verdict.table.elements.open[verdict.tables.is_data]]
    elements = named.elements
    is_table = elements.tag == IDS["table"]
    return np.asarray(is_table & np.isin(named.shared_tags[elements.open], starts))


def _of_blocks(table: BlockTable) -> Ints:
    return table.shared_tags[table.tag]


def _labels(verdict: Verdict, outer: Ints, n: int) -> Codes:
    """(n,) label of most words of the verdict's blocks in each of some larger blocks."""
    if not n:
        return np.zeros(0, dtype=np.uint8)
    weights = np.zeros((n, len(Label)))
    np.add.at(weights, (outer, verdict.labels), np.maximum(verdict.table.words, 1))
    weights[weights.sum(axis=1) == 0, OTHER] = 1
    return np.asarray(weights.argmax(axis=1), dtype=np.uint8)


_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0


def headlines(signs: Signs, labels: Labels) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie")
    elsewhere |= signs.near("navigation", "site") | table.blocks_inside(_ELSEWHERE_TAGS)
    by_names = _NAMED * signs.near("headline") - _ELSEWHERE * elsewhere
    return _best(table, labels, None, by_names)


def kept_headlines(table: BlockTable, labels: Labels, no_text: Bools | None = None) -> Ints:
    """(k,) the headlines that a labeler keeps, of at most as many pages, ascending.

    This is what `headlines` finds, but for the names in the markup. Only an h1 or h2 and what is
    kept as a heading or as a header may be the headline: so it costs a small part of the time, and
    needs nothing but the blocks.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: (n,) bool; which blocks are copies of others; None if none is.
    """
    found = _best(table, labels, no_text, None)
    found = found[found >= 0]
    return np.asarray(found[labels[found] != OTHER])


def _best(
    table: BlockTable, labels: Labels, no_text: Bools | None, by_names: Floats | None
) -> Ints:
    """(P,) the block of each page that is most like a headline, -1 for none.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: as of `kept_headlines`.
        by_names: (n,) what names in the markup add to the score, for all blocks; None to look at
            those only that `kept_headlines` does.
    """
    inputs = labels, no_text, by_names
    return core.array(core.compiled.judge("headlines", table.batch, inputs), np.int64)


# --- Links of headings ----------------------------------------------------------------------------

TAGS: Final = unchanging(np.array([IDS["dt"], IDS["a"], IDS["sup"]]))


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    if not verdict.by_model:
        return verdict
    memory = core.compiled.judge("heading_links", verdict.table.batch, (verdict.labels, TAGS))
    gone = core.array(memory, np.bool_)
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict


# --- Headings that head nothing -------------------------------------------------------------------


def dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text.

    Several in a row may be a list of names.
    """
    memory = core.compiled.judge("dangling", table.batch, (labels,))
    return np.flatnonzero(core.array(memory, np.bool_))
