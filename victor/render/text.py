"""Plain text: one paragraph or heading per line, separated by blank lines.

List items are on consecutive lines, and so are the rows of a data table, whose cells are separated
by tabs. The paragraphs of one list item are separated by blank lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from victor.base import core
from victor.base.arrays import Ints
from victor.page.verdict.paragraphs import Paragraphs
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.render.tree.ranges import Range

_BLANK_LINE, _LINE, _SPACE, _TAB = range(4)
"""Codes of separators; what is more than a tab is that many of them."""


def render(
    verdict: Verdict,
    page: int,
    *,
    bullets: bool = False,
    markup: bytes | None = None,
    **metadata: object,
) -> str:
    """Text of the kept blocks of a page, ended by a newline; empty if nothing is kept.

    Args:
        verdict: what is kept.
        page: number of the page in the batch.
        bullets: items of lists begin with ``- `` or their number, nested ones are indented.
        markup: the page as UTF-8 bytes, which may say what number a list begins with.
        metadata: not used.
    """
    if not bullets:
        text: str = core.compiled.page_text(*verdict.paragraphs.source(page))
        return text
    return "".join(parts(verdict, page, bullets=bullets, markup=markup))


def ranges(verdict: Verdict, page: int) -> list[Range | None]:
    """(n,) characters of every block in the text without bullets, None for one that is dropped."""
    from victor.render.tree.ranges import of_blocks  # few ask where blocks stand

    pieces = parts(verdict, page)
    ends = [*accumulate(map(len, pieces))]
    # A paragraph is followed by a separator.
    paragraphs = {
        number: (end - len(part), end)
        for number, (part, end) in enumerate(zip(pieces[::2], ends[::2], strict=True))
    }
    return of_blocks(verdict, page, "".join(pieces), paragraphs)


def parts(
    verdict: Verdict, page: int, *, bullets: bool = False, markup: bytes | None = None
) -> list[str]:
    """The kept paragraphs, each followed by what separates it from the next; none if none is."""
    paragraphs = verdict.paragraphs
    texts = paragraphs.texts(page)
    if not texts:
        return []
    span = paragraphs.page(page)
    cells = paragraphs.cells
    row_before = np.append(-1, cells.row[span][:-1])
    for q in np.flatnonzero(cells.table[span] >= 0).tolist():
        texts[q] = " ".join(texts[q].split())
        if cells.row[span][q] != row_before[q]:  # cells without text before it
            texts[q] = "\t" * int(cells.column[span][q]) + texts[q]
    for paragraph, mark in _marks(verdict, page, markup) if bullets else ():
        texts[paragraph] = mark + texts[paragraph]
    out = texts[:1]
    for code, text in zip(_separators(paragraphs, span).tolist(), texts[1:], strict=True):
        out += (_written(code), text)
    out.append("\n")
    return out


def _marks(verdict: Verdict, page: int, markup: bytes | None) -> Iterator[tuple[int, str]]:
    """Number of the first paragraph of every item, and the mark and indentation before it."""
    from victor.render.tree.build import tree  # text without bullets needs no tree
    from victor.render.tree.nodes import List, leaves

    pending: list[tuple[object, int]] = [(tree(verdict, page, markup=markup), 0)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, List):
            for item in node.children:
                first = next(leaves(item.children), None)
                if first is not None and first.number >= 0 and first is item.children[0]:
                    mark = f"{item.number}. " if node.is_ordered else "- "
                    yield first.number, "  " * depth + mark
        inner = depth + isinstance(node, List)
        pending += ((child, inner) for child in reversed(getattr(node, "children", ())))


def _written(code: int) -> str:
    return ("\n\n", "\n", " ")[code] if code < _TAB else "\t" * (code - _TAB + 1)


def _separators(paragraphs: Paragraphs, span: slice) -> Ints:
    """Codes of the separators between the paragraphs of a page, one fewer than paragraphs."""
    cells, opens_item = paragraphs.cells, paragraphs.opens_item[span]
    outer, table, row = paragraphs.outer_list[span], cells.table[span], cells.row[span]
    next_item = opens_item[1:] & opens_item[:-1] & (outer[1:] == outer[:-1])
    same_table = (table[1:] == table[:-1]) & (table[1:] >= 0)
    code = np.where(next_item | same_table, _LINE, _BLANK_LINE)
    same_row = same_table & (row[1:] == row[:-1])
    n_columns = np.diff(cells.column[span])
    # Cells without text leave a tab each, so that columns stay columns.
    code[same_row] = _TAB + np.maximum(n_columns, 1)[same_row] - 1
    same_cell = same_row & (cells.cell[span][1:] == cells.cell[span][:-1])
    code[same_cell] = _SPACE
    return code
