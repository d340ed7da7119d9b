"""Tables made to cost much: they are read all the same, and none of their words is lost."""

import re

import pytest

from victor.kitten.tables import read
from victor.tables.cells import cell_types
from victor.tables.leaf_tables import PLACES_PER_CELL, SPARE_PLACES, expand

SIDE = 40
PAGES = {
    "one row": "<tr>" + "<td>x" * 3_000,
    "one column": "<tr><td>x" * 3_000,
    "one long row of many": "<tr>" + "<td>x" * 1_500 + "<tr><td>y" * 1_500,
    "wide spans": f"<tr>{'<td colspan=1000>x' * SIDE}" * SIDE,
    "tall spans": f"<tr>{'<td rowspan=65534>x' * SIDE}" * SIDE,
    "rows of nothing": "<tr>" * 3_000,
    "deep cell": "<tr><td>" + "<div>" * 5_000 + "x",
    "headers only": "<tr>" + "<tr><th>x<th>y" * 1_500,
}


@pytest.mark.parametrize("inside", PAGES.values(), ids=PAGES)
def test_hostile_tables_are_read(tables, inside):
    (table,) = tables(f"<table>{inside}</table>")
    reading = read(table, cell_types(table))
    assert sum(map(len, reading.clauses)) < 100 * (len(inside) + SPARE_PLACES)
    kept = " ".join([*reading.clauses, *(text for text, _ in reading.removed)])
    assert {cell.text for cell in table.cells} - {""} <= {*re.findall(r"\w+", kept)}


def test_tables_nested_deep(tables):
    leaves = tables("<table><tr><td>" * 150 + "x")
    assert [table.cells[0].text for table in leaves] == ["x"]


def test_many_rows(tables):
    (table,) = tables(f"<table>{'<tr><td>x' * 20_000}</table>")
    grid = expand(table)
    assert (grid.n_rows, grid.n_columns, len(grid.cell)) == (20_000, 1, 20_000)


def test_spans_add_few_places(tables):
    (table,) = tables(f"<table>{PAGES['tall spans']}</table>")
    added = len(expand(table).cell) - len(table.cells)
    assert 0 < added <= SPARE_PLACES + PLACES_PER_CELL * len(table.cells)
