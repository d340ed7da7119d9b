"""Data tables as clauses."""

import pytest

from victor.kitten.tables import read

SHORT = {
    "h": "header", "d": "data", "n": "neutral", "t": "thema", "i": "finalImportant",
    "f": "finalNonImportant",
}  # fmt: skip


def kinds(written):
    return [[SHORT[letter] for letter in row] for row in written.split()]


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
        # Headers of two levels, sections, and new headers.
        (
            "2*2007 | 2*2008\nQ1 | Q2 | Q1 | Q2\n1 | 2 | 3 | 4",
            "hh hhhh dddd",
            ["2007 ; Q1: 1 / 2007 ; Q2: 2 / 2008 ; Q1: 3 / 2008 ; Q2: 4."],
        ),
        (
            "| 2*2007\n| Q1 | Q2\nSales | 1 | 2",
            "nh nhh hdd",
            ["2007, Q1 ; Sales: 1 / 2007, Q2 ; Sales: 2."],
        ),
        (
            "A | B\n2*adults\n1 | 2\n2*children\n3 | 4",
            "hh h dd h dd",
            ["adults ; A: 1 / adults ; B: 2.", "children ; A: 3 / children ; B: 4."],
        ),
        ("A | B\n1 | 2\nC | D\n3 | 4", "hh dd hh dd", ["A: 1 / B: 2.", "C: 3 / D: 4."]),
        ("A | B\nC |", "hh hn", ["A / B.", "C."]),  # without data it is read linearly
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


def test_a_row_span_is_read_with_every_row(tables):
    (table,) = tables("<table><tr><td rowspan=2>a<td>1<tr><td>2</table>")
    assert [*read(table, kinds("hd d")).clauses] == ["a: 1.", "a: 2."]


def test_repeated_headers_are_removed_and_said_so(table):
    reading = read(table("A | B\n1 | 2\nA | B\n3 | 4"), kinds("hh dd ff dd"))
    assert reading.clauses == ("A: 1 / B: 2.", "A: 3 / B: 4.")
    assert reading.removed == (("A", "repeated header"), ("B", "repeated header"))
    assert read(table("A | B\n1 |"), kinds("hh dd")).removed == (("B", "header of no data"),)


def test_caption_comes_first(tables):
    (table,) = tables("<table><caption>C</caption>stray<tr><td>1<td>2</table>")
    assert [*read(table, kinds("dd")).clauses] == ["C ;; 1 / 2.", "stray."]


def test_an_empty_table_says_nothing(tables):
    for page, types in (("<table></table>", ""), ("<table><tr></tr><tr><td></table>", "_ n")):
        (table,) = tables(page)
        kinds_of = [[] if row == "_" else kinds(row)[0] for row in types.split()]
        assert read(table, kinds_of).clauses == ()
