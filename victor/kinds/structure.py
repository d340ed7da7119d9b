"""Kept running text by the elements that it stands in: items, cells, code, quotes."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes
from victor.base.labels import Kind
from victor.kinds.names import Signs
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable

_ITEMS: Final = frozenset({"li", "dt", "dd"})
_CELLS: Final = frozenset({"td", "th"})
_QUOTES: Final = frozenset({"blockquote"})
_PREFORMATTED: Final = frozenset({"pre", "listing", "xmp"})
_CODE: Final = frozenset({"pre", "code", "listing", "xmp"})


def refined(signs: Signs, codes: Codes, is_data: Bools | None) -> Codes:
    """(n,) kinds with paragraphs told apart by the innermost element that says what they are.

    Args:
        signs: of the pages.
        codes: (n,) `victor.base.labels.Kind`.
        is_data: (E,) is the element a table of data; None if nobody has looked.
    """
    table = signs.table
    paragraphs = codes == Kind.PARAGRAPH
    if not paragraphs.any():
        return codes
    kinds = _of_elements(signs, is_data)
    inner = table.elements.nearest(kinds != Kind.PARAGRAPH)[table.container]
    of_block = np.where(inner >= 0, kinds[inner], Kind.PARAGRAPH)
    of_block[_all_code(table) & (of_block == Kind.PARAGRAPH)] = Kind.CODE
    return np.where(paragraphs, of_block, codes).astype(np.uint8)


def _of_elements(signs: Signs, is_data: Bools | None) -> Codes:
    """(E,) kind of the text directly in each element, PARAGRAPH for one that says nothing."""
    table = signs.table
    tag = table.elements.tag
    kinds = np.full(len(tag), Kind.PARAGRAPH, dtype=np.uint8)
    kinds[member_mask(_ITEMS)[tag]] = Kind.ITEM
    if is_data is not None:
        kinds[_data_cells(table, is_data)] = Kind.CELL
    # Some forums write whole posts as quotes, under names that say better what they are.
    quotes = member_mask(_QUOTES)[tag] & ~signs.is_named("body", "said") | signs.is_named("quote")
    kinds[quotes] = Kind.QUOTE
    kinds[member_mask(_PREFORMATTED)[tag]] = Kind.CODE
    return kinds


def _all_code(table: BlockTable) -> Bools:
    """(n,) is all of a block set as code; in items and cells that is only how they are set."""
    inside = table.segments_inside(_CODE)
    return np.asarray(table.sum_segments((~inside).astype(np.int64)) == 0)


def _data_cells(table: BlockTable, is_data: Bools) -> Bools:
    """(E,) is an element a cell of a table of data, not of one that only lays out."""
    elements = table.elements
    around = elements.innermost(frozenset({"table"}))
    is_cell = member_mask(_CELLS)[elements.tag] & (around >= 0)
    return np.asarray(is_cell & is_data[around])
