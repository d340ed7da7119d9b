"""Where a block stands between headings, and how far from landmarks of the page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable

COLUMNS = (
    Column("heading.since", "count", "blocks since the last heading, 255 if none"),
    Column("heading.until", "count", "blocks until the next heading, 255 if none"),
    Column("heading.last-level", "category", "level of the last heading, 0 if none"),
    Column("offset.h1", "number", "blocks after the first h1, negative before, 999 if none"),
    Column("offset.first-long", "number", "blocks after the first block of 20 words"),
    Column("offset.last-long", "number", "blocks after the last block of 20 words"),
)
_FAR = 255
_NOWHERE = 999
_LONG = 20


def build() -> Feature:
    """Distances to headings and long blocks; they have no parameters.

    >>> from victor.page.segment import parse_pages
    >>> table = parse_pages([b"<p>Home<h1>Bees</h1><p>They live<p>and fly<h2>More</h2>"])
    >>> values = build()(table)
    >>> values["heading.since"], values["heading.until"], values["offset.h1"]
    (array([255,   0,   1,   2,   0]), array([1, 0, 2, 1, 0]), array([-1,  0,  1,  2,  3]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    level = table.heading_level
    index = np.arange(len(table))
    last = _last(table, level > 0)
    following = _next(table, level > 0)
    return {
        "heading.since": np.where(last >= 0, np.minimum(index - last, _FAR), _FAR),
        "heading.until": np.where(following >= 0, np.minimum(following - index, _FAR), _FAR),
        "heading.last-level": np.where(last >= 0, level[last], 0) if len(table) else level,
        "offset.h1": _offset(table, _first_of_page(table, level == 1)),
        "offset.first-long": _offset(table, _first_of_page(table, table.words >= _LONG)),
        "offset.last-long": _offset(table, _last_of_page(table, table.words >= _LONG)),
    }


def _last(table: BlockTable, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Index of the last chosen block at or before each block on its page, -1 if none."""
    found = np.maximum.accumulate(np.where(chosen, np.arange(len(table)), -1))
    return np.where(found >= table.page_starts[table.page], found, -1)


def _next(table: BlockTable, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Index of the first chosen block at or after each block on its page, -1 if none."""
    index = np.where(chosen, np.arange(len(table)), len(table))
    found = np.minimum.accumulate(index[::-1])[::-1]
    return np.where(found < table.page_starts[table.page + 1], found, -1)


def _first_of_page(table: BlockTable, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(P,) first chosen block of each page, -1 if none."""
    first = np.full(table.n_pages, -1, dtype=np.int64)
    at = np.flatnonzero(chosen)[::-1]
    first[table.page[at]] = at
    return first


def _last_of_page(table: BlockTable, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(P,) last chosen block of each page, -1 if none."""
    last = np.full(table.n_pages, -1, dtype=np.int64)
    at = np.flatnonzero(chosen)
    last[table.page[at]] = at
    return last


def _offset(table: BlockTable, landmark: NDArray[np.int64]) -> NDArray[np.int64]:
    """Signed distance in blocks from the landmark of the page."""
    mark = landmark[table.page]
    distance = np.clip(np.arange(len(table)) - mark, -_FAR, _FAR)
    return np.where(mark >= 0, distance, _NOWHERE)
