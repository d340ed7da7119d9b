"""Where notes stand that links lead to: in an element, from one to the next, in a paragraph."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from victor.page.parsing.tags import HEADINGS
from victor.render.tree.notes.links import Link
from victor.render.tree.notes.places import Extent, Places, label_of

LONGEST: Final = 4_000
"""Characters of a note at most; a link in a sup may lead to a chapter, too."""
_HIGHEST: Final = 3
"""Elements around a number alone among which its note is looked for."""
_MOST_SEGMENTS: Final = 9
"""Runs of text of a number alone, at most."""
_BOUNDS: Final = frozenset(HEADINGS) | {"hr"}
_ENTRIES: Final = frozenset({"li", "dd", "td", "th", "blockquote"})
"""Elements that end with the note."""
_NO_NOTES: Final = frozenset({"td", "th", "ol", "ul", "dl", "table"})
_HEADS: Final = frozenset(HEADINGS) | {"dt"}
"""Elements that may hold the number of the note that follows them."""


def extents(places: Places, marks: Sequence[Link]) -> dict[int, Extent]:
    """Where the notes stand that some marks lead to, by target; only those with kept text."""
    targets = sorted({link.target for link in marks}, key=lambda each: places.rows.open[each])
    if not targets:
        return {}
    last_mark = max(places.rows.open[link.element] for link in marks)
    reader = _Reader(places, targets, last_mark, {label_of(link.text) for link in marks})
    found = {target: reader.extent(row) for row, target in enumerate(targets)}
    return {target: extent for target, extent in found.items() if is_note(places, extent)}


def is_note(places: Places, extent: Extent) -> bool:
    """Is there kept text in an extent, with a letter or number, no heading, and not too much."""
    segments = places.segments(extent)
    if not segments or places.is_title(places.paragraph(segments[0])):
        return False
    table = places.source.table
    if any(
        not label_of(places.text(places.segments(places.extent(each))))
        for each in _headings(places, extent)
    ):
        return False
    size = int(table.segments.end[segments[-1]] - table.segments.start[segments[0]])
    return size <= LONGEST and any(map(str.isalnum, places.text(segments)))


def _headings(places: Places, extent: Extent) -> list[int]:
    """The headings in an extent."""
    elements = places.source.table.tags.element
    return [int(elements[tag]) for tag in places.opening(frozenset(HEADINGS), *extent)]


class _Reader:
    """Reads the extents of notes.

    Args:
        places: the page.
        targets: what marks lead to, in order.
        last_mark: start tag of the last mark.
        labels: of all marks.
    """

    def __init__(
        self, places: Places, targets: Sequence[int], last_mark: int, labels: set[str]
    ) -> None:
        self._places, self._rows, self._targets = places, places.rows, targets
        self._opens = [places.rows.open[target] for target in targets]
        self._last_mark, self._labels = last_mark, labels
        self._blocks = [self._block(target) for target in targets]

    def extent(self, row: int) -> Extent:
        """Where the note of a target stands."""
        places, target, block = self._places, self._targets[row], self._blocks[row]
        if places.name(block) in _NO_NOTES:
            return Extent(0, 0)
        whole = places.extent(block)
        if self._n_targets(block) > 1:
            stop = min(self._next_open(row), whole.stop)
            return Extent(self._opens[row], stop) if target != block else Extent(0, 0)
        if self._is_label(block):
            return Extent(whole.start, self._until_next(row))
        if places.name(block) in _HEADS:
            return Extent(0, 0)
        if places.name(block) in _ENTRIES:
            return whole
        return Extent(whole.start, self._continued(row, whole.stop))

    def _block(self, target: int) -> int:
        """The element that holds a note, or only its number if the note follows."""
        places, rows = self._places, self._rows
        block = places.block(target)
        for _ in range(_HIGHEST):
            above = places.block(rows.parent[block])
            if (
                places.name(block) in _HEADS
                or not self._is_label(block)
                or self._n_targets(above) > 1
                or above == block
            ):
                break
            block = above
        return block

    def _is_label(self, block: int) -> bool:
        """Is there no more in an element than the number or sign of a mark."""
        text = self._places.all_text(self._places.extent(block), _MOST_SEGMENTS)
        return not any(map(str.isalnum, text)) or label_of(text) in self._labels

    def _n_targets(self, element: int) -> int:
        start, stop = self._places.extent(element)
        return bisect_left(self._opens, stop) - bisect_left(self._opens, start)

    def _next_open(self, row: int) -> int:
        return self._opens[row + 1] if row + 1 < len(self._opens) else self._rows.close[0]

    def _until_next(self, row: int) -> int:
        """Where a note ends that follows its number: at the next one, a heading or a line."""
        places, rows, block = self._places, self._rows, self._blocks[row]
        above = rows.close[rows.parent[block]]
        after = rows.close[block] + 1
        if row + 1 < len(self._blocks):
            above = min(above, rows.open[self._blocks[row + 1]])
        tags = places.source.table.tags
        bounds = places.opening(_BOUNDS, after, above)
        stop = bounds[0] if bounds else above
        if row + 1 == len(self._blocks):  # nothing says how many paragraphs the last one has
            text = places.segments((after, stop))
            first = int(tags.element[rows.segment_tag[text[0]]]) if text else block
            stop = min(stop, rows.close[places.block(first)])
        return stop

    def _continued(self, row: int, stop: int) -> int:
        """Where a note in a paragraph ends: before the next one if they are siblings."""
        if row + 1 == len(self._blocks) or self._opens[0] < self._last_mark:
            return stop
        block, after = self._blocks[row], self._blocks[row + 1]
        start = self._rows.open[after]
        if self._rows.parent[block] != self._rows.parent[after]:
            return stop
        return stop if self._places.opening(_BOUNDS, stop, start) else start
