"""Paragraphs and texts by the compiled core equal those by numpy and Python."""

from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from victor.base import core
from victor.base.labels import Label
from victor.page.parsing.tags import member_mask
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import DataTables
from victor.page.verdict.removed_parts import Cut
from victor.page.verdict.verdict import Verdict
from victor.render.text import render

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "annotations" / "pages").glob("*.html")) + sorted(
    (ROOT / "tests" / "golden").rglob("*.html")
)
CELLS = frozenset({"td", "th"})


def columns(found):
    for part in (found, found.cells):
        for name in part.__struct_fields__:
            value = getattr(part, name)
            if isinstance(value, np.ndarray):
                yield name, value


def verdict_of(table, kept, **more):
    labels = np.where(kept, Label.TEXT, Label.OTHER).astype(np.uint8)
    return Verdict(table, labels, np.zeros((len(table), 3)), "test", **more)


def made(verdict):
    """Columns and all texts of a verdict, made anew."""
    fresh = replace(verdict)
    pages = range(fresh.table.n_pages)
    texts = [(fresh.paragraphs.texts(page), render(fresh, page)) for page in pages]
    return [*columns(fresh.paragraphs)], texts


def compare(verdict):
    ours, texts = made(verdict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        wanted, wanted_texts = made(verdict)
    assert len(ours) == 15
    for (name, values), (_, others) in zip(ours, wanted, strict=True):
        assert values.dtype == others.dtype, name
        assert np.array_equal(values, others), name
    assert texts == wanted_texts
    return "".join(text for _, text in texts)


def masks(table, rng):
    """All blocks, most of them, few of them, none."""
    return (rng.random(len(table)) < share for share in (1.0, 0.8, 0.2, 0.0))


def test_files_of_the_repository():
    rng = np.random.default_rng(1)
    assert len(FILES) > 50
    for first in range(0, len(FILES), 7):
        for split in ("block", "tag"):
            pages = [path.read_bytes() for path in FILES[first : first + 7]]
            table = parse_pages(pages, split)
            for kept in masks(table, rng):
                compare(verdict_of(table, kept))


def test_data_tables_that_are_given():
    rng = np.random.default_rng(2)
    row = "<tr><td>a<th>b <p> c<td><td colspan=2>d<td><ul><li>e<li>f</ul><td><pre> g\n h</pre>"
    inner = f"<table>{row}<tr><td><table>{row}</table></table>"
    table = parse_pages([inner * 4, "<ul><li>" + inner + "</ul>", "", "<p>a" + inner])
    is_table = member_mask(frozenset({"table"}))[table.elements.tag]
    is_cell = member_mask(CELLS)[table.elements.tag]
    texts = []
    for kept in (*masks(table, rng), *masks(table, rng)):
        column = np.where(is_cell, rng.integers(0, 9, len(is_cell)), -1)
        tables = DataTables(is_table & (rng.random(len(is_table)) < 0.7), column)
        texts.append(compare(verdict_of(table, kept, tables=tables)))
    assert any("\t\t" in text for text in texts)


def test_formulas_and_preformatted_text():
    math = (
        "<p>Let <math alttext='x^2'><mi>x</mi><mn>2</mn></math> be <b>so</b>"
        "<math><mi>y</mi><annotation encoding='application/x-tex'>\\frac 1y</annotation></math>."
    )
    code = (
        "<table><tr><td><pre>1\n2</pre>"
        "<td><pre class=code>if a:\n\n\tb <i>c</i>  \r\n</pre></table>"
        "<pre><div>a</div>\n<div>b</div><br>c</pre><pre></pre>"
        "<pre>\n <ins>1</ins> x\n<ins>2</ins></pre>"
    )
    rng = np.random.default_rng(3)
    table = parse_pages([math, code, math + code, "<p>\U0001f600 end", "<p>na\xefve"])
    for kept in masks(table, rng):
        compare(verdict_of(table, kept))


@settings(max_examples=100, deadline=None)
@given(strategies.batch(), st.randoms(use_true_random=False))
def test_any_page(pages, random):
    table = parse_pages(pages, random.choice(("block", "tag")))
    kept = np.array([random.random() < 0.7 for _ in range(len(table))], dtype=bool)
    verdict = verdict_of(table, kept)
    compare(verdict)
    places = np.array([-(random.random() < 0.7) for _ in range(len(table.tags.id))], np.int64)
    compare(replace(verdict, cut=Cut(table, ("x",), places, np.full(len(table), -1))))
