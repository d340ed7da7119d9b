"""Which tables of a batch hold data, and the columns of their cells.

The core finds the tables that may hold data and measures them, and a forest judges the measures.
The spans of their cells are read from the heads of pages.

Source: Wang, Hu (2002), A machine learning based approach for table detection on the web,
section 2 (layout and content type features); Falco, Moriceau, Vilnat (2012), section 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import Bools, Codes, Floats32, Ints
from victor.base.lazy import cached_property
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.paragraphs import (
    DataTables,
    table_roles,
    with_inner_tables_as_text,
)
from victor.page.verdict.preformatted import PRE, is_gutter
from victor.tables.forest import shipped
from victor.tables.leaf_tables import span

Attributes = Mapping[str, str]

DATA: Final = "data"
LAYOUT: Final = "layout"

_CELLS: Final = frozenset({"td", "th"})
_NOTED: Final = _CELLS | {"table"}  # elements of which heads note what they say
_NO_ATTRIBUTES: Final[Attributes] = {}
_SPANS: Final = ("colspan", "rowspan")
_DEEPEST: Final = 3
"""Tables in one another, the outermost of which may hold data; around more it serves the layout."""
_MOST_HOLDERS: Final = 1 / 3  # cells of a table of data that hold tables, as a share of all
_LONGEST: Final = 100  # words of such a cell, at most
_LETTER: Final = 1
_DIGIT: Final = 2
_TABULATED: Final = (0x3000, 0x20000, 0x110000)
"""Code points whose bits are made together: those of most pages take little time."""


def data_tables(table: BlockTable, kept: Bools) -> DataTables:
    """The data tables among those in which something is kept.

    Args:
        table: the blocks of a batch.
        kept: (n,) bool; which of them are.
    """
    n = len(table.elements)
    result = DataTables(np.zeros(n, dtype=bool), np.full(n, -1, dtype=np.int64))
    for outer in _around_tables(table):
        _find(table, kept, outer & ~table.elements.gathered(result.is_data), result)
    _find(table, kept, None, result)
    return result


def _find(table: BlockTable, kept: Bools, among: Bools | None, result: DataTables) -> None:
    """Note the data tables among some in which tables are but text, or among all without tables.

    Args:
        table: the blocks of a batch.
        kept: (n,) bool; which of them are kept.
        among: (E,) bool; which tables, none in another. None are those without tables in them.
        result: is noted in.
    """
    if among is not None and not among.any():
        return
    shown = with_inner_tables_as_text(table, result.is_data if among is None else among)
    if (leaves := _Leaves.of(shown, kept, among)) is not None:
        said = _Said(leaves, table)
        leaves = leaves.only(_hold_data(leaves, said))
        result.is_data[leaves.elements] = True
        result.column[leaves.cells] = _columns(leaves, said)


def _around_tables(table: BlockTable) -> Iterator[Bools]:
    """(E,) which elements are tables with tables in few of their cells, the deepest first."""
    elements, n = table.elements, len(table.elements)
    tables = np.flatnonzero(elements.tag == IDS["table"])
    if (elements.close[tables][:-1] < elements.open[tables][1:]).all():
        return
    table_of = elements.innermost(frozenset({"table"}))
    outer = table_of[elements.parent[tables]]
    tables, outer = tables[outer >= 0], outer[outer >= 0]
    cells = np.flatnonzero(member_mask(_CELLS)[elements.tag] & (table_of >= 0))
    holders = np.intersect1d(elements.innermost(_CELLS)[elements.parent[tables]], cells)
    n_cells, n_holders = (np.bincount(table_of[rows], minlength=n) for rows in (cells, holders))
    has_long = np.zeros(n, dtype=bool)
    has_long[table_of[holders[table.element_words[holders] > _LONGEST]]] = True
    height = np.zeros(n, dtype=np.int64)
    for _ in range(_DEEPEST + 1):
        np.maximum.at(height, outer, height[tables] + 1)
    height[has_long | (n_holders > _MOST_HOLDERS * n_cells)] = 0
    yield from (height == level for level in range(_DEEPEST, 0, -1))


class _Leaves(Struct, frozen=True, eq=False, dict=True):
    """Some tables of a batch without tables in them; m tables with c cells."""

    table: BlockTable  # the blocks of the batch
    elements: Ints  # (m,) int64 elements of the tables, ascending
    ends: Ints  # (m,) int64 one past the last tag of the first rows of each
    starts: Ints  # (m + 1,) int64; the cells of table i are ``cells[starts[i]:starts[i + 1]]``
    cells: Ints  # (c,) int64 elements of the cells, ascending
    rows: Ints  # (c,) int64 innermost row around each cell, -1 for none

    @classmethod
    def of(cls, table: BlockTable, kept: Bools, among: Bools | None = None) -> _Leaves | None:
        """Those that have rows and cells enough, and in which something is kept; None for none."""
        found = core.compiled.leaf_tables(table.batch, table_roles(), kept, among)
        columns = [core.array(memory, np.int64) for memory in found]
        return cls(table, *columns) if len(columns[0]) else None

    @cached_property
    def table_of_cell(self) -> Ints:
        """(c,) which of the tables each cell is in, from 0."""
        return np.repeat(np.arange(len(self.elements)), np.diff(self.starts))

    def only(self, chosen: Bools) -> _Leaves:
        """Some of the tables."""
        if chosen.all():
            return self
        inside = chosen[self.table_of_cell]
        starts = np.append(0, np.cumsum(np.diff(self.starts)[chosen]))
        elements, ends = self.elements[chosen], self.ends[chosen]
        return _Leaves(self.table, elements, ends, starts, self.cells[inside], self.rows[inside])


def _with_gutter(leaves: _Leaves) -> Bools:
    """(m,) which tables hold numbers of the lines of code."""
    result = np.zeros(len(leaves.elements), dtype=bool)
    elements = leaves.table.elements
    listings = np.flatnonzero(member_mask(PRE)[elements.tag])
    # The last table before a listing holds it, or none does.
    before = np.searchsorted(leaves.elements, listings) - 1
    inside = (before >= 0) & (elements.open[listings] < elements.close[leaves.elements[before]])
    for index, listing in zip(before[inside].tolist(), listings[inside].tolist(), strict=True):
        result[index] |= is_gutter(leaves.table, listing)
    return result


class _Said:
    """What the tables and cells of the pages of some tables say of their looks and spans."""

    def __init__(self, leaves: _Leaves, table: BlockTable) -> None:
        elements = np.flatnonzero(member_mask(_NOTED)[table.elements.tag])
        pages = np.searchsorted(table.page_roots, leaves.elements, side="right") - 1
        self._of_element: dict[int, Attributes] = {}
        for page in dict.fromkeys(pages.tolist()):
            first = int(np.searchsorted(elements, table.page_roots[page]))
            for number, said in table.heads[page].tables:
                self._of_element[int(elements[first + number])] = said

    def of(self, element: int) -> Attributes:
        """What a table or a cell says."""
        return self._of_element.get(element, _NO_ATTRIBUTES)

    def spans(self, cells: Ints) -> tuple[Ints, Bools]:
        """(2, c) int64 columns and rows that cells span, and (c,) whether they say so."""
        spans = np.ones((2, len(cells)), dtype=np.int64)
        says_so = np.zeros(len(cells), dtype=bool)
        elements = np.fromiter(self._of_element, dtype=np.int64)
        columns = np.searchsorted(cells, elements)
        said = cells.take(columns, mode="clip") == elements if len(cells) else elements < 0
        for cell in columns[said].tolist():
            attributes = self.of(int(cells[cell]))
            says_so[cell] = True
            spans[:, cell] = [span(attributes.get(name)) for name in _SPANS]
        return spans, says_so


def _hold_data(leaves: _Leaves, said: _Said) -> Bools:
    is_data = ~_with_gutter(leaves)
    measured = leaves.only(is_data)
    if len(measured.elements):
        forest = shipped("tables")
        is_data[is_data] = forest(_measures(measured, said)).argmax(1) == forest.classes.index(DATA)
    return is_data


def measured_tables(table: BlockTable) -> tuple[Ints, Floats32]:
    """(m,) elements of the tables that may hold data, and (m, F) what the forest reads of them."""
    leaves = _Leaves.of(table, np.ones(len(table), dtype=bool))
    if leaves is None:
        return np.zeros(0, dtype=np.int64), np.zeros((0, len(shipped("tables").features)), "f4")
    return leaves.elements, _measures(leaves, _Said(leaves, table))


def _measures(leaves: _Leaves, said: _Said) -> Floats32:
    """(m, F) float32 measures of tables, at least one."""
    elements = leaves.elements.tolist()
    marks = np.array([_marks(said.of(element)) for element in elements], dtype=np.uint8)
    (columns, rows), _ = said.spans(leaves.cells)
    given = (leaves.table.batch, table_roles(), leaves.elements, leaves.ends, leaves.starts)
    for limit in _TABULATED:
        characters = _letters_and_digits(limit)
        result = core.compiled.measure_tables(*given, columns, rows, marks, characters)
        if not isinstance(result, int):  # else a character that is not tabulated
            break
    return core.array(result, np.float32).reshape(-1, len(shipped("tables").features))


def _marks(attributes: Attributes) -> tuple[bool, bool, bool]:
    """What the attributes of a table say: a border, a width, that it serves the layout."""
    return (
        attributes.get("border", "0").strip() not in {"", "0"},
        "width" in attributes,
        attributes.get("role") in {"presentation", "none"},
    )


@cache
def _letters_and_digits(limit: int) -> Codes:
    """(limit,) uint8, read-only: which code points are letters and digits, as Python has it."""
    characters = np.arange(limit, dtype="<u4").view("<U1")
    bits = np.char.isalpha(characters) * np.uint8(_LETTER)
    bits |= np.char.isdigit(characters) * np.uint8(_DIGIT)
    bits.flags.writeable = False
    return bits


def _columns(leaves: _Leaves, said: _Said) -> Ints:
    """(c,) column of each cell with all spans expanded."""
    columns = _ranks(leaves)
    spans, says_so = said.spans(leaves.cells)
    is_spanned = np.zeros(len(leaves.elements), dtype=bool)
    is_spanned[leaves.table_of_cell[says_so]] = True
    if is_spanned.any():
        inside = is_spanned[leaves.table_of_cell]
        spanned = leaves.only(is_spanned)
        columns[inside] = _expanded(spanned, spans[:, inside])
    return columns


def _ranks(leaves: _Leaves) -> Ints:
    """(c,) the number of each cell in its row, from 0."""
    is_first = np.diff(leaves.rows, prepend=-2) != 0
    is_first[leaves.starts[:-1]] = True
    first = np.flatnonzero(is_first)
    return np.arange(len(is_first)) - np.repeat(first, np.diff(first, append=len(is_first)))


def _expanded(leaves: _Leaves, spans: Ints) -> Ints:
    """(c,) column of each cell, given the (2, c) columns and rows that cells span."""
    memory = core.compiled.cell_columns(
        leaves.table.batch,
        table_roles(),
        leaves.elements,
        leaves.starts,
        *map(np.ascontiguousarray, spans),
    )
    return core.array(memory, np.int64)
