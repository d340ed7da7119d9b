"""Plain text: one paragraph or heading per line, separated by blank lines.

List items are on consecutive lines, and so are the rows of a data table, whose cells are separated
by tabs. The paragraphs of one list item are separated by blank lines.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.arrays import Ints
from victor.page.paragraphs import Paragraphs
from victor.page.verdict import Verdict

_SEPARATORS: Final = ("\n\n", "\n", "\t")
_BLANK_LINE, _LINE, _TAB = range(3)


def render(verdict: Verdict, page: int, **metadata: object) -> str:
    """Text of the kept blocks of a page, ended by a newline; empty if nothing is kept."""
    paragraphs = verdict.paragraphs
    texts = paragraphs.texts(page)
    if not texts:
        return ""
    span = paragraphs.page(page)
    for q in np.flatnonzero(paragraphs.cells.table[span] >= 0).tolist():
        texts[q] = texts[q].replace("\n", " ")
    out = texts[:1]
    for code, text in zip(_separators(paragraphs, span).tolist(), texts[1:], strict=True):
        out += (_SEPARATORS[code], text)
    out.append("\n")
    return "".join(out)


def _separators(paragraphs: Paragraphs, span: slice) -> Ints:
    """Codes of the separators between the paragraphs of a page, one fewer than paragraphs."""
    cells, opens_item = paragraphs.cells, paragraphs.opens_item[span]
    outer, table, row = paragraphs.outer_list[span], cells.table[span], cells.row[span]
    next_item = opens_item[1:] & opens_item[:-1] & (outer[1:] == outer[:-1])
    same_table = (table[1:] == table[:-1]) & (table[1:] >= 0)
    code = np.where(next_item | same_table, _LINE, _BLANK_LINE)
    code[same_table & (row[1:] == row[:-1])] = _TAB
    return code
