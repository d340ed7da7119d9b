"""Data of the precision-recall plots: thinned lines, marked points, the part of the plane shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.evaluation.curve import Curve, OperatingPoint, best_f, configured_points, preset_points

TITLES: Final[Mapping[str, str]] = {
    "pages": "Words, mean of pages",
    "words": "Words of all pages",
    "blocks": "Blocks",
}
"""Measures in the order in which a report shows them."""
DECISION: Final = "decision"
"""Name of the mark of what the system is configured to decide."""
_NEAR_THE_BEST: Final = 0.8
"""A plot shows at least the points with this share of the best F."""
MOST_POINTS: Final = 500
"""A curve keeps no more than this, the marked points included."""
_PER_BIN: Final = 6
_MARGIN: Final = 20
"""Points left for marks."""


@dataclass(frozen=True, eq=False)
class Line:
    """One system's thinned curve: k points.

    Attributes:
        system: name.
        threshold, precision, recall, f1: (k,) exactly as the curve has them.
        marks: marked points, named `DECISION`, by a preset or ``best F``.
    """

    system: str
    threshold: Floats
    precision: Floats
    recall: Floats
    f1: Floats
    marks: tuple[OperatingPoint, ...]

    def to_json(self) -> dict[str, Any]:
        """What the script of the page reads."""
        names = ("threshold", "precision", "recall", "f1")
        return {"system": self.system, **{name: getattr(self, name).tolist() for name in names}}


@dataclass(frozen=True, eq=False)
class Plot:
    """One measure of all systems.

    Attributes:
        measure, title: its name and what a reader calls it.
        lines: those of the systems.
        low: lower end of both axes; the upper one is 1.
    """

    measure: str
    title: str
    lines: tuple[Line, ...]
    low: float


def plots(curves: Sequence[Curve]) -> list[Plot]:
    """One plot for every measure that all systems have."""
    common = [name for name in TITLES if all(name in curve.measures for curve in curves)]
    return [_plot(curves, measure) for measure in common]


def _plot(curves: Sequence[Curve], measure: str) -> Plot:
    lines = tuple(_line(curve, measure) for curve in curves)
    return Plot(measure, TITLES[measure], lines, _low(lines))


def _line(curve: Curve, measure: str) -> Line:
    """One system's line: marked are the presets, or the best F without them, and the decision."""
    marks = preset_points(curve, measure) or [best_f(curve, measure)]
    indices = [curve.index(point.threshold) for point in marks]
    points = curve.points(measure)
    kept = thinned(points.precision, points.recall, indices)
    return Line(
        system=curve.system,
        threshold=curve.thresholds[kept],
        precision=points.precision[kept],
        recall=points.recall[kept],
        f1=points.f1[kept],
        marks=(*marks, *configured_points(curve, measure, DECISION)),
    )


def _low(lines: Sequence[Line]) -> float:
    """The tenth below all points that are marked or nearly as good as the best one."""
    best = max(float(line.f1.max()) for line in lines)
    lowest = [
        np.minimum(line.precision, line.recall)[line.f1 >= _NEAR_THE_BEST * best] for line in lines
    ]
    marked = [min(mark.precision, mark.recall) for line in lines for mark in line.marks]
    # A value on the tenth itself would lie on the edge of the plot.
    below = math.ceil(10 * min(*marked, float(np.concatenate(lowest).min()))) - 1
    return min(max(below, 0), 9) / 10


def thinned(precision: Floats, recall: Floats, marks: Sequence[int] = ()) -> Ints:
    """Few points of a long precision-recall curve that draw the same line.

    The curve is cut into equal steps along the line of its interpolated precision (the highest
    precision at this threshold or a higher one; Manning, Raghavan and Schütze 2008, 8.4). Every
    step keeps its first and last point and those of lowest and highest precision and recall, as
    M4 does for time series (Jugel et al. 2014); marked points are kept too. Points that are left
    over go to the beginnings of shorter steps.

    Args:
        precision: (T,) float64, in the order of rising thresholds.
        recall: (T,) float64; that of page means may fall, as a page with nothing to keep scores 1
            until something of it is kept.
        marks: indices of up to 16 points to keep in any case.

    Returns:
        int64 indices in rising order, at most `MOST_POINTS`; all of them where there are no more.
    """
    count = len(precision)
    if count <= MOST_POINTS:
        return np.arange(count)
    bins = (MOST_POINTS - _MARGIN) // _PER_BIN
    steps = _steps(precision, recall, bins)
    extremes = [_step_extremes(values, steps) for values in (precision, recall)]
    kept = np.unique(np.concatenate([*extremes, np.array(marks, dtype=np.int64)]))
    # Where the line is smooth the extremes of a step are one point; shorter steps fill up.
    _, more = np.unique(_steps(precision, recall, MOST_POINTS - len(kept)), return_index=True)
    return np.union1d(kept, more)


def _steps(precision: Floats, recall: Floats, bins: int) -> Ints:
    """(T,) step that each point belongs to, never falling."""
    interpolated = np.maximum.accumulate(precision[::-1])[::-1]
    way = np.maximum.accumulate(recall) - interpolated
    way = way - way[0]
    length = max(float(way[-1]), np.finfo(np.float64).tiny)
    steps = (way / length * bins).astype(np.int64)
    return np.asarray(np.minimum(steps, bins - 1))


def _step_extremes(values: Floats, steps: Ints) -> Ints:
    """First, last, lowest and highest point of every step."""
    ranked = np.lexsort((values, steps))
    starts = np.flatnonzero(np.diff(steps, prepend=-1))
    ends = np.append(starts[1:], len(steps)) - 1
    return np.concatenate([starts, ends, ranked[starts], ranked[ends]])
