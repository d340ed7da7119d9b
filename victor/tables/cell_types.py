"""Types of the cells of a data table: measures of cells and neighbours, a forest, and rules.

Source: Falco, Moriceau, Vilnat (2012), Kitten: a tool for normalizing HTML and extracting its
textual content, section 3.1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.tables.cell_features import Content, Contents, cells_of_rows, mean, numbered
from victor.tables.cell_type_rules import TYPES, repair
from victor.tables.forest import shipped
from victor.tables.leaf_tables import LeafTable

_CONTENT: Final = (
    *("th", "bold", "digits", "letters", "linked", "empty", "image", "control", "length"),
    *("height", "breaks", "width_share", "rows_covered", "merged", "colon", "mark", "capital"),
)
_TABLE: Final = (
    *("n_rows", "n_columns", "table_th", "table_empty", "table_bold", "table_digits"),
    *("table_length", "table_distinct", "has_thead", "has_caption", "corner_empty"),
    *("first_row_th", "first_row_bold", "first_row_digits", "first_row_empty", "first_row_look"),
    *("first_column_th", "first_column_bold", "first_column_digits", "first_column_length"),
    *("first_column_colon", "first_column_distinct", "rest_digits", "rest_length", "rest_images"),
)
_POSITION: Final = (
    *("row", "row_from_end", "row_share", "column", "column_from_end", "in_thead", "in_tfoot"),
    *("cells_of_row", "full_rows_before", "full_rows_after", "row_full_share"),
)
_SAMENESS: Final = (
    *("look_of_row", "look_of_column", "look_of_table", "same_look_above", "same_look_below"),
    *("same_look_left", "same_look_right", "content_of_row", "content_of_column"),
    *("repeats_column_head", "row_repeats_head", "same_text_above", "longer_than_column"),
)
_NEIGHBOURS: Final = ("above", "below", "left", "right")
_OF_NEIGHBOUR: Final = ("exists", "th", "bold", "digits", "empty", "length", "merged", "linked")

CELL_FEATURES: Final = (
    *_CONTENT,
    *(f"row_{name}" for name in _CONTENT),
    *(f"column_{name}" for name in _CONTENT),
    *_TABLE,
    *_POSITION,
    *_SAMENESS,
    *(f"{side}_{name}" for side in _NEIGHBOURS for name in _OF_NEIGHBOUR),
)
"""Names of the measures: of the cell, means over its row and column, of the table, of its position,
of its similarity to others, and of its four neighbours."""
MARKS: Final = frozenset("*†‡§¹²³#")


def cell_types(table: LeafTable) -> list[list[str]]:
    """The type of every cell of a data table, one of `TYPES`, row by row as in the table."""
    contents = Contents.of(table)
    forest = shipped("cells", CELL_FEATURES)
    shares = forest(measure_cells(contents))
    types = iter(repair(contents, shares).tolist())
    return [[TYPES[next(types)] for _ in row.cells] for row in table.rows]


def measure_cells(contents: Contents) -> NDArray[np.float32]:
    """(n, F) float32 `CELL_FEATURES` of every cell."""
    content = _content(contents)
    if not len(content):
        return np.zeros((0, len(CELL_FEATURES)), dtype=np.float32)
    row, column = contents.row.clip(min=0), contents.column.clip(min=0)
    parts = [
        content,
        contents.row_means(content)[row],
        contents.column_means(content)[column],
        np.broadcast_to(_of_table(contents, content), (len(content), len(_TABLE))),
        _positions(contents),
        _sameness(contents),
        _neighbours(contents, content),
    ]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _content(contents: Contents) -> Floats:
    """(n, k) measures of each cell by itself."""
    cells = contents.table.cells
    markup = [
        (cell.is_th, cell.height, cell.breaks, cell.text[-1:] == ":", cell.text[:1] in MARKS,
         cell.text[:1].isupper())
        for cell in cells
    ]  # fmt: skip
    th, height, breaks, colon, mark, capital = np.array(markup, dtype=np.float64).reshape(-1, 6).T
    columns = [
        th,
        contents.bold,
        contents.digits,
        contents.letters,
        contents.linked,
        contents.is_empty,
        contents.content == Content.IMAGE,
        contents.content == Content.FORM,
        np.log1p(contents.length),
        height,
        breaks,
        contents.width / max(contents.grid.n_columns, 1),
        contents.height,
        contents.is_merged,
        colon,
        mark,
        capital,
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def _of_table(contents: Contents, content: Floats) -> Floats:
    """(k,) measures of the table, the same for all cells."""
    table, grid = contents.table, contents.grid
    of = dict(zip(_CONTENT, content.T, strict=True))
    first_row, first_column = contents.row == 0, contents.column == 0
    rest = ~first_row & ~first_column
    corner = first_row & first_column
    below = _beside(contents)[1]
    look, text = _looks(contents), _texts(contents)
    same_look = ((below >= 0) & (look[below] == look)).astype(np.float64)
    values = [
        np.log1p(grid.n_rows),
        np.log1p(grid.n_columns),
        *(of[name].mean() for name in ("th", "empty", "bold", "digits", "length")),
        _distinct(text),
        any(row.part == "thead" for row in table.rows),
        bool(table.caption),
        mean(of["empty"][corner]),
        *(mean(of[name][first_row]) for name in ("th", "bold", "digits", "empty")),
        mean(same_look[first_row]),
        *(mean(of[n][first_column]) for n in ("th", "bold", "digits", "length", "colon")),
        _distinct(text[first_column]),
        *(mean(of[name][rest]) for name in ("digits", "length", "image")),
    ]
    return np.array(values, dtype=np.float64)


def _distinct(values: Ints) -> float:
    """Number of distinct values over the number of values."""
    return len(np.unique(values)) / max(len(values), 1)


def _looks(contents: Contents) -> Ints:
    """(n,) the same number for cells that look the same."""
    return numbered([(cell.is_th, cell.look, cell.bold > 0) for cell in contents.table.cells])


def _texts(contents: Contents) -> Ints:
    """(n,) the same number for cells of the same text."""
    return numbered([cell.text for cell in contents.table.cells])


def _positions(contents: Contents) -> Floats:
    """(n, k) position of each cell in the table."""
    table, grid = contents.table, contents.grid
    row, column = contents.row, contents.column
    part = np.repeat([row.part for row in table.rows], [len(row.cells) for row in table.rows])
    in_row = cells_of_rows(contents)
    # A row is full when one cell takes all of it: a title, a section or a note.
    full = ((in_row == 1) & (grid.n_columns > 1)).astype(np.int64)
    row_wide = np.bincount(grid.row, minlength=grid.n_rows)
    partial = np.append(np.flatnonzero((full == 0) & (row_wide > 0)), [])
    before = np.searchsorted(partial, row)
    after = len(partial) - np.searchsorted(partial, row, side="right")
    columns = [
        row,
        grid.n_rows - 1 - row,
        row / max(grid.n_rows - 1, 1),
        column,
        grid.n_columns - 1 - column,
        part == "thead",
        part == "tfoot",
        in_row[row],
        before,
        after,
        np.full(len(row), full.mean() if len(full) else 0.0),
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def _sameness(contents: Contents) -> Floats:
    """(n, k) similarity of each cell to others in look and text."""
    grid = contents.grid
    row, column = contents.row, contents.column
    look, text = _looks(contents), _texts(contents)
    sides = _beside(contents)
    head = grid.at(np.zeros_like(row), column)
    repeats = (head >= 0) & (text[head] == text) & (row > 0) & (contents.length > 0)
    is_text = (contents.length > 0).astype(np.float64)
    rows_of_repeats = contents.row_means(np.stack([repeats.astype(np.float64), is_text], axis=1))
    row_repeats = rows_of_repeats[:, 0] / np.maximum(rows_of_repeats[:, 1], 1e-9)
    length, first = np.log1p(contents.length), _first(contents)
    columns = [
        _alike(grid.row, look[grid.cell])[first],
        _alike(grid.column, look[grid.cell])[first],
        np.bincount(look)[look] / len(look),
        *((side >= 0) & (look[side] == look) for side in sides),
        _alike(grid.row, contents.content[grid.cell])[first],
        _alike(grid.column, contents.content[grid.cell])[first],
        repeats,
        row_repeats[row],
        (sides[0] >= 0) & (text[sides[0]] == text),
        length - contents.column_means(length[:, None])[column, 0],
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def _first(contents: Contents) -> Ints:
    """(n,) first place of each cell in the grid; 0 for a covered cell."""
    first = np.zeros(len(contents.row), dtype=np.int64)
    places = contents.grid.cell[::-1]
    first[places] = np.arange(len(places))[::-1]
    return first


def _alike(group: Ints, value: Ints) -> Floats:
    """(S,) share of the places of a group that have the value of each place."""
    _, key, counts = np.unique(
        group * (int(value.max(initial=0)) + 1) + value, return_inverse=True, return_counts=True
    )
    return np.asarray(counts[key] / np.bincount(group)[group])


def _beside(contents: Contents) -> list[Ints]:
    """The cells above, below, left and right of each; -1 for none."""
    at, row, column = contents.grid.at, contents.row, contents.column
    return [
        at(row - 1, column),
        at(row + contents.height, column),
        at(row, column - 1),
        at(row, column + contents.width),
    ]


def _neighbours(contents: Contents, content: Floats) -> Floats:
    """(n, k) measures of the four neighbours of each cell."""
    measures = content[:, [_CONTENT.index(name) for name in _OF_NEIGHBOUR[1:]]]
    parts: list[Floats] = []
    for side in _beside(contents):
        exists = (side >= 0)[:, None]
        parts += [exists.astype(np.float64), np.where(exists, measures[side], -1.0)]
    return np.concatenate(parts, axis=1)
