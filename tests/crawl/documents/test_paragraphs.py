"""A row holds p(other) of its paragraphs, so that another threshold needs no other crawl."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from victor.api import Cleaner
from victor.config.schema import Decision, Filter
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


def cleaned(system, page, threshold):
    """The row of a page; None if nothing is kept."""
    cleaner = Cleaner(system, decision=Decision(threshold=threshold))
    (outcome,) = Processor(cleaner, ANY, keep_dropped=True)([Record("in", 0, page)])
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


def test_a_row_without_paragraphs_cannot_be_thresholded():
    with pytest.raises(ConfigError, match="no paragraphs"):
        text_at({"text": "a row of an older version"}, 0.5)
