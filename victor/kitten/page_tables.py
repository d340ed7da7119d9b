"""Which tables of a batch hold data, and the columns of their cells.

The classifier of Kitten decides. It reads tables from the full record of a page; here that record
is made, for the few tables that may hold data, from the block table and the attributes of tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints
from victor.kitten import compiled_tables
from victor.kitten.data_tables import is_data
from victor.kitten.tables import LeafTable, expand, leaf_tables
from victor.page.markup.full_record import Item, Kind, Markup
from victor.page.markup.start_tags import Attributes, StartTags, start_tags
from victor.page.parsing.tags import IDS, NAMES, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.one_page import one_page
from victor.page.table.texts import text_of
from victor.page.verdict.paragraphs import DataTables, no_tables
from victor.page.verdict.preformatted import PRE, is_gutter

_CELLS: Final = frozenset({"td", "th"})
_NO_ATTRIBUTES: Final[Attributes] = {}
_GRID: Final = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})
_SPANS: Final = frozenset({"colspan", "rowspan"})
_ENOUGH: Final = 20
"""Rows that tell whether a table holds data: 30, 50 or all of them changed no verdict on 123
development pages with tables."""
_FEWEST: Final = 2
"""Rows, and cells in one of them, of a table with data."""


def data_tables(table: BlockTable, kept: Bools, pages: Sequence[bytes]) -> DataTables:
    """The data tables among those in which something is kept.

    Args:
        table: the blocks of a batch.
        kept: (n,) bool; which of them are.
        pages: the pages as UTF-8 bytes.
    """
    if core.compiled is not None:
        return compiled_tables.data_tables(table, kept, pages, fewest=_FEWEST, most_rows=_ENOUGH)
    result = no_tables(table)
    candidates = _candidates(table, kept)
    if not len(candidates):
        return result
    page_of = table.page_of_element[candidates]
    for page in np.unique(page_of).tolist():
        root = int(table.page_roots[page])
        reader = _Reader(one_page(table, page), start_tags(pages[page]))
        for element in (candidates[page_of == page] - root).tolist():
            if reader.is_data(element):
                result.is_data[root + element] = True
                cells = reader.cells(element)
                result.column[root + cells] = reader.columns(element, cells)
    return result


def _candidates(table: BlockTable, kept: Bools) -> Ints:
    """Tables without tables in them that have rows and cells enough, and something kept."""
    elements = table.elements
    tables = np.flatnonzero(elements.tag == IDS["table"])
    if not len(tables):
        return tables
    n = len(elements)
    around = elements.innermost(frozenset({"table"}))
    rows = np.flatnonzero((elements.tag == IDS["tr"]) & (around >= 0))
    cells = np.flatnonzero(member_mask(_CELLS)[elements.tag])
    row_of_cell = elements.innermost(frozenset({"tr"}))[cells]
    n_cells = np.bincount(row_of_cell[row_of_cell >= 0], minlength=n)
    n_rows = np.bincount(around[rows], minlength=n)
    is_wide = np.zeros(n, dtype=bool)
    is_wide[around[rows[n_cells[rows] >= _FEWEST]]] = True
    outer = around[elements.parent[tables]]
    is_leaf = np.ones(n, dtype=bool)
    is_leaf[outer[outer >= 0]] = False
    holder = around[table.element[kept]]
    has_kept = np.zeros(n, dtype=bool)
    has_kept[holder[holder >= 0]] = True
    return tables[(is_leaf & is_wide & has_kept & (n_rows >= _FEWEST))[tables]]


class _Reader:
    """Reads the tables of one page."""

    def __init__(self, table: BlockTable, tags: Sequence[Attributes]) -> None:
        self._table = table
        self._attributes = StartTags(table, tags).of
        self._rows = table.elements.innermost(frozenset({"tr"}))

    def is_data(self, element: int) -> bool:
        """Does a table hold data; its first rows tell."""
        inside = self._inside(element)
        pre = inside[member_mask(PRE)[self._table.elements.tag[inside]]]
        if any(is_gutter(self._table, number) for number in pre.tolist()):
            return False
        rows = inside[self._table.elements.tag[inside] == IDS["tr"]]
        end = int(self._table.elements.open[rows[_ENOUGH]]) if len(rows) > _ENOUGH else None
        return is_data(self._leaf(element, end))

    def columns(self, element: int, cells: Ints) -> Ints:
        """Column of each cell of a table with all spans expanded."""
        tags = self._table.elements.open[cells].tolist()
        if any(not _SPANS.isdisjoint(self._attributes(tag)) for tag in tags):
            return _columns(self._skeleton(element), len(cells))
        row = self._rows[cells]
        new = np.flatnonzero(np.diff(row, prepend=-2))
        return np.arange(len(cells)) - np.repeat(new, np.diff(new, append=len(cells)))

    def _leaf(self, element: int, end: int | None) -> LeafTable:
        """A table up to a tag, or to its own end."""
        (leaf,) = leaf_tables(Markup.of([*self._items(element, end)], 0, alt_text=False))
        return leaf

    def cells(self, element: int) -> Ints:
        """The cells of a table in order."""
        inside = self._inside(element)
        return inside[member_mask(_CELLS)[self._table.elements.tag[inside]]]

    def _inside(self, element: int) -> Ints:
        """An element and all in it."""
        elements = self._table.elements
        span = np.searchsorted(elements.open, (elements.open[element], elements.close[element]))
        return np.arange(*span)

    def _skeleton(self, element: int) -> LeafTable:
        """A table with its rows and cells, without what is in them."""
        tags, first = self._table.tags, int(self._table.elements.open[element])
        ids = tags.id[first : int(self._table.elements.close[element]) + 1]
        rows = first + np.flatnonzero(member_mask(_GRID)[ids])
        columns = zip(rows.tolist(), tags.id[rows].tolist(), tags.step[rows].tolist(), strict=True)
        items = [
            Item(Kind.END, NAMES[name], _NO_ATTRIBUTES, tag, dropped=False)
            if step < 0
            else Item(Kind.START, NAMES[name], self._attributes(tag), tag, dropped=False)
            for tag, name, step in columns
        ]
        (leaf,) = leaf_tables(Markup.of(items, 0, alt_text=False))
        return leaf

    def _items(self, element: int, end: int | None) -> Iterator[Item]:
        """The record of a table: its tags, and the text after each."""
        table = self._table
        first, close = int(table.elements.open[element]), int(table.elements.close[element])
        last = close if end is None else end - 1
        starts = table.tags.text_start[first : last + 1].tolist()
        text = text_of(table.chars[starts[0] : starts[-1]])
        ids, steps = table.tags.id[first : last + 1], table.tags.step[first : last + 1]
        for row, (tag, step) in enumerate(zip(ids.tolist(), steps.tolist(), strict=True)):
            kind = Kind.END if step < 0 else Kind.START
            attributes = self._attributes(first + row) if step >= 0 else _NO_ATTRIBUTES
            yield Item(kind, NAMES[tag], attributes, first + row, dropped=False)
            if row + 1 < len(starts):
                part = text[starts[row] - starts[0] : starts[row + 1] - starts[0]]
                yield Item(Kind.TEXT, part, _NO_ATTRIBUTES, first + row, dropped=False)
        if last < close:
            yield Item(Kind.END, "table", _NO_ATTRIBUTES, close, dropped=False)


def _columns(leaf: LeafTable, n_cells: int) -> Ints:
    """(n_cells,) column of each cell of a table with all spans expanded."""
    grid = expand(leaf)
    columns = np.full(n_cells, -1, dtype=np.int64)
    # The first place of a cell is its leftmost in its first row; others are written before it.
    known = grid.cell < n_cells
    columns[grid.cell[known][::-1]] = grid.column[known][::-1]
    return columns
