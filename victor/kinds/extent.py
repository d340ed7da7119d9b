"""Where the text of a page begins and ends, by the labels of its blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Codes, Ints, window_sums
from victor.base.cached import cached_property
from victor.base.labels import OTHER, TEXT
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import first_of_page, last_of_page

_PROSE: Final = 10
"""Words outside links that make running text of a kept block."""


class Extent(Struct, frozen=True, eq=False, dict=True):
    """What a labeler keeps of some pages.

    Attributes:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """

    table: BlockTable
    labels: Codes

    @cached_property
    def kept(self) -> Bools:
        """(n,) is it kept."""
        return np.asarray(self.labels != OTHER)

    @cached_property
    def prose(self) -> Bools:
        """(n,) is it kept running text."""
        is_text = self.labels == TEXT
        return np.asarray(is_text & (self.table.free_words >= _PROSE))

    def first(self, prose: Bools) -> Ints:
        """(n,) the first of some blocks on the page of each block, else its first kept one, or -1.

        Args:
            prose: (n,) these blocks.
        """
        return self._bound(first_of_page, prose)

    def last(self, prose: Bools) -> Ints:
        """(n,) likewise the last one."""
        return self._bound(last_of_page, prose)

    def _bound(self, of_page: Callable[[BlockTable, Bools], Ints], prose: Bools) -> Ints:
        of_prose, of_kept = of_page(self.table, prose), of_page(self.table, self.kept)
        return np.where(of_prose >= 0, of_prose, of_kept)[self.table.page]

    @cached_property
    def kept_words(self) -> Ints:
        """(P,) words kept of each page."""
        return window_sums(np.where(self.kept, self.table.words, 0), self.table.page_starts)

    @cached_property
    def kept_inside(self) -> Ints:
        """(E,) words kept inside each element."""
        table = self.table
        return table.sum_elements(
            np.where(self.kept[table.block_of_segment], table.segment_words, 0)
        )

    @cached_property
    def share_inside(self) -> np.ndarray:
        """(E,) share of the words kept of the page that each element holds."""
        of_page = self.kept_words[self.table.page_of_element]
        return np.asarray(self.kept_inside / np.maximum(of_page, 1))
