"""The bootstrap: corpora resampled by site, and the spread of a number over them.

The pages of a site are alike. Drawing single pages would treat them as independent and make every
interval too narrow, so sites are drawn where they are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Floats

RESAMPLES: Final = 1_000
PERCENTILES: Final = (2.5, 97.5)
"""Ends of the 95 % interval."""
SEED: Final = 2008
_CELLS: Final = 2**21
"""Draws in memory at once: 16 MB."""


def site_sums(addends: Floats, sites: Sequence[str] | None) -> Floats:
    """Sums of the addends of every site; without sites each page counts as one.

    Args:
        addends: (pages, k).
        sites: site of each page.

    Returns:
        (sites, k), sites in alphabetical order.
    """
    if sites is None:
        return addends
    names, numbers = np.unique(np.asarray(sites), return_inverse=True)
    columns = [np.bincount(numbers, column, len(names)) for column in addends.T]
    return np.stack(columns, axis=1)


def bootstrap_sums(units: Floats) -> Floats:
    """Sums of `RESAMPLES` corpora of as many units, drawn with replacement.

    Args:
        units: (units, k) addends of sites or pages.

    Returns:
        (RESAMPLES, k), the same on every call.
    """
    count = len(units)
    random = np.random.default_rng(SEED)
    parts = []
    for rows in batches(RESAMPLES, count):
        drawn = random.integers(count, size=(rows, count)) + np.arange(rows)[:, None] * count
        weights = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        parts.append(weights.astype(np.float64) @ units)
    return np.concatenate(parts)


def batches(rows: int, width: int) -> Iterator[int]:
    """Numbers of rows that sum to `rows`, each small enough for memory."""
    most = max(1, _CELLS // width)
    while rows > 0:
        yield min(rows, most)
        rows -= most


def spread(values: Floats) -> tuple[float, float, float]:
    """Standard deviation and 95 % percentile interval of resampled values, nan left out."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return np.nan, np.nan, np.nan
    low, high = np.percentile(known, PERCENTILES)
    return float(known.std(ddof=1)), float(low), float(high)
