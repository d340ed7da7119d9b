"""Islands: lists, tables, listings and quotations that stand between two kept blocks.

A short block is seldom as sure as the prose around it. So a decision that is strict about unsure
blocks, as expected F is on a page of much prose, drops a listing out of the middle of its text. The
neighbours tell more: on development pages two of three units that a chain drops between kept
blocks, whole or in part, are in the gold text.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Floats, Ints, prefix_sums, span_indices, window_sums
from victor.base.cached import cached_property
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.verdict.expected_words import SCALE, expected_words
from victor.page.verdict.paragraphs import LISTS
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.tag_roles import UNITS

LEAST: Final = 0.15
"""Mean p(keep) of the words of an island, at least."""
SURE: Final = 0.7
MIXED: Final = 0.2
"""Where so many blocks are surely to be kept and so many surely to be dropped, as shares, a table
or a list serves the layout, for instance of posts, and preformatted text is more than code."""
FEW: Final = 60
"""Words of a table or a list that does not serve the layout, whatever its blocks seem to be: of a
few short ones the chain is sure by chance."""
LARGEST: Final = 0.3
"""Share of the words that a page is expected to keep, at most; a larger list holds the page."""
_WRAPPERS: Final = 8
_REACH: Final = 3
"""Blocks between code and the text that it belongs to, at most."""


class Units(Struct, frozen=True, eq=False, dict=True):
    """The m elements of a batch that may be units, and what the labeler thinks of them.

    Attributes:
        table: the blocks.
        p_other: (n,) float64 of the blocks.
        elements: (m,) int64 the elements, ascending; all have words.
        starts, stops: (m,) int64 their blocks are ``starts[i]:stops[i]``.
    """

    table: BlockTable
    p_other: Floats
    elements: Ints
    starts: Ints
    stops: Ints

    @classmethod
    def of(cls, table: BlockTable, p_other: Floats) -> Units:
        """All lists, tables, listings, quotations and disclosures."""
        elements = table.elements
        chosen = member_mask(UNITS)[elements.tag]
        units = np.flatnonzero(chosen)
        starts = np.searchsorted(table.tag, elements.open[units])
        stops = np.searchsorted(table.tag, elements.close[units])
        words = prefix_sums(table.words)
        filled = words[stops] > words[starts]
        return cls(table, p_other, units[filled], starts[filled], stops[filled])

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

    @cached_property
    def p_keep(self) -> Floats:
        """(m,) mean p(keep) of the words of each unit."""
        return np.asarray(self.sums(self.expected) / (self.words * SCALE))

    @cached_property
    def is_mixed(self) -> Bools:
        """(m,) does a unit hold text that is surely to be kept and text that surely is not."""
        n = self.stops - self.starts
        n_kept, n_dropped = self.sums(self.p_other <= 1 - SURE), self.sums(self.p_other >= SURE)
        is_mixed = (n_kept > MIXED * n) & (n_dropped > MIXED * n)
        return np.asarray(is_mixed & (self.words > FEW))

    @property
    def is_code(self) -> Bools:
        """(m,) is a unit preformatted."""
        return np.asarray(member_mask(PRE)[self.table.elements.tag[self.elements]])

    @cached_property
    def is_part(self) -> Bools:
        """(m,) is a unit a smaller part of what its page is expected to keep."""
        largest = parts_of_pages(self.table, self.expected)
        return np.asarray(self.words <= largest[self.table.page[self.starts]])

    @cached_property
    def lists(self) -> Units | None:
        """The outermost lists that are parts of a text, none mixed; None if there are none."""
        is_list = member_mask(LISTS)[self.table.elements.tag[self.elements]]
        if not is_list.any() or not (chosen := is_list & self.is_part & ~self.is_mixed).any():
            return None
        return self.outermost(chosen)

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


def parts_of_pages(table: BlockTable, expected: Ints, share: float = LARGEST) -> Floats:
    """(P,) so many words are a share of what each page is expected to keep.

    By default these are the most words of a unit that is a smaller part of its page.

    Args:
        table: the n blocks.
        expected: (n,) their `expected_words`.
        share: of them.
    """
    return np.asarray(share * window_sums(expected, table.page_starts) / SCALE)


class Islands(NamedTuple):
    """Units that go with the blocks around them.

    Attributes:
        units: m of them, none in another.
        before, after: (m,) int64 the blocks around each.
    """

    units: Units
    before: Ints
    after: Ints

    @property
    def inside(self) -> Bools:
        """(n,) is a block part of an island."""
        result = np.zeros(len(self.units.table), dtype=bool)
        result[self.units.rows[0]] = True
        return result


def islands(units: Units) -> Islands | None:
    """Units that stand between two blocks of the same container; None if there are none.

    The container is the innermost element that holds more words than the unit. Units in a row have
    the same neighbours. Code is part of a text whatever its size; in frames of its own it is seldom
    in one container with the text, and captions or file names may stand between: the surest of the
    nearest blocks on either side count.
    """
    chosen = (units.p_keep >= LEAST) & (units.is_part | units.is_code)
    if not chosen.any() or not (chosen := chosen & ~units.is_mixed).any():
        return None
    units = units.outermost(chosen)
    is_free = _outside(units)
    before, after = _neighbours(units, is_free)
    around = _container(units)
    tags, elements = np.append(units.table.tag, -1), units.table.elements
    is_beside = (before >= 0) & (after >= 0)
    in_container = (tags[before] >= elements.open[around]) & (tags[after] < elements.close[around])
    if units.is_code.any():
        before = np.where(units.is_code, _surest(units, is_free, before, -1), before)
        after = np.where(units.is_code, _surest(units, is_free, after, 1), after)
    is_beside &= in_container | units.is_code
    if not is_beside.any():
        return None
    return Islands(units.only(is_beside), before[is_beside], after[is_beside])


def _outside(units: Units) -> Bools:
    """(n,) has a block words, and is it in none of the units."""
    depth = np.zeros(len(units.table) + 1, dtype=np.int64)
    depth[units.starts] += 1
    np.subtract.at(depth, units.stops, 1)
    return np.asarray((np.cumsum(depth[:-1]) == 0) & (units.table.words > 0))


def _surest(units: Units, is_free: Bools, nearest: Ints, step: int) -> Ints:
    """(m,) which of the blocks from the nearest one on, in one direction, is the surest to stay."""
    table, rows = units.table, np.flatnonzero(is_free)
    if not len(rows):
        return nearest
    place = np.searchsorted(rows, nearest)
    surest = nearest.copy()
    for distance in range(1, _REACH + 1):
        row = rows[np.clip(place + step * distance, 0, len(rows) - 1)]
        is_surer = (nearest >= 0) & (table.page[row] == table.page[units.starts])
        surest = np.where(is_surer & (units.p_other[row] < units.p_other[surest]), row, surest)
    return surest


def _neighbours(units: Units, is_free: Bools) -> tuple[Ints, Ints]:
    """(m,) the free blocks before and after each unit, -1 if there is none."""
    table = units.table
    after = np.append(next_from(table, is_free), -1)[units.stops]
    ends = table.page_starts[table.page[units.starts] + 1]
    return last_until(table, is_free)[units.starts], np.where(units.stops < ends, after, -1)


def _container(units: Units) -> Ints:
    """(m,) the innermost element around each unit that holds more words than it.

    Of many wrappers around a unit only the inner ones are looked through.
    """
    table, elements = units.table, units.table.elements
    around = elements.parent[units.elements]
    for _ in range(_WRAPPERS):
        is_wrapper = table.element_words[around] == units.words
        if not is_wrapper.any():
            break
        around = np.where(is_wrapper, elements.parent[around], around)
    return around
