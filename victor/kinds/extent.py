"""What a labeler keeps of some pages."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Codes, Floats, window_sums
from victor.base.labels import OTHER, TEXT
from victor.base.lazy import cached_property
from victor.page.table.blocks import BlockTable

_PROSE: Final = 10  # words outside links that make running text of a kept block


class Extent(Struct, frozen=True, eq=False, dict=True):
    """What a labeler keeps of P pages with n blocks and E elements."""

    table: BlockTable  # the blocks
    labels: Codes  # (n,) uint8 `victor.base.labels.Label`

    @cached_property
    def kept(self) -> Bools:
        """(n,) is it kept."""
        return np.asarray(self.labels != OTHER)

    @cached_property
    def prose(self) -> Bools:
        """(n,) is it kept running text."""
        return np.asarray((self.labels == TEXT) & (self.table.free_words >= _PROSE))

    @property
    def share_inside(self) -> Floats:
        """(E,) share of the words kept of the page that each element holds."""
        table = self.table
        of_page = window_sums(np.where(self.kept, table.words, 0), table.page_starts)
        words = np.where(self.kept[table.block_of_segment], table.segment_words, 0)
        shares = table.sum_elements(words) / np.maximum(of_page, 1)[table.page_of_element]
        return np.asarray(shares)
