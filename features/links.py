"""The share of words inside links, in a block and in windows around it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Ints, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable

_TEXT_WINDOWS = (1,)
_LINK_WINDOWS = (3, 6)
COLUMNS = (
    Column("link.density", "number", "share of the block's words inside links"),
    Column("link.free-words", "count", "words of the block outside links"),
    *(
        Column(f"window.text-{k}", "number", f"words outside links per block within {k} blocks")
        for k in _TEXT_WINDOWS
    ),
    *(
        Column(f"window.link-{k}", "number", f"link density within {k} blocks")
        for k in _LINK_WINDOWS
    ),
)
_KERNEL = Kernel("links", (np.array(_TEXT_WINDOWS), np.array(_LINK_WINDOWS)))


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
    values: dict[str, ColumnValues] = {
        "link.density": table.link_words / np.maximum(table.words, 1),
        "link.free-words": table.free_words,
    }
    words, links = prefix_sums(table.words), prefix_sums(table.link_words)
    for k in _TEXT_WINDOWS:
        start, beyond = _window(table, k)
        free = words[beyond] - words[start] - (links[beyond] - links[start])
        values[f"window.text-{k}"] = free / (beyond - start)
    for k in _LINK_WINDOWS:
        start, beyond = _window(table, k)
        linked = links[beyond] - links[start]
        values[f"window.link-{k}"] = linked / np.maximum(words[beyond] - words[start], 1)
    return values


def _window(table: BlockTable, reach: int) -> tuple[Ints, Ints]:
    """(n,) first of the blocks at most `reach` away on the same page, and one past the last."""
    index = np.arange(len(table))
    start = np.maximum(index - reach, table.page_starts[table.page])
    beyond = np.minimum(index + reach + 1, table.page_starts[table.page + 1])
    return start, beyond
