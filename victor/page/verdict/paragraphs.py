"""Group kept blocks into paragraphs, each with its list, table or preformatted text.

Blocks that only inline tags separate are one paragraph, whatever the split of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.base.lazy import cached_property
from victor.page.parsing.tags import BLOCK_LEVEL, HEADINGS, IDS, PARTING, member_mask, roles_of
from victor.page.table.blocks import BlockTable
from victor.page.verdict.preformatted import PRE, code_text, without_gutters

if TYPE_CHECKING:
    from victor.page.verdict.formulas import Formulas

ITEMS: Final = frozenset({"li", "dt", "dd"})
LISTS: Final = frozenset({"ul", "ol", "dl", "menu", "dir"})
_CELLS: Final = frozenset({"td", "th"})
_TABLE_PARTS: Final = _CELLS | {"table", "caption", "thead", "tbody", "tfoot", "tr"}


class DataTables(Struct, frozen=True, eq=False):
    """Which tables of a batch hold data; E elements.

    Attributes:
        is_data: (E,) bool; is the element such a table.
        column: (E,) int64 column of each cell of these with all spans expanded, from 0; -1 else.
    """

    is_data: Bools
    column: Ints


class NoTables(Struct, frozen=True, eq=False, dict=True):
    """No table of a batch holds data: what `DataTables` has, made when it is asked for."""

    table: BlockTable  # of the batch

    @cached_property
    def is_data(self) -> Bools:
        """(E,) bool; nowhere."""
        return np.zeros(len(self.table.elements), dtype=bool)

    @cached_property
    def column(self) -> Ints:
        """(E,) int64, all -1."""
        return np.full(len(self.table.elements), -1, dtype=np.int64)


def with_inner_tables_as_text(table: BlockTable, outer: Bools) -> BlockTable:
    """The blocks with the tables in some elements, none in another, as ``<div>`` with their text.

    Args:
        table: the blocks.
        outer: (E,) bool; which elements.
    """
    elements = table.elements
    tables = np.flatnonzero(elements.tag == IDS["table"])
    inner = tables[elements.gathered(outer)[elements.parent[tables]]]
    if not len(inner):
        return table
    is_inner = np.zeros(len(elements), dtype=bool)
    is_inner[inner] = True
    parts = member_mask(_TABLE_PARTS)[elements.tag] & (elements.nearest(is_inner) >= 0)
    tag, ids = elements.tag.copy(), table.tags.id.copy()
    tag[parts] = ids[elements.open[parts]] = ids[elements.close[parts]] = IDS["div"]
    return table.replace(tags=table.tags.replace(id=ids), elements=elements.replace(tag=tag))


class Cells(Struct, frozen=True, eq=False):
    """Where paragraphs stand in tables of data; Q paragraphs, -1 for those outside.

    Attributes:
        table, row, cell: (Q,) int64 elements.
        column: (Q,) int64 column of the cell, from 0.
    """

    table: Ints
    row: Ints
    cell: Ints
    column: Ints


class Paragraphs(Struct, frozen=True, eq=False, dict=True):
    """Paragraphs of the kept blocks of a batch; K kept blocks, Q paragraphs, P pages.

    Attributes:
        blocks: (K,) int64 numbers of the kept blocks.
        spaced: (K,) bool; white space or dropped text lies before the block.
        breaks: (K,) int64 how many ``<br>`` since the kept block before it on its page.
        starts: (Q + 1,) int64; paragraph q owns ``blocks[starts[q]:starts[q + 1]]``.
        page_starts: (P + 1,) int64 first paragraph of every page.
        pre: (Q,) int64 outermost ``<pre>`` around the paragraph, -1 if none; all that is kept of
            one is one paragraph.
        item: (Q,) int64 innermost list item (li, dt, dd) around the paragraph, -1 if none.
        opens_item: (Q,) bool; the first kept paragraph of its item.
        inner_list, outer_list: (Q,) int64 innermost and outermost list around the paragraph, or -1.
        list_depth: (Q,) int64 lists around the paragraph.
        cells: where the paragraphs stand in tables.
        formulas: which segments of the table are formulas, None if none is.
    """

    table: BlockTable
    blocks: Ints
    spaced: Bools
    breaks: Ints
    starts: Ints
    page_starts: Ints
    pre: Ints
    item: Ints
    opens_item: Bools
    inner_list: Ints
    outer_list: Ints
    list_depth: Ints
    cells: Cells
    formulas: Formulas | None

    @property
    def first_block(self) -> Ints:
        """(Q,) the first kept block of every paragraph."""
        return self.blocks[self.starts[:-1]]

    def page(self, number: int) -> slice:
        """The paragraphs of one page."""
        return slice(int(self.page_starts[number]), int(self.page_starts[number + 1]))

    def texts(self, page: int) -> list[str]:
        """Text of every paragraph of a page.

        One newline stands for a ``<br>``; inside ``<pre>`` white space is as written but for blank
        lines at the ends. Of formulas TeX is the text, where the page has it.
        """
        texts: list[str] = core.compiled.paragraph_texts(*self.source(page))
        return texts

    def source(
        self, page: int
    ) -> tuple[tuple[NDArray[Any], ...], int, int, list[str | None] | None]:
        """What the core makes the text of a page of: columns, its paragraphs, texts.

        Texts are None for paragraphs that are simply the text of their blocks.
        """
        rows = self.page(page)
        return self._columns, rows.start, rows.stop, self._given(page)

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        table, cells = self.table, self.cells
        of_blocks = (self.blocks, self.spaced, self.breaks, self.starts)
        of_cells = (cells.table, cells.row, cells.cell, cells.column)
        columns = (*of_blocks, self.opens_item, self.outer_list, *of_cells)
        return (table.chars, table.start, table.end, *columns)

    @cached_property
    def _has_pre(self) -> bool:
        return bool((self.pre != -1).any())

    def _given(self, page: int) -> list[str | None] | None:
        """Texts of the preformatted paragraphs of a page."""
        if not self._has_pre:
            return None
        return [
            None if pre == -1 else code_text(self.table, pre, self.kept_segments)
            for pre in self.pre[self.page(page)].tolist()
        ]

    @cached_property
    def kept_segments(self) -> Bools:
        """(S,) bool; is the segment of a kept block."""
        kept = np.zeros(len(self.table), dtype=bool)
        kept[self.blocks] = True
        return kept[self.table.block_of_segment]


def paragraphs(
    table: BlockTable,
    kept: Bools,
    tables: DataTables | NoTables | None = None,
    markups: Sequence[bytes] = (),
) -> Paragraphs:
    """Group the kept blocks of a batch.

    Args:
        table: the blocks.
        kept: (n,) bool; which of them.
        tables: which tables hold data. Where nobody says so, it is those in which no cell has more
            than one kept paragraph and some row has two.
        markups: the pages as UTF-8 bytes, empty for those that have no formulas for sure; none if
            they are not known.
    """
    if not any(markups):
        return _grouped(table, kept, tables)
    from victor.page.verdict.formulas import shown_formulas  # few pages have any

    found = shown_formulas(table, kept, markups)
    if found is None:
        return _grouped(table, kept, tables)
    table, formulas = found
    return replace(_grouped(table, kept, tables), formulas=formulas)


def _grouped(table: BlockTable, kept: Bools, tables: DataTables | NoTables | None) -> Paragraphs:
    """What `paragraphs` gives of pages without formulas."""
    kept = without_gutters(table, kept)
    if tables is None or not tables.is_data.any():
        return _of_shown(table, kept, tables)
    shown = with_inner_tables_as_text(table, tables.is_data)
    return replace(_of_shown(shown, kept, tables), table=table)


def _of_shown(table: BlockTable, kept: Bools, tables: DataTables | NoTables | None) -> Paragraphs:
    """Paragraphs of pages in which no data table is in another."""
    is_data, column = (None, None) if tables is None else (tables.is_data, tables.column)
    memories = core.compiled.paragraphs(table.batch, kept, roles_of_paragraphs(), is_data, column)
    n = len(_TYPES)
    columns = dict(zip(_TYPES, map(core.array, memories[:n], _TYPES.values()), strict=True))
    cells = Cells(*(core.array(memory, np.int64) for memory in memories[n:]))
    return Paragraphs(table=table, cells=cells, formulas=None, **columns)


@cache
def roles_of_paragraphs() -> Codes:
    """(128,) what tags are to paragraphs, as ``core/text/paragraphs.h`` has it."""
    return roles_of(*_ROLES)


_TYPES: Final = {
    "blocks": np.int64,
    "spaced": np.bool_,
    "breaks": np.int64,
    "starts": np.int64,
    "page_starts": np.int64,
    "pre": np.int64,
    "item": np.int64,
    "opens_item": np.bool_,
    "inner_list": np.int64,
    "outer_list": np.int64,
    "list_depth": np.int64,
}
"""Of the columns of paragraphs, in order; those of their cells follow."""
_ROLES: Final = (
    frozenset({"br"}), PARTING, PRE, ITEMS, LISTS, _CELLS, frozenset({"tr"}), frozenset({"table"}),
)  # fmt: skip
"""Tags as core/text/paragraphs.c knows them, by bit: line breaks, what parts paragraphs, ..."""


BOLD: Final = frozenset({"b", "strong", *HEADINGS})
CONTROLS: Final = frozenset("button form input isindex select".split())
SECTIONS: Final = frozenset({"thead", "tbody", "tfoot"})
UNITS: Final = LISTS | PRE | {"table", "blockquote", "details", "math"}
"""Elements between block and page that are content or not as a whole."""
BREAKS: Final = BLOCK_LEVEL | {"br"}
"""Elements whose tags end lines of a cell."""

_TABLE_ROLES: Final = {
    1 << 0: frozenset({"table"}),
    1 << 1: frozenset({"tr"}),
    1 << 2: frozenset({"td", "th"}),
    1 << 3: frozenset({"th"}),
    1 << 4: SECTIONS,
    1 << 5: frozenset({"thead"}),
    1 << 6: frozenset({"caption"}),
    1 << 7: BOLD,
    1 << 8: frozenset({"a"}),
    1 << 9: BREAKS,
    1 << 10: frozenset({"img"}),
    1 << 11: CONTROLS,
}
"""Names of elements by what they are to a table.

The bits are those of ``core/tables/leaf.h``.
"""
_N_TAG_IDS: Final = 128


@cache
def table_roles() -> NDArray[np.uint16]:
    """(128,) uint16, read-only: what each tag id is to a table, as bits."""
    result = np.zeros(_N_TAG_IDS, dtype=np.uint16)
    for bit, names in _TABLE_ROLES.items():
        mask = member_mask(names)
        result[: len(mask)] |= np.where(mask, np.uint16(bit), np.uint16(0))
    result.flags.writeable = False
    return result
