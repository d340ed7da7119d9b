"""Headings that are kept though nothing is that they head."""

from __future__ import annotations

import numpy as np

from victor.base.arrays import Ints, Labels
from victor.base.labels import OTHER
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import last_of_page, last_until


def dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text.

    Several in a row may be a list of names.
    """
    kept = labels != OTHER
    last = last_of_page(table, kept)
    last = last[last >= 0]
    last = last[table.heading_level[last] > 0]
    before = np.append(-1, last_until(table, kept))[last]
    is_same = (before >= 0) & (table.page[before] == table.page[last])
    return np.asarray(last[is_same & (table.heading_level[before] == 0)])
