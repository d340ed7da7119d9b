"""Footnotes: marks in the text, and the texts that they lead to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from victor.document.source import Source
from victor.page.start_tags import Attributes
from victor.page.tags import IDS
from victor.page.texts import text_of

_LABEL: Final = re.compile(r"[\[(]?(\w{1,4}|[*†‡§¶]{1,3})[\])]?\.?\Z")
_NAMES: Final = re.compile(r"(?:foot|end)?-?note|\bfn|reference|cite", re.IGNORECASE)
_HOLDERS: Final = frozenset({"li", "p", "div", "dd", "td", "aside", "section"})
"""Elements that hold the text of one note."""
_LONGEST: Final = 4_000
"""Characters of a note at most; a link in a sup may lead to a chapter, too."""


@dataclass(eq=False)
class Notes:
    """The footnotes of a page.

    Attributes:
        marks: label of the note that a segment refers to.
        texts: label of the note that an element holds.
        backlinks: segments that only lead back from a note.
    """

    marks: dict[int, str] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    backlinks: set[int] = field(default_factory=set)


def notes(source: Source) -> Notes:
    """The notes of which both the mark and the text are kept."""
    result = Notes()
    table = source.table
    anchors = table.elements.innermost(frozenset({"a"}))[table.segment_element]
    kept = source.paragraphs.kept_segments
    linked = np.flatnonzero((anchors >= 0) & kept)
    raised = table.segments_inside(frozenset({"sup"}))
    holders = table.elements.innermost(_HOLDERS)
    for segment in linked.tolist():
        attributes = source.of_element(int(anchors[segment]))
        target = attributes.get("href", "")
        if not target.startswith("#") or len(target) < 2:
            continue
        text = text_of(table.chars[table.segments.start[segment] : table.segments.end[segment]])
        match = _LABEL.match(text)
        if match and (raised[segment] or _is_note(attributes)):
            element = source.ids.get(target[1:], -1)
            holder = int(holders[element]) if element >= 0 else -1
            holder = holder if _is_text_of_note(source, holder, segment) else -1
            if holder >= 0:
                result.marks[segment] = _label(result, holder, match[1])
    _find_backlinks(source, result, linked.tolist(), anchors.tolist())
    return result


def _is_note(attributes: Attributes) -> bool:
    names = (attributes.get(name, "") for name in ("role", "class", "rel", "epub:type"))
    return any(_NAMES.search(name[:200]) for name in names)


def _is_text_of_note(source: Source, holder: int, mark: int) -> bool:
    """Is some of an element kept, not much, and after the mark that leads to it."""
    table = source.table
    if holder < 0 or table.elements.tag[holder] == IDS["td"]:
        return False
    span = table.elements.open[holder], table.elements.close[holder]
    first, last = np.searchsorted(table.segments.tag, span).tolist()
    if first >= last or mark >= first or not source.paragraphs.kept_segments[first:last].any():
        return False
    return int(table.segments.end[last - 1] - table.segments.start[first]) <= _LONGEST


def _label(result: Notes, holder: int, text: str) -> str:
    """Label of a note; two notes never have the same."""
    if holder not in result.texts:
        label = text if text.isalnum() else str(len(result.texts) + 1)
        taken = set(result.texts.values())
        while label in taken:
            label += "x"
        result.texts[holder] = label
    return result.texts[holder]


def _find_backlinks(source: Source, result: Notes, linked: list[int], anchors: list[int]) -> None:
    if not result.texts:
        return
    table = source.table
    holder = np.zeros(len(table.elements), dtype=bool)
    holder[list(result.texts)] = True
    inside = table.elements.nearest(holder)[table.segment_element] >= 0
    for segment in linked:
        if inside[segment] and source.of_element(anchors[segment]).get("href", "").startswith("#"):
            text = text_of(table.chars[table.segments.start[segment] : table.segments.end[segment]])
            if not any(map(str.isalnum, text)):
                result.backlinks.add(segment)
