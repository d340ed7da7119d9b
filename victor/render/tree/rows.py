"""Columns of a page for reading row by row, which is many times as fast as in arrays.

Those of blocks are lists. Those of tags, elements and segments, of which few rows are read, are
views, which take no time to make.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.cached import cached_property
from victor.page.parsing.tags import IDS, PARTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of


class Rows:
    """Columns of the table of one page, each made when first asked for.

    Args:
        table: of one page.
    """

    def __init__(self, table: BlockTable) -> None:
        self._table = table

    def text(self, segment: int) -> str:
        """Text of a segment."""
        return self.all_text[self.start[segment] : self.end[segment]]

    def is_apart(self, segment: int) -> bool:
        """Does anything stand between a segment, not the first, and the one before it."""
        return self.start[segment] > self.end[segment - 1]

    @cached_property
    def open(self) -> Sequence[int]:
        """(E,) ordinal of the start tag of each element."""
        return viewed(self._table.elements.open)

    @cached_property
    def close(self) -> Sequence[int]:
        """(E,) ordinal of the end tag of each element."""
        return viewed(self._table.elements.close)

    @cached_property
    def parent(self) -> Sequence[int]:
        """(E,) element around each element."""
        return viewed(self._table.elements.parent)

    @cached_property
    def first_tag(self) -> list[int]:
        """(n,) ordinal of the tag before each block."""
        return listed(self._table.tag)

    @cached_property
    def last_tag(self) -> list[int]:
        """(n,) ordinal of the tag before the last segment of each block."""
        return listed(self._table.last_tag)

    @cached_property
    def segment_starts(self) -> list[int]:
        """(n + 1,) first segment of each block."""
        return listed(self._table.segment_starts)

    @cached_property
    def segment_tag(self) -> Sequence[int]:
        """(S,) ordinal of the tag before each segment."""
        return viewed(self._table.segments.tag)

    @cached_property
    def segment_element(self) -> Sequence[int]:
        """(S,) innermost element around each segment."""
        return viewed(self._table.segment_element)

    @cached_property
    def n_parting(self) -> Sequence[int]:
        """(T,) tags that part paragraphs, up to each tag."""
        return viewed(np.cumsum(member_mask(PARTING)[self._table.tags.id]))

    @cached_property
    def n_breaks(self) -> Sequence[int]:
        """(T,) line breaks up to each tag."""
        return viewed(np.cumsum(self._table.tags.id == IDS["br"]))

    @cached_property
    def all_text(self) -> str:
        """All text of the page."""
        return text_of(self._table.chars)

    @cached_property
    def start(self) -> Sequence[int]:
        """(S,) where each segment begins in `all_text`."""
        return viewed(self._table.segments.start)

    @cached_property
    def end(self) -> Sequence[int]:
        """(S,) where it ends."""
        return viewed(self._table.segments.end)


def listed(column: NDArray[Any]) -> list[Any]:
    """A column as a list."""
    values: list[Any] = column.tolist()
    return values


def viewed(column: NDArray[Any]) -> Sequence[int]:
    """A column of integers as a view of its memory."""
    return np.ascontiguousarray(column).data
