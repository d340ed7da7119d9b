"""Reliability by hand, isotonic regression against scikit-learn, and what calibration promises."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import made

from victor.base.labels import UNLABELLED, Label
from victor.errors import CorpusError, ModelError
from victor.evaluation.predictions import reliabilities
from victor.model.calibration import Calibration, reliability
from victor.training.dataset import PageInfo


class TestReliability:
    def test_bins_and_error_by_hand(self):
        found = reliability([0.1, 0.2, 0.9, 1.0], [False, True, True, True], bins=2)
        np.testing.assert_allclose(found.predicted, [0.15, 0.95])
        np.testing.assert_allclose(found.observed, [0.5, 1])
        np.testing.assert_allclose(found.weight, [0.5, 0.5])
        assert found.error == pytest.approx(0.5 * 0.35 + 0.5 * 0.05)


class TestFit:
    @given(st.lists(st.tuples(st.integers(1, 19), st.booleans()), min_size=1, max_size=90))
    def test_it_is_the_isotonic_regression_but_for_the_prior(self, blocks):
        from sklearn.isotonic import IsotonicRegression

        twentieths, gold = (np.array(values) for values in zip(*blocks, strict=True))
        calibration = Calibration.fit(twentieths / 20, gold, np.full(len(gold), 1e9))
        places, row = np.unique(twentieths, return_inverse=True)
        counts = np.bincount(row)
        level = IsotonicRegression().fit_transform(
            places, np.bincount(row, weights=gold) / counts, sample_weight=counts
        )
        # Levels of 0, or of 1, may be several knots, which the prior tells apart.
        knots = np.unique(np.round(1 / (1 + np.exp(-np.array(calibration.knots_y))), 6))
        np.testing.assert_allclose(knots, np.unique(np.round(level, 6)), atol=2e-6)

    def test_nothing_to_fit_on_is_an_error(self):
        with pytest.raises(CorpusError, match="no labelled block"):
            Calibration.fit([0.5], [True], [0])


class TestMap:
    knots = st.lists(st.floats(-30, 30), min_size=1, max_size=5, unique=True).map(sorted)

    @given(st.data())
    def test_order_ratio_and_sum_are_kept(self, data):
        x = data.draw(self.knots)
        y = data.draw(
            st.lists(st.floats(-30, 30), min_size=len(x), max_size=len(x), unique=True).map(sorted)
        )
        counts = data.draw(st.lists(st.tuples(*[st.integers(1, 99)] * 3), min_size=2, max_size=9))
        marginals = np.array(counts) / np.sum(counts, axis=1, keepdims=True)
        calibrated = Calibration(tuple(x), tuple(y))(marginals)
        np.testing.assert_allclose(calibrated.sum(axis=1), 1, rtol=1e-12)
        assert (calibrated >= 0).all()
        before, after = (m[:, 0] / (m[:, 0] + m[:, 1]) for m in (marginals, calibrated))
        np.testing.assert_allclose(after, before, rtol=1e-9)
        order = np.argsort(marginals[:, Label.OTHER])
        assert (np.diff(calibrated[order, Label.OTHER]) >= 0).all()


class TestJson:
    @pytest.mark.parametrize("x", [[], [1], [2, 1], ["a", "b"], 1])
    def test_knots_that_are_none(self, x):
        with pytest.raises(ModelError, match="fit it again"):
            Calibration.from_json({"knots_x": x, "knots_y": [1, 2]})

    def test_it_comes_back(self):
        calibration = Calibration((-1.5, 0.1), (-0.5, 7.25))
        assert Calibration.from_json(json.loads(json.dumps(calibration.to_json()))) == calibration


def test_reliability_is_of_labelled_blocks_and_of_their_words():
    blocks = [("a b c", Label.TEXT, 0.1), ("d", Label.OTHER, 0.1), ("e", UNLABELLED, 0.9)]
    found = reliabilities(made([(PageInfo("1", "s"), blocks)]))
    assert {name: each.error for name, each in found.items()} == pytest.approx(
        {"blocks": 0.9 - 1 / 2, "words": 0.9 - 3 / 4}
    )


def test_a_calibration_is_as_recorded():
    """Steps, priors and bins: every number of the fit shows in these."""
    rng = np.random.default_rng(4)
    keep = rng.random(3000)
    gold, weights = rng.random(3000) < keep**2, rng.integers(0, 5, 3000)
    fitted = Calibration.fit(keep, gold, weights)
    assert len(fitted.knots_x) == 25
    ends = [*fitted.knots_x[:1], *fitted.knots_x[-1:], *fitted.knots_y[:1], *fitted.knots_y[-1:]]
    assert ends == pytest.approx([-2.7869474, 3.8839465, -7.4725007, 3.7696212])
    assert sum(fitted.knots_y) == pytest.approx(-15.192624)
    found = reliability(keep, gold, weights)
    assert (len(found.weight), found.error) == (15, pytest.approx(0.15714116))


def test_what_is_sure_has_log_odds_of_36():
    fitted = Calibration.fit([0, 0, 1, 1], [False, True, True, True])
    assert fitted.knots_x == (-36.0, 36.0)
    assert fitted.knots_y == pytest.approx((0.0, np.log(5)))


def test_beyond_the_knots_the_slope_is_one():
    calibration = Calibration((-1.0, 1.0), (-3.0, 2.0))
    x = np.array([-5.0, -1.0, 0.0, 1.0, 9.0, -np.inf, np.inf])
    expected = [-7.0, -3.0, -0.5, 2.0, 10.0, -np.inf, np.inf]
    assert calibration.log_odds(x).tolist() == expected
