"""Headings that are kept though nothing is that they head."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, Labels, prefix_sums
from victor.base.labels import OTHER
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.verdict.paragraphs import LISTS

_UNITS: Final = LISTS | {"table"}
_MOST: Final = 2
"""Headings of a page whose list is dropped; more of them are those of teasers, and stay: word F of
pages with lists of posts falls by .003 without this."""
_WRAPPERS: Final = 8


def dangling(table: BlockTable, labels: Labels) -> Bools:
    """(n,) the headings that are the last kept block of their page, or lost their list.

    The former stand right after kept text. After the latter a list or a table is dropped, and no
    text is kept in the box around both, or none up to the next heading that is not below it.
    """
    result = np.zeros(len(table), dtype=bool)
    kept = labels != OTHER
    headings = np.flatnonzero(kept & (table.heading_level > 0))
    if not len(headings):
        return result
    before = np.append(-1, last_until(table, kept))[headings]
    after = np.append(next_from(table, kept), -1)[headings + 1]
    pages, levels = table.page[headings], table.heading_level
    before, after = (np.where(table.page[row] == pages, row, -1) for row in (before, after))
    is_last = (after < 0) & (before >= 0) & (levels[before] == 0)
    is_next = (after >= 0) & (levels[after] > 0) & (levels[after] <= levels[headings])
    lost = (levels[headings] > 1) & _before_units(table, headings) & ~kept[_next(table, headings)]
    lost &= is_next | _alone_in_box(table, headings, kept)
    lost &= (np.bincount(pages[lost], minlength=table.n_pages) <= _MOST)[pages]
    result[headings[is_last | lost]] = True
    return result


def _next(table: BlockTable, blocks: Ints) -> Ints:
    """(m,) the block after each, or the last."""
    return np.minimum(blocks + 1, len(table) - 1)


def _before_units(table: BlockTable, headings: Ints) -> Bools:
    """(m,) does a list or a table begin right after each heading."""
    following, elements = _next(table, headings), table.elements
    unit = elements.innermost(_UNITS)[table.element[following]]
    is_after = (unit >= 0) & (elements.open[unit] > table.tag[headings])
    return np.asarray(is_after & (table.page[following] == table.page[headings]))


def _alone_in_box(table: BlockTable, headings: Ints, kept: Bools) -> Bools:
    """(m,) is no text kept in the innermost element that holds more than each heading."""
    elements = table.elements
    box = elements.parent[table.container[headings]]
    for _ in range(_WRAPPERS):
        is_wrapper = table.element_words[box] <= table.words[headings]
        box = np.where(is_wrapper, elements.parent[box], box)
    n_kept = prefix_sums(kept & (table.heading_level == 0))
    start, stop = (
        np.searchsorted(table.tag, tags[box]) for tags in (elements.open, elements.close)
    )
    return np.asarray((n_kept[stop] == n_kept[start]) & (stop > headings + 1))
