"""The elements around a block as regions: ancestors and the nearest list or table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Floats
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.table.blocks import BlockTable

_LONG = 10
_MEASURES = {
    "share": "share of the page's words",
    "link": "link density",
    "blocks": "number of blocks",
    "long": f"share of blocks of {_LONG} words or more",
    "density": "words outside links per block",
}
_LISTS = frozenset({"ul", "ol", "dl", "table", "menu"})


def build(levels: int = 6) -> Feature:
    """Measures of the container (0), of `levels` ancestors and of the nearest list or table.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<ul><li>one <a>two</a><li>three</ul><p>four"])
    >>> values = build(levels=1)(table)
    >>> values["ancestor-0.share"], values["ancestor-1.share"]
    (array([0.5 , 0.25, 0.25]), array([0.75, 0.75, 1.  ]))
    >>> values["list.blocks"], values["list.density"]
    (array([2, 2, 0]), array([1.5, 1.5, 0. ]))
    """
    columns = [
        Column(f"ancestor-{level}.{name}", "number", f"{meaning} of ancestor {level}")
        for level in range(levels + 1)
        for name, meaning in _MEASURES.items()
    ]
    columns += [
        Column("list.blocks", "count", "blocks in the nearest list or table, 0 outside"),
        Column("list.density", "number", "words per block of the nearest list or table"),
        Column("list.link", "number", "link density of the nearest list or table"),
    ]

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        regions = _Regions(table)
        values: dict[str, ColumnValues] = {}
        for level, element in enumerate(table.ancestors(levels + 1)):
            for name in _MEASURES:
                values[f"ancestor-{level}.{name}"] = regions.measure(name)[element]
        values.update(_lists(table, regions))
        return values

    kernel = Kernel("regions", (tag_ids(_LISTS), np.array([_LONG], dtype=np.int64)))
    return Measure(tuple(columns), compute, kernel=kernel)


class _Regions:
    """Measures of every element, each computed once."""

    def __init__(self, table: BlockTable) -> None:
        first_segments = table.segment_starts[:-1]
        is_first = np.zeros(len(table.segments), dtype=np.int64)
        is_first[first_segments] = 1
        is_long = np.zeros(len(table.segments), dtype=np.int64)
        is_long[first_segments] = table.words >= _LONG
        self.words, links = table.element_words, table.element_link_words
        self.blocks = np.maximum(table.sum_elements(is_first), 1)
        page_words = np.maximum(table.page_words, 1)[table.page_of_element]
        self._values: dict[str, Floats] = {
            "share": self.words / page_words,
            "link": links / np.maximum(self.words, 1),
            "blocks": self.blocks.astype(np.float64),
            "long": table.sum_elements(is_long) / self.blocks,
            "density": (self.words - links) / self.blocks,
        }

    def measure(self, name: str) -> Floats:
        """(E,) one measure of every element."""
        return self._values[name]


def _lists(table: BlockTable, regions: _Regions) -> dict[str, ColumnValues]:
    """Size, words per block and link density of the nearest list or table."""
    nearest = table.nearest(_LISTS, table.tag)
    inside = nearest >= 0
    return {
        "list.blocks": np.where(inside, regions.blocks[nearest], 0),
        "list.density": np.where(inside, (regions.words / regions.blocks)[nearest], 0.0),
        "list.link": np.where(inside, regions.measure("link")[nearest], 0.0),
    }
