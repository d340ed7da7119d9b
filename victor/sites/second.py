"""A second verdict on pages of one site: what the others say is added to the log-odds of the first.

"What repeats on the site is furniture" is wrong as a rule: shops repeat what is content. So the
weights are learnt, from pages of sites with two annotated pages or more
(`benchmarks/site_weights.py`), and their sum is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.sites.columns import SitePages
from victor.sites.counts import log_odds

WEIGHTS: Final[Mapping[str, float]] = {
    "text.words": -0.83,
    "text.change": 0.29,
    "path.change": 0.14,
    "path.absent": -0.59,
}
"""What a unit of each of `victor.sites.columns.COLUMNS` adds to the log-odds of being kept."""
BOUND: Final = 2.0
"""Log-odds change by this at most."""


def second_marginals(pages: SitePages, weights: Mapping[str, float] = WEIGHTS) -> Floats:
    """(n, 3) marginals; those that the others say nothing of stay as they were to the bit.

    Args:
        pages: the first verdict, and what is known of the sites of its pages.
        weights: of columns.
    """
    marginals = pages.marginals.copy()
    if not len(pages.changing):
        return marginals
    columns = pages.columns()
    # One after the other: a product of matrices may round otherwise in a batch of another size.
    change = np.zeros(len(pages.changing))
    for name, weight in weights.items():
        change += weight * columns[name]
    is_changed = change != 0
    changed = pages.changing[is_changed]
    first = marginals[changed]
    odds = log_odds(first) + np.clip(change[is_changed], -BOUND, BOUND)
    keep = 0.5 + 0.5 * np.tanh(odds / 2)
    header = first[:, Label.HEADER] / np.maximum(1 - first[:, Label.OTHER], 1e-9)
    marginals[changed] = np.stack([header * keep, (1 - header) * keep, 1 - keep], axis=1)
    return marginals
