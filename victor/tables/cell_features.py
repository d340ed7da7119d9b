"""Contents of the cells of a table, as columns over cells and means over places of the grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.tables.leaf_tables import Cell, Grid, LeafTable, expand


class Content(IntEnum):
    """The main content of a cell: the content types of Wang and Hu (2002), section 2.2."""

    EMPTY = 0
    IMAGE = 1
    FORM = 2
    LINK = 3
    DIGITS = 4
    LETTERS = 5
    OTHER = 6


class Contents(Struct, frozen=True, eq=False):
    """Columns over the n cells of a table, and its grid.

    Attributes:
        table, grid: the table, and its cells with spans expanded.
        length: (n,) characters of the text.
        digits, letters: (n,) share of the characters that are digits and letters.
        bold, linked: (n,) share of the characters in bold and in links, 1 at most.
        content: (n,) `Content` of each cell.
        row, column: (n,) first place of each cell, -1 and -1 if other cells cover all of it.
        height, width: (n,) rows and columns that it covers, 0 if covered.
    """

    table: LeafTable
    grid: Grid
    length: Floats
    digits: Floats
    letters: Floats
    bold: Floats
    linked: Floats
    content: Ints
    row: Ints
    column: Ints
    height: Ints
    width: Ints

    @classmethod
    def of(cls, table: LeafTable) -> Contents:
        """The columns of a table."""
        cells, grid = table.cells, expand(table)
        length = _column([len(cell.text) for cell in cells])
        letters = _column([sum(map(str.isalpha, cell.text)) for cell in cells])
        digits = _column([sum(map(str.isdigit, cell.text)) for cell in cells])
        some = np.maximum(length, 1)
        linked = (_column([cell.linked for cell in cells]) / some).clip(max=1)
        return cls(
            table,
            grid,
            length,
            digits / some,
            letters / some,
            (_column([cell.bold for cell in cells]) / some).clip(max=1),
            linked,
            _content(cells, letters, digits, linked),
            *_extent(grid, len(cells)),
        )

    def row_means(self, values: Floats) -> Floats:
        """(n_rows, k) means of (n, k) cell values over the places of each row; 0 without any."""
        return means(self.grid.row, values[self.grid.cell], self.grid.n_rows)

    def column_means(self, values: Floats) -> Floats:
        """(n_columns, k) means of (n, k) cell values over the places of each column."""
        return means(self.grid.column, values[self.grid.cell], self.grid.n_columns)

    @property
    def is_empty(self) -> Floats:
        """(n,) 1 for cells without text, image or form control."""
        return np.asarray(self.content == Content.EMPTY, dtype=np.float64)

    @property
    def is_merged(self) -> Floats:
        """(n,) 1 for cells that cover more than one place."""
        return np.asarray(self.height * self.width > 1, dtype=np.float64)


def _column(values: list[int]) -> Floats:
    return np.array(values, dtype=np.float64)


def _content(cells: tuple[Cell, ...], letters: Floats, digits: Floats, linked: Floats) -> Ints:
    """(n,) `Content` of each cell."""
    has_text = np.array([bool(cell.text) for cell in cells], dtype=bool)
    has_image = np.array([cell.images > 0 for cell in cells], dtype=bool)
    has_form = np.array([cell.controls > 0 for cell in cells], dtype=bool)
    cases = [
        (has_form, Content.FORM),
        (~has_text & has_image, Content.IMAGE),
        (~has_text, Content.EMPTY),
        (linked > 0.5, Content.LINK),
        (digits > letters, Content.DIGITS),
        (letters > 0, Content.LETTERS),
    ]
    conditions, values = zip(*cases, strict=True)
    return np.asarray(np.select(conditions, values, Content.OTHER), dtype=np.int64)


def _extent(grid: Grid, n_cells: int) -> tuple[Ints, Ints, Ints, Ints]:
    """(n,) each: first row, first column, number of rows and of columns of the cells."""
    ends = np.full((4, n_cells), -1, dtype=np.int64)
    ends[:2] = np.iinfo(np.int64).max
    np.minimum.at(ends[0], grid.cell, grid.row)
    np.minimum.at(ends[1], grid.cell, grid.column)
    np.maximum.at(ends[2], grid.cell, grid.row)
    np.maximum.at(ends[3], grid.cell, grid.column)
    ends[:2, ends[2] < 0] = -1
    is_placed = ends[2] >= 0
    return (
        ends[0],
        ends[1],
        (ends[2] - ends[0] + 1) * is_placed,
        (ends[3] - ends[1] + 1) * is_placed,
    )


def means(group: Ints, values: Floats, n_groups: int) -> Floats:
    """(n_groups, k) means of (S, k) values by group; an empty group has 0."""
    counts = np.maximum(np.bincount(group, minlength=n_groups), 1)
    sums = [np.bincount(group, column, minlength=n_groups) for column in values.T]
    return np.stack(sums, axis=1) / counts[:, None]


def cells_of_rows(contents: Contents) -> Ints:
    """(n_rows,) number of distinct cells in each row."""
    grid = contents.grid
    is_new = (np.diff(grid.row, prepend=-1) != 0) | (np.diff(grid.cell, prepend=-1) != 0)
    return np.bincount(grid.row[is_new], minlength=grid.n_rows)


def mean(values: Floats) -> float:
    """Mean of some values, 0 of none."""
    return float(values.mean()) if len(values) else 0.0


def mean_in_order(values: NDArray[Any]) -> float:
    """Mean of some values added one after the other, which `numpy.mean` may do otherwise."""
    return float(np.add.accumulate(values)[-1] / len(values)) if len(values) else 0.0


def deviation(values: NDArray[Any]) -> float:
    """Standard deviation of whole numbers, squares added one after the other."""
    return float(np.sqrt(mean_in_order((values - values.mean()) ** 2)))


def numbered(values: Sequence[Hashable]) -> Ints:
    """(n,) the same number for the same value."""
    indices: dict[Hashable, int] = {}
    return np.array([indices.setdefault(value, len(indices)) for value in values], dtype=np.int64)
