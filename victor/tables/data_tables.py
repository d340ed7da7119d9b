"""Data table or layout table: measures of a leaf table and the forest that classifies it.

Source: Wang, Hu (2002), A machine learning based approach for table detection on the web,
section 2 (layout and content type features); Falco, Moriceau, Vilnat (2012), section 3.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.tables.cells import (
    MARKS,
    Content,
    Contents,
    cell_types,
    deviation,
    mean_in_order,
    means,
    numbered,
)
from victor.tables.forest import Forest, shipped
from victor.tables.leaf_tables import Cell, LeafTable

DATA: Final = "data"
LAYOUT: Final = "layout"

TABLE_FEATURES: Final = (
    *("columns", "columns_deviation", "rows", "rows_deviation", "length", "length_deviation"),
    *("length_consistency_rows", "length_consistency_columns"),
    *("empty", "image", "form_cells", "link", "digit", "letter", "other"),
    *("type_consistency_rows", "type_consistency_columns"),
    *("empty_rows", "empty_columns", "has_form", "has_caption", "tags", "is_nested"),
    *("cells", "th", "has_thead", "tags_per_cell", "longest", "longest_share", "height", "tallest"),
    *("bold", "merged", "short", "first_row_th", "first_column_th", "first_row_bold"),
    *("has_border", "has_width", "is_presentation", "images", "controls", "linked", "outside"),
)
"""Names of the measures: the first 17 of Wang and Hu, the next 6 of Kitten, the rest are ours."""


def is_data(table: LeafTable) -> bool:
    """Is it a data table, where the position of a cell in rows and columns carries meaning.

    A table without cells is none.
    """
    if not any(row.cells for row in table.rows):
        return False
    forest = table_forest()
    shares = forest(measure_table(table)[None])[0]
    return forest.classes[int(shares.argmax())] == DATA


def table_forest() -> Forest:
    """The forest that tells tables of data from others by `TABLE_FEATURES`."""
    return shipped("tables")


def table_marks(attributes: Mapping[str, str]) -> tuple[bool, bool, bool]:
    """What the attributes of a table say: a border, a width, that it serves the layout."""
    return (
        attributes.get("border", "0").strip() not in {"", "0"},
        "width" in attributes,
        attributes.get("role") in {"presentation", "none"},
    )


def measure_table(table: LeafTable) -> NDArray[np.float32]:
    """(F,) float32 `TABLE_FEATURES` of a table that has a cell."""
    contents = Contents.of(table)
    values = [*_layout(contents), *_types(contents), *_kitten(contents), *_marks(contents)]
    return np.array(values, dtype=np.float32)


def _layout(contents: Contents) -> list[float]:
    grid = contents.grid
    widths = np.bincount(grid.row, minlength=grid.n_rows)
    heights = np.bincount(grid.column, minlength=grid.n_columns)
    return [
        widths.mean(),
        deviation(widths),
        heights.mean(),
        deviation(heights),
        contents.length.mean(),
        deviation(contents.length),
        _length_consistency(contents, grid.row, grid.n_rows),
        _length_consistency(contents, grid.column, grid.n_columns),
    ]


def _length_consistency(contents: Contents, group: Ints, n_groups: int) -> float:
    """Mean over the lines of the summed 0.5 - |length - mean| / mean, which is 1 at most."""
    length = contents.length[contents.grid.cell]
    usual = means(group, length[:, None], n_groups)[group, 0]
    distance = np.minimum(np.abs(length - usual) / np.maximum(usual, 1e-9), 1.0)
    return mean_in_order(np.bincount(group, 0.5 - distance, minlength=n_groups))


def _types(contents: Contents) -> list[float]:
    grid, n_types = contents.grid, len(Content)
    shares = np.bincount(contents.content, minlength=n_types) / len(contents.content)
    return [
        *shares.tolist(),
        _type_consistency(contents, grid.row, grid.n_rows),
        _type_consistency(contents, grid.column, grid.n_columns),
    ]


def _type_consistency(contents: Contents, group: Ints, n_groups: int) -> float:
    """Mean over the lines of the number of cells of the commonest type less all others."""
    n_types = len(Content)
    keys = group * n_types + contents.content[contents.grid.cell]
    counts = np.bincount(keys, minlength=n_groups * n_types).reshape(n_groups, n_types)
    return float((2 * counts.max(axis=1) - counts.sum(axis=1)).mean())


def _kitten(contents: Contents) -> list[float]:
    table, empty = contents.table, contents.is_empty[:, None]
    return [
        float((contents.row_means(empty) > 0.5).mean()),
        float((contents.column_means(empty) > 0.5).mean()),
        float(table.has_form),
        float(bool(table.caption)),
        float(table.tags),
        float(table.is_nested),
    ]


def _marks(contents: Contents) -> list[float]:
    table = contents.table
    cells = table.cells
    length, is_th = contents.length, np.array([cell.is_th for cell in cells], dtype=np.float64)
    height = np.array([cell.height for cell in cells])
    in_first_row, in_first_column = contents.row == 0, contents.column == 0
    return [
        float(len(cells)),
        is_th.mean(),
        float(any(row.part == "thead" for row in table.rows)),
        table.tags / len(cells),
        length.max(),
        length.max() / max(length.sum(), 1.0),
        height.mean(),
        float(height.max()),
        mean_in_order(contents.bold),
        contents.is_merged.mean(),
        ((length > 0) & (length < 30)).mean(),
        mean_in_order(is_th[in_first_row]),
        mean_in_order(is_th[in_first_column]),
        mean_in_order(contents.bold[in_first_row]),
        *map(float, table_marks(table.attributes)),
        float(sum(cell.images for cell in cells)) / len(cells),
        float(sum(cell.controls for cell in cells)),
        mean_in_order(contents.linked),
        float(len(table.outside)),
    ]


# --- Tables of one page ---------------------------------------------------------------------------

_SMALL: Final = 40
"""Cells of a table that is remembered; larger ones are seldom alike."""

Types = list[list[str]] | None


class KnownTables:
    """Classifies the tables of one page; small ones that measure alike are classified once.

    A page may hold tens of thousands of small tables, and to measure one takes milliseconds,
    however small it is.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Types] = {}

    def types(self, table: LeafTable) -> Types:
        """The type of every cell as `cell_types` has it; None of a table without data."""
        if sum(len(row.cells) for row in table.rows) > _SMALL:
            return _types_of(table)
        key = _measured(table)
        if key not in self._known:
            self._known[key] = _types_of(table)
        return self._known[key]


def _types_of(table: LeafTable) -> Types:
    return cell_types(table) if is_data(table) else None


def _measured(table: LeafTable) -> Hashable:
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
