"""Data tables, code and lists are kept or dropped whole.

A table with a hole is wrong data, and half a listing is no program. What a trained model says of a
unit gives way to the blocks around it (`victor.kinds.islands`), to what the page declares of it
(`victor.kinds.declared`) and sells (`victor.kinds.products`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, Floats, Labels
from victor.base.labels import HEADER, OTHER, TEXT
from victor.kinds.declared import declared_units
from victor.kinds.islands import islands
from victor.kinds.kept_notes import kept_notes
from victor.kinds.products import facts
from victor.kinds.units import Raised, Units
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.paragraphs import LISTS, DataTables, no_tables
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.tag_roles import UNITS
from victor.page.verdict.verdict import Verdict

_TABLES: Final = frozenset({"table"})
_LEAST_KEPT: Final = 0.5
"""Share of the words of a table, or of code, that the labeler keeps if all of it is kept."""
_LEAST_KEPT_OF_MOST: Final = 0.125
"""Likewise where the unit is more than a smaller part of its page: without it little is left."""


def with_whole_units(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with data tables and code, and with the lists of a model, kept or dropped whole.

    Each is as most of its words are. The probabilities stay what the labeler thinks.

    Args:
        verdict: of a labeler.
        pages: its pages as UTF-8 bytes.
    """
    table, labels, p_other = verdict.table, verdict.labels.copy(), verdict.p_other.copy()
    units, raised = None, None
    if verdict.by_model and table.elements.have(UNITS):
        units = Units.of(table, verdict.p_other, member_mask(UNITS)[table.elements.tag])
        raised = islands(units)
    tables = _vote(verdict, units, _data_tables(verdict, raised), labels, p_other)
    if verdict.by_model:
        sold = None if units is None else facts(units)
        for found in (raised, declared_units(table, verdict.p_other), sold):
            if found is not None:
                _raise(verdict, found, labels, p_other)
        kept_notes(verdict, pages, labels, p_other)
    labels[verdict.is_no_text] = OTHER
    return verdict.with_units(labels, tables, p_other)


def _data_tables(verdict: Verdict, raised: Raised | None) -> DataTables:
    """Which tables hold data, given what is kept."""
    if not verdict.table.elements.have(_TABLES):
        return no_tables(verdict.table)
    from victor.tables.page_tables import data_tables  # many pages have no table

    kept = verdict.kept.copy()
    if raised is not None:
        kept[raised.units.rows[0]] = True
    return data_tables(verdict.table, kept)


def _raise(verdict: Verdict, raised: Raised, labels: Labels, p_other: Floats) -> None:
    """Keep units if the two blocks are kept that they go with; edits labels and p(other)."""
    beside = (raised.before, raised.after)
    p_beside = np.maximum(*(verdict.p_other[blocks] for blocks in beside))
    is_kept = np.logical_and(*(verdict.kept[blocks] for blocks in beside))
    rows, unit = raised.units.rows
    p_other[rows] = np.minimum(p_other[rows], p_beside[unit])
    rows = rows[is_kept[unit] & (labels[rows] == OTHER)]
    is_header = verdict.marginals[rows, HEADER] > verdict.marginals[rows, TEXT]
    labels[rows] = np.where(is_header, HEADER, TEXT)


def _vote(
    verdict: Verdict, units: Units | None, tables: DataTables, labels: Labels, p_other: Floats
) -> DataTables:
    """Keep or drop units as most of their words are; edits labels and p(other).

    A threshold above the p(other) of a unit keeps as many of its words, and hence the unit.

    Returns:
        The tables without those that serve the layout.
    """
    table = verdict.table
    voting = Units.of(table, verdict.p_other, _voters(table, units, tables))
    if not len(voting):
        return tables
    voting = voting.outermost(np.ones(len(voting), dtype=bool))
    is_data = tables.is_data.copy()
    is_data[voting.elements[voting.is_mixed]] = False
    voting = voting.only(~voting.is_mixed)
    rows, unit = voting.rows
    rows = rows[np.lexsort((verdict.p_other[rows], unit))]
    words = np.maximum(table.words[rows], 1)
    least = np.where(voting.is_part, _LEAST_KEPT, _LEAST_KEPT_OF_MOST)
    least *= np.bincount(unit, words, len(voting))
    n_kept = np.bincount(unit, words * verdict.kept[rows], len(voting))
    keep = (n_kept >= least)[unit]
    labels[rows[keep & ~verdict.kept[rows]]] = TEXT
    labels[rows[~keep]] = OTHER
    first = np.searchsorted(unit, np.arange(len(voting)))
    so_far = np.cumsum(words)
    so_far -= (so_far[first] - words[first])[unit]
    enough = first + np.bincount(unit, so_far < least[unit], len(voting)).astype(np.int64)
    p_other[rows] = verdict.p_other[rows[enough]][unit]
    return replace(tables, is_data=is_data)


def _voters(table: BlockTable, units: Units | None, tables: DataTables) -> Bools:
    """(E,) the tables of data, code, and the lists that are parts of a text."""
    chosen = tables.is_data | member_mask(PRE)[table.elements.tag]
    if units is not None and (is_list := units.have(LISTS)).any():
        chosen[units.elements[is_list & units.is_part & ~units.is_mixed]] = True
    return chosen
