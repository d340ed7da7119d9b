"""The share of words inside links, in a block and in windows around it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Ints, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable

_LINK_WINDOWS = (3, 6)
COLUMNS = (
    Column("link.density", "number", "share of the block's words inside links"),
    Column("link.free-words", "count", "words of the block outside links"),
    Column("window.text-1", "number", "words outside links per block, its neighbours included"),
    Column("window.link-3", "number", "link density within 3 blocks"),
    Column("window.link-6", "number", "link density within 6 blocks"),
)
_KERNEL = Kernel("links", (np.array([1]), np.array(_LINK_WINDOWS)))


def build() -> Feature:
    """Link density of the block, and means over windows of so many blocks on both sides.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p><a>Home</a> page<p>Bees live in colonies<p><a>More</a>"])
    >>> values = build()(table)
    >>> values["link.density"], values["link.free-words"], values["window.text-1"].round(2)
    (array([0.5, 0. , 1. ]), array([1, 4, 0]), array([2.5 , 1.67, 2.  ]))
    """
    return Measure(COLUMNS, _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    free, links, words = map(prefix_sums, (table.free_words, table.link_words, table.words))
    start, beyond = _window(table, 1)
    values: dict[str, ColumnValues] = {
        "link.density": table.link_words / np.maximum(table.words, 1),
        "link.free-words": table.free_words,
        "window.text-1": (free[beyond] - free[start]) / (beyond - start),
    }
    for reach in _LINK_WINDOWS:
        start, beyond = _window(table, reach)
        linked = links[beyond] - links[start]
        values[f"window.link-{reach}"] = linked / np.maximum(words[beyond] - words[start], 1)
    return values


def _window(table: BlockTable, reach: int) -> tuple[Ints, Ints]:
    """(n,) first of the blocks at most `reach` away on the same page, and one past the last."""
    index = np.arange(len(table))
    start = np.maximum(index - reach, table.page_starts[table.page])
    beyond = np.minimum(index + reach + 1, table.page_starts[table.page + 1])
    return start, beyond
