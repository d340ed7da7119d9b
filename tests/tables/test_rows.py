"""Rows of `rows/*.txt`: small tables, and what rules, measures and the grid make of them."""

from pathlib import Path

import numpy as np
import pytest
from leaf_table_fixtures import table_of, tables_of

from tests.rows import rows_of
from victor.page.table.segment import parse_pages
from victor.tables.cells import TYPES, Content, Contents, repair
from victor.tables.data_tables import measured_tables
from victor.tables.forest import shipped
from victor.tables.leaf_tables import expand

SHORT = {"h": 0, "d": 1, "n": 2, "t": 3, "i": 4, "f": 5}


def repaired(rows, forest_says):
    """Types after repair as letters, row by row, when the forest is quite sure of the given."""
    table = table_of(rows)
    numbers = [SHORT[letter] for letter in forest_says.replace(" ", "")]
    shares = np.eye(len(TYPES))[numbers]
    letters = iter("hdntif"[kind] for kind in repair(Contents.of(table), shares))
    return " ".join("".join(next(letters) for _ in row.cells) for row in table.rows)


def content(cell):
    """The main content of the only cell of a table."""
    (table,) = tables_of(f"<table><tr><td>{cell}</td></tr></table>")
    (kind,) = Contents.of(table).content.tolist()
    return Content(kind).name


def spans(rows):
    """Text at every place of the grid, "." for none."""
    (table,) = tables_of(f"<table>{rows}</table>")
    grid = expand(table)
    places = [["."] * grid.n_columns for _ in range(grid.n_rows)]
    for row, column, cell in zip(grid.row, grid.column, grid.cell, strict=True):
        places[row][column] = table.cells[cell].text
    return " / ".join(map(" ".join, places))


def measures(names, page):
    """Some measures of the tables of a page."""
    tables = zip(*measured_tables(parse_pages([page])), strict=True)
    columns = [shipped("tables").features.index(name) for name in names.split()]
    return " / ".join(" ".join(f"{row[column]:.3g}" for column in columns) for _, row in tables)


FUNCTIONS = {"rules": repaired, "contents": content, "spans": spans, "measures": measures}


@pytest.mark.parametrize(("name", "given", "expected"), rows_of(Path(__file__).parent / "rows"))
def test_a_row(name, given, expected):
    assert FUNCTIONS[name](*given) == expected
