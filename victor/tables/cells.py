"""Types of the cells of a data table: measures of cells and neighbours, a forest, and rules.

Source: Falco, Moriceau, Vilnat (2012), Kitten: a tool for normalizing HTML and extracting its
textual content, section 3.1, which gives the rule of the lone data cell; the other rules follow
from the definitions of the types. The types of contents are those of Wang and Hu (2002), section
2.2.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.tables.forest import shipped
from victor.tables.leaf_tables import Cell, Grid, LeafTable, expand

HEADER: Final = "header"
DATA: Final = "data"
NEUTRAL: Final = "neutral"
THEMA: Final = "thema"
FINAL_IMPORTANT: Final = "finalImportant"
FINAL_NON_IMPORTANT: Final = "finalNonImportant"
TYPES: Final = (HEADER, DATA, NEUTRAL, THEMA, FINAL_IMPORTANT, FINAL_NON_IMPORTANT)
MARKS: Final = frozenset("*†‡§¹²³#")


def cell_types(table: LeafTable) -> list[list[str]]:
    """The type of every cell of a data table, one of `TYPES`, row by row as in the table."""
    if not table.cells:
        return [[] for _ in table.rows]
    contents, forest = Contents.of(table), shipped("cells")
    measured = measure_cells(contents)
    shares = forest(np.stack([measured[name] for name in forest.features], axis=1))
    types = iter(repair(contents, shares).tolist())
    return [[TYPES[next(types)] for _ in row.cells] for row in table.rows]


# --- What cells hold ------------------------------------------------------------------------------


class Content(IntEnum):
    """The main content of a cell."""

    EMPTY = 0
    IMAGE = 1
    FORM = 2
    LINK = 3
    DIGITS = 4
    LETTERS = 5
    OTHER = 6


class Contents(Struct, frozen=True, eq=False):
    """Columns over the n cells of a table, and its grid."""

    table: LeafTable
    grid: Grid  # its cells with spans expanded
    length: Floats  # (n,) characters of the text
    digits: Floats  # (n,) share of the characters that are digits
    letters: Floats  # (n,) share of the characters that are letters
    bold: Floats  # (n,) share of the characters in bold, 1 at most
    linked: Floats  # (n,) share of the characters in links, 1 at most
    content: Ints  # (n,) `Content` of each cell
    row: Ints  # (n,) first row of each cell, -1 if other cells cover all of it
    column: Ints  # (n,) first column, likewise
    height: Ints  # (n,) rows that it covers, 0 if it is covered
    width: Ints  # (n,) columns, likewise

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
            _main_content(cells, letters, digits, linked),
            *_extent(grid, len(cells)),
        )

    def row_means(self, values: Floats) -> Floats:
        """(n_rows, k) means of (n, k) cell values over the places of each row; 0 without any."""
        return means(self.grid.row, values[self.grid.cell], self.grid.n_rows)

    def column_means(self, values: Floats) -> Floats:
        """(n_columns, k) means of (n, k) cell values over the places of each column."""
        return means(self.grid.column, values[self.grid.cell], self.grid.n_columns)

    @property
    def is_th(self) -> Bools:
        """(n,) is each a ``<th>``."""
        return np.array([cell.is_th for cell in self.table.cells], dtype=bool)

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


def _main_content(cells: tuple[Cell, ...], letters: Floats, digits: Floats, linked: Floats) -> Ints:
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


def mean(values: NDArray[Any]) -> float:
    """Mean of some values, 0 of none."""
    return float(values.mean()) if len(values) else 0.0


def numbered(values: Sequence[Hashable]) -> Ints:
    """(n,) the same number for the same value."""
    indices: dict[Hashable, int] = {}
    return np.array([indices.setdefault(value, len(indices)) for value in values], dtype=np.int64)


# --- Measures -------------------------------------------------------------------------------------

Measures = dict[str, NDArray[Any]]
"""(n,) numbers of the cells of a table, by name."""
_OF_NEIGHBOUR: Final = ("th", "bold", "digits", "empty", "length", "merged", "linked")


def measure_cells(contents: Contents) -> Measures:
    """What the forest reads of the cells of a table that has some.

    These are measures of the cell, their means over its row and column, measures of the table, of
    the position of the cell, of its similarity to others, and of its four neighbours.
    """
    content = _content(contents)
    values = np.stack([*content.values()], axis=1)
    n, row, column = len(values), contents.row.clip(min=0), contents.column.clip(min=0)
    of_row, of_column = contents.row_means(values)[row], contents.column_means(values)[column]
    of_table = _of_table(contents, content)
    measured = {
        **content,
        **{f"row_{name}": of_row[:, k] for k, name in enumerate(content)},
        **{f"column_{name}": of_column[:, k] for k, name in enumerate(content)},
        **{name: np.full(n, value) for name, value in of_table.items()},
        **_positions(contents),
        **_sameness(contents),
        **_neighbours(contents, content),
    }
    return {name: np.asarray(values, dtype=np.float64) for name, values in measured.items()}


def _content(contents: Contents) -> Measures:
    cells = contents.table.cells
    return {
        "th": _column([cell.is_th for cell in cells]),
        "bold": contents.bold,
        "digits": contents.digits,
        "letters": contents.letters,
        "linked": contents.linked,
        "empty": contents.is_empty,
        "image": contents.content == Content.IMAGE,
        "control": contents.content == Content.FORM,
        "length": np.log1p(contents.length),
        "height": _column([cell.height for cell in cells]),
        "breaks": _column([cell.breaks for cell in cells]),
        "width_share": contents.width / max(contents.grid.n_columns, 1),
        "rows_covered": contents.height,
        "merged": contents.is_merged,
        "colon": _column([cell.text[-1:] == ":" for cell in cells]),
        "mark": _column([cell.text[:1] in MARKS for cell in cells]),
        "capital": _column([cell.text[:1].isupper() for cell in cells]),
    }


def _of_table(contents: Contents, of: Measures) -> Mapping[str, Any]:
    table, grid = contents.table, contents.grid
    first_row, first_column = contents.row == 0, contents.column == 0
    rest = ~first_row & ~first_column
    below = _beside(contents)["below"]
    look, text = _looks(contents), _texts(contents)
    same_look = ((below >= 0) & (look[below] == look)).astype(np.float64)
    return {
        "n_rows": np.log1p(grid.n_rows),
        "n_columns": np.log1p(grid.n_columns),
        **{
            f"table_{name}": of[name].mean() for name in ("th", "empty", "bold", "digits", "length")
        },
        "table_distinct": _distinct(text),
        "has_thead": any(row.part == "thead" for row in table.rows),
        "has_caption": bool(table.caption),
        "corner_empty": mean(of["empty"][first_row & first_column]),
        **{
            f"first_row_{name}": mean(of[name][first_row])
            for name in ("th", "bold", "digits", "empty")
        },
        "first_row_look": mean(same_look[first_row]),
        **{
            f"first_column_{name}": mean(of[name][first_column])
            for name in ("th", "bold", "digits", "length", "colon")
        },
        "first_column_distinct": _distinct(text[first_column]),
        "rest_digits": mean(of["digits"][rest]),
        "rest_length": mean(of["length"][rest]),
        "rest_images": mean(of["image"][rest]),
    }


def _distinct(values: Ints) -> float:
    return len(np.unique(values)) / max(len(values), 1)


def _looks(contents: Contents) -> Ints:
    return numbered([(cell.is_th, cell.look, cell.bold > 0) for cell in contents.table.cells])


def _texts(contents: Contents) -> Ints:
    return numbered([cell.text for cell in contents.table.cells])


def _positions(contents: Contents) -> Measures:
    table, grid = contents.table, contents.grid
    row, column = contents.row, contents.column
    part = np.repeat([row.part for row in table.rows], [len(row.cells) for row in table.rows])
    in_row = cells_of_rows(contents)
    # A row is full when one cell takes all of it: a title, a section or a note.
    full = ((in_row == 1) & (grid.n_columns > 1)).astype(np.int64)
    partial = np.flatnonzero((full == 0) & (np.bincount(grid.row, minlength=grid.n_rows) > 0))
    return {
        "row": row,
        "row_from_end": grid.n_rows - 1 - row,
        "row_share": row / max(grid.n_rows - 1, 1),
        "column": column,
        "column_from_end": grid.n_columns - 1 - column,
        "in_thead": part == "thead",
        "in_tfoot": part == "tfoot",
        "cells_of_row": in_row[row],
        "full_rows_before": np.searchsorted(partial, row),
        "full_rows_after": len(partial) - np.searchsorted(partial, row, side="right"),
        "row_full_share": np.full(len(row), mean(full)),
    }


def _sameness(contents: Contents) -> Measures:
    grid, row, column = contents.grid, contents.row, contents.column
    look, text = _looks(contents), _texts(contents)
    sides, first = _beside(contents), _first(contents)
    head = grid.at(np.zeros_like(row), column)
    repeats = (head >= 0) & (text[head] == text) & (row > 0) & (contents.length > 0)
    of_row = contents.row_means(np.stack([repeats, contents.length > 0], axis=1).astype(np.float64))
    length = np.log1p(contents.length)
    return {
        "look_of_row": _alike(grid.row, look[grid.cell])[first],
        "look_of_column": _alike(grid.column, look[grid.cell])[first],
        "look_of_table": np.bincount(look)[look] / len(look),
        **{f"same_look_{name}": (side >= 0) & (look[side] == look) for name, side in sides.items()},
        "content_of_row": _alike(grid.row, contents.content[grid.cell])[first],
        "content_of_column": _alike(grid.column, contents.content[grid.cell])[first],
        "repeats_column_head": repeats,
        "row_repeats_head": (of_row[:, 0] / np.maximum(of_row[:, 1], 1e-9))[row],
        "same_text_above": (sides["above"] >= 0) & (text[sides["above"]] == text),
        "longer_than_column": length - contents.column_means(length[:, None])[column, 0],
    }


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


def _beside(contents: Contents) -> dict[str, Ints]:
    """(n,) the cells on the four sides of each; -1 for none."""
    at, row, column = contents.grid.at, contents.row, contents.column
    return {
        "above": at(row - 1, column),
        "below": at(row + contents.height, column),
        "left": at(row, column - 1),
        "right": at(row, column + contents.width),
    }


def _neighbours(contents: Contents, content: Measures) -> Measures:
    measured: Measures = {}
    for name, side in _beside(contents).items():
        exists = side >= 0
        measured[f"{name}_exists"] = exists.astype(np.float64)
        for of in _OF_NEIGHBOUR:
            measured[f"{name}_{of}"] = np.where(exists, content[of][side], -1.0)
    return measured


# --- Rules: a cell is seldom of another type than its row or column -------------------------------

_HEADER, _DATA, _NEUTRAL, _THEMA, _FINAL, _REPEATED = range(len(TYPES))
_REPEATS: Final = 0.75  # share of the cells of a row that repeat the head of their column
_FEW: Final = 3  # rows and columns of fewer cells have no majority
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d(?:\s?[/–-]\s?(?:\d\d){1,2})?")
"""A year from 1500 to 2099, or a season: ``2009/10``."""
_SEVERAL: Final = 2


def repair(contents: Contents, shares: NDArray[np.floating[Any]]) -> Ints:
    """(n,) number in `TYPES` of each cell.

    Args:
        contents: the table.
        shares: (n, len(TYPES)) probability of each type.
    """
    types: Ints = shares.argmax(axis=1)
    if not len(contents.grid.cell):
        return types
    has_text = contents.length > 0
    full = cells_of_rows(contents) == 1
    full &= contents.grid.n_columns > 1
    types = _header_rows(contents, types, has_text)
    types = _row_of_years(contents, types, has_text)
    types = _follow_columns(contents, shares, types, has_text & ~full[contents.row])
    types = _row_headers(contents, types, has_text)
    types = _lone_data(contents, types, has_text)
    types = _repeated_headers(contents, types, has_text)
    types = _final_rows(contents, types, has_text, full)
    return _empty_cells(contents, types, full)


def _header_rows(contents: Contents, types: Ints, has_text: Bools) -> Ints:
    """Rows of several ``<th>`` and nothing else, on top of a table, are all headers.

    The top begins below the titles and ends with the first ``<td>`` that has text.
    """
    is_th = contents.is_th
    row, n_rows = contents.row, contents.grid.n_rows
    has_td = np.bincount(row[has_text & ~is_th & (types != _THEMA)], minlength=n_rows) > 0
    if not has_td.any():
        return types
    several = np.bincount(row[has_text], minlength=n_rows) > 1
    on_top = several & (np.arange(n_rows) < has_td.argmax())
    return np.where(on_top[row] & has_text & is_th, _HEADER, types)


def _row_of_years(contents: Contents, types: Ints, has_text: Bools) -> Ints:
    """The first row of several cells is of headers if it lists years over other numbers.

    It has several years in their order, no fewer than other texts but the first, and most of what
    stands below the years are numbers that are none.
    """
    row = contents.row
    several = np.bincount(row[has_text], minlength=contents.grid.n_rows) > 1
    in_row = np.flatnonzero(has_text & (row == several.argmax()) & several.any())
    is_year = np.array([_YEAR.fullmatch(cell.text) is not None for cell in contents.table.cells])
    years = in_row[is_year[in_row]]
    others = in_row[~is_year[in_row]]
    if len(years) < _SEVERAL or len(others) > len(years) + 1:
        return types
    order = np.diff([int(contents.table.cells[cell].text[:4]) for cell in years])
    below = has_text & (row > row[years[0]]) & np.isin(contents.column, contents.column[years])
    are_other_numbers = (contents.content == Content.DIGITS) & ~is_year
    is_head = ((order > 0).all() or (order < 0).all()) and (
        2 * np.count_nonzero(are_other_numbers & below) > np.count_nonzero(below)
    )
    return np.where(is_head & np.isin(np.arange(len(row)), in_row), _HEADER, types)


def _row_headers(contents: Contents, types: Ints, has_text: Bools) -> Ints:
    """Every ``<th>`` to the left of the first ``<td>`` of its row is a header."""
    is_th = contents.is_th
    row, column, grid = contents.row, contents.column, contents.grid
    first_td = np.full(grid.n_rows, -1)
    is_td = np.flatnonzero(has_text & ~is_th)[::-1]
    first_td[row[is_td]] = column[is_td]
    return np.where(is_th & has_text & (column < first_td[row]), _HEADER, types)


def _follow_columns(
    contents: Contents, shares: NDArray[np.floating[Any]], types: Ints, counted: Bools
) -> Ints:
    """Below the header rows a column is header or data, by the majority of its cells."""
    grid, row, column = contents.grid, contents.row, contents.column
    n = np.bincount(row[counted], minlength=grid.n_rows)
    n_headers = np.bincount(row[counted & (types == _HEADER)], minlength=grid.n_rows)
    in_body = counted & ~((n > 1) & (2 * n_headers > n))[row]
    body = column[in_body]
    of_header, of_data = (
        np.bincount(body, shares[in_body, kind], minlength=grid.n_columns)
        for kind in (_HEADER, _DATA)
    )
    enough = np.bincount(body, minlength=grid.n_columns) >= _FEW
    changed = in_body & enough[column] & np.isin(types, (_HEADER, _DATA))
    return np.where(changed, np.where(of_header > of_data, _HEADER, _DATA)[column], types)


def _lone_data(contents: Contents, types: Ints, has_text: Bools) -> Ints:
    """A single data cell in a row of headers is a header, but for a ``<td>`` beside ``<th>``."""
    row, n_rows = contents.row, contents.grid.n_rows
    is_th = contents.is_th
    as_marked = is_th == (types == _HEADER)
    n, n_headers, n_data, n_as_marked = (
        np.bincount(row[has_text & which], minlength=n_rows)
        for which in (True, types == _HEADER, types == _DATA, as_marked)
    )
    is_lone = (n >= _FEW) & (n_headers == n - 1) & (n_data == 1) & (n_as_marked < n)
    return np.where(is_lone[row] & has_text & (types == _DATA), _HEADER, types)


def _repeated_headers(contents: Contents, types: Ints, has_text: Bools) -> Ints:
    """A row that repeats the first row of several cells is a repeated header."""
    grid = contents.grid
    texts = numbered([cell.text for cell in contents.table.cells])
    placed = has_text[grid.cell]
    row, column, cell = grid.row[placed], grid.column[placed], grid.cell[placed]
    is_new = (np.diff(row, prepend=-1) != 0) | (np.diff(cell, prepend=-1) != 0)
    several = np.flatnonzero(np.bincount(row[is_new], minlength=grid.n_rows) > 1)
    if not len(several):
        return types
    head = np.full(grid.n_columns, -1, dtype=np.int64)
    head[column[row == several[0]]] = texts[cell[row == several[0]]]
    same = np.bincount(row, head[column] == texts[cell], minlength=grid.n_rows)
    all_places = np.bincount(row, minlength=grid.n_rows)
    repeats = np.zeros(grid.n_rows, dtype=bool)
    repeats[several[1:]] = (same >= _REPEATS * all_places)[several[1:]]
    return np.where(repeats[contents.row] & has_text, _REPEATED, types)


def _final_rows(contents: Contents, types: Ints, has_text: Bools, full: Bools) -> Ints:
    """Rows of one cell below all others are notes, unless marked as headers."""
    partial = np.flatnonzero(~full & (np.bincount(contents.grid.row, minlength=len(full)) > 0))
    if not len(partial):
        return types
    is_th = contents.is_th
    is_note = full[contents.row] & (contents.row > partial[-1]) & has_text & ~is_th
    return np.where(is_note, _FINAL, types)


def _empty_cells(contents: Contents, types: Ints, full: Bools) -> Ints:
    """Neutral cells are the empty ones of empty rows and columns, and empty headers."""
    grid, is_empty = contents.grid, contents.is_empty > 0
    filled = ~is_empty[grid.cell]
    row_filled = np.bincount(grid.row, filled, minlength=grid.n_rows) > 0
    of_body = filled & ~np.isin(types[grid.cell], (_HEADER, _REPEATED)) & ~full[grid.row]
    column_filled = np.bincount(grid.column, of_body, minlength=grid.n_columns) > 0
    is_header = np.isin(types, (_HEADER, _THEMA, _FINAL, _REPEATED))
    means_nothing = is_header | ~row_filled[contents.row] | ~column_filled[contents.column]
    types = np.where(is_empty & means_nothing, _NEUTRAL, types)
    return np.where(~is_empty & (types == _NEUTRAL), _DATA, types)


# --- Tables of one page ---------------------------------------------------------------------------

_SMALL: Final = 40  # cells of a table that is remembered; larger ones are seldom alike


class KnownTypes:
    """Types of the cells of a page's tables; small tables that measure alike are read once.

    A page may hold tens of thousands of small tables, and to measure one takes milliseconds,
    however small it is.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, list[list[str]]] = {}

    def of(self, table: LeafTable) -> list[list[str]]:
        """The type of every cell as `cell_types` has it."""
        if sum(len(row.cells) for row in table.rows) > _SMALL:
            return cell_types(table)
        key = _measured(table)
        if key not in self._known:
            self._known[key] = cell_types(table)
        return self._known[key]


def _measured(table: LeafTable) -> Hashable:
    cells = table.cells
    return (
        *(tuple(map(_of_cell, cells)), tuple(numbered([cell.text for cell in cells]).tolist())),
        tuple(numbered([cell.look for cell in cells]).tolist()),
        tuple((len(row.cells), row.section, row.part) for row in table.rows),
        bool(table.caption),
    )


def _of_cell(cell: Cell) -> Hashable:
    text = cell.text
    return (
        *(len(text), sum(map(str.isalpha, text)), sum(map(str.isdigit, text))),
        *(text[-1:] == ":", text[:1] in MARKS, text[:1].isupper()),
        *(cell.is_th, cell.columns, cell.rows, cell.height, cell.breaks, cell.bold, cell.linked),
        *(cell.images, cell.controls),
    )
