"""Data tables, code and lists are kept or dropped whole, formulas with the paragraph they are in.

A table with a hole is wrong data, and half a listing is no program. What a trained model says of a
unit gives way to the blocks around it (`victor.kinds.islands`) and to what the page declares of it
(`victor.kinds.declared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import HEADER, OTHER, TEXT
from victor.kinds.declared import declared_units
from victor.kinds.islands import FEW, MIXED, SURE, Islands, Units, islands, parts_of_pages
from victor.kinds.kept_notes import kept_notes, may_have_notes
from victor.kinds.products import facts
from victor.page.parsing.tags import PARTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.expected_words import expected_words
from victor.page.verdict.paragraphs import DataTables, no_tables
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.tag_roles import UNITS
from victor.page.verdict.verdict import Verdict

_NONE: Final = -1
_TABLES: Final = frozenset({"table"})
_MATH: Final = frozenset({"math"})
_LEAST_KEPT: Final = 0.5
"""Share of the words of a table, or of code, that the labeler keeps if all of it is kept."""
_LEAST_KEPT_OF_MOST: Final = 0.125
"""Likewise where the unit is more than a smaller part of its page: without it little is left."""


def with_whole_units(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with tables of data, code and formulas kept or dropped whole.

    Each is as most of its words are. The probabilities stay what the labeler thinks.

    Args:
        verdict: of a labeler.
        pages: its pages as UTF-8 bytes.
    """
    return verdict.with_units(*_labelled(verdict, pages))


def _labelled(verdict: Verdict, pages: Sequence[bytes]) -> tuple[Labels, DataTables, Floats | None]:
    """Labels with whole units, the tables without those that serve the layout, and p(other).

    Args:
        verdict: of a labeler.
        pages: its pages as UTF-8 bytes.
    """
    table, labels, p_other = verdict.table, verdict.labels, verdict.unit_p_other
    have = table.elements.have  # pages without such elements take no time
    units = Units.of(table, verdict.p_other) if verdict.by_model and have(UNITS) else None
    raised = None if units is None else islands(units)
    tables = _data_tables(table, verdict.kept if raised is None else verdict.kept | raised.inside)
    lists = None if units is None else units.lists
    if have(PRE) or tables.is_data.any() or lists is not None:
        labels, tables, p_other = _label_units(verdict, tables, lists)
    if raised is not None:
        labels, p_other = _label_islands(verdict, raised, labels, p_other)
    if verdict.by_model and (shown := declared_units(table, verdict.p_other)) is not None:
        labels, p_other = _label_islands(verdict, shown, labels, p_other)
    if units is not None and (sold := facts(units)) is not None:
        labels, p_other = _label_islands(verdict, sold, labels, p_other)
    if have(_MATH):
        labels = labels.copy()
        p_other = (verdict.p_other if p_other is None else p_other).copy()
        _label_formulas(verdict, labels, p_other)
    noted = None
    if verdict.by_model and may_have_notes(table):
        noted = kept_notes(verdict, labels, pages)
    if noted is not None:
        labels, p_other = _label_notes(verdict, *noted, labels, p_other)
    if verdict.is_no_text.any():
        labels = np.where(verdict.is_no_text, OTHER, labels).astype(np.uint8)
    return labels, tables, p_other


def _data_tables(table: BlockTable, kept: Bools) -> DataTables:
    if not table.elements.have(_TABLES):
        return no_tables(table)
    from victor.tables.page_tables import data_tables  # many pages have no table

    return data_tables(table, kept)


def _label_islands(
    verdict: Verdict, raised: Islands, labels: Labels, p_other: Floats | None
) -> tuple[Labels, Floats]:
    """Labels and p(other) with islands that are kept if the block before and that after are."""
    p_other = verdict.p_other if p_other is None else p_other
    around = np.maximum(verdict.p_other[raised.before], verdict.p_other[raised.after])
    is_kept = verdict.kept[raised.before] & verdict.kept[raised.after]
    rows, island = raised.units.rows
    p_other = p_other.copy()
    p_other[rows] = np.minimum(p_other[rows], around[island])
    rows = rows[is_kept[island] & (labels[rows] == OTHER)]
    is_header = verdict.marginals[rows, HEADER] > verdict.marginals[rows, TEXT]
    labels = labels.copy()
    labels[rows] = np.where(is_header, HEADER, TEXT)
    return labels, p_other


def _label_notes(
    verdict: Verdict, is_noted: Bools, p_notes: Floats, labels: Labels, p_other: Floats | None
) -> tuple[Labels, Floats]:
    """Labels and p(other) with the notes of kept text."""
    p_other = verdict.p_other if p_other is None else p_other
    missing = is_noted & (labels == OTHER)
    return (
        np.where(missing, TEXT, labels).astype(np.uint8),
        np.where(is_noted, np.minimum(p_other, p_notes), p_other),
    )


def _label_units(
    verdict: Verdict, tables: DataTables, lists: Units | None
) -> tuple[Labels, DataTables, Floats]:
    """As `_labelled`, formulas and islands aside.

    Args:
        verdict: of the labeler.
        tables: which tables hold data.
        lists: those that are part of a text; None if there are none.
    """
    runs = _Runs.of(verdict, _units(verdict, tables, lists))
    labels, p_other = verdict.labels.copy(), verdict.p_other.copy()
    if not len(runs.rows):
        return labels, tables, p_other
    mixed = runs.mixed
    if mixed.any():
        tables = replace(tables, is_data=tables.is_data.copy())
        tables.is_data[runs.elements[mixed]] = False
    least = np.where(_are_parts(verdict, runs.elements), _LEAST_KEPT, _LEAST_KEPT_OF_MOST)
    keep = runs.sums(runs.words * verdict.kept[runs.rows]) >= least * runs.sums(runs.words)
    stays, keep = np.repeat(~mixed, runs.sizes), np.repeat(keep, runs.sizes)
    labels[runs.rows[stays & keep & ~verdict.kept[runs.rows]]] = TEXT
    labels[runs.rows[stays & ~keep]] = OTHER
    p_other[runs.rows[stays]] = runs.p_other_of_units(least)[stays]
    return labels, tables, p_other


def _are_parts(verdict: Verdict, elements: Ints) -> Bools:
    """(m,) is each of some elements a smaller part of what its page is expected to keep."""
    table = verdict.table
    expected = expected_words(table.words, verdict.p_other)
    largest = parts_of_pages(table, expected)
    pages = np.searchsorted(table.page_roots, elements, side="right") - 1
    return np.asarray(table.element_words[elements] <= largest[pages])


def _units(verdict: Verdict, tables: DataTables, lists: Units | None) -> Ints:
    """(n,) the data table, list or preformatted element around each block, -1 for none."""
    elements, unit = verdict.table.elements, np.full(len(verdict.table), _NONE)
    chosen = tables.is_data | member_mask(PRE)[elements.tag]
    if chosen.any():
        nearest = elements.nearest(chosen)
        unit = nearest[verdict.table.element]
        # Code in a table goes with the table.
        outer = np.where(unit >= 0, nearest[elements.parent[unit]], -1)
        unit = np.where((outer >= 0) & ~tables.is_data[unit], outer, unit)
    if lists is not None:  # what is in a list goes with the list
        rows, list_number = lists.rows
        unit[rows] = lists.elements[list_number]
    return unit


class _Runs(NamedTuple):
    """The k blocks in m units, unit by unit, by rising p(other) in each.

    Attributes:
        rows: (k,) int64 the blocks.
        p_other: (k,) float64 of them.
        words: (k,) int64 of them, at least 1.
        starts, sizes: (m,) int64 where each unit begins, and its blocks.
        elements: (m,) int64 the units.
    """

    rows: Ints
    p_other: Floats
    words: Ints
    starts: Ints
    sizes: Ints
    elements: Ints

    @classmethod
    def of(cls, verdict: Verdict, unit: Ints) -> _Runs:
        """Those of a verdict, given the unit of each block, -1 for none."""
        rows = np.flatnonzero(unit >= 0)
        rows = rows[np.lexsort((verdict.p_other[rows], unit[rows]))]
        bounds = np.flatnonzero(np.diff(unit[rows], prepend=_NONE, append=_NONE))
        starts, words = bounds[:-1], np.maximum(verdict.table.words[rows], 1)
        p_other, sizes = verdict.p_other[rows], np.diff(bounds)
        return cls(rows, p_other, words, starts, sizes, unit[rows[starts]])

    def sums(self, values: Ints | Bools) -> Ints:
        """(m,) sums over each unit, given (k,) values."""
        return np.asarray(np.add.reduceat(values, self.starts, dtype=np.int64))

    @property
    def mixed(self) -> Bools:
        """(m,) does a unit hold text that is surely to be kept and text that surely is not."""
        p_keep, least = 1 - self.p_other, MIXED * self.sizes
        n_kept, n_dropped = self.sums(p_keep >= SURE), self.sums(p_keep <= 1 - SURE)
        is_mixed = (n_kept > least) & (n_dropped > least)
        return np.asarray(is_mixed & (self.sums(self.words) > FEW))

    def p_other_of_units(self, least: Floats) -> Floats:
        """(k,) the least p(other) of each unit that enough of its words do not exceed.

        A threshold above it keeps that share of the words, and hence the unit.

        Args:
            least: (m,) that share.
        """
        so_far = np.cumsum(self.words)
        so_far -= np.repeat(so_far[self.starts] - self.words[self.starts], self.sizes)
        is_below = so_far < np.repeat(least * self.sums(self.words), self.sizes)
        return np.repeat(self.p_other[self.starts + self.sums(is_below)], self.sizes)


def _label_formulas(verdict: Verdict, labels: Labels, p_other: Floats) -> None:
    """Give formulas the label and p(other) of the text around them; edits these."""
    table = verdict.table
    is_math = table.blocks_inside(_MATH)
    if not is_math.any():
        return
    container = table.elements.innermost(PARTING)[table.element]
    index = np.arange(len(table))
    before = np.maximum.accumulate(np.where(is_math, -1, index))
    after = np.minimum.accumulate(np.where(is_math, len(table), index)[::-1])[::-1]
    for block in np.flatnonzero(is_math).tolist():
        beside = [row for row in (before[block], after[block]) if 0 <= row < len(table)]
        around = [row for row in beside if container[row] == container[block]]
        if around:
            is_kept = any(labels[row] != OTHER for row in around)
            labels[block] = TEXT if is_kept else OTHER
            p_other[block] = min(p_other[row] for row in around)
