"""The share of words inside links, in a block and in windows around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from victor.base.arrays import Ints, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable

_LONG = 10
_FARTHEST = (1 << 31) - 1
_TEXT_WINDOWS = (1, 3, 6, 12, 25)
_LINK_WINDOWS = (3, 6, 12)
_LONG_WINDOWS = (6, 15)


def build(
    text_windows: Sequence[int] = _TEXT_WINDOWS,
    link_windows: Sequence[int] = _LINK_WINDOWS,
    long_windows: Sequence[int] = _LONG_WINDOWS,
) -> Feature:
    """Link density of the block and means over windows of so many blocks on both sides.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p><a>Home</a> page<p>Bees live in colonies<p><a>More</a>"])
    >>> values = build(text_windows=[1])(table)
    >>> values["link.density"], values["link.free-words"], values["window.text-1"].round(2)
    (array([0.5, 0. , 1. ]), array([1, 4, 0]), array([2.5 , 1.67, 2.  ]))
    """
    columns = [
        Column("link.density", "number", "share of the block's words inside links"),
        Column("link.free-words", "count", "words of the block outside links"),
    ]
    columns += [
        Column(f"window.text-{k}", "number", f"words outside links per block within {k} blocks")
        for k in text_windows
    ]
    columns += [
        Column(f"window.link-{k}", "number", f"link density within {k} blocks")
        for k in link_windows
    ]
    columns += [
        Column(f"window.long-{k}", "number", f"share of blocks of {_LONG} words within {k} blocks")
        for k in long_windows
    ]

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        values: dict[str, ColumnValues] = {
            "link.density": table.link_words / np.maximum(table.words, 1),
            "link.free-words": table.free_words,
        }
        words, links, free = map(prefix_sums, (table.words, table.link_words, table.free_words))
        long = prefix_sums(table.words >= _LONG)
        for k in text_windows:
            start, beyond = _window(table, k)
            values[f"window.text-{k}"] = (free[beyond] - free[start]) / (beyond - start)
        for k in link_windows:
            start, beyond = _window(table, k)
            linked = links[beyond] - links[start]
            values[f"window.link-{k}"] = linked / np.maximum(words[beyond] - words[start], 1)
        for k in long_windows:
            start, beyond = _window(table, k)
            values[f"window.long-{k}"] = (long[beyond] - long[start]) / (beyond - start)
        return values

    kernel = _kernel(text_windows, link_windows, long_windows)
    return Measure(tuple(columns), compute, kernel=kernel)


def _kernel(*windows: Sequence[int]) -> Kernel | None:
    """The compiled twin, if each reach is a number of blocks."""
    sane = range(_FARTHEST + 1)
    if not all(type(reach) is int and reach in sane for some in windows for reach in some):
        return None
    reaches = [np.array([*some], dtype=np.int64) for some in windows]
    return Kernel("links", (*reaches, np.array([_LONG], dtype=np.int64)))


def _window(table: BlockTable, reach: int) -> tuple[Ints, Ints]:
    """(n,) first of the blocks at most `reach` away on the same page, and one past the last."""
    index = np.arange(len(table))
    start = np.maximum(index - reach, table.page_starts[table.page])
    beyond = np.minimum(index + reach + 1, table.page_starts[table.page + 1])
    return start, beyond
