"""Blocks of interest on each page: the nearest before and after a block."""

from __future__ import annotations

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.page.table.blocks import BlockTable


def last_until(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the last chosen block of the page at or before each block, -1 if none."""
    last = np.maximum.accumulate(np.where(chosen, np.arange(len(table)), -1))
    return np.where(last >= table.page_starts[table.page], last, -1)


def next_from(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the first chosen block of the page at or after each block, -1 if none."""
    index = np.where(chosen, np.arange(len(table)), len(table))
    following = np.minimum.accumulate(index[::-1])[::-1]
    return np.where(following < table.page_starts[table.page + 1], following, -1)
