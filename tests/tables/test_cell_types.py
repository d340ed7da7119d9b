"""Types of cells: measures, and each rule of rows and columns on both of its sides."""

import numpy as np
import pytest

from victor.tables.cells import TYPES, Content, Contents, cell_types, measure_cells, repair

SHORT = {"h": 0, "d": 1, "n": 2, "t": 3, "i": 4, "f": 5}


def repaired(table, forest_says):
    """Types after repair as letters, row by row, when the forest is quite sure of the given."""
    numbers = [SHORT[letter] for letter in forest_says.replace(" ", "")]
    shares = np.eye(len(TYPES))[numbers]
    letters = iter("hdntif"[kind] for kind in repair(Contents.of(table), shares))
    return " ".join("".join(next(letters) for _ in row.cells) for row in table.rows)


@pytest.mark.parametrize(
    ("rows", "before", "after"),
    [
        # a lone data in a row of header
        ("A | B | C\n1 | 2 | 3", "hdh ddd", "hhh ddd"),
        ("A | B\n1 | 2", "hd dd", "hd dd"),
        ("A | B | C | D\n1 | 2 | 3 | 4", "hddh dddd", "hddh dddd"),
        # rows of several <th> on top
        ("^A | ^B\n^a | ^b\n1 | 2", "hh dd dd", "hh hh dd"),
        (" | ^B\n^a | ^b\n1 | 2", "nh dd dd", "nh hh dd"),
        ("2*T\n^A | ^B\n^a | ^b\n1 | 2", "t hh hd dd", "t hh hh dd"),
        ("^A | ^B\n1 | 2\n^a | ^b", "hh dd dd", "hh dd dd"),
        ("^A | B\n^a | ^b\n1 | 2", "hd dd dd", "hd dd dd"),
        ("^A | ^B\n^a | ^b", "dd dd", "dd dd"),
        ("^2*A\n1 | 2", "t dd", "t dd"),
        # a row of years over other numbers
        ("Year | 2001 | 2011\nBrno | 376 | 385", "hdd hdd", "hhh hdd"),
        ("Year | 2011 | 2001\nBrno | 376 | 385", "hdd hdd", "hhh hdd"),
        (" | 1500 | 2099\nBrno | 376 | 385", "ndd hdd", "nhh hdd"),
        ("Year | 1499 | 2011\nBrno | 376 | 385", "hdd hdd", "hdd hdd"),
        ("Team | 2009/10 | 2010–2011\nBrno | 3 | 1", "hdd hdd", "hhh hdd"),
        ("3*T\nYear | 2001 | 2011\nBrno | 376 | 385", "t hdd hdd", "t hhh hdd"),
        ("Year | 2001 | 2011 | Change\nBrno | 37 | 38 | +1", "hddd hddd", "hhhh hddd"),
        ("A | B | C | 2001 | 2011\na | b | c | 3 | 4", "hhhdd hdddd", "hhhhh hdddd"),
        ("A | B | C | D | 2001 | 2011\na | b | c | d | 3 | 4", "ddddhh dddddd", "ddddhh dddddd"),
        ("Year | 2001\nBrno | 376", "hd hd", "hd hd"),
        ("Brno | 2001 | 2001\nPraha | 376 | 385", "hdd hdd", "hdd hdd"),
        ("Anna | 1950 | 1999\nEva | 1961 | 2004", "hdd hdd", "hdd hdd"),
        ("Anna | 1950 | 1999\nEva | Brno | Praha", "hdd hdd", "hdd hdd"),
        ("Year | 2001 | 2011\nBrno | 1950 | 385", "hdd hdd", "hdd hdd"),
        ("A | B | C\nBrno | 2001 | 2011\nPraha | 1 | 2", "hhh hdd hdd", "hhh hdd hdd"),
        # <th> before the <td> of a row
        ("^a | ^b | 1 | 2", "hddd", "hhdd"),
        ("^a | ^b | 1", "hhd", "hhd"),
        ("a | ^b | 1", "hhd", "hhh"),
        ("^a | 1 | ^b", "dd d", "hdd"),
        ("^A | ^B\n^a | 1\n^b | 2\n^c | 3", "hh dd dd dd", "hh hd hd hd"),
        # a column below the headers is of one kind
        ("A | B\na | 1\nb | 2\nc | 3", "hh hd dd hd", "hh hd hd hd"),
        ("A | B\na | 1\nb | 2\nc | 3", "hh dd dd hd", "hh dd dd dd"),
        ("A | B\na | 1\nb | 2", "hh hd dd", "hh hd dd"),
        # repeated headers
        ("A | B\n1 | 2\nA | B", "hh dd dd", "hh dd ff"),
        ("A | B\n1 | 2\nA | C", "hh dd dd", "hh dd dd"),
        ("2*T\nA | B\n1 | 2\nA | B", "t hh dd dd", "t hh dd ff"),
        # notes below the last row of several cells
        ("A | B\n1 | 2\n2*note", "hh dd d", "hh dd i"),
        ("A | B\n2*part\n1 | 2", "hh h dd", "hh h dd"),
        ("A | B\n1 | 2\n^2*end", "hh dd h", "hh dd h"),
        ("A\nB", "d d", "d d"),
        # empty cells
        (" | B\na | 1", "hh hd", "nh hd"),
        ("A | B\n1 | ", "hh dd", "hh dn"),
        ("A | B\n1 | \n2 | 3", "hh dd dd", "hh dd dd"),
        ("A | B\n | \n2 | 3", "hh dd dd", "hh nn dd"),
        ("A | B\n1 | 2", "hh dn", "hh dd"),
    ],
)
def test_rules(table, rows, before, after):
    assert repaired(table(rows), before) == after


def test_a_majority_weighs_how_sure_the_forest_is(table):
    """Two cells are a little more data than header, the third is a header beyond doubt."""
    shares = np.zeros((6, len(TYPES)))
    shares[[0, 2], :2] = (0.45, 0.55)
    shares[4, :2] = (0.95, 0.05)
    shares[1::2, 1] = 1
    types = repair(Contents.of(table("a | 1\nb | 2\nc | 3")), shares)
    assert [TYPES[kind] for kind in types] == ["header", "data"] * 3


@pytest.mark.parametrize(
    ("cell", "content"),
    [
        ("", Content.EMPTY),
        ("<img src=x>", Content.IMAGE),
        ("<input>12", Content.FORM),
        ("<a href=x>word</a>", Content.LINK),
        ("a word and <a href=x>link</a>", Content.LETTERS),
        ("1,200 m", Content.DIGITS),
        ("12th of May", Content.LETTERS),
        ("—", Content.OTHER),
    ],
)
def test_content_of_a_cell(tables, cell, content):
    (table,) = tables(f"<table><tr><td>{cell}</td></tr></table>")
    assert Contents.of(table).content.tolist() == [content]


def test_measures_have_their_names(table):
    measured = measure_cells(Contents.of(table("^A | ^B\n1 | two")))
    assert all(np.isfinite(values).all() for values in measured.values())
    assert measured["th"].tolist() == [1, 1, 0, 0]
    assert measured["row"].tolist() == [0, 0, 1, 1]
    assert measured["above_th"].tolist() == [-1, -1, 1, 1]
    assert measured["right_digits"].tolist() == [0, -1, 0, -1]
    assert measured["column_digits"].tolist() == [0.5, 0, 0.5, 0]


def test_measures_of_rows_of_one_cell(table):
    measured = measure_cells(Contents.of(table("2*T\nA | B\n2*note")))
    assert measured["full_rows_before"].tolist() == [0, 0, 0, 1]
    assert measured["full_rows_after"].tolist() == [1, 0, 0, 0]


def test_a_plain_table_is_typed(table):
    firms = "\n".join(
        f"Firm {letter} | 200{place} | ${place}0" for place, letter in enumerate("ABCDEF")
    )
    head, *body = cell_types(table(f"^Company | ^Founded | ^Price\n{firms}"))
    assert head == ["header"] * 3
    assert {kind for row in body for kind in row[1:]} == {"data"}


def test_headers_of_two_levels_are_typed(tables):
    rows = "".join(
        f"<tr><th>{name}<td>1{n}<td>2{n}<td>3{n}<td>4{n}" for n, name in enumerate("NSE")
    )
    (table,) = tables(
        "<table><tr><th rowspan=2>Region<th colspan=2>2007<th colspan=2>2008"
        f"<tr><th>Q1<th>Q2<th>Q1<th>Q2{rows}</table>"
    )
    assert cell_types(table) == [["header"] * 3, ["header"] * 4, *[["header"] + ["data"] * 4] * 3]


@pytest.mark.parametrize("bold", ["", "<b>"])
@pytest.mark.parametrize(
    ("caption", "word"), [("", "Year"), ("", ""), ("<caption>Počet obyvatel</caption>", "Rok")]
)
def test_a_first_row_of_years_is_typed_without_th(tables, bold, caption, word):
    end = bold.replace("<", "</")
    head = "".join(f"<td>{bold}{text}{end}</td>" for text in (word, "2001", "2011"))
    (table,) = tables(
        f"<table>{caption}<tr>{head}<tr><td>Brno<td>376172<td>385913<tr><td>Praha<td>1169106"
        "<td>1268796</table>"
    )
    assert cell_types(table) == [
        ["header" if word else "neutral", "header", "header"],
        *[["header", "data", "data"]] * 2,
    ]


def test_tables_without_cells_have_no_types(tables):
    assert cell_types(tables("<table><tr></table>")[0]) == [[]]
    assert cell_types(tables("<table></table>")[0]) == []
