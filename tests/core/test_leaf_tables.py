"""Data tables and whole units: the compiled core gives what the Python path gives."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from tests.strategies import markup, texts
from victor.base import core
from victor.base.labels import Label
from victor.kinds.whole_units import with_whole_units
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict, marginals
from victor.tables import page_tables
from victor.tables.cell_types import CELL_FEATURES
from victor.tables.data_tables import TABLE_FEATURES
from victor.tables.forest import Forest, shipped
from victor.tables.page_tables import data_tables

pytestmark = pytest.mark.skipif(core.compiled is None, reason="there is no compiled core")

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("annotations/pages/*.html"))

EXAMPLES = 30

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


def on_python_path(compute):
    """What a function gives without the compiled core."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return compute()


def assert_same(compiled, python):
    for field in fields(python):
        one, other = getattr(compiled, field.name), getattr(python, field.name)
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist(), field.name


def verdict_of(pages, seed):
    """Labels that are often, but not always, those of their neighbours."""
    table = segment(record(pages, attributes=("class",)), "block")
    random = np.random.default_rng(seed)
    p_keep = random.choice([0.1, 0.3, 1 - 0.7, 0.5, 0.7, 0.9], size=len(table))
    p_keep = np.where(random.random(len(table)) < 0.6, np.roll(p_keep, 1), p_keep)
    labels = np.where(p_keep > 0.4, random.integers(0, 2, len(table)), Label.OTHER)
    header = labels == Label.HEADER
    return Verdict(table, labels.astype(np.uint8), marginals(p_keep, header), "threshold")


def assert_equal_units(pages, seed):
    verdict = verdict_of(pages, seed)
    compiled = with_whole_units(verdict, pages)
    python = on_python_path(lambda: with_whole_units(verdict, pages))
    assert compiled.labels.tolist() == python.labels.tolist()
    assert_same(compiled.tables, python.tables)
    assert (compiled.by_unit is None) == (python.by_unit is None)
    if python.by_unit is not None:
        assert compiled.by_unit.tolist() == python.by_unit.tolist()
    return python


@settings(max_examples=EXAMPLES)
@given(pages_with_tables(), st.integers(0, 9))
def test_units_of_random_pages(pages, seed):
    assert_equal_units(pages, seed)


@settings(max_examples=EXAMPLES)
@given(pages_with_tables())
def test_data_tables_and_their_measures(pages):
    table = segment(record(pages), "block")
    kept = np.ones(len(table), dtype=bool)
    assert_same(data_tables(table, kept), on_python_path(lambda: data_tables(table, kept)))
    assert_equal_measures(pages[:1])


def assert_equal_measures(pages):
    table = segment(record(pages), "block")
    leaves = page_tables._Leaves.of(table, np.ones(len(table), dtype=bool)).first_rows()
    leaves = leaves.only(np.diff(leaves.starts) > 0)
    if not len(leaves.elements):
        return 0
    said = page_tables._Said(leaves, table)
    measured = page_tables._compiled_measures(leaves, said)
    for row, wanted in zip(measured, page_tables._measures(leaves, said), strict=True):
        assert dict(zip(TABLE_FEATURES, row.tolist(), strict=True)) == dict(
            zip(TABLE_FEATURES, wanted.tolist(), strict=True)
        )
    return len(leaves.elements)


def test_annotated_pages():
    markups = [path.read_bytes() for path in PAGES]
    n_tables = n_changed = 0
    for start in range(0, len(markups), 20):
        batch = markups[start : start + 20]
        verdict = assert_equal_units(batch, start)
        n_tables += int(verdict.tables.is_data.sum())
        n_changed += 0 if verdict.by_unit is None else int(verdict.by_unit.sum())
    assert n_tables > 0
    assert n_changed > 0


def test_measures_of_annotated_pages():
    markups = [path.read_bytes() for path in PAGES]
    assert sum(assert_equal_measures([page]) for page in markups if b"<table" in page) > 0


def test_a_cell_that_spans_more_than_there_is_room_for():
    row = "<tr>" + "<td rowspan=9 colspan=900>a<td>b" * 3
    page = f"<table>{row}{'<tr><td>c<td>d' * 80}<tr><td>1<td>2</table>".encode()
    table = segment(record([page]), "block")
    leaves = page_tables._Leaves.of(table, np.ones(len(table), dtype=bool))
    said = page_tables._Said(leaves, table)
    columns = page_tables._columns(leaves, said)
    python = on_python_path(lambda: page_tables._columns(leaves, said))
    assert columns.tolist() == python.tolist()
    assert columns.max() > 900


def test_a_table_without_a_cell_in_its_first_rows():
    page = f"<p>text<table>{'<tr></tr>' * 25}{'<tr><td>a<td>b' * 3}</table>".encode()
    table = segment(record([page]), "block")
    kept = np.ones(len(table), dtype=bool)
    found = data_tables(table, kept)
    assert_same(found, on_python_path(lambda: data_tables(table, kept)))
    assert not found.is_data.any()


@pytest.mark.parametrize(
    ("name", "features"), [("tables", TABLE_FEATURES), ("cells", CELL_FEATURES)]
)
def test_votes_of_forests(name, features):
    forest = shipped(name, features)
    random = np.random.default_rng(3)
    chosen = random.choice(forest.threshold, size=(200, len(features)))
    rows = np.where(random.random(chosen.shape) < 0.2, random.normal(size=chosen.shape), chosen)
    rows[0] = np.nan
    rows[1] = np.inf
    compiled, python = forest(rows), on_python_path(lambda: forest(rows))
    assert compiled.dtype == python.dtype
    assert compiled.tobytes() == python.tobytes()
    assert len(np.unique(compiled)) > 50
    assert forest(rows[:0]).shape == (0, len(forest.classes))


def tiny_forest():
    """Rows, root, nodes (threshold, feature, yes, no) and shares of three nodes."""
    return [
        np.zeros((1, 2), dtype=np.float32),
        np.array([0], dtype=np.int32),
        np.array([[0, 0, 1, 2], [0, 0, 1, 1], [0, 0, 2, 2]], dtype=np.int32),
        np.array([0.5, 1, 0], dtype=np.float32),
    ]


def test_a_forest_that_leads_in_a_circle_ends():
    arrays = tiny_forest()
    arrays[2] = np.array([[0, 0, 1, 1], [0, 0, 2, 2], [0, 0, 0, 0]], dtype=np.int32)
    shares = core.compiled.forest_shares(*arrays, 2, 1, 4)
    assert core.array(shares, np.float32).tolist() == [1.0]


def test_a_damaged_forest_is_an_error_of_the_package(monkeypatch):
    forest = shipped("tables", TABLE_FEATURES)
    assert isinstance(forest, Forest)
    rows = np.zeros((1, len(TABLE_FEATURES) + 1), dtype=np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        forest(rows)


def test_a_page_without_spans_beside_one_with_them():
    plain = b"<table border=1>" + b"<tr><td>Train<td>7:40<td>R 5" * 8 + b"</table>"
    spanned = plain.replace(b"<td>", b"<td ROWSPAN=2>", 2)
    pages = [plain, spanned, plain]
    table = segment(record(pages), "block")
    kept = np.ones(len(table), dtype=bool)
    found = data_tables(table, kept)
    assert_same(found, on_python_path(lambda: data_tables(table, kept)))
    assert found.is_data.sum() == 3
    assert found.column.max() > 2
