"""Rules over rows and columns that correct the types of single cells.

The forest classifies each cell by itself, but a cell is seldom of another type than its row or
column.

Source: Falco, Moriceau, Vilnat (2012), section 3.1, which gives the rule of the lone data cell;
the others follow from the definitions of the types.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.tables.cell_features import Content, Contents, cells_of_rows, numbered

HEADER: Final = "header"
DATA: Final = "data"
NEUTRAL: Final = "neutral"
THEMA: Final = "thema"
FINAL_IMPORTANT: Final = "finalImportant"
FINAL_NON_IMPORTANT: Final = "finalNonImportant"
TYPES: Final = (HEADER, DATA, NEUTRAL, THEMA, FINAL_IMPORTANT, FINAL_NON_IMPORTANT)

_HEADER, _DATA, _NEUTRAL, _THEMA, _FINAL, _REPEATED = range(len(TYPES))
_REPEATS: Final = 0.75
"""Share of the cells of a row that repeat the head of their column."""
_FEW: Final = 3
"""Rows and columns of fewer cells have no majority."""
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
    is_th = np.array([cell.is_th for cell in contents.table.cells], dtype=bool)
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
    is_th = np.array([cell.is_th for cell in contents.table.cells], dtype=bool)
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
    is_th = np.array([cell.is_th for cell in contents.table.cells], dtype=bool)
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
    is_th = np.array([cell.is_th for cell in contents.table.cells], dtype=bool)
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
