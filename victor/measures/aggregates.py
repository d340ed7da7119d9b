"""Averages of page scores.

Every average here is a function of sums over pages, so a resampled corpus costs one product of page
weights and addends, whatever the measure.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from victor.base.arrays import Floats


class PageScore:
    """The value of a measure for one page, and how pages are averaged.

    By default: the page mean of every measure over the pages where it is defined (not nan).

    Attributes:
        MEASURES: names of the averaged numbers, also fields of the class.
        POOLED: names of the numbers computed from counts summed over pages (micro averages).
    """

    __slots__ = ()

    MEASURES: ClassVar[tuple[str, ...]] = ()
    POOLED: ClassVar[tuple[str, ...]] = ()

    def addends(self) -> tuple[float, ...]:
        """Summands over pages: for each measure its value and 1, or 0 and 0 if undefined."""
        values = [getattr(self, name) for name in self.MEASURES]
        return tuple(
            addend
            for value in values
            for addend in ((0.0, 0.0) if math.isnan(value) else (value, 1.0))
        )

    @classmethod
    def averages(cls, sums: Floats) -> Floats:
        """Averages from sums of addends.

        Args:
            sums: (..., addends).

        Returns:
            (..., measures), in the order of `MEASURES`; nan where no page defines a measure.
        """
        ends = 2 * len(cls.MEASURES)
        return ratio(sums[..., 0:ends:2], sums[..., 1:ends:2])

    @classmethod
    def pooled(cls, sums: Floats) -> Floats:
        """Micro averages from sums of addends: (..., pooled), in the order of `POOLED`."""
        return np.empty((*sums.shape[:-1], 0))


def ratio(parts: Floats, wholes: Floats, nothing: float = np.nan) -> Floats:
    """Element-wise parts / wholes, `nothing` where the whole is 0."""
    result = np.full(np.broadcast_shapes(parts.shape, wholes.shape), nothing)
    np.divide(parts, wholes, out=result, where=wholes != 0)
    return result


def ratios(overlap: Floats, predicted: Floats, gold: Floats) -> Floats:
    """Precision, recall and F from counts: (..., 3); a ratio of nothing is 0."""
    precision, recall = ratio(overlap, predicted, 0.0), ratio(overlap, gold, 0.0)
    return np.stack([precision, recall, harmonic(precision, recall)], axis=-1)


def harmonic(precision: Floats, recall: Floats) -> Floats:
    """Harmonic mean, 0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall, 0.0)
