"""The share of words inside links, in a block and in windows around it."""

from __future__ import annotations

import numpy as np

from victor.features.base import Column, Feature, Kernel

_LINK_WINDOWS = (3, 6)
COLUMNS = (
    Column("link.density", "number", "share of the block's words inside links"),
    Column("link.free-words", "count", "words of the block outside links"),
    Column("window.text-1", "number", "words outside links per block, its neighbours included"),
    Column("window.link-3", "number", "link density within 3 blocks"),
    Column("window.link-6", "number", "link density within 6 blocks"),
)


def build() -> Feature:
    """Link density of the block, and means over windows of so many blocks on both sides.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p><a>Home</a> page<p>Bees live in large colonies<p><a>More</a>"])
    >>> values = build()(table)
    >>> [values[f"link.{name}"].tolist() for name in ("density", "free-words")]
    [[0.5, 0.0, 1.0], [1.0, 5.0, 0.0]]
    >>> values["window.text-1"].tolist()
    [3.0, 2.0, 2.5]
    """
    return Kernel(COLUMNS, "links", (np.array([1]), np.array(_LINK_WINDOWS)))
