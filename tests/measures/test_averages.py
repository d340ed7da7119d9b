"""Averages, their intervals and paired comparisons: by hand, by drawing once more, and by scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from victor.errors import ConfigError
from victor.measures.averages import compare_scores, summarize, table
from victor.measures.blocks import block_scores
from victor.measures.words import Score

SCORES = [Score(1.0, 0.5, 0.6), Score(0.0, 0.5, 0.2), Score(0.5, 0.5, 0.1)]


def pages(values):
    return [Score(value, value, value) for value in values]


def many(count=200):
    return pages(np.random.default_rng(1).beta(6, 2, size=count).tolist())


def check_interval(low, high, values):
    """The normal approximation is good for 200 pages."""
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    assert low == pytest.approx(np.mean(values) - 1.96 * error, abs=0.2 * error)
    assert high == pytest.approx(np.mean(values) + 1.96 * error, abs=0.2 * error)


def test_all_pages_and_each_group():
    overall, forum, news = summarize(SCORES, ["news", "forum", "news"])
    assert (overall.group, overall.pages) == ("all", 3)
    assert overall.means == pytest.approx({"precision": 0.5, "recall": 0.5, "f1": 0.3})
    assert (forum.group, forum.pages, forum.means["f1"]) == ("forum", 1, 0.2)
    assert (news.group, news.pages, news.means["f1"]) == ("news", 2, pytest.approx(0.35))


def test_the_interval_is_that_of_the_mean():
    (summary,) = summarize(many())
    check_interval(*summary.intervals["f1"], [score.f1 for score in many()])
    assert summarize(many()) == [summary]


def test_sites_are_drawn_with_all_their_pages():
    # Pages that say the same 25 times over do not make the mean any surer.
    scores, sites = many(8) * 25, [f"site {number}" for number in range(8)] * 25
    drawn = summarize(scores), summarize(scores, sites=sites), summarize(many(8))
    by_page, by_site, once = (np.diff(each.intervals["f1"]).item() for (each,) in drawn)
    assert by_site == pytest.approx(once)
    assert by_site > 4 * by_page
    # Sites weigh by their pages: drawn are a a, b b, or both, which give 1, 0 or 2/3, never 1/3.
    (summary,) = summarize(pages([1, 1, 0]), sites=["a", "a", "b"])
    assert summary.means["f1"] == pytest.approx(2 / 3)
    assert summary.intervals["f1"] == (0.0, 1.0)


@pytest.mark.parametrize(("scores", "sites"), [(SCORES[:1], None), (SCORES, ["a", "a", "a"])])
def test_a_single_site_has_no_interval(scores, sites):
    (summary,) = summarize(scores, sites=sites)
    assert all(map(math.isnan, summary.intervals["f1"]))


def test_undefined_pages_do_not_count():
    scores = [Score(math.nan, 1.0, 0.0), Score(0.5, 0.0, 0.0), Score(1.0, 0.5, 0.0)]
    assert summarize(scores)[0].means == {"precision": 0.75, "recall": 0.5, "f1": 0.0}


def test_table():
    scores = [Score(1.0, 0.5, 0.25), Score(0.0, 0.5, 0.25)]
    lines = table(summarize(scores, ["forum", "documentation"])).splitlines()
    assert [line.split() for line in lines[:2]] == [
        "pages precision 95 % recall 95 % f1 95 %".split(),
        "all 2 0.5000 0.000–1.000 0.5000 0.500–0.500 0.2500 0.250–0.250".split(),
    ]
    assert lines[3].split() == "forum 1 1.0000 - 0.5000 - 0.2500 -".split()
    assert len({len(line) for line in lines}) == 1
    assert table([]) == ""


# --- comparisons ----------------------------------------------------------------------------------


def compare(first, second, sites=None):
    return compare_scores(pages(first), pages(second), sites)["f1"]


def test_counts_and_difference_and_exchanges_of_few_sites():
    result = compare([0.9, 0.5, 0.7, 0.1], [0.8, 0.6, 0.7, 0.0], ["a", "b", "c", "d"])
    assert (result.wins, result.losses, result.ties) == (2, 1, 1)
    assert result.difference == pytest.approx(0.1 / 4)
    # Of 2**5 exchanges only none and all five give a difference as large.
    assert compare([1.0] * 5, [0.0] * 5).p_value == 2 / 32
    same = compare([0.5, 0.7], [0.5, 0.7])
    assert (same.difference, same.low, same.high, same.p_value, same.ties) == (0, 0, 0, 1, 2)
    alone = compare([0.5, 0.6], [0.4, 0.5], ["a", "a"])
    assert (math.isnan(alone.low), alone.p_value) == (True, 1)


def test_p_value_equals_that_of_scipy():
    first, second = np.random.default_rng(3).random((2, 10))
    expected = stats.permutation_test(
        (first, second), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    )
    assert compare(first, second).p_value == pytest.approx(expected.pvalue, rel=0, abs=1e-9)


def test_p_value_of_many_sites():
    noise = np.random.default_rng(4).normal(0, 0.1, 200)
    expected = stats.ttest_1samp(noise + 0.005, 0).pvalue
    result = compare(noise + 0.005, np.zeros(200))
    assert 0.1 < expected < 0.9
    assert result.p_value == pytest.approx(expected, abs=0.02)
    assert compare(noise + 1, np.zeros(200)).p_value == 1 / 10_001
    check_interval(result.low, result.high, noise + 0.005)


def test_pages_of_a_site_are_not_independent():
    first, second = np.tile([1.0, 1.0, 0.0], 30), np.tile([0.0, 0.0, 0.5], 30)
    by_page, by_site = compare(first, second), compare(first, second, ["a", "b", "c"] * 30)
    assert by_page.p_value < 0.001
    assert by_site.p_value == pytest.approx(4 / 8)
    assert by_site.low < by_page.low


def test_the_same_on_every_call_and_mirrored():
    first, second = np.random.default_rng(5).random((2, 50))
    there, back = compare(first, second), compare(second, first)
    assert there == compare(first, second)
    assert (back.wins, back.losses, back.p_value) == (there.losses, there.wins, there.p_value)
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))


def test_averages_over_all_blocks_are_compared_as_such():
    first = [block_scores([1, 1, 1, 2], [1, 1, 1, 1]), block_scores([1], [2])]
    second = [block_scores([1, 1, 1, 2], [1, 2, 2, 2]), block_scores([1], [1])]
    result = compare_scores(first, second)["f1"]
    # Of all blocks P and R are 3/4, against 1 and 1/2; means of pages would differ otherwise.
    assert result.difference == pytest.approx(3 / 4 - 2 / 3)
    assert (result.wins, result.losses) == (1, 1)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (summarize, ([],)),
        (summarize, (SCORES, ["a", "b"])),
        (lambda scores, sites: summarize(scores, sites=sites), (SCORES, ["a", "b"])),
        (compare_scores, ([], [])),
        (compare_scores, (SCORES, [])),
    ],
)
def test_nothing_and_what_does_not_fit(call, given):
    with pytest.raises(ConfigError):
        call(*given)
