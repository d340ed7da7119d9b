"""The format of the CleanEval shared task: one marked line per paragraph, as in Victor 2008.

``<h>`` marks a header, ``<l>`` a list item, ``<p>`` any other paragraph; further blocks of a
paragraph follow without a mark. ``&``, ``<`` and ``>`` of the text are entities: whoever takes all
tags away (``<[^>]*>``, as scorers of the task do) takes the marks alone. Headers are those of the
labeler; source tags, punctuation and size tell of others: short paragraphs in bold without an end
mark.

Source: Saralegi and Leturia (2007), Kimatu, section 3.4, for the choice of the mark.
"""

from __future__ import annotations

from html import escape
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, window_sums
from victor.base.labels import Label
from victor.page.parsing import characters as ch
from victor.page.plain_data import xml_text
from victor.page.table.blocks import BlockTable
from victor.page.verdict.paragraphs import Paragraphs
from victor.render.forms import Page

_BOLD: Final = frozenset({"b", "strong", "big"})
_MOST_WORDS: Final = 12
"""Longer paragraphs in bold are text; hardly any header that we have seen is longer."""


def render(page: Page) -> str:
    """The kept blocks of a page, after a ``URL:`` line if the address is known."""
    verdict, url, paragraphs = page.verdict, page.url, page.verdict.paragraphs
    span = paragraphs.page(page.number)
    lines = [] if url is None else [f"URL: {' '.join(xml_text(url).split())}"]
    is_header = verdict.labels[paragraphs.first_block[span]] == Label.HEADER
    columns = zip(
        (is_header | bold_headers(paragraphs, span)).tolist(),
        paragraphs.opens_item[span].tolist(),
        paragraphs.texts(page.number),
        strict=True,
    )
    for marks_header, opens_item, text in verdict.table.allowance.over(columns):
        mark = "h" if marks_header else "l" if opens_item else "p"
        lines.append(f"<{mark}>{escape(' '.join(text.split()), quote=False)}")
    return "".join(line + "\n" for line in lines)


def bold_headers(paragraphs: Paragraphs, span: slice) -> Bools:
    """(q,) bool; are some paragraphs short, bold throughout, and without a mark at their end.

    Those of list items, of cells of data tables and those that are links are not: there such a
    text is a term, a column name, or the title of another page.
    """
    table = paragraphs.table
    bounds = paragraphs.starts[span.start : span.stop + 1]
    blocks = paragraphs.blocks[bounds[0] : bounds[-1]]
    starts = (bounds - bounds[0])[:-1]
    if not len(starts):
        return np.zeros(0, dtype=bool)
    words, bold, linked = (
        np.add.reduceat(counts, starts)
        for counts in (table.words[blocks], _bold_words(table, blocks), table.link_words[blocks])
    )
    last = ch.class_table()[table.chars[table.end[paragraphs.blocks[bounds[1:] - 1]] - 1]]
    is_marked = (last == ch.SENTENCE_END) | (last == ch.PUNCTUATION)
    is_plain = (paragraphs.item[span] < 0) & (paragraphs.cells.table[span] < 0)
    is_bold = (bold == words) & (linked < words)
    return np.asarray(is_plain & (words <= _MOST_WORDS) & is_bold & ~is_marked)


def _bold_words(table: BlockTable, blocks: Ints) -> Ints:
    """(k,) words in bold of k ascending blocks; of the batch only what lies between is read."""
    bounds = table.segment_starts[blocks[0] : blocks[-1] + 2]
    segments = slice(int(bounds[0]), int(bounds[-1]))
    is_bold = table.elements.inside(_BOLD, table.segment_element[segments])
    words = window_sums(table.segment_words[segments] * is_bold, bounds - bounds[0])
    return np.asarray(words[blocks - blocks[0]])
