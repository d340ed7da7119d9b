"""The elements around a block as regions: ancestors and the nearest list or table."""

from __future__ import annotations

import numpy as np

from victor.features.base import Column, Feature, Kernel, tag_ids

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
    >>> [values[f"ancestor-{name}"].tolist() for name in ("0.link", "2.share")]
    [[0.5, 0.0, 0.0], [1.0, 1.0, 1.0]]
    >>> values["list.density"].tolist()
    [1.5, 1.5, 0.0]
    """
    numbers = [*_MEASURES]
    columns = np.array([(level, numbers.index(name)) for level, name in _MEASURED])
    long = np.array([_LONG], dtype=np.int64)
    return Kernel(COLUMNS, "regions", (tag_ids(_LISTS), long, *columns.T.copy()))
