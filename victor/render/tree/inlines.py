"""The inline content of paragraphs: how text is set, links, images, formulas, marks of notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base.cached import cached_property
from victor.page.parsing.tags import IDS
from victor.render.options import Shown
from victor.render.tree.images import Image
from victor.render.tree.nodes import UNSET, Break, Inline, Mark, Math, NoteMark, Picture, Text
from victor.render.tree.notes import Notes
from victor.render.tree.rows import viewed
from victor.render.tree.source import Source
from victor.render.tree.typed_formulas import may_type, with_formulas

_NAMES: Final = {
    Mark.STRONG: frozenset({"b", "strong"}),
    Mark.EMPHASIS: frozenset({"i", "em"}),
    Mark.DELETED: frozenset({"del", "s", "strike"}),
    Mark.SUBSCRIPT: frozenset({"sub"}),
    Mark.SUPERSCRIPT: frozenset({"sup"}),
    Mark.CODE: frozenset({"code", "kbd", "samp", "tt"}),
}


def _masks(names: frozenset[str]) -> tuple[int, int]:
    """Bits of some names as `victor.page.table.blocks.Elements.around` has them."""
    ids = [IDS[name] for name in names]
    first, second = (sum(1 << (tag & 63) for tag in ids if tag >> 6 == half) for half in (0, 1))
    return first, second


_MASKS: Final = {mark: _masks(names) for mark, names in _NAMES.items()}
_ANY: Final = _masks(frozenset[str]().union(*_NAMES.values()))


class Inlines:
    """Makes the inline content of the paragraphs of one page.

    Args:
        source: the page.
        notes: its footnotes.
        shown: what is to be shown.
    """

    def __init__(self, source: Source, notes: Notes, shown: Shown) -> None:
        self._source, self._notes, self._shown = source, notes, shown
        self._has_notes = bool(notes.marks)
        self._rows, self._formulas = source.rows, source.paragraphs.formulas
        self._blocks = source.paragraphs.blocks.tolist()
        self._starts = source.paragraphs.starts.tolist()
        self.links: list[str] = []
        self.may_have_math = self._formulas is not None
        self._numbers: dict[int, int] = {}
        self._settings: dict[int, tuple[Mark, int]] = {}
        self._known_marks: dict[tuple[int, int], Mark] = {}

    def of(self, paragraph: int, images: Sequence[Image]) -> list[Inline]:
        """Content of a paragraph of text with the images in it."""
        lone = -1 if images else self._lone[paragraph]
        if lone >= 0 and not (text := self._rows.text(lone)).isspace():
            return self._typed([Text(text)])
        if images or self._has_notes or self._formulas is not None:
            return self._finished(self._pieces(self._segments(paragraph), images))
        segments = self._all_segments(paragraph)
        runs = self._runs(segments)
        return self._typed(runs) if runs else self._finished(self._pieces(segments, ()))

    @cached_property
    def _lone(self) -> Sequence[int]:
        """(Q,) the segment that is all of a paragraph and that nothing marks, -1 if none is."""
        table, paragraphs = self._source.table, self._source.paragraphs
        if self._has_notes or self._formulas is not None:
            return [-1] * len(paragraphs.pre)
        first, last = paragraphs.first_block, paragraphs.blocks[paragraphs.starts[1:] - 1]
        segments = table.segment_starts[first]
        is_lone = (first == last) & (table.segment_starts[first + 1] == segments + 1)
        elements = table.segment_element[segments]
        if self._shown.links:
            is_lone &= self._source.anchors[elements] < 0
        if self._shown.formatting:
            around = table.elements.around[:, elements]
            is_lone &= ((around[0] & _ANY[0]) | (around[1] & _ANY[1])) == 0
        return viewed(np.where(is_lone, segments, -1))

    def _finished(self, pieces: list[Inline]) -> list[Inline]:
        """Pieces without white space at both ends, the formulas typed in them apart."""
        return self._typed(_stripped(pieces))

    def _typed(self, pieces: list[Inline]) -> list[Inline]:
        """Pieces with the formulas typed in them apart."""
        text = "".join([piece.text for piece in pieces if isinstance(piece, Text)])
        if "$" not in text and "\\" not in text:
            return pieces
        dollars = text.count("$") > 1 and self._source.types_tex
        if dollars or (may_type(text) and self._may_type):
            self.may_have_math = True
            return with_formulas(pieces, dollars=dollars)
        return pieces

    @cached_property
    def _may_type(self) -> bool:
        return may_type(self._rows.all_text)

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
            self._setting(element)[1],
        )

    def _pieces(self, segments: Sequence[int], images: Sequence[Image]) -> list[Inline]:
        pieces: list[Inline] = []
        pending = [*reversed(images)]
        last = -1
        for segment in self._source.table.allowance.over(segments):
            gap = self._gap(last, segment) if last >= 0 else None
            if gap is not None:
                pieces.append(gap)
            before = len(pending)
            while pending and pending[-1].tag <= self._rows.segment_tag[segment]:
                pieces.append(self.picture(pending.pop()))
            if len(pending) < before and (gap is not None or self._begins_with_space(segment)):
                pieces.append(Text(" "))
            pieces.append(self._content(segment))
            last = segment
        if pending and last >= 0:
            pieces.append(Text(" "))
        pieces += [self.picture(image) for image in reversed(pending)]
        return pieces

    def _runs(self, segments: Sequence[int]) -> list[Inline]:
        """As `_pieces` of text alone, what is set alike as one; [] where a segment is blank."""
        rows, pieces, parts = self._rows, list[Inline](), list[str]()
        text, start, end, tags = rows.all_text, rows.start, rows.end, rows.segment_tag
        last, setting, settings = -1, UNSET, self._settings
        for segment in self._source.table.allowance.over(segments):
            if last >= 0 and rows.n_breaks[tags[segment]] > rows.n_breaks[tags[last]]:
                pieces += (Text("".join(parts), *setting), Break())
                parts = []
            elif last >= 0 and (start[segment] > end[segment - 1] or segment - 1 > last):
                of_gap = self._setting(self._around_gap(last, tags[segment]))
                if of_gap != setting:
                    pieces.append(Text("".join(parts), *setting))
                    parts, setting = [], of_gap
                parts.append(" ")
            written = text[start[segment] : end[segment]]
            if written.isspace():
                return []
            element = rows.segment_element[segment]
            of_text = settings.get(element) or self._setting(element)
            if of_text[1] >= 0 and not _can_be_linked(written):
                of_text = of_text[0], -1
            if parts and of_text != setting:
                pieces.append(Text("".join(parts), *setting))
                parts = []
            setting, last = of_text, segment
            parts.append(written)
        return [*pieces, Text("".join(parts), *setting)]

    def _setting(self, element: int) -> tuple[Mark, int]:
        """How the text of an element is set, and the number of the link around it."""
        setting = self._settings.get(element)
        if setting is None:
            anchor = self._anchors[element]
            link = -1 if anchor < 0 else self._link(anchor)
            setting = self._settings[element] = self._marks_around(element), link
        return setting

    def _around_gap(self, last: int, tag: int) -> int:
        """The innermost element around a segment that is open at a tag after it."""
        rows = self._rows
        element = rows.segment_element[last]
        while rows.close[element] <= tag:
            element = rows.parent[element]
        return element

    def _begins_with_space(self, segment: int) -> bool:
        """Is there white space between a tag and the segment after it."""
        table = self._source.table
        return bool(
            table.segments.start[segment] > table.tags.text_start[table.segments.tag[segment]]
        )

    def _segments(self, paragraph: int) -> Sequence[int]:
        """The segments of a paragraph that are shown."""
        segments = self._all_segments(paragraph)
        if not self._has_notes:
            return segments
        return [segment for segment in segments if segment not in self._notes.hidden]

    def _all_segments(self, paragraph: int) -> Sequence[int]:
        """The segments of a paragraph but for those that draw a formula another time."""
        starts = self._rows.segment_starts
        blocks = self._blocks[self._starts[paragraph] : self._starts[paragraph + 1]]
        if self._formulas is None and len(blocks) == 1:
            return range(starts[blocks[0]], starts[blocks[0] + 1])
        segments = [row for block in blocks for row in range(starts[block], starts[block + 1])]
        if self._formulas is None:
            return segments
        alone = self._formulas.alone
        return [row for row in segments if row not in alone and not self._is_empty(row)]

    def _is_empty(self, segment: int) -> bool:
        """Does a segment draw a formula another time."""
        return self._rows.start[segment] == self._rows.end[segment]

    def _gap(self, last: int, segment: int) -> Inline | None:
        """What stands between two segments of a paragraph."""
        rows = self._rows
        tag = rows.segment_tag[segment]
        if rows.n_breaks[tag] > rows.n_breaks[rows.segment_tag[last]]:
            return Break()
        before = segment - 1
        is_mixed = self._has_notes or self._formulas is not None
        is_apart = rows.is_apart(segment) or (is_mixed and rows.is_apart(last + 1))
        if not is_apart and (before == last or self._is_hidden(before)):
            return None
        # White space is set as the innermost element around both sides of it is.
        return Text(" ", *self._setting(self._around_gap(last, tag)))

    def _is_hidden(self, segment: int) -> bool:
        """Does a segment draw a formula another time, or belong to a note."""
        if self._has_notes and segment in self._notes.hidden:
            return True
        return self._formulas is not None and self._is_empty(segment)

    def formula(self, segment: int) -> Math | None:
        """The formula that a segment is, if it is one."""
        if self._formulas is None or segment not in self._formulas.display:
            return None
        return Math(self._rows.text(segment), self._formulas.display[segment])

    def _content(self, segment: int) -> Inline:
        """What stands for a segment."""
        if (formula := self.formula(segment)) is not None:
            return formula
        element, text = self._rows.segment_element[segment], self._rows.text(segment)
        if self._has_notes:
            if label := self._notes.marks.get(segment):
                return NoteMark(label)
            text = self._notes.texts.get(segment, text)
        marks, link = self._setting(element)
        return Text(text, marks, link if link >= 0 and _can_be_linked(text) else -1)

    def _marks_around(self, element: int) -> Mark:
        """How the text of an element is set."""
        first, second = self._around
        names = first[element] & _ANY[0], second[element] & _ANY[1]
        marks = self._known_marks.get(names)
        if marks is None:
            marks = Mark.PLAIN
            for mark, (one, other) in _MASKS.items():
                marks |= mark if names[0] & one or names[1] & other else Mark.PLAIN
            self._known_marks[names] = marks
        return marks

    @cached_property
    def _around(self) -> tuple[Sequence[int], Sequence[int]]:
        """Two of (E,) bits: names of each element and of those around it."""
        if not self._shown.formatting:
            return ([0] * len(self._source.table.elements),) * 2
        first, second = self._source.table.elements.around
        return viewed(first), viewed(second)

    @cached_property
    def _anchors(self) -> Sequence[int]:
        """(E,) the innermost ``<a>`` around each element, -1 for none."""
        if not self._shown.links:
            return [-1] * len(self._source.table.elements)
        return viewed(self._source.anchors)

    def _link(self, anchor: int) -> int:
        """Number of the link of an ``<a>``, -1 if it leads nowhere."""
        if anchor not in self._numbers:
            addresses, written = (
                self._source.addresses,
                self._source.of_element(anchor).get("href", ""),
            )
            leads_to_itself = addresses.is_place(written) and self._is_heading(anchor)
            address = addresses.link(written) if written.strip() and not leads_to_itself else ""
            self._numbers[anchor] = len(self.links) if address else -1
            if address:
                self.links.append(address)
        return self._numbers[anchor]

    def _is_heading(self, anchor: int) -> bool:
        """Is the text of an ``<a>`` that of a heading, so that its link leads to itself."""
        table = self._source.table
        segment = np.searchsorted(table.segments.tag, table.elements.open[anchor])
        return bool(table.heading_level[table.block_of_segment[segment]])


def _can_be_linked(text: str) -> bool:
    """Is a text more than signs, such as that of a permanent link, which lead nowhere of worth."""
    return any(map(str.isalnum, text))


def _stripped(pieces: list[Inline]) -> list[Inline]:
    """Pieces without white space at both ends."""
    while pieces and _is_blank(pieces[-1]):
        pieces.pop()
    start = 0
    while start < len(pieces) and _is_blank(pieces[start]):
        start += 1
    return pieces[start:] if start else pieces


def _is_blank(inline: Inline) -> bool:
    return isinstance(inline, Break) or (isinstance(inline, Text) and inline.text.isspace())
