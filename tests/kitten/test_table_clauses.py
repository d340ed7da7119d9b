"""Data tables as clauses."""

import pytest

from victor.kitten.tables import read

SHORT = {
    "h": "header", "d": "data", "n": "neutral", "t": "thema", "i": "finalImportant",
    "f": "finalNonImportant",
}  # fmt: skip


def kinds(written):
    return [[SHORT[letter] for letter in row] for row in written.split()]


def test_the_table_of_the_paper(table):
    comparison = table(
        """
        4*Dimensions comparison
        | ^DS Lite | ^Original DS | ^PSP
        ^Length | 133.0mm | 148.7mm | 170.0mm
        ^Width | 73.9mm | 84.7mm | 74.0mm
        ^Depth | 21.5mm | 28.8mm | 23.0mm
        ^Weight | 218g | 275g | 260g
        """
    )
    title = "Dimensions comparison ;; DS Lite ;"
    assert [*read(comparison).clauses] == [
        f"{title} Length: 133.0mm / Original DS ; Length: 148.7mm / PSP ; Length: 170.0mm.",
        f"{title} Width: 73.9mm / Original DS ; Width: 84.7mm / PSP ; Width: 74.0mm.",
        f"{title} Depth: 21.5mm / Original DS ; Depth: 28.8mm / PSP ; Depth: 23.0mm.",
        f"{title} Weight: 218g / Original DS ; Weight: 275g / PSP ; Weight: 260g.",
    ]


@pytest.mark.parametrize(
    ("rows", "types", "expected"),
    [
        ("A | B\n1 | 2", "hh dd", ["A: 1 / B: 2."]),
        ("Price | 5\nSize | 7", "hd hd", ["Price: 5.", "Size: 7."]),
        ("1 | 2\n3 | 4", "dd dd", ["1 / 2.", "3 / 4."]),
        ("1 | 1", "dd", ["1 / 1."]),
        ("a | 1 | b | 2", "hdhd", ["a: 1 / b: 2."]),
        ("a | b | 1", "hhd", ["a ; b: 1."]),
        ("a | b | c | 1", "hhhd", ["a, b ; c: 1."]),
        ("A | B\n | 2", "hh dd", ["B: 2."]),
        ("2*T\nA | B\n1 | 2", "t hh dd", ["T ;; A: 1 / B: 2."]),
        ("A | B\n1 | 2\n2*note", "hh dd i", ["note ;; A: 1 / B: 2."]),
        ("2*T\n1 | 2\n2*note", "t dd i", ["T ;; note ;; 1 / 2."]),
        ("2*all | B\n1 | 2 | 3", "hh ddd", ["all: 1 / all: 2 / B: 3."]),
        ("A | B\n2*both", "hh d", ["A: both / B: both."]),
        ("2*both", "d", ["both."]),
    ],
)
def test_headers_and_data(table, rows, types, expected):
    assert [*read(table(rows), kinds(types)).clauses] == expected


@pytest.mark.parametrize(
    ("cell", "end"),
    [
        ("5 kg.", "5 kg."),
        ("who?", "who?"),
        ("(in all.)", "(in all.)"),
        ("(in all)", "(in all)."),
        ("as follows:", "as follows."),
        ("5;", "5."),
        ("50 %", "50 %."),
        ("—", "—."),
    ],
)
def test_a_row_ends_with_one_full_stop(table, cell, end):
    assert read(table(f"A: | {cell}"), kinds("hd")).clauses == (f"A: {end}",)


def test_two_levels_of_headers(table):
    years = table("2*2007 | 2*2008\nQ1 | Q2 | Q1 | Q2\n1 | 2 | 3 | 4")
    expected = "2007 ; Q1: 1 / 2007 ; Q2: 2 / 2008 ; Q1: 3 / 2008 ; Q2: 4."
    assert [*read(years, kinds("hh hhhh dddd")).clauses] == [expected]


def test_two_levels_above_a_column_of_headers(table):
    years = table("| 2*2007\n| Q1 | Q2\nSales | 1 | 2")
    expected = "2007, Q1 ; Sales: 1 / 2007, Q2 ; Sales: 2."
    assert [*read(years, kinds("nh nhh hdd")).clauses] == [expected]


def test_a_section_heads_what_follows_under_the_same_columns(table):
    fees = table("A | B\n2*adults\n1 | 2\n2*children\n3 | 4")
    assert [*read(fees, kinds("hh h dd h dd")).clauses] == [
        "adults ; A: 1 / adults ; B: 2.",
        "children ; A: 3 / children ; B: 4.",
    ]


def test_new_headers_take_the_place_of_the_old(table):
    two = table("A | B\n1 | 2\nC | D\n3 | 4")
    assert [*read(two, kinds("hh dd hh dd")).clauses] == ["A: 1 / B: 2.", "C: 3 / D: 4."]


def test_a_row_span_is_read_with_every_row(tables):
    (table,) = tables("<table><tr><td rowspan=2>a<td>1<tr><td>2</table>")
    assert [*read(table, kinds("hd d")).clauses] == ["a: 1.", "a: 2."]


def test_repeated_headers_are_removed_and_said_so(table):
    reading = read(table("A | B\n1 | 2\nA | B\n3 | 4"), kinds("hh dd ff dd"))
    assert reading.clauses == ("A: 1 / B: 2.", "A: 3 / B: 4.")
    assert reading.removed == (("A", "repeated header"), ("B", "repeated header"))


def test_headers_of_no_data_are_said(table):
    assert read(table("A | B\n1 |"), kinds("hh dd")).removed == (("B", "header of no data"),)


def test_caption_comes_first(tables):
    (table,) = tables("<table><caption>C</caption>stray<tr><td>1<td>2</table>")
    assert [*read(table, kinds("dd")).clauses] == ["C ;; 1 / 2.", "stray."]


def test_without_data_a_table_is_read_linearly(table):
    assert read(table("A | B\nC |"), kinds("hh hn")).clauses == ("A / B.", "C.")


def test_an_empty_table_says_nothing(tables):
    assert [*read(tables("<table></table>")[0]).clauses] == []
    assert [*read(tables("<table><tr></tr><tr><td></td></tr></table>")[0]).clauses] == []
