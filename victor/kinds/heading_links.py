"""Links that serve a heading and say none of it: ``[edit]`` of wikis, ``¶`` to its own place."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools
from victor.base.labels import OTHER
from victor.page.parsing.patterns import pattern
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_text
from victor.page.verdict.verdict import HEADING_LINK, Verdict

_MOST_PARTS: Final = 40
_WORDS: Final = r"[^\W\d_][^\d\[\]]*[^\W\d_]"  # two letters: [a] and [1] may be marks of notes
_LINK: Final = pattern(rf"(?P<sign>\W{{1,3}})|(?P<all>\[{_WORDS}\])|(?P<link>{_WORDS})")
_TEXT: Final = pattern(r"(?P<begin>\[)|(?P<end>\])|(?P<gap>[^\w\[\]]+)")
_BEFORE: Final = pattern("(?:s|a|b(?:lg?)+e)*")
_AFTER: Final = pattern("(?:s|a|e(?:g?l)+[bt])*")
_ALONE: Final = pattern("(?:s|a|b(?:lg?)+e)+")
"""Parts by the first letters of their names, from the end of a heading to its begin; x for others.
A text (t) may end with a bracket."""


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, at the ends of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    table, n_parts = verdict.table, np.diff(verdict.table.segment_starts)
    is_heading = (table.heading_level > 0) | table.blocks_inside(frozenset({"dt"}))
    if not verdict.by_model or not (is_heading := is_heading & verdict.kept).any():
        return verdict
    alone = _alone_beside(table, is_heading) & verdict.kept
    is_heading &= (n_parts > 1) & (n_parts <= _MOST_PARTS)
    if not (alone | is_heading).any():
        return verdict
    links = table.elements.innermost(frozenset({"a"}))[table.segment_element]
    links[table.segments_inside(frozenset({"sup"}))] = -1
    places, texts = np.zeros(len(table.tags.id), dtype=bool), dict[int, str]()
    for block in np.flatnonzero(is_heading).tolist():
        rows = range(*table.segment_starts[block : block + 2].tolist())
        parts = "".join([_part(table, row, links[row]) for row in rows])
        n_before = len(_BEFORE.match(parts)[0])  # type: ignore[index]
        n_after = len(_AFTER.match(parts[n_before:][::-1])[0])  # type: ignore[index]
        end = len(parts) - n_after
        if {*"xl"} & {*parts[n_before:end]} or "t" in parts[end:]:  # else nothing is left
            for row in (*rows[:n_before], *rows[end:]):
                tag = int(table.segments.tag[row])
                if parts[row - rows[0]] == "t":
                    texts[tag] = segment_text(table, row)[:-1].rstrip()
                else:
                    places[tag] = True
    labels = verdict.labels.copy()
    for block in np.flatnonzero(alone & (n_parts <= _MOST_PARTS)).tolist():
        rows = range(*table.segment_starts[block : block + 2].tolist())
        if _ALONE.fullmatch("".join([_part(table, row, links[row]) for row in rows])):
            labels[block] = OTHER
            places[table.segments.tag[rows]] = True
    return replace(verdict, labels=labels).without_parts(places, HEADING_LINK).with_texts(texts)


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


def _part(table: BlockTable, row: int, link: np.int64) -> str:
    """The letter of a part of a heading, given the link around it, -1 for none."""
    tags, elements = table.segments.tag, table.elements
    text = segment_text(table, row)
    if link < 0 and text.endswith("[") and text[-2:-1].isspace():
        return "t"
    match = _TEXT.fullmatch(text) if link < 0 else _LINK.fullmatch(text)
    part = match.lastgroup[0] if match and match.lastgroup else "x"
    inside = np.searchsorted(tags, (elements.open[link], elements.close[link]))
    if link >= 0 and inside[1] - inside[0] > 1:
        return "x"
    if part == "b" and row and table.segments.start[row] == table.segments.end[row - 1]:
        # Array[int] has no white space, and no element of its own around the brackets.
        own = [inner := table.segment_element[row], elements.parent[inner]]
        own = (elements.open[own] > tags[row - 1]) & (elements.close[own] > tags[row] + 2)
        return "b" if own.any() else "x"
    return part
