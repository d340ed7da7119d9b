"""Data tables, code and lists are kept or dropped whole, formulas with the paragraph they are in.

A table with a hole is wrong data, and half a listing is no program. What a trained model says of a
unit gives way to the blocks around it (`victor.kinds.islands`) and to what the page declares of it
(`victor.kinds.declared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import Label
from victor.kinds.declared import declared_units
from victor.kinds.islands import Islands, Units, islands, parts_of_pages
from victor.page.parsing.tags import PARTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.paragraphs import DataTables, no_tables
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.tag_roles import IS_MATH, IS_PRE, IS_TABLE, IS_UNIT, present
from victor.page.verdict.verdict import Verdict

_NONE: Final = -1
_LEAST_KEPT: Final = 0.5
"""Share of the words of a table, or of code, that the labeler keeps if all of it is kept."""
_LEAST_KEPT_OF_MOST: Final = 0.125
"""Likewise where the unit is more than a smaller part of its page: without it little is left."""
_SURE: Final = 0.7
_MIXED: Final = 0.2
"""Where so many blocks are surely to be kept and so many surely to be dropped, as shares, a table
serves the layout, for instance of posts, and preformatted text is more than code."""


def with_whole_units(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with tables of data, code and formulas kept or dropped whole.

    Each is as most of its words are. The probabilities stay what the labeler thinks.

    Args:
        verdict: of a labeler.
        pages: its pages as UTF-8 bytes.
    """
    return verdict.with_units(*_labelled(verdict, pages))


def _labelled(verdict: Verdict, pages: Sequence[bytes]) -> tuple[Labels, DataTables, Floats | None]:
    """Labels with whole units, the tables without those that serve the layout, and p(other)."""
    table, labels, p_other = verdict.table, verdict.labels, None
    roles = present(table)  # pages without such elements take no time
    units = Units.of(table, verdict.p_other) if verdict.by_model and roles & IS_UNIT else None
    raised = None if units is None else islands(units)
    tables = no_tables(table)
    if roles & IS_TABLE:
        kept = verdict.kept if raised is None else verdict.kept | raised.inside
        tables = _data_tables(table, kept, pages)
    lists = None if units is None else units.lists
    if roles & IS_PRE or tables.is_data.any() or lists is not None:
        labels, tables, p_other = _label_units(verdict, tables, lists)
    if raised is not None:
        labels, p_other = _label_islands(verdict, raised, labels, p_other)
    if verdict.by_model and (shown := declared_units(table, verdict.p_other)) is not None:
        labels, p_other = _label_islands(verdict, shown, labels, p_other)
    if roles & IS_MATH:
        labels = labels.copy()
        p_other = (verdict.p_other if p_other is None else p_other).copy()
        _label_formulas(verdict, labels, p_other)
    return labels, tables, p_other


def _data_tables(table: BlockTable, kept: Bools, pages: Sequence[bytes]) -> DataTables:
    from victor.tables.page_tables import data_tables  # many pages have no table

    return data_tables(table, kept, pages)


def _label_islands(
    verdict: Verdict, raised: Islands, labels: Labels, p_other: Floats | None
) -> tuple[Labels, Floats]:
    """Labels and p(other) with islands that are kept if the block before and that after are."""
    p_other = verdict.p_other if p_other is None else p_other
    around = np.maximum(verdict.p_other[raised.before], verdict.p_other[raised.after])
    is_kept = verdict.kept[raised.before] & verdict.kept[raised.after]
    rows, island = raised.rows
    p_other = p_other.copy()
    p_other[rows] = np.minimum(p_other[rows], around[island])
    rows = rows[is_kept[island] & (labels[rows] == Label.OTHER)]
    is_header = verdict.marginals[rows, Label.HEADER] > verdict.marginals[rows, Label.TEXT]
    labels = labels.copy()
    labels[rows] = np.where(is_header, Label.HEADER, Label.TEXT)
    return labels, p_other


def _label_units(
    verdict: Verdict, tables: DataTables, lists: Bools | None
) -> tuple[Labels, DataTables, Floats]:
    """As `_labelled`, formulas and islands aside.

    Args:
        verdict: of the labeler.
        tables: which tables hold data.
        lists: (E,) which elements are lists that are part of a text; None if there are none.
    """
    unit = _units(verdict, tables, lists)
    mixed = _mixed(verdict, unit)
    tables = replace(tables, is_data=tables.is_data & ~mixed)
    unit[np.append(mixed, False)[unit]] = _NONE
    labels = verdict.labels.copy()
    share = _kept_shares(verdict, unit)
    inside = unit >= 0
    least = np.where(_are_parts(verdict), _LEAST_KEPT, _LEAST_KEPT_OF_MOST)
    keep = np.append(share >= least, False)[unit]
    labels[inside & keep & ~verdict.kept] = Label.TEXT
    labels[inside & ~keep] = Label.OTHER
    return labels, tables, _unit_p_other(verdict, unit, least)


def _are_parts(verdict: Verdict) -> Bools:
    """(E,) is an element a smaller part of what its page is expected to keep."""
    table = verdict.table
    largest = parts_of_pages(table, verdict.marginals[:, Label.OTHER])
    return np.asarray(table.element_words <= largest[table.page_of_element])


def _units(verdict: Verdict, tables: DataTables, lists: Bools | None) -> Ints:
    """(n,) the data table, list or preformatted element around each block, -1 for none."""
    elements = verdict.table.elements
    chosen = tables.is_data | member_mask(PRE)[elements.tag]
    nearest = elements.nearest(chosen)
    # Code in a table goes with the table.
    outer = np.where(nearest >= 0, nearest[elements.parent[nearest]], -1)
    nearest = np.where((outer >= 0) & ~tables.is_data[nearest], outer, nearest)
    if lists is not None:  # what is in a list goes with the list
        around = elements.nearest(lists)
        nearest = np.where(around >= 0, around, nearest)
    return nearest[verdict.table.element]


def _mixed(verdict: Verdict, unit: Ints) -> Bools:
    """(E,) does a unit hold text that is surely to be kept and text that surely is not."""
    size = len(verdict.table.elements)
    inside = unit >= 0
    p_keep = 1 - verdict.marginals[inside, Label.OTHER]
    counts = [
        np.bincount(unit[inside], chosen, minlength=size)
        for chosen in (np.ones(len(p_keep)), p_keep >= _SURE, p_keep <= 1 - _SURE)
    ]
    n, n_kept, n_dropped = counts
    return np.asarray((n_kept > _MIXED * n) & (n_dropped > _MIXED * n))


def _kept_shares(verdict: Verdict, unit: Ints) -> Floats:
    """(E,) share of the words of each unit that is kept."""
    words = np.maximum(verdict.table.words, 1)
    size = len(verdict.table.elements)
    inside = unit >= 0
    total = np.bincount(unit[inside], words[inside], minlength=size)
    kept = np.bincount(unit[inside], (words * verdict.kept)[inside], minlength=size)
    return np.asarray(kept / np.maximum(total, 1))


def _unit_p_other(verdict: Verdict, unit: Ints, least: Floats) -> Floats:
    """(n,) p(other) of blocks, of those in a unit the least that enough of its words do not exceed.

    A threshold above it keeps that share of the words, and hence the unit.
    """
    p_other = verdict.marginals[:, Label.OTHER].copy()
    rows = np.flatnonzero(unit >= 0)
    if not len(rows):
        return p_other
    rows = rows[np.lexsort((p_other[rows], unit[rows]))]
    starts = np.flatnonzero(np.diff(unit[rows], prepend=_NONE))
    sizes = np.diff(starts, append=len(rows))
    words = np.maximum(verdict.table.words[rows], 1)
    so_far = np.cumsum(words) - np.repeat(np.cumsum(words)[starts] - words[starts], sizes)
    total = np.add.reduceat(words, starts)
    is_below = so_far < np.repeat(least[unit[rows[starts]]] * total, sizes)
    enough = starts + np.add.reduceat(is_below, starts, dtype=np.int64)
    p_other[rows] = np.repeat(p_other[rows][enough], sizes)
    return p_other


def _label_formulas(verdict: Verdict, labels: Labels, p_other: Floats) -> None:
    """Give formulas the label and p(other) of the text around them; edits these."""
    table = verdict.table
    is_math = table.blocks_inside(frozenset({"math"}))
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
            is_kept = any(labels[row] != Label.OTHER for row in around)
            labels[block] = Label.TEXT if is_kept else Label.OTHER
            p_other[block] = min(p_other[row] for row in around)
