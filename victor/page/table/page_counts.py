"""What the pages of a batch hold, in numbers."""

from __future__ import annotations

from itertools import pairwise
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


def page_counts(table: BlockTable, kept: Bools) -> list[PageCounts]:
    """The numbers of every page of a batch, given which of its n blocks are kept."""
    lengths = table.end - table.start
    return [
        PageCounts(
            end - start, int(np.count_nonzero(kept[start:end])), int(lengths[start:end].sum())
        )
        for start, end in pairwise(table.page_starts.tolist())
    ]
