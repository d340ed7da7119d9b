"""Kept running text by the elements that it stands in: items, cells, code, quotes."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.arrays import Bools, Codes, Ints
from victor.kinds.names import Signs
from victor.labels import Kind
from victor.page.blocks import BlockTable
from victor.page.tags import IDS, member_mask

_ITEMS: Final = frozenset({"li", "dt", "dd"})
_CELLS: Final = frozenset({"td", "th"})
_ROWS: Final = frozenset({"tr"})
_QUOTES: Final = frozenset({"blockquote"})
_PREFORMATTED: Final = frozenset({"pre", "listing", "xmp"})
_CODE: Final = frozenset({"pre", "code", "listing", "xmp"})
_LONG_CELL: Final = 25
"""Words of a cell of a data table, on average, at most."""
_PRESENTED: Final = frozenset({"presentation", "none"})


def refined(signs: Signs, codes: Codes) -> Codes:
    """(n,) kinds with paragraphs told apart by the innermost element that says what they are.

    Args:
        signs: of the pages.
        codes: (n,) `victor.labels.Kind`.
    """
    table = signs.table
    paragraphs = codes == Kind.PARAGRAPH
    if not paragraphs.any():
        return codes
    kinds = _of_elements(signs)
    inner = table.elements.nearest(kinds != Kind.PARAGRAPH)[table.container]
    of_block = np.where(inner >= 0, kinds[inner], Kind.PARAGRAPH)
    of_block[_all_code(table) & (of_block == Kind.PARAGRAPH)] = Kind.CODE
    return np.where(paragraphs, of_block, codes).astype(np.uint8)


def _of_elements(signs: Signs) -> Codes:
    """(E,) kind of the text directly in each element, PARAGRAPH for one that says nothing."""
    table = signs.table
    tag = table.elements.tag
    kinds = np.full(len(tag), Kind.PARAGRAPH, dtype=np.uint8)
    kinds[member_mask(_ITEMS)[tag]] = Kind.ITEM
    kinds[_data_cells(table)] = Kind.CELL
    # Some forums write whole posts as quotes, under names that say better what they are.
    quotes = member_mask(_QUOTES)[tag] & ~signs.is_named("body", "said") | signs.is_named("quote")
    kinds[quotes] = Kind.QUOTE
    kinds[member_mask(_PREFORMATTED)[tag]] = Kind.CODE
    return kinds


def _all_code(table: BlockTable) -> Bools:
    """(n,) is all of a block set as code; in items and cells that is only how they are set."""
    inside = table.segments_inside(_CODE)
    return np.asarray(table.sum_segments((~inside).astype(np.int64)) == 0)


def _data_cells(table: BlockTable) -> Bools:
    """(E,) is an element a cell of a table of data, not of one that only lays out."""
    elements = table.elements
    cells = member_mask(_CELLS)[elements.tag]
    if not cells.any():
        return cells
    is_table = elements.tag == IDS["table"]
    of_table = elements.nearest(is_table)
    return np.asarray(cells & (of_table >= 0) & _are_data(table, is_table, of_table)[of_table])


def _are_data(table: BlockTable, is_table: Bools, of_table: Ints) -> Bools:
    """(E,) is an element a table of rows and columns, with short cells and none inside another."""
    elements = table.elements
    n = len(elements)
    cells = _count(member_mask(_CELLS)[elements.tag], of_table)
    rows = _count(member_mask(_ROWS)[elements.tag], of_table)
    around = np.flatnonzero(is_table & (elements.depth > 0))
    outer = of_table[elements.parent[around]]
    nests = np.zeros(n, dtype=bool)
    nests[outer[outer >= 0]] = True
    short = table.element_words <= _LONG_CELL * cells
    roles = [role in _PRESENTED for role in table.attribute("role")]
    laid_out = np.array([*roles, False], dtype=bool)[elements.bundle]
    return np.asarray(is_table & ~nests & ~laid_out & short & (rows > 1) & (cells >= 2 * rows))


def _count(chosen: Bools, of_table: Ints) -> Ints:
    """(E,) how many of some elements each table holds, not counting those of tables inside."""
    inside = of_table[chosen]
    return np.bincount(inside[inside >= 0], minlength=len(of_table))
