"""Group kept blocks into paragraphs, each with its list, table or preformatted text.

Blocks that only inline tags separate are one paragraph, whatever the split of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from victor.arrays import Bools, Ints
from victor.page.blocks import BlockTable
from victor.page.tags import IDS, SPLITTING, member_mask
from victor.page.texts import block_texts, text_of

ITEMS: Final = frozenset({"li", "dt", "dd"})
LISTS: Final = frozenset({"ul", "ol", "dl", "menu", "dir"})
_PRE: Final = frozenset({"pre", "listing"})
_CELLS: Final = frozenset({"td", "th"})
_NONE: Final = -1
_BREAKS_THAT_SPLIT: Final = 2


@dataclass(frozen=True, eq=False)
class Cells:
    """Where paragraphs stand in tables of data; Q paragraphs, -1 for those outside.

    A table holds data if no cell has more than one kept paragraph and some row has two; all
    others only serve the layout.

    Attributes:
        table, row: (Q,) int64 elements.
        column: (Q,) int64 position of the cell in its row, from 0.
    """

    table: Ints
    row: Ints
    column: Ints


@dataclass(frozen=True, eq=False)
class Paragraphs:
    """Paragraphs of the kept blocks of a batch; K kept blocks, Q paragraphs, P pages.

    Attributes:
        blocks: (K,) int64 numbers of the kept blocks.
        spaced: (K,) bool; white space or dropped text lies before the block.
        breaks: (K,) int64 how many ``<br>`` since the kept block before it on its page.
        starts: (Q + 1,) int64; paragraph q owns ``blocks[starts[q]:starts[q + 1]]``.
        page_starts: (P + 1,) int64 first paragraph of every page.
        pre: (Q,) bool; preformatted.
        item: (Q,) int64 innermost list item (li, dt, dd) around the paragraph, -1 if none.
        opens_item: (Q,) bool; the first kept paragraph of its item.
        inner_list, outer_list: (Q,) int64 innermost and outermost list around the paragraph, or -1.
        list_depth: (Q,) int64 lists around the paragraph.
        cells: where the paragraphs stand in tables.
    """

    table: BlockTable
    blocks: Ints
    spaced: Bools
    breaks: Ints
    starts: Ints
    page_starts: Ints
    pre: Bools
    item: Ints
    opens_item: Bools
    inner_list: Ints
    outer_list: Ints
    list_depth: Ints
    cells: Cells

    @property
    def first_block(self) -> Ints:
        """(Q,) the first kept block of every paragraph."""
        return self.blocks[self.starts[:-1]]

    def page(self, number: int) -> slice:
        """The paragraphs of one page."""
        return slice(int(self.page_starts[number]), int(self.page_starts[number + 1]))

    def texts(self, page: int) -> list[str]:
        """Text of every paragraph of a page.

        One newline stands for a ``<br>``; inside ``<pre>`` white space is as written but for that
        at the ends, of which only the indentation is kept that follows a newline.
        """
        rows = self.page(page)
        first, last = int(self.starts[rows.start]), int(self.starts[rows.stop])
        pieces = block_texts(self.table, self.blocks[first:last])
        for q in (rows.start + np.flatnonzero(self.pre[rows])).tolist():
            for k in range(self.starts[q], self.starts[q + 1]):
                pieces[k - first] = self._pre_gap(k, k == self.starts[q]) + pieces[k - first]
        if last - first == rows.stop - rows.start:
            return pieces
        return self._joined(pieces, rows, first)

    def _joined(self, pieces: list[str], rows: slice, first: int) -> list[str]:
        """Pieces of one page put together to paragraphs, with what stood between them."""
        starts = self.starts[rows.start : rows.stop + 1] - first
        span = slice(first, first + len(pieces))
        gap = np.where(self.breaks[span] > 0, 2, self.spaced[span].astype(np.int64))
        gap[starts[:-1]] = 0
        gap[np.repeat(self.pre[rows], np.diff(starts))] = 0
        spaced = [("", " ", "\n")[g] + piece for g, piece in zip(gap.tolist(), pieces, strict=True)]
        bounds = starts.tolist()
        return ["".join(spaced[a:b]) for a, b in pairwise(bounds)]

    def _pre_gap(self, k: int, opens: bool) -> str:
        """White space before the k-th kept block, which is preformatted."""
        block, table = int(self.blocks[k]), self.table
        before = int(table.end[block - 1]) if block else 0
        gap = text_of(table.chars[before : table.start[block]])
        _, newline, indent = gap.rpartition("\n")
        begins_line = bool(newline or self.breaks[k])
        if opens:
            # On a page's first block the white space before it may be that of another page.
            known = begins_line and block != table.page_starts[table.page[block]]
            return indent[max(len(indent) - self._most_indent(block), 0) :] if known else ""
        if block - 1 != self.blocks[k - 1]:
            return ("\n" if begins_line else " ") + indent
        # A newline that was made a tag to cut blocks at lines is not among the characters.
        return "\n" * (int(self.breaks[k]) - gap.count("\n")) + gap

    def _most_indent(self, block: int) -> int:
        """White space in the text run that a block begins with, but for that inside the block."""
        table = self.table
        segment = int(table.segment_starts[block])
        text = text_of(table.chars[table.segments.start[segment] : table.segments.end[segment]])
        return int(table.tags.text_space[table.tag[block]]) - sum(map(str.isspace, text))


def paragraphs(table: BlockTable, kept: Bools) -> Paragraphs:
    """Group the kept blocks of a batch.

    Args:
        table: the blocks.
        kept: (n,) bool; which of them.
    """
    blocks = np.flatnonzero(kept)
    n_breaks = np.cumsum(table.tags.id == IDS["br"])
    pre = table.blocks_inside(_PRE)
    number = _paragraph_numbers(table, n_breaks, pre)[blocks]
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    first = blocks[starts]
    tags = table.tag[first]
    item = table.nearest(ITEMS, tags)
    outer_list, list_depth = _lists(table)
    opens_item = np.zeros(len(first), dtype=bool)
    opens_item[np.unique(item, return_index=True)[1]] = True
    return Paragraphs(
        table=table,
        blocks=blocks,
        spaced=np.append([True], table.start[blocks[1:]] > table.end[blocks[:-1]])[: len(blocks)],
        breaks=_breaks_before(table, blocks, n_breaks),
        starts=np.append(starts, len(blocks)),
        page_starts=np.searchsorted(first, table.page_starts),
        pre=pre[first],
        item=item,
        opens_item=opens_item & (item != _NONE),
        inner_list=table.nearest(LISTS, tags),
        outer_list=outer_list[tags],
        list_depth=list_depth[tags],
        cells=_cells(table, tags),
    )


def _breaks_before(table: BlockTable, blocks: Ints, n_breaks: Ints) -> Ints:
    """How many ``<br>`` are before each kept block, from the one before it on its page."""
    since = table.elements.open[table.page_roots][table.page[blocks]]
    since[1:] = np.maximum(since[1:], table.last_tag[blocks[:-1]])
    return np.asarray(n_breaks[table.tag[blocks]] - n_breaks[since])


def _paragraph_numbers(table: BlockTable, n_breaks: Ints, pre: Bools) -> Ints:
    """(n,) paragraph of every block, kept or not."""
    n_splits = np.cumsum(member_mask(SPLITTING)[table.tags.id])
    first, last = table.tag[1:], table.last_tag[:-1]
    new = np.zeros(len(table), dtype=np.int64)
    new[1:] = n_splits[first] > n_splits[last]
    new[1:] |= (n_breaks[first] - n_breaks[last] >= _BREAKS_THAT_SPLIT) & ~(pre[1:] & pre[:-1])
    return np.cumsum(new)


def _lists(table: BlockTable) -> tuple[Ints, Ints]:
    """(T,) outermost list open after each tag, -1 if none, and how many lists are."""
    step = np.where(member_mask(LISTS)[table.tags.id], table.tags.step, 0)
    depth = np.cumsum(step)
    begins = (step == 1) & (depth == 1)
    begin = np.maximum.accumulate(np.where(begins, np.arange(len(step)), 0))
    return np.where(depth > 0, table.tags.element[begin], _NONE), depth


def _cells(table: BlockTable, tags: Ints) -> Cells:
    """Positions in tables of data of the paragraphs that begin after the given tags."""
    cell = table.nearest(_CELLS, tags)
    if (cell == _NONE).all():
        return Cells(cell, cell, cell)
    row = table.nearest(frozenset({"tr"}), tags)
    around = table.nearest(frozenset({"table"}), tags)
    # All three surround the paragraph, so what opened later is inside.
    placed = (cell > row) & (row > around) & (around != _NONE)
    full, wide = _repeated(cell, placed, table), _repeated(row, placed, table)
    is_data = np.zeros(len(table.elements), dtype=bool)
    is_data[around[wide]] = True
    is_data[around[full]] = False
    shown = placed & is_data[around]
    column = _rank_among_siblings(table, cell)
    return Cells(*(np.where(shown, values, _NONE) for values in (around, row, column)))


def _repeated(element: Ints, placed: Bools, table: BlockTable) -> Bools:
    """Which placed paragraphs share their element with another."""
    count = np.bincount(element[placed], minlength=len(table.elements))
    return placed & (count[element] > 1)


def _rank_among_siblings(table: BlockTable, cell: Ints) -> Ints:
    """Position of each table cell among the cells of the same parent."""
    cells = np.flatnonzero(member_mask(_CELLS)[table.elements.tag])
    parent = table.elements.parent[cells]
    order = np.argsort(parent, kind="stable")
    new = np.flatnonzero(np.diff(parent[order], prepend=-1))
    rank = np.empty(len(table.elements), dtype=np.int64)
    rank[cells[order]] = np.arange(len(cells)) - np.repeat(new, np.diff(new, append=len(cells)))
    return rank[cell]
