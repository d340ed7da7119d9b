"""Where the long blocks outside links stand on a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from victor.base.arrays import Floats32, prefix_sums, window_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import page_maxima

_CUTS: Final = (15, 40)
_LONG: Final = 25
_KEPT: Final = 1 << 14


def _logarithms(table: BlockTable) -> tuple[Floats32]:
    """Logarithms of one more than any number of words that a block of the table can have.

    numpy computes them, as its last bit is not that of every library.
    """
    most = len(table.tokens.start)
    if most >= _KEPT:
        most = int(np.diff(table.tokens.block_offsets).max())
    return (_first_logarithms(max(most + 1, _KEPT)),)


@lru_cache(maxsize=2)
def _first_logarithms(count: int) -> Floats32:
    return np.log1p(np.arange(count)).astype(np.float32)


_KERNEL: Final = Kernel(
    "freetext",
    (np.array(_CUTS, dtype=np.int64), np.array([_LONG], dtype=np.int64)),
    _logarithms,
)


def build() -> Feature:
    """Shares of long free text; they have no parameters. Free words are those outside links.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<p>" + b"bee " * 20 + b"<p>Home<p>" + b"hive " * 60
    >>> values = build()(parse_pages([page]))
    >>> values["long15.before"], values["long15.own"]
    (array([0.  , 0.25, 0.25]), array([0.25, 0.  , 0.75]))
    >>> values["long40.own"], values["page.free-long"].round(2)
    (array([0., 0., 1.]), array([0.74, 0.74, 0.74]))
    """
    columns = [
        Column(f"long{cut}.{where}", "number", f"share of blocks of {cut} free words {meaning}")
        for cut in _CUTS
        for where, meaning in (
            ("before", "before this one, counted in words"),
            ("own", "that this one holds, counted in words"),
        )
    ]
    columns += [
        Column("page.free-long", "number", f"share of words in blocks of {_LONG} free words"),
        Column("page.max-free", "number", "logarithm of the most free words in a block"),
    ]
    return Measure(tuple(columns), _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    page, free = table.page, table.free_words
    values: dict[str, ColumnValues] = {}
    for cut in _CUTS:
        long = np.where(free >= cut, free, 0)
        before = prefix_sums(long)
        total = np.maximum(np.diff(before[table.page_starts]), 1)[page]
        start = before[table.page_starts[:-1]][page]
        values[f"long{cut}.before"] = (before[:-1] - start) / total
        values[f"long{cut}.own"] = long / total
    long = window_sums(np.where(free >= _LONG, free, 0), table.page_starts)
    values["page.free-long"] = (long / np.maximum(table.page_words, 1))[page]
    values["page.max-free"] = np.log1p(page_maxima(table, free))
    return values
