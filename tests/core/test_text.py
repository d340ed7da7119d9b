"""Paragraphs and texts of a batch are those of its pages, whatever is kept and holds data."""

from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from victor.base.labels import Label
from victor.page.parsing.tags import member_mask
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import DataTables
from victor.page.verdict.removed_parts import Cut
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page
from victor.render.text import render

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "annotations" / "pages").glob("*.html")) + sorted(
    (ROOT / "tests" / "golden").rglob("*.html")
)
FORMULAS = (
    "<p>Let <math alttext='x^2'><mi>x</mi><mn>2</mn></math> be <b>so</b>"
    "<math><mi>y</mi><annotation encoding='application/x-tex'>\\frac 1y</annotation></math>."
)
CODE = (
    "<table><tr><td><pre>1\n2</pre>"
    "<td><pre class=code>if a:\n\n\tb <i>c</i>  \r\n</pre></table>"
    "<pre><div>a</div>\n<div>b</div><br>c</pre><pre></pre>"
    "<pre>\n <ins>1</ins> x\n<ins>2</ins></pre>"
)
ROW = "<tr><td>a<th>b <p> c<td><td colspan=2>d<td><ul><li>e<li>f</ul><td><pre> g\n h</pre>"
NESTED = f"<table>{ROW}<tr><td><table>{ROW}</table></table>"


def texts(table, kept, tables=None, cut=None):
    labels = np.where(kept, Label.TEXT, Label.OTHER).astype(np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(table), 3)), "test", tables=tables)
    verdict = verdict if cut is None else replace(verdict, cut=cut)
    pages = range(table.n_pages)
    return [(verdict.paragraphs.texts(page), render(Page(verdict, page))) for page in pages]


def check(pages, split, rng):
    """The texts are those of each page alone, for all blocks, most of them, few of them, none."""
    table, alone = parse_pages(pages, split), [parse_pages([page], split) for page in pages]
    n = len(table.elements)
    is_table = member_mask(frozenset({"table"}))[table.elements.tag] & (rng.random(n) < 0.7)
    is_cell = member_mask(frozenset({"td", "th"}))[table.elements.tag]
    tables = DataTables(is_table, np.where(is_cell, rng.integers(0, 9, n), -1))
    for share in (1.0, 0.8, 0.2, 0.0):
        kept = rng.random(len(table)) < share
        together, wanted = texts(table, kept, tables), []
        for page, own in enumerate(alone):
            blocks = slice(*table.page_starts[page : page + 2])
            elements = table.elements_of(page)
            given = DataTables(tables.is_data[elements], tables.column[elements])
            wanted += texts(own, kept[blocks], given)
        assert together == wanted


@pytest.mark.parametrize("split", ["block", "tag"])
def test_files_of_the_repository(split):
    rng = np.random.default_rng(1)
    assert len(FILES) > 50
    for first in range(0, len(FILES), 7):
        check([path.read_bytes() for path in FILES[first : first + 7]], split, rng)


def test_tables_formulas_and_preformatted_text():
    pages = [FORMULAS, CODE, FORMULAS + CODE, "<p>\U0001f600 end", "<p>na\xefve", NESTED * 4, ""]
    for split in ("block", "tag"):
        check([*pages, f"<ul><li>{NESTED}</ul>", "<p>a" + NESTED], split, np.random.default_rng(2))


@given(strategies.batch(), st.integers(0, 99), st.sampled_from(("block", "tag")))
def test_any_page(pages, seed, split):
    check(pages, split, np.random.default_rng(seed))


@given(strategies.batch(), st.integers(0, 99))
def test_a_page_of_which_parts_are_cut_says_no_more(pages, seed):
    table, rng = parse_pages(pages), np.random.default_rng(seed)
    kept = np.ones(len(table), dtype=bool)
    places = np.where(rng.random(len(table.tags.id)) < 0.7, -1, 0)
    cut = Cut(table, ("x",), places, np.full(len(table), -1))
    for (_, whole), (_, left) in zip(texts(table, kept), texts(table, kept, cut=cut), strict=True):
        assert len("".join(left.split())) <= len("".join(whole.split()))
