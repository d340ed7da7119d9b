"""A row holds p(other) of its paragraphs, so that another threshold needs no other crawl."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from victor.api import Cleaner, load_cleaner
from victor.config.schema import Decision, Filter, Scope
from victor.crawl import text_at
from victor.documents.page_filter import PageFilter
from victor.documents.process import Processor
from victor.errors import ConfigError
from victor.labelers.rules import RuleLabeler
from victor.sources.record import Record

ANY = PageFilter(Filter())
ROWS = "".join(f"<tr><td>R {n}<td>{n}:40</tr>" for n in range(5, 9))
PIECES = (
    "<h2>Bees</h2>", "<p>They live in hives.</p>", "<div>Home<br><br>Contact</div>",
    "<ul><li>wax<li>honey<li>pollen</ul>", "<ol><li><p>one</p><p>more</p><li>two</ol>",
    f"<table border=1><tr><th>Train<th>Leaves</tr>{ROWS}</table>",
    "<table><tr><td>left menu<td>right menu</tr></table>",
    "<pre>for bee in hive:\n    bee.fly()</pre>", "<p>Queens</p> and <b>drones</b>",
    "<p>Let <math><mi>x</mi></math> be a bee.</p>",
)  # fmt: skip
PAGES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)
THRESHOLDS = st.integers(0, 10_000).map(lambda number: number / 10_000)


def labeler(seed, spread=1.0):
    """Probabilities of blocks at random, a page's about as near to each other as is asked for."""

    def keep(table):
        random = np.random.default_rng(seed)
        return np.clip(random.random() + spread * (random.random(len(table)) - 0.5), 0, 1)

    return RuleLabeler("none", keep)


def cleaned(system, page, threshold, scope=None, **options):
    """The row of a page; None if nothing is kept."""
    cleaner = Cleaner(system, decision=Decision(threshold=threshold), scope=scope)
    (outcome,) = Processor(cleaner, ANY, keep_dropped=True, **options)([Record("in", 0, page)])
    return to_builtins(outcome.row)


def lines(text):
    """The text apart from blank lines, which depend on what lies between items of lists."""
    return [line for line in text.splitlines() if line.strip()]


def without_formulas(page):
    """A paragraph with a formula has several blocks, which a row takes for one."""
    return page.replace("<math>", "").replace("</math>", "")


@settings(max_examples=60, deadline=None)
@given(PAGES.map(without_formulas), st.integers(0, 99), st.sampled_from((0.1, 0.5, 1)), THRESHOLDS,
       THRESHOLDS)  # fmt: skip
def test_a_row_gives_the_text_of_stricter_thresholds(page, seed, spread, t, other):
    system, stricter = labeler(seed, spread), min(t, other)
    stored = cleaned(system, page, t)
    assert lines(text_at(stored, stricter)) == lines(cleaned(system, page, stricter)["text"])
    assert text_at(stored, max(t, other)) == stored["text"]


@settings(max_examples=40, deadline=None)
@given(PAGES, st.integers(0, 99), THRESHOLDS, THRESHOLDS)
def test_of_several_blocks_the_strictest_counts(page, seed, t, other):
    system, stricter = labeler(seed), min(t, other)
    kept = text_at(cleaned(system, page, t), stricter).split()
    assert len(kept) <= len(cleaned(system, page, stricter)["text"].split())


@settings(max_examples=30, deadline=None)
@given(PAGES, st.integers(0, 99))
def test_columns_are_as_long_as_the_text_has_paragraphs(page, seed):
    kept = cleaned(labeler(seed), page, 0.5)["paragraphs"]
    n = len(kept["heading"])
    assert len(kept["start"] or ()) == len(kept["p_other"] or ()) == n
    assert kept["start"] == sorted({*kept["start"]})
    assert kept["language"] is None or n == 0
    assert all(p < 0.5 for p in kept["p_other"])


def fixed(*values):
    return RuleLabeler("none", lambda table: 1 - np.array(values))


@pytest.mark.parametrize(
    ("p_other", "stored"), [(0.12345, 0.1234), (0.3, 0.3), (0.29999, 0.2999), (0.0, 0.0)]
)
def test_p_other_is_rounded_down(p_other, stored):
    assert cleaned(fixed(p_other), "<p>a", 0.5)["paragraphs"]["p_other"] == [stored]


def test_a_table_has_one_p_other():
    values = [0.125, *(0.4 + number / 100 for number in range(10))]
    page = f"<p>a</p><table border=1><tr><th>Train<th>Leaves</tr>{ROWS}</table>"
    stored = cleaned(fixed(*values), page, 0.6)
    first, *cells = stored["paragraphs"]["p_other"]
    assert first == 0.125
    assert len(cells) == 10
    assert 0.4 < cells[0] < 0.5
    assert {*cells} == {cells[0]}
    assert text_at(stored, 0.3) == "a\n"


def test_where_the_scope_decides_no_threshold_does():
    page = "<h1>Bees</h1>" + "<p>They live in hives and fly out to find food.</p>" * 4
    system = fixed(0.875, 0.125, 0.125, 0.125, 0.25)
    stored = cleaned(system, page, 0.5, scope=Scope(name="article"))
    assert stored["text"].startswith("Bees")
    assert stored["paragraphs"]["p_other"] == [None, 0.125, 0.125, 0.125, 0.25]
    assert lines(text_at(stored, 0.15))[0] == "Bees"


def test_a_text_of_a_model_does_not_end_with_a_heading_of_nothing():
    """Neither does `victor clean` with that threshold."""
    page = "<p>Bees live in hives.</p><h2>Wax</h2><p>They make it.</p>"
    stored = cleaned(fixed(0.125, 0.125, 0.25), page, 0.5)
    assert lines(text_at(stored, 0.2)) == ["Bees live in hives.", "Wax"]
    assert lines(text_at({**stored, "model": "0123456789abcdef"}, 0.2)) == ["Bees live in hives."]
    assert len(lines(text_at({**stored, "model": "0123456789abcdef"}, 0.3))) == 3


def test_a_row_without_paragraphs_cannot_be_thresholded():
    with pytest.raises(ConfigError, match="no paragraphs"):
        text_at({"text": "a row of an older version"}, 0.5)


def test_a_paragraph_says_what_it_is():
    page = (
        b"<h1>Bees of the town</h1><p>They live in hives.</p><ul><li>A queen of all.</ul>"
        b"<blockquote><p>To be or to bee.</blockquote><pre>print(1)\nprint(2)</pre>"
        b"<table><tr><th>Name<th>Age<tr><td>Maja<td>7<tr><td>Willi<td>6</table>"
    )
    cleaner = load_cleaner(labeler="none")
    (outcome,) = Processor(cleaner, PageFilter(Filter()))([Record("in", 0, page)])
    kinds = {each.text: each.kind for each in outcome.paragraphs}
    assert kinds["Bees of the town"] == "heading"
    assert kinds["They live in hives."] == ""
    assert kinds["A queen of all."] == "item"
    assert kinds["To be or to bee."] == "quote"
    assert kinds["print(1)\nprint(2)"] == "code"
    assert kinds["Maja"] == "cell"
