"""What the pages of a batch hold, in numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Labels, window_sums
from victor.base.labels import Label
from victor.page.table.blocks import BlockTable

_N_COUNTS = 3


class PageCounts(NamedTuple):
    """Numbers of one page.

    Attributes:
        blocks: text blocks.
        kept: those that are part of the clean text.
        characters: of the visible text.
    """

    blocks: int
    kept: int
    characters: int


def page_counts(table: BlockTable, labels: Labels) -> list[PageCounts]:
    """The numbers of every page of a batch, given the (n,) labels of its blocks."""
    if core.compiled is not None:
        segments = table.segments
        memory = core.compiled.count_pages(
            *(table.page_starts, table.segment_starts, segments.start, segments.end),
            *(labels, Label.OTHER),
        )
        counts = core.array(memory, np.int64).reshape(-1, _N_COUNTS)
    else:
        starts = table.page_starts
        columns = np.diff(starts), window_sums(labels != Label.OTHER, starts)
        counts = np.stack([*columns, window_sums(table.end - table.start, starts)], axis=1)
    return [PageCounts(*row) for row in counts.tolist()]
