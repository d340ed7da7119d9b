"""Blocks of interest on each page: the nearest before and after a block, the first and last."""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.page.table.blocks import BlockTable

Number = TypeVar("Number", bound=np.generic)

_FAR: Final = 255
_NOWHERE: Final = 999


def last_until(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the last chosen block of the page at or before each block, -1 if none."""
    last = np.maximum.accumulate(np.where(chosen, np.arange(len(table)), -1))
    return np.where(last >= table.page_starts[table.page], last, -1)


def next_from(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the first chosen block of the page at or after each block, -1 if none."""
    index = np.where(chosen, np.arange(len(table)), len(table))
    following = np.minimum.accumulate(index[::-1])[::-1]
    return np.where(following < table.page_starts[table.page + 1], following, -1)


def first_of_page(table: BlockTable, chosen: Bools) -> Ints:
    """(P,) the first chosen block of each page, -1 if none."""
    # From the last to the first, which is what stays.
    return _of_page(table, np.flatnonzero(chosen)[::-1])


def last_of_page(table: BlockTable, chosen: Bools) -> Ints:
    """(P,) the last chosen block of each page, -1 if none."""
    return _of_page(table, np.flatnonzero(chosen))


def _of_page(table: BlockTable, blocks: Ints) -> Ints:
    """(P,) for each page the one of some blocks that comes last in their order, -1 if none."""
    result = np.full(table.n_pages, -1, dtype=np.int64)
    result[table.page[blocks]] = blocks
    return result


def distance(table: BlockTable, marks: Ints) -> Ints:
    """(n,) blocks from the marked block of the page to each block, -255 to 255; 999 if none.

    Args:
        table: the blocks.
        marks: (P,) the marked block of each page, -1 if none.
    """
    mark = marks[table.page]
    steps = np.clip(np.arange(len(table)) - mark, -_FAR, _FAR)
    return np.where(mark >= 0, steps, _NOWHERE)


def page_maxima(table: BlockTable, values: NDArray[Number]) -> NDArray[Number]:
    """(n,) the highest of the values, one per block, on each block's page."""
    sizes = np.diff(table.page_starts)
    filled = sizes > 0
    if not filled.any():
        return values
    highest = np.maximum.reduceat(values, table.page_starts[:-1][filled])
    return np.repeat(highest, sizes[filled])
