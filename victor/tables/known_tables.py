"""Types of the cells of the data tables of a page; small tables that measure alike are read once.

A page may hold tens of thousands of small tables, and to measure one takes milliseconds, however
small it is.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from victor.tables.cell_features import numbered
from victor.tables.cell_types import MARKS, cell_types
from victor.tables.data_tables import is_data, table_marks
from victor.tables.leaf_tables import Cell, LeafTable

_SMALL: Final = 40
"""Cells of a table that is remembered; larger ones are seldom alike."""

Types = list[list[str]] | None


class KnownTables:
    """Classifies the tables of one page."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Types] = {}

    def types(self, table: LeafTable) -> Types:
        """The type of every cell as `cell_types` has it; None of a table without data."""
        if sum(len(row.cells) for row in table.rows) > _SMALL:
            return _types(table)
        key = _measured(table)
        if key not in self._known:
            self._known[key] = _types(table)
        return self._known[key]


def _types(table: LeafTable) -> Types:
    return cell_types(table) if is_data(table) else None


def _measured(table: LeafTable) -> Hashable:
    """All of a table that is measured: the same of two tables makes them of the same types."""
    cells = table.cells
    return (
        *(tuple(map(_of_cell, cells)), tuple(numbered([cell.text for cell in cells]).tolist())),
        tuple(numbered([cell.look for cell in cells]).tolist()),
        tuple((len(row.cells), row.section, row.part) for row in table.rows),
        *(bool(table.caption), len(table.outside), table.is_nested, table.has_form, table.tags),
        table_marks(table.attributes),
    )


def _of_cell(cell: Cell) -> Hashable:
    text = cell.text
    return (
        *(len(text), sum(map(str.isalpha, text)), sum(map(str.isdigit, text))),
        *(text[-1:] == ":", text[:1] in MARKS, text[:1].isupper()),
        *(cell.is_th, cell.columns, cell.rows, cell.height, cell.breaks, cell.bold, cell.linked),
        *(cell.images, cell.controls, cell.tags),
    )
