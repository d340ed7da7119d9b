"""Data tables and whole units: batches as single pages, and forests tree by tree."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from tests.strategies import markup, texts
from victor.kinds.whole_units import with_whole_units
from victor.labelers.load import model_labeler
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.tables.data_tables import data_tables
from victor.tables.forest import shipped

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("annotations/pages/*.html"))


SPANS = (
    *("", "", "", "", " colspan=2", " rowspan=2", " colspan='3' rowspan=0", " colspan=0"),
    *(" rowspan=3 class=wide", " colspan=2000 rowspan=9", " rowspan=' +02x'", " colspan=many"),
)
ROWS = ("<tr>", "<tr>", "<tr>", "<tr>", "", "<thead>", "<tbody>", "</tbody>", "<tfoot>", "</tr>")
INSIDE = (
    *("<b>bold", "<a href=/>link</a>", "<br>", "<img alt=x>", "<input>", "42", "3,14 €", "<p>line"),
    *("<caption>of all", "<pre>1\n2\n3</pre>", "<pre>a\nb\nc", "<div> \x1c \u2009\u0130 </div>"),
    *("<math>", "</b>", "\U0001d7d9 \U00020001", "١٢", "<table><tr><td>in<td>it<tr><td>x</table>"),
)
TABLES = ("<table>", "<table border=1>", "<table width=5 role=presentation>", "<table border=' '>")


@st.composite
def tables(draw):
    """A table with spans, holes, sections, nested tables, and rows that are not closed."""
    parts = [draw(st.sampled_from(TABLES))]
    cell = st.one_of(texts(3), st.sampled_from(INSIDE))
    for row in draw(st.lists(st.sampled_from(ROWS), max_size=28)):
        parts.append(row)
        for inside in draw(st.lists(cell, max_size=4)):
            name = draw(st.sampled_from(("td", "td", "th")))
            parts.append(f"<{name}{draw(st.sampled_from(SPANS))}>{inside}")
    return "".join(parts) + draw(st.sampled_from(("</table>", "")))


def pages_with_tables():
    """A few pages of markup and tables."""
    page = st.lists(st.one_of(tables(), tables(), markup()), max_size=4)
    return st.lists(page.map(lambda parts: "".join(parts).encode()), min_size=1, max_size=3)


def assert_same(together, alone):
    """Columns of a batch of pages are those of each page by itself."""
    for field in fields(together):
        columns = np.concatenate([getattr(each, field.name) for each in alone])
        assert getattr(together, field.name).tolist() == columns.tolist(), field.name


def found_in(pages):
    table = segment(record(pages), "block")
    return data_tables(table, np.ones(len(table), dtype=bool))


@given(pages_with_tables())
def test_data_tables_of_a_batch_are_those_of_each_page(pages):
    assert_same(found_in(pages), [found_in([page]) for page in pages])


def test_units_of_annotated_pages_are_those_of_each_alone():
    labeler = model_labeler("default")
    pages = [page for page in map(Path.read_bytes, PAGES) if b"<table" in page]
    together, *alone = (
        with_whole_units(labeler.label(labeler.table(some)), some)
        for some in (pages, *([page] for page in pages))
    )
    assert together.labels.tolist() == [label for each in alone for label in each.labels]
    assert_same(together.tables, [each.tables for each in alone])
    assert together.tables.is_data.any()


def test_a_cell_that_spans_more_than_there_is_room_for():
    trains = "<tr><td>Train<td>7:40<td>R 5" * 30
    wide = "<tr>" + "<td rowspan=9 colspan=900>R 6<td>8:10" * 3
    found = found_in([f"<table border=1>{trains}{wide}{trains}</table>".encode()])
    assert found.is_data.any()
    assert found.column.max() > 900


def leaf_of(forest, node, row):
    """Where a row leads from a node of a tree."""
    for _ in range(forest.depth):
        is_yes = row[forest.feature[node]] <= forest.threshold[node]
        node = int(forest.yes[node] if is_yes else forest.no[node])
    return node


@pytest.mark.parametrize("name", ["tables", "cells"])
def test_votes_of_forests(name):
    forest = shipped(name)
    random = np.random.default_rng(3)
    chosen = random.choice(forest.threshold, size=(60, len(forest.features)))
    rows = np.where(random.random(chosen.shape) < 0.2, random.normal(size=chosen.shape), chosen)
    rows[0] = np.nan
    rows[1] = np.inf
    shares = forest(rows)
    assert len(np.unique(shares)) > 50
    for row, found in zip(rows.astype(np.float32), shares, strict=True):
        leaves = [leaf_of(forest, root, row) for root in forest.roots.tolist()]
        np.testing.assert_allclose(found, forest.shares[leaves].mean(axis=0), rtol=1e-5)
    assert forest(rows[:0]).shape == (0, len(forest.classes))


def test_a_page_without_spans_beside_one_with_them():
    plain = b"<table border=1>" + b"<tr><td>Train<td>7:40<td>R 5" * 8 + b"</table>"
    spanned = plain.replace(b"<td>", b"<td ROWSPAN=2>", 2)
    found = found_in([plain, spanned, plain])
    assert_same(found, [found_in([page]) for page in (plain, spanned, plain)])
    assert found.is_data.sum() == 3
    assert found.column.max() > 2
