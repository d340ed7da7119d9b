"""How much of a page's text shares a block's nearest div or table cell (Victor 2008: *-group)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Ints, window_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import page_maxima
from victor.page.table.tokens import ALPHA

_NAMES: Final = ("div", "td")
COLUMNS: Final = (
    *(
        Column(
            f"{name}-group.word-ratio",
            "number",
            f"words outside links in blocks of the same nearest {name}, over the page's words",
        )
        for name in _NAMES
    ),
    *(
        Column(f"document.max-{name}-group", "number", f"highest {name}-group.word-ratio")
        for name in _NAMES
    ),
)


def build() -> Feature:
    """The group shares; they have no parameters. A word is a token of letters.

    Blocks outside any such element are one group of their page. Text of nested elements is not
    text of the outer group: the blocks below form the groups (a, d, g), (b, c) and (e, f).

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div>a<div>b<br>c</div>d<div>e<br>f</div>g</div>"
    >>> build()(parse_pages([page], "tag"))["div-group.word-ratio"].round(2)
    array([0.43, 0.29, 0.29, 0.43, 0.29, 0.29, 0.43])
    """
    return Measure(COLUMNS, _compute, kernel=Kernel("groups", (tag_ids(_NAMES), tag_ids(["a"]))))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    words, free = _words(table)
    total = np.maximum(window_sums(words, table.page_starts), 1)[table.page]
    values: dict[str, ColumnValues] = {}
    for name in _NAMES:
        ratio = _group_sums(table, name, free) / total
        values[f"{name}-group.word-ratio"] = ratio
        values[f"document.max-{name}-group"] = page_maxima(table, ratio)
    return values


def _words(table: BlockTable) -> tuple[Ints, Ints]:
    """(n,) words of each block, and those outside links."""
    words = table.tokens.per_segment(table.tokens.kind == ALPHA)
    linked = table.segments_inside(frozenset({"a"}))
    return table.sum_segments(words), table.sum_segments(np.where(linked, 0, words))


def _group_sums(table: BlockTable, name: str, words: Ints) -> Ints:
    """(n,) words of all blocks with the same nearest element of a name as each block."""
    element = table.nearest(frozenset({name}), table.tag)
    group = np.where(element >= 0, element, len(table.elements) + table.page)
    return np.bincount(group, weights=words)[group].astype(np.int64)
