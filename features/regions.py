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
_LEVELS = {
    0: ("link", "density"),
    1: ("density",),
    2: ("share", "link", "blocks", "density"),
    4: ("share", "blocks", "long"),
    5: ("share", "long"),
    6: ("link", "long", "density"),
}
"""What the ancestors of each level are asked for; the container is level 0."""
_MEASURED = [(level, name) for level, names in _LEVELS.items() for name in names]
_LISTS = frozenset({"ul", "ol", "dl", "table", "menu"})
COLUMNS = (
    *(
        Column(f"ancestor-{level}.{name}", "number", f"{_MEASURES[name]} of ancestor {level}")
        for level, name in _MEASURED
    ),
    Column("list.density", "number", "words per block of the nearest list or table"),
)


def build() -> Feature:
    """Measures of the container, of ancestors and of the nearest list or table; no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<ul><li>one <a>two</a><li>three</ul><p>four"])
    >>> values = build()(table)
    >>> values["ancestor-0.link"], values["ancestor-2.share"]
    (array([0.5, 0. , 0. ]), array([1., 1., 1.]))
    >>> values["list.density"]
    array([1.5, 1.5, 0. ])
    """
    return Measure(COLUMNS, _compute, kernel=_kernel())


def _kernel() -> Kernel:
    """The compiled twin."""
    numbers = [*_MEASURES]
    columns = np.array([(level, numbers.index(name)) for level, name in _MEASURED])
    long = np.array([_LONG], dtype=np.int64)
    return Kernel("regions", (tag_ids(_LISTS), long, *columns.T.copy()))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    measures, around = _measures(table), [*table.ancestors(max(_LEVELS) + 1)]
    values: dict[str, ColumnValues] = {
        f"ancestor-{level}.{name}": measures[name][around[level]] for level, name in _MEASURED
    }
    nearest = table.nearest(_LISTS, table.tag)
    density = (table.element_words / measures["blocks"])[nearest]
    values["list.density"] = np.where(nearest >= 0, density, 0.0)
    return values


def _measures(table: BlockTable) -> dict[str, Floats]:
    """(E,) each measure of every element."""
    first_segments = table.segment_starts[:-1]
    is_first = np.zeros(len(table.segments), dtype=np.int64)
    is_first[first_segments] = 1
    is_long = np.zeros(len(table.segments), dtype=np.int64)
    is_long[first_segments] = table.words >= _LONG
    words, links = table.element_words, table.element_link_words
    blocks = np.maximum(table.sum_elements(is_first), 1)
    return {
        "share": words / np.maximum(table.page_words, 1)[table.page_of_element],
        "link": links / np.maximum(words, 1),
        "blocks": blocks.astype(np.float64),
        "long": table.sum_elements(is_long) / blocks,
        "density": (words - links) / blocks,
    }
