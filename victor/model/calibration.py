"""Measure how far probabilities are right, and correct them.

Source: Niculescu-Mizil and Caruana (2005), Predicting good probabilities with supervised learning
(reliability, isotonic calibration); Guo et al. (2017), On calibration of modern neural networks
(expected calibration error).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from victor.base.arrays import Floats
from victor.base.errors import CorpusError, ModelError
from victor.base.labels import Label
from victor.model.archive import LARGEST

_BINS: Final = 15
_FIT_STEPS: Final = 100
"""Steps that isotonic regression starts from: as many as 100,000 blocks can tell apart."""
_PRIOR: Final = 0.5
"""Weight of a kept and of a dropped block that every step gets, so that none is surely either."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """Predicted against observed, in b bins of equal width that are not empty."""

    predicted: Floats  # (b,) float64 mean probability of being kept
    observed: Floats  # (b,) float64 share that is to be kept
    weight: Floats  # (b,) float64 what the bin weighs, all together 1

    @property
    def error(self) -> float:
        """Expected calibration error, 0 to 1; 0 without blocks."""
        return float(self.weight @ np.abs(self.predicted - self.observed))


def reliability(
    keep: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None, *, bins: int = _BINS
) -> Reliability:
    """How often blocks of about the same predicted probability are to be kept.

    Args:
        keep: (n,) probability of being kept.
        gold: (n,) bool; is the block to be kept.
        weights: (n,) what each block weighs, e.g. its words; None weighs all the same.
        bins: of equal width, from 0 to 1.
    """
    predicted, is_kept = np.asarray(keep, dtype=np.float64), np.asarray(gold, dtype=np.float64)
    weight = np.ones(len(predicted)) if weights is None else np.asarray(weights, dtype=np.float64)
    row = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
    sums = [
        np.bincount(row, weights=weight * values, minlength=bins)
        for values in (np.ones(len(predicted)), predicted, is_kept)
    ]
    full = sums[0] > 0
    total, predicted_sum, observed_sum = (values[full] for values in sums)
    return Reliability(predicted_sum / total, observed_sum / total, total / total.sum())


@dataclass(frozen=True, slots=True)
class _Step:
    """Sums over blocks of about the same log-odds: log-odds times weight, kept and all weight."""

    x: float
    kept: float
    weight: float

    def __add__(self, other: _Step) -> _Step:
        return _Step(self.x + other.x, self.kept + other.kept, self.weight + other.weight)

    @property
    def log_odds(self) -> float:
        """Log-odds of being kept."""
        return math.log((self.kept + _PRIOR) / (self.weight - self.kept + _PRIOR))


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rising map of the log-odds of being kept: linear between knots, of slope 1 beyond them.

    It keeps the order of any two blocks, and never makes them equal.

    Raises:
        ModelError: there are no knots, they do not pair, or they are not finite and rising.
    """

    knots_x: tuple[float, ...]  # log-odds of the model, rising
    knots_y: tuple[float, ...]  # calibrated log-odds, rising

    def __post_init__(self) -> None:
        if len(self.knots_x) != len(self.knots_y) or not self.knots_x:
            raise ModelError("the calibration has no knots, or they do not pair: fit it again")
        for knots in (self.knots_x, self.knots_y):
            if not all(abs(knot) <= LARGEST for knot in knots) or any(
                a >= b for a, b in pairwise(knots)
            ):
                raise ModelError("the knots of the calibration do not rise: fit it again")

    @classmethod
    def fit(cls, keep: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> Calibration:
        """Isotonic regression of the gold standard on the log-odds of a model.

        Args:
            keep: (n,) probability of being kept, from a model that did not see the pages.
            gold: (n,) bool; is the block to be kept.
            weights: (n,) what each block weighs; None weighs all the same.

        Raises:
            CorpusError: no block has a weight above 0.
        """
        predicted, is_kept = np.asarray(keep, dtype=np.float64), np.asarray(gold, dtype=np.float64)
        weight = (
            np.ones(len(predicted)) if weights is None else np.asarray(weights, dtype=np.float64)
        )
        counts = weight > 0
        if not counts.any():
            raise CorpusError("there is no labelled block to calibrate on: check the corpus")
        x = _log_odds(predicted[counts], 1 - predicted[counts])
        steps = _pooled(_steps(x, is_kept[counts], weight[counts]))
        return cls(tuple(s.x / s.weight for s in steps), tuple(s.log_odds for s in steps))

    def __call__(self, marginals: Floats) -> Floats:
        """Calibrated marginals.

        Args:
            marginals: (n, 3) float64, columns in the order of `Label`.

        Returns:
            (n, 3) float64: p(header) + p(text) is the calibrated probability of being kept, their
            ratio is as it was.
        """
        header, text = marginals[:, Label.HEADER], marginals[:, Label.TEXT]
        keep = header + text
        mapped = self.log_odds(_log_odds(keep, marginals[:, Label.OTHER], bound=math.inf))
        share = np.divide(header, keep, out=np.zeros(len(keep)), where=keep > 0)
        calibrated, other = _probability(mapped), _probability(-mapped)
        return np.stack([calibrated * share, calibrated * (1 - share), other], axis=1)

    def to_json(self) -> dict[str, list[float]]:
        """The knots as JSON values."""
        return {"knots_x": list(self.knots_x), "knots_y": list(self.knots_y)}

    @classmethod
    def from_json(cls, document: Any) -> Calibration:  # noqa: ANN401  (JSON values)
        """The calibration that `to_json` gave.

        Raises:
            ModelError: it is something else.
        """
        if not isinstance(document, Mapping) or {*document} != {"knots_x", "knots_y"}:
            raise ModelError("a calibration is an object of knots_x and knots_y: fit it again")
        try:
            knots = [tuple(map(float, document[name])) for name in ("knots_x", "knots_y")]
        except (TypeError, ValueError, OverflowError):
            raise ModelError("the knots of the calibration are not numbers: fit it again") from None
        return cls(*knots)

    def log_odds(self, x: Floats) -> Floats:
        """Calibrated log-odds of being kept, from (n,) log-odds of the model."""
        (first_x, last_x), (first_y, last_y) = ((k[0], k[-1]) for k in (self.knots_x, self.knots_y))
        inside = np.interp(x, self.knots_x, self.knots_y)
        below = np.where(x < first_x, x - first_x + first_y, inside)
        return np.asarray(np.where(x > last_x, x - last_x + last_y, below))


def _log_odds(keep: Floats, other: Floats, bound: float = 36.0) -> Floats:
    """Logarithm of the odds; beyond 36, 1 - keep is 0 or 1 in double precision."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(np.log(keep) - np.log(other), -bound, bound))


def _probability(log_odds: Floats) -> Floats:
    """Inverse of log-odds, exact near 0."""
    small = np.exp(-np.abs(log_odds))
    return np.asarray(np.where(log_odds < 0, small, 1.0) / (1 + small))


def _steps(x: Floats, is_kept: Floats, weight: Floats) -> list[_Step]:
    """Blocks of similar log-odds together, about as many in each step."""
    edges = np.unique(np.quantile(x, np.linspace(0, 1, _FIT_STEPS + 1)[1:-1]))
    step = np.searchsorted(edges, x, side="left")
    sums = [np.bincount(step, weights=weight * values) for values in (x, is_kept, np.ones(len(x)))]
    return [_Step(*values) for values in zip(*(s.tolist() for s in sums), strict=True) if values[2]]


def _pooled(steps: Iterable[_Step]) -> list[_Step]:
    """Isotonic regression: neighbours whose shares do not rise are merged."""
    rising: list[_Step] = []
    for step in steps:
        merged = step
        while rising and rising[-1].log_odds >= merged.log_odds:
            merged = rising.pop() + merged
        rising.append(merged)
    return rising
