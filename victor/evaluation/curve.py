"""Precision and recall at every distinct threshold, and the thresholds worth choosing.

Each threshold keeps all that a lower one keeps. What is scored: `LabelledBlocks`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Floats
from victor.base.cached import cached_property
from victor.base.errors import ConfigError, CorpusError
from victor.base.labels import Label
from victor.evaluation.predictions import Predictions
from victor.evaluation.presets import choose
from victor.evaluation.threshold_scores import LabelledBlocks, ThresholdScores
from victor.measures.words import Score
from victor.model.decide import decide
from victor.model.presets import Presets

MEASURES: Final = ("blocks", "words", "pages")
"""Kept blocks; words of all pages pooled; words page by page, then the mean over pages."""


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold worth choosing and what it gives in one measure."""

    name: str
    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Curve:
    """What cleaning gives at every threshold that makes a difference; T of them.

    Attributes:
        system: name for tables and plots.
        thresholds: (T,) float64 rising; the first is 0, which keeps nothing, and the last is 1,
            which keeps all that is not surely other. The others lie in the middle between two
            neighbouring values of p(other), as far from both as can be.
        values: (V,) float64 rising; the distinct p(other) below 1 of the labelled blocks.
        measures: points by name (`MEASURES`); ``words`` and ``pages`` only with gold texts.
        configured: scores of the configured decision by measure; empty for a decision that
            needs more than marginals.
        predictions: what was swept.
    """

    system: str
    thresholds: Floats
    values: Floats
    measures: Mapping[str, ThresholdScores]
    configured: Mapping[str, Score]
    predictions: Predictions

    @cached_property
    def presets(self) -> Presets:
        """Thresholds to store in a model, see `victor.evaluation.presets.choose`."""
        return choose(self.predictions)

    def points(self, measure: str) -> ThresholdScores:
        """The points of a measure.

        Raises:
            ConfigError: there is no such measure.
            CorpusError: it needs gold texts, which no page has.
        """
        if measure not in MEASURES:
            raise ConfigError(f"no measure {measure!r}; choose one of {', '.join(MEASURES)}")
        if measure not in self.measures:
            raise CorpusError(
                f"the measure {measure!r} needs pages that have gold texts; "
                "pages marked by hand get them by `victor annotate import -f html` and `export`"
            )
        return self.measures[measure]

    def at(self, threshold: float) -> dict[str, Score]:
        """Scores of cleaning with any threshold, by measure."""
        index = self.index(threshold)
        return {name: points.score(index) for name, points in self.measures.items()}

    def index(self, threshold: float) -> int:
        """Number of the threshold that keeps what any threshold keeps."""
        return int(np.searchsorted(self.values, threshold, side="left"))


def curve(predictions: Predictions) -> Curve:
    """Measure cleaning with every threshold that makes a difference.

    Thresholds take no part in training: a threshold that is chosen on this curve is honest if the
    marginals are of pages that their models did not see.
    """
    blocks = LabelledBlocks(predictions)
    values = np.unique(blocks.other[(blocks.other >= 0) & (blocks.other < 1)])
    middles = (values[:-1] + values[1:]) / 2
    # The middle of two neighbouring floats is one of them, and keeping is strict.
    middles = np.where(middles > values[:-1], middles, values[1:])
    thresholds = np.concatenate(([0.0], middles, [1.0]))
    entry = np.searchsorted(thresholds, blocks.other, side="right")
    return Curve(
        system=predictions.system,
        thresholds=thresholds,
        values=values,
        measures=blocks.measures(entry, len(thresholds)),
        configured=_configured(predictions, blocks),
        predictions=predictions,
    )


def best_f(curve: Curve, measure: str) -> OperatingPoint:
    """The threshold of the highest F; the lowest if several give it."""
    return _point(curve, measure, "best F", int(np.argmax(curve.points(measure).f1)))


def best_recall(curve: Curve, measure: str, precision: float) -> OperatingPoint | None:
    """The threshold of the highest recall with at least a precision, None if nothing reaches it."""
    points = curve.points(measure)
    index = _best(points.recall, points.precision, precision)
    name = f"best recall at precision >= {precision:g}"
    return None if index is None else _point(curve, measure, name, index)


def best_precision(curve: Curve, measure: str, recall: float) -> OperatingPoint | None:
    """The threshold of the highest precision with at least a recall, None if nothing reaches it."""
    points = curve.points(measure)
    index = _best(points.precision, points.recall, recall)
    name = f"best precision at recall >= {recall:g}"
    return None if index is None else _point(curve, measure, name, index)


def area(curve: Curve, measure: str) -> float:
    """Average precision: the precision of every step weighted by the recall it gains.

    For blocks it is scikit-learn's ``average_precision_score`` of p(keep), if no block has p(other)
    1: such blocks are never kept. In page means a page of which nothing is kept yet counts as
    precision 0, so that their area is smaller than it would be page by page.
    """
    points = curve.points(measure)
    return float(np.diff(points.recall, prepend=0.0) @ points.precision)


def preset_points(curve: Curve, measure: str) -> list[OperatingPoint]:
    """The presets that were reached as points of any measure."""
    return [
        _point(curve, measure, name, curve.index(threshold))
        for name, threshold in curve.presets.items()
    ]


def configured_points(curve: Curve, measure: str, name: str) -> list[OperatingPoint]:
    """The configured decision as a point without a threshold (nan), whatever its method.

    None where marginals do not determine it.
    """
    if measure not in curve.configured:
        return []
    score = curve.configured[measure]
    return [OperatingPoint(name, math.nan, score.precision, score.recall, score.f1)]


def _point(curve: Curve, measure: str, name: str, index: int) -> OperatingPoint:
    score = curve.points(measure).score(index)
    threshold = float(curve.thresholds[index])
    return OperatingPoint(name, threshold, score.precision, score.recall, score.f1)


def _best(values: Floats, bound: Floats, least: float) -> int | None:
    """Index of the highest of `values`, then `bound`, where `bound` is at least `least`."""
    allowed = np.flatnonzero(bound >= least)
    if not len(allowed):
        return None
    return int(allowed[np.lexsort((-bound[allowed], -values[allowed]))[0]])


def _configured(predictions: Predictions, blocks: LabelledBlocks) -> dict[str, Score]:
    """Scores of the configured decision."""
    if predictions.decision.method == "viterbi":  # needs more than marginals
        return {}
    p_no_content = predictions.p_no_content
    labels = decide(
        predictions.marginals, predictions, predictions.decision, p_no_content=p_no_content
    )
    entry = (labels[blocks.rows] == Label.OTHER).astype(np.int64)
    return {name: points.score(0) for name, points in blocks.measures(entry, 1).items()}
