"""The attributes of all start tags of a page, for forms that show more than text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.page.markup.markup_columns import LazyAttributes, valued
from victor.page.parsing.tags import LINE, PAGE, member_mask
from victor.page.table.blocks import BlockTable

Attributes = Mapping[str, str]
_NONE: Final[Attributes] = {}
_UNCOUNTED: Final = frozenset({"br", LINE, PAGE})
"""Tags without attributes of interest, of which some cuts of a page have more than others."""


class StartTags:
    """The attributes of the start tags of one page, by the ordinals of its table.

    Args:
        table: of one page.
        attributes: of its start tags; those of another page, or none at all, belong to no tag.
    """

    def __init__(self, table: BlockTable, attributes: Sequence[Attributes]) -> None:
        rows = _numbers_of_tags(table)
        is_of_page = int(rows.max(initial=-1)) + 1 == len(attributes)
        self._row_of_tag = (rows if is_of_page else np.full_like(rows, -1)).data
        self._tag_of_row = np.flatnonzero(rows >= 0) if is_of_page else rows[:0]
        self._attributes = attributes

    @property
    def may_have_players(self) -> bool:
        """May the page have frames, videos or sounds, which are dropped."""
        return not isinstance(self._attributes, LazyAttributes) or self._attributes.n_players > 0

    def of(self, tag: int) -> Attributes:
        """Attributes of a start tag or void element, given its ordinal; none of other tags."""
        row = self._row_of_tag[tag]
        return self._attributes[row] if row >= 0 else _NONE

    def valued(self, name: str, part: str = "") -> dict[int, str]:
        """Ordinal and value of every start tag with an attribute whose value holds a part."""
        tags = self._tag_of_row
        if not len(tags):
            return {}
        values = valued(self._attributes, name, part)
        return {int(tags[row]): value for row, value in values.items()}


def _numbers_of_tags(table: BlockTable) -> Ints:
    """(T,) row of each start tag in `start_tags` of the one page of a table, -1 for other tags."""
    counted = (table.tags.step >= 0) & ~member_mask(_UNCOUNTED)[table.tags.id]
    # An image that holds its alternative text has an end, too.
    return np.where(counted, np.cumsum(counted) - 1, -1)
