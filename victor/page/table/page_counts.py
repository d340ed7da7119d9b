"""What the pages of a batch hold, in numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools
from victor.page.table.blocks import BlockTable

NEARLY_EMPTY: Final = 300
"""Fewer characters of visible text are nearly nothing, some fifty words.

The scripts of such a page are searched for its content (`victor.page.markup.embedded`). Between 300
and 2,000 characters, what is visible was better on nine of eleven development pages.
"""


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


def page_counts(table: BlockTable, kept: Bools, page: int) -> PageCounts:
    """The numbers of a page of a batch, given which of the n blocks of the batch are kept."""
    start, end = table.page_starts[page : page + 2].tolist()
    characters = int((table.end[start:end] - table.start[start:end]).sum())
    return PageCounts(end - start, int(np.count_nonzero(kept[start:end])), characters)
