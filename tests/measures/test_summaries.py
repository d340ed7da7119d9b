"""Averages and their intervals, on numbers small enough to count by hand or to draw once more."""

import math

import numpy as np
import pytest

from victor.errors import ConfigError
from victor.measures.averages import summarize, table
from victor.measures.blocks import block_scores
from victor.measures.words import Score, WordScore

SCORES = [Score(1.0, 0.5, 0.6), Score(0.0, 0.5, 0.2), Score(0.5, 0.5, 0.1)]


def many(count=200):
    values = np.random.default_rng(1).beta(6, 2, size=count)
    return [Score(value, value, value) for value in values.tolist()]


def test_all_pages_and_each_group():
    overall, forum, news = summarize(SCORES, ["news", "forum", "news"])
    assert (overall.group, overall.pages) == ("all", 3)
    assert overall.means == pytest.approx({"precision": 0.5, "recall": 0.5, "f1": 0.3})
    assert (forum.group, forum.pages, forum.means["f1"]) == ("forum", 1, 0.2)
    assert (news.group, news.pages, news.means["f1"]) == ("news", 2, pytest.approx(0.35))


def test_the_interval_is_that_of_the_mean():
    (summary,) = summarize(many())
    values = np.array([score.f1 for score in many()])
    error = values.std(ddof=1) / math.sqrt(len(values))
    low, high = summary.intervals["f1"]
    assert summary.errors["f1"] == pytest.approx(error, rel=0.1)
    # The normal approximation is good for 200 pages.
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.2 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.2 * error)


def test_the_interval_is_the_same_on_every_call():
    assert summarize(many(), sites=["a", "b"] * 100) == summarize(many(), sites=["a", "b"] * 100)


def test_equal_pages_have_no_interval():
    assert summarize(SCORES)[0].intervals["recall"] == (0.5, 0.5)
    assert summarize(SCORES)[0].errors["recall"] == 0.0


def test_sites_are_drawn_with_all_their_pages():
    # Pages that say the same 25 times over do not make the mean any surer.
    scores = many(8) * 25
    sites = [f"site {number}" for number in range(8)] * 25
    (by_page,), (by_site,), (once,) = (
        summarize(scores),
        summarize(scores, sites=sites),
        summarize(many(8)),
    )
    assert by_site.errors["f1"] == pytest.approx(once.errors["f1"])
    assert by_site.errors["f1"] > 4 * by_page.errors["f1"]
    assert by_site.means == pytest.approx(once.means)


def test_sites_of_other_sizes_weigh_by_their_pages():
    scores, sites = [Score(1, 1, 1), Score(1, 1, 1), Score(0, 0, 0)], ["a", "a", "b"]
    (summary,) = summarize(scores, sites=sites)
    # Drawn are a a, b b, or both: 1, 0 or 2/3, never 1/3.
    assert summary.means["f1"] == pytest.approx(2 / 3)
    assert summary.intervals["f1"] == (0.0, 1.0)


@pytest.mark.parametrize("sites", [None, ["a", "a", "a"]])
def test_a_single_site_has_no_interval(sites):
    (summary,) = summarize(SCORES[:1] if sites is None else SCORES, sites=sites)
    assert math.isnan(summary.errors["f1"])
    assert all(map(math.isnan, summary.intervals["f1"]))


def test_micro_and_its_interval():
    scores = [WordScore(1.0, 1.0, 1.0, 10, 10, 10), WordScore(0.0, 0.0, 0.0, 0, 30, 10)]
    (summary,) = summarize(scores)
    assert summary.means["precision"] == 0.5
    assert summary.micro == {"precision": 0.25, "recall": 0.5, "f1": pytest.approx(1 / 3)}
    assert summary.micro_intervals["precision"] == (0.0, 1.0)


def test_what_is_no_page_mean_is_resampled_too():
    random = np.random.default_rng(2)
    blocks = [block_scores([0, 1, 2], random.integers(3, size=3)) for _ in range(40)]
    (summary,) = summarize(blocks)
    low, high = summary.intervals["f1_header"]
    assert low < summary.means["f1_header"] < high


def test_undefined_pages_do_not_count():
    scores = [Score(math.nan, 1.0, 0.0), Score(0.5, 0.0, 0.0), Score(1.0, 0.5, 0.0)]
    assert summarize(scores)[0].means == {"precision": 0.75, "recall": 0.5, "f1": 0.0}


def test_nothing_and_what_does_not_fit():
    with pytest.raises(ConfigError, match="no page scores"):
        summarize([])
    with pytest.raises(ConfigError, match="3 scores but 2 groups"):
        summarize(SCORES, ["a", "b"])
    with pytest.raises(ConfigError, match="3 scores but 2 sites"):
        summarize(SCORES, sites=["a", "b"])


def test_table():
    scores = [WordScore(1.0, 0.5, 0.25, 1, 1, 2), WordScore(0.0, 0.5, 0.25, 0, 3, 2)]
    lines = table(summarize(scores, ["forum", "documentation"])).splitlines()
    assert lines[0].split() == [*"pages precision 95 % recall 95 % f1 95 %".split()]
    assert lines[1].split() == [
        *("all", "2", "0.5000", "0.000–1.000", "0.5000", "0.500–0.500", "0.2500", "0.250–0.250")
    ]
    assert lines[2].split()[:4] == ["all,", "micro", "2", "0.2500"]
    assert lines[4].split() == ["forum", "1", *["1.0000", "-", "0.5000", "-", "0.2500", "-"]]
    assert len({len(line) for line in lines}) == 1
    assert table([]) == ""


def test_table_without_micro():
    assert len(table(summarize(SCORES)).splitlines()) == 2
