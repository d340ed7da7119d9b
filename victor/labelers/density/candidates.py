"""Which blocks are candidates: long enough, and of much text for their markup."""

from __future__ import annotations

import numpy as np

from victor.arrays import Bools, Floats
from victor.labelers.density.settings import Candidates
from victor.labelers.density.tag_lengths import block_markup
from victor.page.blocks import BlockTable


def densities(table: BlockTable) -> Floats:
    """(n,) N(text) / (N(text) + N(markup)) of every block, in characters; above 0, at most 1."""
    text = table.end - table.start
    return np.asarray(text / (text + block_markup(table)))


def thresholds(density: Floats, table: BlockTable, settings: Candidates) -> Floats:
    """(P,) the base less some standard deviations of the page's densities."""
    n = np.maximum(np.diff(table.page_starts), 1)
    mean = np.bincount(table.page, weights=density, minlength=table.n_pages) / n
    squares = np.bincount(
        table.page, weights=(density - mean[table.page]) ** 2, minlength=table.n_pages
    )
    return np.asarray(settings.base - settings.deviations * np.sqrt(squares / n))


def candidates(density: Floats, table: BlockTable, settings: Candidates) -> Bools:
    """(n,) bool; of so many characters, and denser than the threshold of the page."""
    long_enough = table.end - table.start >= settings.characters
    return long_enough & (density > thresholds(density, table, settings)[table.page])
