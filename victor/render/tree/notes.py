"""Footnotes: marks in the text, and the texts that they lead to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from victor.page.markup.start_tags import Attributes
from victor.page.parsing.tags import IDS
from victor.render.tree.source import Source

_LABEL: Final = re.compile(r"[\[(]?(\w{1,4}|[*†‡§¶]{1,3})[\])]?\.?\Z")
_NAMES: Final = re.compile(r"(?:foot|end)?-?note|\bfn|reference|cite", re.IGNORECASE)
_HOLDERS: Final = frozenset({"li", "p", "div", "dd", "td", "aside", "section"})
"""Elements that hold the text of one note."""
_SAME: Final = 8
"""Notes of one label that letters tell apart; for more these would be long, so numbers do."""
_LONGEST: Final = 4_000
"""Characters of a note at most; a link in a sup may lead to a chapter, too."""


@dataclass(eq=False)
class Notes:
    """The footnotes of a page.

    Attributes:
        marks: label of the note that a segment refers to.
        texts: label of the note that an element holds.
        backlinks: segments that only lead back from a note.
        used: all labels.
    """

    marks: dict[int, str] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    backlinks: set[int] = field(default_factory=set)
    used: set[str] = field(default_factory=set)


def notes(source: Source) -> Notes:
    """The notes of which both the mark and the text are kept."""
    result = Notes()
    table = source.table
    anchors = source.anchors[table.segment_element]
    linked = np.flatnonzero((anchors >= 0) & source.paragraphs.kept_segments)
    targets = {
        anchor: attributes
        for anchor in np.unique(anchors[linked]).tolist()
        if (attributes := source.of_element(anchor)).get("href", "")[:1] == "#"
    }
    if not targets:
        return result
    within = [
        (segment, targets[anchor])
        for segment, anchor in zip(linked.tolist(), anchors[linked].tolist(), strict=True)
        if anchor in targets
    ]
    raised = table.segments_inside(frozenset({"sup"}))
    holders = table.elements.innermost(_HOLDERS)
    n_kept = [0, *np.cumsum(source.paragraphs.kept_segments).tolist()]
    for segment, attributes in within:
        match = _LABEL.match(source.rows.text(segment))
        if match and (raised[segment] or _is_note(attributes)):
            element = source.ids.get(attributes["href"][1:], -1)
            holder = int(holders[element]) if element >= 0 else -1
            if _is_text_of_note(source, holder, segment, n_kept):
                result.marks[segment] = _label(result, holder, match[1])
    _find_backlinks(source, result, [segment for segment, _ in within])
    return result


def _is_note(attributes: Attributes) -> bool:
    names = (attributes.get(name, "") for name in ("role", "class", "rel", "epub:type"))
    return any(_NAMES.search(name[:200]) for name in names)


def _is_text_of_note(source: Source, holder: int, mark: int, n_kept: Sequence[int]) -> bool:
    """Is some of an element kept, not much, and after the mark that leads to it."""
    table = source.table
    if holder < 0 or table.elements.tag[holder] == IDS["td"]:
        return False
    rows = source.rows
    first = bisect_left(rows.segment_tag, rows.open[holder])
    last = bisect_left(rows.segment_tag, rows.close[holder])
    if first >= last or mark >= first or n_kept[first] == n_kept[last]:
        return False
    return int(table.segments.end[last - 1] - table.segments.start[first]) <= _LONGEST


def _label(result: Notes, holder: int, text: str) -> str:
    """Label of a note; two notes never have the same."""
    if holder not in result.texts:
        first = text if text.isalnum() else str(len(result.texts) + 1)
        labels = (first + "x" * count for count in range(_SAME))
        serial = f"{first}{'x' * _SAME}{len(result.texts) + 1}"
        label = next((label for label in labels if label not in result.used), serial)
        result.used.add(label)
        result.texts[holder] = label
    return result.texts[holder]


def _find_backlinks(source: Source, result: Notes, within: Sequence[int]) -> None:
    """Find which of the links within the page only lead back."""
    if not result.texts:
        return
    table = source.table
    holder = np.zeros(len(table.elements), dtype=bool)
    holder[list(result.texts)] = True
    inside = table.elements.nearest(holder)[table.segment_element] >= 0
    for segment in within:
        if inside[segment] and not any(map(str.isalnum, source.rows.text(segment))):
            result.backlinks.add(segment)
