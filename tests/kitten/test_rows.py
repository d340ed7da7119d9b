"""Rows of `rows/*.txt`: small pages, and what Kitten makes of them."""

from pathlib import Path

import pytest
from leaf_table_fixtures import table_of, tables_of

from tests.rows import rows_of
from victor.errors import PageError
from victor.kitten.normalize import HEAD, NAMESPACE, is_strict, normalize
from victor.kitten.passages import Removals
from victor.kitten.sentences import whole_page
from victor.kitten.settings import load_settings
from victor.kitten.tables import read

TYPES = {
    "h": "header", "d": "data", "n": "neutral", "t": "thema", "i": "finalImportant",
    "f": "finalNonImportant",
}  # fmt: skip


def lines(settings, page):
    """The lines of a page, and what rules drop of it."""
    language, *overrides = settings.split()
    removals = Removals()
    rules = load_settings("kitten", (f"language={language}", *overrides))
    shown = " | ".join(filter(None, whole_page(page.encode(), rules, removals).splitlines()))
    dropped = "; ".join(f"{rule}: {text}" for rule, text in removals.entries)
    return f"{shown} ✗ {dropped}".lstrip(" ") if dropped else shown


def clauses(table, types):
    """The clauses of a table whose cells are of some types, and what is in none."""
    leaf = tables_of(table)[0] if table.startswith("<") else table_of(table)
    kinds = [[TYPES[letter] for letter in row if letter != "_"] for row in types.split()]
    reading = read(leaf, kinds)
    removed = "; ".join(f"{text}: {reason}" for text, reason in reading.removed)
    return " || ".join(reading.clauses) + (f" ✗ {removed}" if removed else "")


def xhtml(page):
    """The body of a page, which a strict parser accepts."""
    written = normalize(page).xhtml
    assert is_strict(written)
    assert written.startswith(f'{HEAD}<html xmlns="{NAMESPACE}">')
    return written.partition("<body>")[2].partition("</body>")[0]


def kind(page):
    """What a document is, or why it is none."""
    try:
        return normalize(page).kind
    except PageError as error:
        return error.reason


FUNCTIONS = dict.fromkeys(("lists", "bullets", "links", "sentences"), lines)
FUNCTIONS |= {"clauses": clauses, "xhtml": xhtml, "kinds": kind}


@pytest.mark.parametrize(("name", "given", "expected"), rows_of(Path(__file__).parent / "rows"))
def test_a_row(name, given, expected):
    assert FUNCTIONS[name](*given) == expected.lstrip(" ")


@pytest.mark.parametrize(
    ("title", "cells", "titled"),
    [(50_041, ["1"] * 41, 41), (48_001, ["1" * 360, *"1" * 41], 41)],
)
def test_a_title_stands_in_as_many_clauses_as_there_is_room_for(title, cells, titled):
    """A million characters and twenty for each of the table are left for repeating it."""
    table = table_of("\n".join(["x" * title, *cells]))
    read_rows = read(table, [["thema"], *[["data"]] * len(cells)]).clauses
    assert [clause.startswith("x") for clause in read_rows].count(True) == titled
