"""Types of cells: measures, and each rule of rows and columns on both of its sides."""

import numpy as np
import pytest
from leaf_table_fixtures import table_of, tables_of

from victor.tables.cells import TYPES, Contents, cell_types, measure_cells, repair


def test_a_majority_weighs_how_sure_the_forest_is():
    """Two cells are a little more data than header, the third is a header beyond doubt."""
    shares = np.zeros((6, len(TYPES)))
    shares[[0, 2], :2] = (0.45, 0.55)
    shares[4, :2] = (0.95, 0.05)
    shares[1::2, 1] = 1
    types = repair(Contents.of(table_of("a | 1\nb | 2\nc | 3")), shares)
    assert [TYPES[kind] for kind in types] == ["header", "data"] * 3


def test_measures_have_their_names():
    measured = measure_cells(Contents.of(table_of("^A | ^B\n1 | two")))
    assert all(np.isfinite(values).all() for values in measured.values())
    assert measured["th"].tolist() == [1, 1, 0, 0]
    assert measured["row"].tolist() == [0, 0, 1, 1]
    assert measured["above_th"].tolist() == [-1, -1, 1, 1]
    assert measured["right_digits"].tolist() == [0, -1, 0, -1]
    assert measured["column_digits"].tolist() == [0.5, 0, 0.5, 0]


def test_measures_of_rows_of_one_cell():
    measured = measure_cells(Contents.of(table_of("2*T\nA | B\n2*note")))
    assert measured["full_rows_before"].tolist() == [0, 0, 0, 1]
    assert measured["full_rows_after"].tolist() == [1, 0, 0, 0]


def test_a_plain_table_is_typed():
    firms = "\n".join(
        f"Firm {letter} | 200{place} | ${place}0" for place, letter in enumerate("ABCDEF")
    )
    head, *body = cell_types(table_of(f"^Company | ^Founded | ^Price\n{firms}"))
    assert head == ["header"] * 3
    assert {kind for row in body for kind in row[1:]} == {"data"}


def test_headers_of_two_levels_are_typed():
    rows = "".join(
        f"<tr><th>{name}<td>1{n}<td>2{n}<td>3{n}<td>4{n}" for n, name in enumerate("NSE")
    )
    (table,) = tables_of(
        "<table><tr><th rowspan=2>Region<th colspan=2>2007<th colspan=2>2008"
        f"<tr><th>Q1<th>Q2<th>Q1<th>Q2{rows}</table>"
    )
    assert cell_types(table) == [["header"] * 3, ["header"] * 4, *[["header"] + ["data"] * 4] * 3]


@pytest.mark.parametrize("bold", ["", "<b>"])
@pytest.mark.parametrize(
    ("caption", "word"), [("", "Year"), ("", ""), ("<caption>Počet obyvatel</caption>", "Rok")]
)
def test_a_first_row_of_years_is_typed_without_th(bold, caption, word):
    end = bold.replace("<", "</")
    head = "".join(f"<td>{bold}{text}{end}</td>" for text in (word, "2001", "2011"))
    (table,) = tables_of(
        f"<table>{caption}<tr>{head}<tr><td>Brno<td>376172<td>385913<tr><td>Praha<td>1169106"
        "<td>1268796</table>"
    )
    assert cell_types(table) == [
        ["header" if word else "neutral", "header", "header"],
        *[["header", "data", "data"]] * 2,
    ]


def test_tables_without_cells_have_no_types():
    assert cell_types(tables_of("<table><tr></table>")[0]) == [[]]
    assert cell_types(tables_of("<table></table>")[0]) == []
