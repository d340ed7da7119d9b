"""Finding leaf tables, their cells and their grid."""

import numpy as np
from leaf_table_fixtures import table_of, tables_of

from victor.page.markup.full_record import record_full
from victor.tables.leaf_tables import MOST_COLUMNS, PLACES_PER_CELL, SPARE_PLACES, expand


def texts(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_only_tables_without_a_table_are_leaves():
    page = "<table><tr><td><table><tr><td>in</table></table><table><tr><td>out</table>"
    inner, outer = tables_of(page)
    assert texts(inner) == [["in"]]
    assert texts(outer) == [["out"]]


def test_text_of_a_cell():
    (table,) = tables_of("<table><tr><td> a<b>b</b> <p>c</p>d<br>e<td></table>")
    first, second = table.cells
    assert (first.text, first.height, first.breaks, first.bold) == ("ab c d e", 4, 1, 1)
    assert (second.text, second.height) == ("", 0)


def test_texts_can_be_replaced():
    page = "<table><tr><td>kept</td><td>dropped</td></tr></table>"
    given = [item.text if item.text == "kept" else "" for item in record_full(page.encode()).items]
    assert texts(tables_of(page, given)[0]) == [["kept", ""]]


def test_caption_and_stray_text_are_no_cells():
    (table,) = tables_of("<table><caption>Title</caption>stray<tr><td>x</td></tr></table>")
    assert (table.caption, table.outside, texts(table)) == ("Title", "stray", [["x"]])


def test_cells_without_a_row_make_one():
    assert texts(tables_of("<table><td>a</td><td>b</td></table>")[0]) == [["a", "b"]]


def test_huge_spans_are_bounded():
    (table,) = tables_of("<table><tr><td colspan=1000000000>a<tr><td rowspan=1000000000>b</table>")
    grid = expand(table)
    assert (grid.n_rows, grid.n_columns) == (2, MOST_COLUMNS)


def test_many_huge_spans_do_not_multiply():
    cells = "<td rowspan=999999999 colspan=999>x" * 40
    (table,) = tables_of(f"<table>{f'<tr>{cells}' * 50}</table>")
    assert len(expand(table).cell) <= SPARE_PLACES + (1 + PLACES_PER_CELL) * len(table.cells)


def test_places_of_a_grid_are_found():
    grid = expand(table_of("2*a | b\nc"))
    rows, columns = np.array([0, 0, 0, 1, 1, -1]), np.array([0, 1, 2, 0, 1, 0])
    assert grid.at(rows, columns).tolist() == [0, 0, 1, 2, -1, -1]
