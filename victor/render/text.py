"""Plain text: one paragraph or heading a line, a blank line between.

The items of a list stand on consecutive lines, and so do the rows of a table of data, whose cells
a tab separates. A list item of several paragraphs has blank lines between them.
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
    own = paragraphs.page(page)
    for q in np.flatnonzero(paragraphs.cells.table[own] >= 0).tolist():
        texts[q] = texts[q].replace("\n", " ")
    out = texts[:1]
    for code, text in zip(_separators(paragraphs, own).tolist(), texts[1:], strict=True):
        out += (_SEPARATORS[code], text)
    out.append("\n")
    return "".join(out)


def _separators(paragraphs: Paragraphs, own: slice) -> Ints:
    """What stands between the paragraphs of a page, one less than there are."""
    cells, opens_item = paragraphs.cells, paragraphs.opens_item[own]
    outer, table, row = paragraphs.outer_list[own], cells.table[own], cells.row[own]
    next_item = opens_item[1:] & opens_item[:-1] & (outer[1:] == outer[:-1])
    same_table = (table[1:] == table[:-1]) & (table[1:] >= 0)
    code = np.where(next_item | same_table, _LINE, _BLANK_LINE)
    code[same_table & (row[1:] == row[:-1])] = _TAB
    return code
