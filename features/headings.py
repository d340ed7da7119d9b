"""Distances of a block to headings and to long blocks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import (
    distance,
    first_of_page,
    last_of_page,
    last_until,
    next_from,
)

COLUMNS = (
    Column("heading.since", "count", "blocks since the last heading, 255 if none"),
    Column("heading.until", "count", "blocks until the next heading, 255 if none"),
    Column("heading.last-level", "category", "level of the last heading, 0 if none"),
    Column("offset.h1", "number", "blocks after the first h1, negative before, 999 if none"),
    Column("offset.first-long", "number", "blocks after the first block of 20 words"),
    Column("offset.last-long", "number", "blocks after the last block of 20 words"),
)
_FAR = 255
_LONG = 20
_KERNEL = Kernel("headings", (np.array([_LONG], dtype=np.int64),))


def build() -> Feature:
    """Distances to headings and long blocks; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>Home<h1>Bees</h1><p>They live<p>and fly<h2>More</h2>"])
    >>> values = build()(table)
    >>> values["heading.since"], values["heading.until"], values["offset.h1"]
    (array([255,   0,   1,   2,   0]), array([1, 0, 2, 1, 0]), array([-1,  0,  1,  2,  3]))
    """
    return Measure(COLUMNS, _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    level = table.heading_level
    index = np.arange(len(table))
    heading = last_until(table, level > 0)
    following = next_from(table, level > 0)
    return {
        "heading.since": np.where(heading >= 0, np.minimum(index - heading, _FAR), _FAR),
        "heading.until": np.where(following >= 0, np.minimum(following - index, _FAR), _FAR),
        "heading.last-level": np.where(heading >= 0, level[heading], 0) if len(table) else level,
        "offset.h1": distance(table, first_of_page(table, level == 1)),
        "offset.first-long": distance(table, first_of_page(table, table.words >= _LONG)),
        "offset.last-long": distance(table, last_of_page(table, table.words >= _LONG)),
    }
