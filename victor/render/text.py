"""Plain text: one paragraph or heading per line, separated by blank lines.

List items are on consecutive lines, and so are the rows of a data table, whose cells are separated
by tabs. The paragraphs of one list item are separated by blank lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.base import core
from victor.base.arrays import Ints
from victor.page.table.texts import block_texts
from victor.page.verdict.paragraphs import Paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page

if TYPE_CHECKING:
    from victor.render.forms import Range

_MOST_MISSING: Final = 50
"""Blocks that are looked for in all of their paragraph, though others stand otherwise in it."""
_NEAR: Final = 2_000  # characters in which those behind so many are looked for
_NO_MARKS: Final[Mapping[int, str]] = {}

_BLANK_LINE, _LINE, _SPACE, _TAB = range(4)
"""Codes of separators; what is more than a tab is that many of them."""


def render(page: Page, *, bullets: bool = False) -> str:
    """Text of the kept blocks of a page, ended by a newline; empty if nothing is kept.

    Args:
        page: its markup may say what number a list begins with.
        bullets: items of lists begin with ``- `` or their number, nested ones are indented.
    """
    if not bullets:
        return plain_text(page.verdict, page.number)
    return "".join(parts(page.verdict, page.number, _marks(page)))


def plain_text(verdict: Verdict, page: int) -> str:
    """The text of a page, given its number, without bullets."""
    text = verdict.plain_text(page)
    return text_of_paragraphs(verdict, page) if text is None else text


def text_of_paragraphs(verdict: Verdict, page: int) -> str:
    """What `plain_text` gives, of any page."""
    text: str = core.compiled.page_text(*verdict.paragraphs.source(page))
    return text


def native(page: Page) -> str:
    """A page in the form that the authors of the labeler describe; plain text if there is none.

    Raises:
        ConfigError: the labeler writes HTML and there is no markup.
    """
    verdict = page.verdict
    if verdict.native is None:
        return plain_text(verdict, page.number)
    return verdict.native(verdict, page.number, page.markup)


def ranges(verdict: Verdict, page: int) -> list[Range | None]:
    """(n,) characters of every block in `plain_text`, None for one that is dropped."""
    pieces = parts(verdict, page)
    ends = [*accumulate(map(len, pieces))]
    # A paragraph is followed by a separator.
    paragraphs = {
        number: (end - len(part), end)
        for number, (part, end) in enumerate(zip(pieces[::2], ends[::2], strict=True))
    }
    return _of_blocks(verdict, page, "".join(pieces), paragraphs)


def _of_blocks(
    verdict: Verdict, page: int, text: str, paragraphs: Mapping[int, Range]
) -> list[Range | None]:
    """(n,) the range of every block of a page, None for one that is not written.

    A block that stands otherwise in its paragraph, such as another drawing of a formula, has the
    range of that.

    Args:
        verdict: of the page.
        page: its number in the batch.
        text: as written.
        paragraphs: ranges of the paragraphs of the page, by their number on it.
    """
    columns, span = verdict.paragraphs, verdict.page(page)
    result: list[Range | None] = [None] * (span.stop - span.start)
    of_page = columns.page(page)
    first, start_of_page = of_page.start, int(columns.starts[of_page.start])
    written = columns.blocks[start_of_page : int(columns.starts[of_page.stop])]
    pieces = block_texts(columns.table, written)
    for number, (start, end) in paragraphs.items():
        rows = slice(
            *(columns.starts[first + number : first + number + 2] - start_of_page).tolist()
        )
        at, n_missing = start, 0
        for block, piece in zip(written[rows].tolist(), pieces[rows], strict=True):
            until = end if n_missing < _MOST_MISSING else min(end, at + len(piece) + _NEAR)
            begin, length = _position(text, piece, at, until) if piece else (-1, 0)
            n_missing += begin < 0
            result[block - span.start] = (begin, begin + length) if begin >= 0 else (start, end)
            at = begin + length if begin >= 0 else at
    return result


def _position(text: str, piece: str, start: int, end: int) -> tuple[int, int]:
    """Start and length of a piece in a part of a text, as it is or on one line; -1 if absent."""
    for form in (piece, " ".join(piece.split())):
        position = text.find(form, start, end)
        if position >= 0:
            return position, len(form)
    return -1, 0


def parts(verdict: Verdict, page: int, marks: Mapping[int, str] = _NO_MARKS) -> list[str]:
    """The kept paragraphs, each followed by what separates it from the next; none if none is.

    Args:
        verdict: what is kept.
        page: number of the page in the batch.
        marks: what stands before some paragraphs.
    """
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
    for paragraph, mark in marks.items():
        texts[paragraph] = mark + texts[paragraph]
    out = texts[:1]
    for code, text in zip(_separators(paragraphs, span).tolist(), texts[1:], strict=True):
        out += (_written(code), text)
    out.append("\n")
    return out


def _marks(page: Page) -> dict[int, str]:
    """The mark and the indentation of every item, by its first paragraph."""
    from victor.render.tree.nodes import Code, List, Paragraph  # text without them needs no tree

    marks: dict[int, str] = {}
    pending: list[tuple[object, int]] = [(page.tree, 0)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, List):
            for item in node.children:
                first = item.children[0]
                if isinstance(first, Paragraph | Code) and first.number >= 0:
                    mark = f"{item.number}. " if node.is_ordered else "- "
                    marks[first.number] = "  " * depth + mark
        inner = depth + isinstance(node, List)
        pending += ((child, inner) for child in getattr(node, "children", ()))
    return marks


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
