"""What the pages of a batch hold, in numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from victor.base.arrays import Labels, window_sums
from victor.base.labels import Label
from victor.page.table.blocks import BlockTable


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
    starts = table.page_starts
    columns = (
        np.diff(starts),
        window_sums(labels != Label.OTHER, starts),
        window_sums(table.end - table.start, starts),
    )
    return [PageCounts(*row) for row in np.stack(columns, axis=1).tolist()]
