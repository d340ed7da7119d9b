"""Links that serve a heading and say none of it: ``[edit]`` of wikis, ``¶`` to its own place."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.page.parsing import characters as ch
from victor.page.parsing.patterns import pattern
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of
from victor.page.verdict.verdict import HEADING_LINK, Verdict

_MOST_PARTS: Final = 40
_LONGEST: Final = 80
_SIGN: Final = pattern(r"\W{1,3}|\[[^\W\d_][^\d\[\]]*[^\W\d_]\]")
"""Two letters in brackets at least: [a] and [1] may be marks of notes."""


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    table = verdict.table
    is_heading = (table.heading_level > 0) | table.blocks_inside(frozenset({"dt"}))
    if not verdict.by_model or not (is_heading := is_heading & verdict.kept).any():
        return verdict
    is_alone = _alone_beside(table, is_heading) & verdict.kept
    is_small = (table.end > table.start) & (np.diff(table.segment_starts) <= _MOST_PARTS)
    chosen = np.flatnonzero((is_alone | is_heading) & is_small)
    ends = ch.class_table()[table.chars[[table.start[chosen], table.end[chosen] - 1]]]
    chosen = chosen[((ends < ch.LOWER) | (ends > ch.OTHER_WORD)).any(axis=0)]
    if not len(chosen):  # most begin and end with letters
        return verdict
    links = table.elements.innermost(frozenset({"a"}))
    linked = (links >= 0)[table.segment_element] & ~table.segments_inside(frozenset({"sup"}))
    gone = np.zeros(len(linked), dtype=bool)
    for block in chosen.tolist():
        start, stop = first, last = table.segment_starts[block : block + 2].tolist()
        while first < last and (link := _link_at(table, last - 1, links, linked)):
            last = link.start
        while first < last and (link := _link_at(table, first, links, linked)):
            first = link.stop
        if is_alone[block] == (first >= last):  # something is left of a heading
            gone[[*range(start, first), *range(last, stop)]] = True
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict


def _alone_beside(table: BlockTable, is_heading: Bools) -> Bools:
    """(n,) which blocks are all that stands in one element with a heading."""
    headings = np.flatnonzero(is_heading)
    around = table.elements.parent[table.container[headings]]
    first = np.searchsorted(table.tag, table.elements.open[around])
    last = np.searchsorted(table.tag, table.elements.close[around]) - 1
    alone = np.zeros(len(table), dtype=bool)
    pairs = last - first == 1
    alone[first[pairs]] = alone[last[pairs]] = True
    return alone & ~is_heading


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
