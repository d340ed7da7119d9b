"""Few points of a long precision-recall curve that draw the same line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_POINTS: Final = 500
"""A curve keeps no more than this, the marked points included."""
_PER_BIN: Final = 4
_MARGIN: Final = 20
"""Points left for marks."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def thinned(precision: Floats, recall: Floats, marks: Sequence[int] = ()) -> Ints:
    """Which points to draw.

    The curve is cut into equal steps along the line of its interpolated precision (the highest
    precision at this recall or a higher one; Manning, Raghavan and Schütze 2008, 8.4), and of every
    step the first, the last, the lowest and the highest point are kept, as M4 does for time series
    (Jugel et al. 2014), with the ends of the curve, its extremes and the marked points.

    Args:
        precision: (T,) float64, in the order of rising thresholds.
        recall: (T,) float64, which never falls with the threshold.
        marks: up to 16 points to keep in any case.

    Returns:
        int64 places in rising order, at most `MOST_POINTS`; all of them where there are no more.
    """
    count = len(precision)
    if count <= MOST_POINTS:
        return np.arange(count)
    bins = (MOST_POINTS - _MARGIN) // _PER_BIN
    extremes = [0, count - 1, int(np.argmax(precision)), int(np.argmin(precision))]
    chosen = [*_bin_extremes(precision, _steps(precision, recall, bins)), *extremes, *marks]
    return np.unique(np.array(chosen, dtype=np.int64))


def _steps(precision: Floats, recall: Floats, bins: int) -> Ints:
    """(T,) step that each point belongs to, never falling."""
    interpolated = np.maximum.accumulate(precision[::-1])[::-1]
    way = recall - interpolated
    way = way - way[0]
    length = max(float(way[-1]), np.finfo(np.float64).tiny)
    steps = (way / length * bins).astype(np.int64)
    return np.asarray(np.minimum(steps, bins - 1))


def _bin_extremes(values: Floats, bins: Ints) -> Ints:
    """First, last, lowest and highest point of every run of equal bins."""
    ranked = np.lexsort((values, bins))
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    ends = np.append(starts[1:], len(bins)) - 1
    return np.concatenate([starts, ends, ranked[starts], ranked[ends]])
