"""Words that are expected to be kept, as integers: sums are exact, whatever else a batch holds."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints

SCALE: Final = 2.0**32
"""Probabilities are summed as integers of ``1 / SCALE``, so that a page decides alike alone and in
any batch. A batch may hold 2**31 words."""


def expected_words(words: Ints, p_other: Floats) -> Ints:
    """(n,) int64 words of each block that are expected to be kept, in units of ``1 / SCALE``.

    Args:
        words: (n,) int64 words of each block.
        p_other: (n,) float64 probability that a block is dropped.
    """
    return np.rint((1 - p_other) * SCALE).astype(np.int64) * words
