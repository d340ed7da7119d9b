"""A thinned curve has few points, keeps the extremes and draws the same line."""

import numpy as np
import pytest

from victor.evaluation.report.plots import MOST_POINTS, thinned


def curve(count, seed=0):
    """Recall that rises and precision that jitters while it falls, as real curves do."""
    random = np.random.default_rng(seed)
    recall = np.sort(random.beta(5, 1, count))
    precision = 1 - 0.6 * recall**8 + random.normal(0, 0.2, count) / np.arange(1, count + 1)
    return np.clip(precision, 0, 1), recall


@pytest.mark.parametrize("count", [1, 2, MOST_POINTS])
def test_short_curves_keep_all_points(count):
    assert thinned(*curve(count)).tolist() == [*range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_extremes_ends_and_marks_are_kept(seed):
    precision, recall = curve(20_000, seed)
    marks = [7, 12_345, 19_998]
    kept = thinned(precision, recall, marks)
    assert len(kept) <= MOST_POINTS
    assert (np.diff(kept) > 0).all()
    assert {*kept.tolist()} >= {*marks, 0, len(recall) - 1}
    for values in (precision, recall):
        assert values[kept].min() == values.min()
        assert values[kept].max() == values.max()


def test_the_line_looks_the_same():
    precision, recall = curve(50_000)
    kept = thinned(precision, recall)
    drawn = np.interp(recall, recall[kept], precision[kept])
    # Beyond the noisy beginning no point is further from the drawn line than a pixel or two.
    assert np.abs(drawn - precision)[200:].max() < 0.02


def test_a_curve_that_stands_still():
    ones = np.ones(5_000)
    kept = thinned(ones, ones)
    assert {0, 4_999} <= {*kept.tolist()}
    assert len(kept) <= MOST_POINTS


def test_a_step_down_is_resolved():
    precision, recall = np.linspace(1, 0, 5_000), np.ones(5_000)
    assert np.abs(np.diff(precision[thinned(precision, recall)])).max() < 0.01


def test_recall_that_falls():
    """Page means: a page with nothing to keep scores 1 until something of it is kept."""
    recall = np.concatenate([np.linspace(0, 0.95, 9_000), np.linspace(0.95, 0.8, 1_000)])
    precision = np.linspace(1, 0.6, 10_000)
    recall[4_321] = 0.9
    kept = thinned(precision, recall)
    assert len(kept) <= MOST_POINTS
    assert {4_321, 9_999} <= {*kept.tolist()}
    drawn = np.interp(np.arange(10_000), kept, recall[kept])
    assert np.abs(np.delete(drawn - recall, range(4_200, 4_450))).max() < 0.02


def test_recall_that_trembles():
    random = np.random.default_rng(3)
    recall = np.clip(np.linspace(0, 1, 20_000) + random.normal(0, 0.02, 20_000), 0, 1)
    assert len(thinned(np.linspace(1, 0.6, 20_000), recall)) <= MOST_POINTS
