"""The inline content of paragraphs: how text is set, links, images, formulas, marks of notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from victor.arrays import Ints
from victor.document.images import Image
from victor.document.model import Break, Inline, Mark, Math, NoteMark, Picture, Text
from victor.document.notes import Notes
from victor.document.shown import Shown
from victor.document.source import Source
from victor.page.texts import text_of

_NAMES: Final = {
    Mark.STRONG: frozenset({"b", "strong"}),
    Mark.EMPHASIS: frozenset({"i", "em"}),
    Mark.DELETED: frozenset({"del", "s", "strike"}),
    Mark.SUBSCRIPT: frozenset({"sub"}),
    Mark.SUPERSCRIPT: frozenset({"sup"}),
    Mark.CODE: frozenset({"code", "kbd", "samp", "tt"}),
}


class Inlines:
    """Makes the inline content of the paragraphs of one page.

    Args:
        source: the page.
        notes: its footnotes.
        shown: what is to be shown.
    """

    def __init__(self, source: Source, notes: Notes, shown: Shown) -> None:
        self._source, self._notes, self._shown = source, notes, shown
        self.links: list[str] = []
        self._numbers: dict[int, int] = {}

    def of(self, paragraph: int, images: Sequence[Image]) -> list[Inline]:
        """Content of a paragraph of text with the images in it."""
        pieces = [*self._pieces(paragraph, images)]
        while pieces and _is_blank(pieces[-1]):
            pieces.pop()
        return pieces

    def picture(self, image: Image) -> Picture:
        """An image as inline content."""
        tags = self._source.table.tags
        element = int(tags.element[image.tag])
        # Where alternative texts are text of the page, this one is shown as such.
        alternative = "" if tags.step[image.tag] else image.attributes.get("alt", "")
        return Picture(
            image.source,
            " ".join(alternative.split()),
            " ".join(image.attributes.get("title", "").split()),
            self._link(int(self._anchors[element])),
        )

    def _pieces(self, paragraph: int, images: Sequence[Image]) -> Iterator[Inline]:
        segments = self._segments(paragraph)
        pending = [*reversed(images)]
        last = -1
        for segment in segments.tolist():
            tag = int(self._source.table.segments.tag[segment])
            gap = self._gap(last, segment) if last >= 0 else None
            if gap is not None:
                yield gap
            before = len(pending)
            while pending and pending[-1].tag <= tag:
                yield self.picture(pending.pop())
            if len(pending) < before and (gap is not None or self._begins_with_space(segment)):
                yield Text(" ")
            yield from self._text(segment)
            last = segment
        if pending and last >= 0:
            yield Text(" ")
        yield from (self.picture(image) for image in reversed(pending))

    def _begins_with_space(self, segment: int) -> bool:
        """Is there white space between a tag and the segment after it."""
        table = self._source.table
        return bool(
            table.segments.start[segment] > table.tags.text_start[table.segments.tag[segment]]
        )

    def _segments(self, paragraph: int) -> Ints:
        columns = self._source.paragraphs
        blocks = columns.blocks[columns.starts[paragraph] : columns.starts[paragraph + 1]]
        starts = columns.table.segment_starts
        rows = np.concatenate([np.arange(starts[b], starts[b + 1]) for b in blocks.tolist()])
        formulas = columns.formulas
        return rows if formulas is None else rows[~formulas.hidden[rows]]

    def _gap(self, last: int, segment: int) -> Inline | None:
        """What stands between two segments of a paragraph."""
        table, n_breaks = self._source.table, self._source.n_breaks
        tags = table.segments.tag
        if n_breaks[tags[segment]] > n_breaks[tags[last]]:
            return Break()
        before = segment - 1
        is_apart = table.segments.start[segment] > table.segments.end[before]
        if not is_apart and (before == last or self._is_hidden(before)):
            return None
        # White space is set as the innermost element around both sides of it is.
        element, elements = int(table.segment_element[last]), table.elements
        while elements.close[element] <= tags[segment]:
            element = int(elements.parent[element])
        return Text(" ", self._marks[element], self._link(int(self._anchors[element])))

    def _is_hidden(self, segment: int) -> bool:
        """Does a segment draw a formula another time."""
        formulas = self._source.paragraphs.formulas
        return formulas is not None and bool(formulas.hidden[segment])

    def _text(self, segment: int) -> Iterator[Inline]:
        columns, table = self._source.paragraphs, self._source.table
        formula = None if columns.formulas is None else columns.formulas.tex.get(segment)
        if formula is not None:
            yield Math(formula.source, formula.display)
            return
        if segment in self._notes.marks:
            yield NoteMark(self._notes.marks[segment])
            return
        text = text_of(table.chars[table.segments.start[segment] : table.segments.end[segment]])
        if segment in self._notes.backlinks:
            return
        link = self._link(int(self._anchors[table.segment_element[segment]]))
        # A sign without a letter, such as that of a permanent link, leads nowhere worth going.
        marks = self._marks[int(table.segment_element[segment])]
        yield Text(text, marks, link if any(map(str.isalnum, text)) else -1)

    @cached_property
    def _marks(self) -> list[Mark]:
        """How the text of each element is set."""
        elements = self._source.table.elements
        values = np.zeros(len(elements), dtype=np.int64)
        if self._shown.formatting:
            for mark, names in _NAMES.items():
                values |= np.where(elements.inside(names, np.arange(len(values))), int(mark), 0)
        known = {value: Mark(value) for value in np.unique(values).tolist()}
        return [known[value] for value in values.tolist()]

    @cached_property
    def _anchors(self) -> Ints:
        """(E,) the innermost ``<a>`` around each element, -1 for none."""
        if not self._shown.links:
            return np.full(len(self._source.table.elements), -1)
        return self._source.table.elements.innermost(frozenset({"a"}))

    def _link(self, anchor: int) -> int:
        """Number of the link of an ``<a>``, -1 if it leads nowhere."""
        if anchor < 0:
            return -1
        if anchor not in self._numbers:
            written = self._source.of_element(anchor).get("href", "")
            address = self._source.addresses.link(written) if written.strip() else ""
            self._numbers[anchor] = len(self.links) if address else -1
            if address:
                self.links.append(address)
        return self._numbers[anchor]


def _is_blank(inline: Inline) -> bool:
    return isinstance(inline, Break) or (isinstance(inline, Text) and inline.text.isspace())
