"""Links that serve a heading and say none of it: ``[edit]`` of wikis, ``¶`` to its own place."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Ints, unchanging
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of
from victor.page.verdict.verdict import HEADING_LINK, Verdict

TERM_AND_LINK: Final = unchanging(np.array([IDS["dt"], IDS["a"]]))
_BESIDE: Final = 2
"""What the core says of a block that stands alone beside a heading."""
_LONGEST: Final = 80
_SIGN: Final = pattern(r"\W{1,3}|\[[^\W\d_][^\d\[\]]*[^\W\d_]\]")
"""Two letters in brackets at least: [a] and [1] may be marks of notes."""


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    table = verdict.table
    if not verdict.by_model:
        return verdict
    inputs = verdict.labels, TERM_AND_LINK
    memory = core.compiled.judge("heading_links", table.batch, inputs)
    kinds = core.array(memory, np.uint8)
    if not len(chosen := np.flatnonzero(kinds)):  # as on most pages
        return verdict
    links = table.elements.innermost(frozenset({"a"}))
    linked = (links >= 0)[table.segment_element] & ~table.segments_inside(frozenset({"sup"}))
    gone = np.zeros(len(linked), dtype=bool)
    for block, is_beside in zip(chosen.tolist(), (kinds[chosen] == _BESIDE).tolist(), strict=True):
        start, stop = first, last = table.segment_starts[block : block + 2].tolist()
        while first < last and (link := _link_at(table, last - 1, links, linked)):
            last = link.start
        while first < last and (link := _link_at(table, first, links, linked)):
            first = link.stop
        if is_beside == (first >= last):  # something is left of a heading
            gone[[*range(start, first), *range(last, stop)]] = True
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict


def _link_at(table: BlockTable, row: int, links: Ints, linked: Bools) -> range | None:
    """The segments of the element around one that is such a link, all of its words linked.

    Args:
        table: the blocks.
        row: the segment.
        links: (E,) the link that each element is or stands in, -1 for none.
        linked: (S,) does each segment stand in one.
    """
    elements, segments = table.elements, table.segments
    element, box = table.segment_element[row], table.container[table.block_of_segment[row]]
    link = links[element]
    element = element if link < 0 else link
    while True:
        tags = elements.open[element], elements.close[element]
        rows = range(*np.searchsorted(segments.tag, tags).tolist())
        start, end = segments.start[rows[0]], segments.end[rows[-1]]
        if end - start > _LONGEST:
            return None
        text, in_link = text_of(table.chars[start:end]).strip(), linked[rows]
        words = table.segment_words[rows]
        if _SIGN.fullmatch(text) and in_link[words > 0].all() and in_link.any():
            return rows if words.any() or in_link.all() else None
        if element <= box:  # the link may be around the box
            return None
        element = elements.parent[element]
