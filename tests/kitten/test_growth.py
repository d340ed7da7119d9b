"""Time of `sentences` on pages made to cost much: it grows as the page does."""

import math
import time
from functools import partial

import pytest

from victor.kitten.language import language_by_code
from victor.kitten.passages import Passage, Removals
from victor.kitten.sentences import join_lines, whole_page
from victor.kitten.tables import Reading, replaced
from victor.page.markup.full_record import record_full
from victor.tables.leaf_tables import leaf_tables

STEEPEST = 1.5
"""Exponent; what grows with the square of the page has 2."""

SHAPES = {
    "chinese": (lambda n: "<p>" + "我们今天去了海边的老港口看船。" * n, 1_000, 8_000),
    "no spaces": (lambda n: "<p>" + "Hi!Ho?" * n, 1_000, 8_000),
    "quotations": (lambda n: "<p>" + "«Go! " * n, 1_000, 8_000),
    "brackets": (lambda n: "<p>" + "「はい。" * n, 500, 4_000),
    "one word": (lambda n: "<p>" + "a" * n, 100_000, 1_600_000),
    "stub": (lambda n: "<table border=1><tr>" + "<th>h<td>1" * n + "</table>", 250, 2_000),
}


def rows(number):
    return "".join(f"<tr><td>name {i}<td>{i}" for i in range(number))


def exponent(call, make, small, large):
    """By how much the time of a call grows with what it is given; best of two."""
    seconds = []
    for size in (small, large):
        given = make(size)
        took = []
        for _ in range(2):
            start = time.process_time()
            call(given)
            took.append(time.process_time() - start)
        seconds.append(min(took) + 1e-3)
    return math.log(seconds[1] / seconds[0]) / math.log(large / small)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "small", "large"), SHAPES.values(), ids=SHAPES)
def test_sentences_grow_as_the_page(shape, small, large):
    assert exponent(whole_page, lambda size: shape(size).encode(), small, large) < STEEPEST


def test_passages_of_a_table_are_found_in_its_clauses_in_linear_time():
    def given(size):
        words = [f"w{number}" for number in range(size)]
        return [Passage(word, table=1) for word in words], Reading((" ".join(words),), ())

    def call(arguments):
        passages, reading = arguments
        removals = Removals()
        assert len(replaced(passages, {1: reading}, removals)) == 1
        assert not removals.entries

    assert exponent(call, given, 1_000, 8_000) < STEEPEST


def test_lines_are_joined_in_linear_time():
    english = language_by_code("en")
    text = "a line of some words and of more\n"
    call = partial(join_lines, language=english)
    assert exponent(call, lambda size: text * size, 4_000, 64_000) < STEEPEST


def test_what_all_rows_are_about_is_not_repeated_without_end():
    caption = "word " * 2_000
    table = f"<table border=1><caption>{caption}</caption><tr><th>name<th>year{rows(1_000)}</table>"
    # Repeated in every row it would be ten million characters.
    assert len(whole_page(table.encode())) < 2_500_000


def test_a_long_clause_is_not_repeated_with_every_item():
    page = "<p>" + "word " * 20_000 + "we need to:</p><ul>" + "<li>go there" * 1_000 + "</ul>"
    assert len(whole_page(page.encode())) < 2 * len(page)


def test_alike_tables_are_measured_once(monkeypatch):
    from victor.tables import cells

    measured = []

    def types(table):
        measured.append(table)
        return cell_types(table)

    cell_types = cells.cell_types
    monkeypatch.setattr(cells, "cell_types", types)
    page = "".join(f"<table border=1><tr><th>a<th>b<tr><td>x{i:03}<td>1</table>" for i in range(50))
    text = whole_page(page.encode())
    assert all(f"x{i:03}" in text for i in range(50))
    assert len(measured) == 1


@pytest.mark.parametrize(
    "other",
    [
        "<table border=1><tr><th>a<th>b<tr><td>x<td>22</table>",
        "<table border=1><tr><td>a<th>b<tr><td>x<td>1</table>",
        "<table border=1><tr><th>a<th>b<tr><td>a<td>1</table>",
        "<table border=1><tr><th class=k>a<th>b<tr><td>x<td>1</table>",
        "<table border=1><caption>c</caption><tr><th>a<th>b<tr><td>x<td>1</table>",
        "<table border=1><thead><tr><th>a<th>b<tbody><tr><td>x<td>1</table>",
    ],
)
def test_tables_that_differ_are_not_taken_for_alike(other):
    from victor.tables.cells import _measured

    first = "<table border=1><tr><th>a<th>b<tr><td>x<td>1</table>"
    one, two = (leaf_tables(record_full(page.encode()))[0] for page in (first, other))
    assert _measured(one) != _measured(two)
