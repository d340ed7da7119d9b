"""Paired comparisons: the sign test by hand, sites together, and agreement with scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from victor.errors import ConfigError
from victor.measures.averages import compare, compare_scores
from victor.measures.blocks import block_scores
from victor.measures.words import Score


def test_counts_and_difference():
    result = compare([0.9, 0.5, 0.7, 0.1], [0.8, 0.6, 0.7, 0.0], ["a", "b", "c", "d"])
    assert (result.wins, result.losses, result.ties) == (2, 1, 1)
    assert result.difference == pytest.approx(0.1 / 4)


def test_few_sites_are_exchanged_in_every_way():
    # Of 2**5 exchanges only none and all five give a difference as large.
    assert compare([1.0] * 5, [0.0] * 5).p_value == 2 / 32
    assert compare([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]).p_value == 1.0


def test_p_value_equals_that_of_scipy():
    random = np.random.default_rng(3)
    first, second = random.random((2, 10))
    expected = stats.permutation_test(
        (first, second), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    )
    assert compare(first, second).p_value == pytest.approx(expected.pvalue, rel=0, abs=1e-9)


def test_p_value_of_many_sites():
    random = np.random.default_rng(4)
    noise = random.normal(0, 0.1, 200)
    expected = stats.ttest_1samp(noise + 0.005, 0).pvalue
    result = compare(noise + 0.005, np.zeros(200))
    assert 0.1 < expected < 0.9
    assert result.p_value == pytest.approx(expected, abs=0.02)
    assert compare(noise + 1, np.zeros(200)).p_value == 1 / 10_001
    error = noise.std(ddof=1) / math.sqrt(200)
    assert result.low == pytest.approx(result.difference - 1.96 * error, abs=0.2 * error)
    assert result.high == pytest.approx(result.difference + 1.96 * error, abs=0.2 * error)


def test_pages_of_a_site_are_not_independent():
    first, second = np.tile([1.0, 1.0, 0.0], 30), np.tile([0.0, 0.0, 0.5], 30)
    by_page, by_site = compare(first, second), compare(first, second, ["a", "b", "c"] * 30)
    assert by_page.p_value < 0.001
    assert by_site.p_value == pytest.approx(4 / 8)
    assert by_site.low < by_page.low


def test_the_same_system():
    result = compare([0.5, 0.7], [0.5, 0.7])
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)
    assert result.ties == 2


def test_the_same_on_every_call_and_mirrored():
    first, second = np.random.default_rng(5).random((2, 50))
    there, back = compare(first, second), compare(second, first)
    assert there == compare(first, second)
    assert (back.wins, back.losses, back.p_value) == (there.losses, there.wins, there.p_value)
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))


def test_pages_without_a_value_are_left_out():
    result = compare([0.5, math.nan, 0.9], [0.4, 0.1, 0.9], ["a", "b", "c"])
    assert (result.wins, result.losses, result.ties) == (1, 0, 1)
    assert result.difference == pytest.approx(0.05)


def test_a_single_site():
    result = compare([0.5, 0.6], [0.4, 0.5], ["a", "a"])
    assert math.isnan(result.low)
    assert result.p_value == 1


def test_scores_of_pages():
    first = [Score(0.5, 0.5, 0.5), Score(1.0, 0.0, 0.0), Score(0.25, 0.5, 0.3)]
    second = [Score(0.5, 0.25, 0.4), Score(0.5, 0.5, 0.5), Score(0.75, 0.5, 0.6)]
    results = compare_scores(first, second, ["a", "b", "c"])
    assert list(results) == ["precision", "recall", "f1"]
    for name, result in results.items():
        values = ([getattr(score, name) for score in side] for side in (first, second))
        assert result == compare(*values, ["a", "b", "c"])


def test_what_is_no_page_mean():
    first = [block_scores([1, 1, 1, 2], [1, 1, 1, 1]), block_scores([1], [2])]
    second = [block_scores([1, 1, 1, 2], [1, 2, 2, 2]), block_scores([1], [1])]
    result = compare_scores(first, second)["f1"]
    # Of all blocks P and R are 3/4, against 1 and 1/2; means of pages would differ otherwise.
    assert result.difference == pytest.approx(3 / 4 - 2 / 3)
    assert (result.wins, result.losses) == (1, 1)


def test_what_does_not_fit():
    with pytest.raises(ConfigError, match="one of each per page"):
        compare([0.1], [0.1, 0.2])
    with pytest.raises(ConfigError, match="1 scores but 2 sites"):
        compare([0.1], [0.1], ["a", "b"])
    with pytest.raises(ConfigError, match="nothing to compare"):
        compare([math.nan], [0.1])
    with pytest.raises(ConfigError, match="no page scores"):
        compare_scores([], [])
    with pytest.raises(ConfigError, match="1 scores but 0 scores of the other"):
        compare_scores([Score(1, 1, 1)], [])
