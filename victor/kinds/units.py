"""Units: lists, tables, listings, quotations and disclosures, which are kept or dropped whole."""

from __future__ import annotations

from enum import IntFlag
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import (
    Bools,
    Floats,
    Ints,
    prefix_sums,
    span_indices,
    unchanging,
    window_sums,
)
from victor.base.lazy import cached_property
from victor.page.parsing.tags import IDS, roles_of
from victor.page.table.blocks import BlockTable
from victor.page.verdict.paragraphs import LISTS, UNITS
from victor.page.verdict.preformatted import PRE

TABLES: Final = frozenset({"table"})
PREFORMATTED: Final = ("listing", "pre")
FORUM: Final = "forum"
"""The type of pages of which replies are the text."""

# What tags are to the core:
ROLES: Final = roles_of(UNITS, LISTS, PRE, TABLES)
"""to units, as core/kinds/units.h has it;"""
PRE_TAGS: Final = unchanging(np.array([IDS[name] for name in PREFORMATTED]))
"""to copies;"""
LINK_TAGS: Final = unchanging(np.array([IDS["dt"], IDS["a"], IDS["sup"]]))
"""to links of headings."""
LARGEST: Final = 0.3
"""Share of the words that a page is expected to keep, at most; a larger list holds the page."""


class Needs(IntFlag):
    """What few pages need; as in core/kinds/finish.c."""

    NOTHING = 0
    COPIES = 1
    DECLARED = 2
    TABLES = 4
    NOTES = 8
    LINKS = 16
    COMMENTS = 32
    ALL = 63


class Units(Struct, frozen=True, eq=False, dict=True):
    """m elements of a batch that may be units, and what the labeler thinks of their blocks."""

    table: BlockTable  # the blocks
    p_other: Floats  # (n,) float64 of the blocks
    elements: Ints  # (m,) int64 the elements, ascending; all have words
    starts: Ints  # (m,) int64 the first block of each
    stops: Ints  # (m,) int64 one past its last block

    @classmethod
    def of(cls, table: BlockTable, p_other: Floats, chosen: Bools) -> Units:
        """Those of (E,) some elements that have words."""
        units, elements = np.flatnonzero(chosen), table.elements
        starts = np.searchsorted(table.tag, elements.open[units])
        stops = np.searchsorted(table.tag, elements.close[units])
        words = prefix_sums(table.words)
        filled = words[stops] > words[starts]
        return cls(table, p_other, units[filled], starts[filled], stops[filled])

    def __len__(self) -> int:
        return len(self.elements)

    def sums(self, values: Ints | Bools) -> Ints:
        """(m,) sums over the blocks of each unit."""
        before = prefix_sums(values)
        return before[self.stops] - before[self.starts]

    @cached_property
    def words(self) -> Ints:
        """(m,) words of each unit."""
        return self.sums(self.table.words)

    @cached_property
    def expected(self) -> Ints:
        """(n,) words of each block that are expected to be kept, in units of ``1 / SCALE``."""
        return expected_words(self.table.words, self.p_other)

    @property
    def rows(self) -> tuple[Ints, Ints]:
        """The blocks of units of which none is in another, and the number of the unit of each."""
        lengths = self.stops - self.starts
        return span_indices(self.starts, lengths), np.repeat(np.arange(len(lengths)), lengths)

    def outermost(self, chosen: Bools) -> Units:
        """Those of some units that are in no other of them."""
        ends = np.maximum.accumulate(np.where(chosen, self.stops, 0))
        return self.only(chosen & (self.starts >= np.append(0, ends)[:-1]))

    def only(self, chosen: Bools) -> Units:
        """Some of the units."""
        parts = (column[chosen] for column in (self.elements, self.starts, self.stops))
        return Units(self.table, self.p_other, *parts)


class Raised(NamedTuple):
    """Units that are kept if other blocks are."""

    units: Units  # m of them, none in another
    beside: Ints  # (m,) int64 the block that each goes with


def parts_of_pages(table: BlockTable, expected: Ints, share: float = LARGEST) -> Floats:
    """(P,) so many words are a share of what each page is expected to keep.

    By default these are the most words of a unit that is a smaller part of its page.

    Args:
        table: the n blocks.
        expected: (n,) their `expected_words`.
        share: of them.
    """
    return np.asarray(share * window_sums(expected, table.page_starts) / SCALE)


def raised_with_pages(units: Units) -> Raised:
    """Units that go with the block that stands for their page.

    Half of the words that are expected to be kept are in blocks as sure as this one.
    """
    pages = units.table.page[units.starts].tolist()
    middles = {page: _middle(units, page) for page in {*pages}}
    middle = np.array([middles[page] for page in pages], dtype=np.int64)
    return Raised(units, middle)


def _middle(units: Units, page: int) -> int:
    """The block of a page up to which half of its expected words are, by p(other)."""
    start, end = units.table.page_starts[page : page + 2].tolist()
    order = np.argsort(units.p_other[start:end], kind="stable")
    so_far = np.append(0, np.cumsum(units.expected[start:end][order]))
    place = np.searchsorted(so_far, so_far[-1] // 2, side="right") - 1
    return int(start + order[min(place, len(order) - 1)])


SCALE: Final = 2.0**32
"""Probabilities are summed as integers of ``1 / SCALE``, so that a page decides alike alone and in
any batch. A batch may hold 2**31 words."""


def expected_words(words: Ints, p_other: Floats) -> Ints:
    """(n,) int64 words of each block that are expected to be kept, in units of ``1 / SCALE``.

    Args:
        words: (n,) int64 words of each block.
        p_other: (n,) float64 probability that a block is dropped.
    """
    return np.rint((1 - p_other) * SCALE).astype(np.int64) * words
