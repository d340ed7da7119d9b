"""Few points of a long precision-recall curve that draw the same line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.arrays import Floats, Ints

MOST_POINTS: Final = 500
"""A curve keeps no more than this, the marked points included."""
_PER_BIN: Final = 6
_MARGIN: Final = 20
"""Points left for marks."""


def thinned(precision: Floats, recall: Floats, marks: Sequence[int] = ()) -> Ints:
    """Which points to draw.

    The curve is cut into equal steps along the line of its interpolated precision (the highest
    precision at this threshold or a higher one; Manning, Raghavan and Schütze 2008, 8.4), and of
    every step the first and the last point and those of lowest and highest precision and recall are
    kept, as M4 does for time series (Jugel et al. 2014), with the extremes of the curve and the
    marked points. What is left goes to the first points of shorter steps.

    Args:
        precision: (T,) float64, in the order of rising thresholds.
        recall: (T,) float64; that of page means may fall, as a page with nothing to keep scores 1
            until something of it is kept.
        marks: up to 16 points to keep in any case.

    Returns:
        int64 places in rising order, at most `MOST_POINTS`; all of them where there are no more.
    """
    count = len(precision)
    if count <= MOST_POINTS:
        return np.arange(count)
    bins = (MOST_POINTS - _MARGIN) // _PER_BIN
    steps = _steps(precision, recall, bins)
    extremes = [_step_extremes(values, steps) for values in (precision, recall)]
    chosen = np.unique(np.concatenate([*extremes, np.array(marks, dtype=np.int64)]))
    # Where the line is smooth the extremes of a step are one point; shorter steps fill up.
    _, more = np.unique(_steps(precision, recall, MOST_POINTS - len(chosen)), return_index=True)
    return np.union1d(chosen, more)


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
