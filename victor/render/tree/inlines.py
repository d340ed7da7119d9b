"""The inline content of paragraphs: how text is set, links, images, formulas, marks of notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Ints
from victor.base.lazy import cached_property
from victor.page.parsing.tags import roles_of
from victor.render.forms import Shown
from victor.render.tree.formulas import may_type, with_formulas
from victor.render.tree.media import Image
from victor.render.tree.nodes import Break, Inline, Math, NoteMark, Picture, Text
from victor.render.tree.notes import Notes
from victor.render.tree.source import Source

_PLAIN: Final = roles_of(*[frozenset()] * 6, frozenset({"br"}))
_SET: Final = roles_of(
    frozenset({"b", "strong"}),
    frozenset({"i", "em"}),
    frozenset({"del", "s", "strike"}),
    frozenset({"sub"}),
    frozenset({"sup"}),
    frozenset({"code", "kbd", "samp", "tt"}),
    frozenset({"br"}),
)
"""Tags as core/text/inlines.c knows them, by bit: what sets each `Mark`, and line breaks."""
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")


class Inlines:
    """Makes the inline content of the paragraphs of one page.

    Args:
        source: the page.
        notes: its footnotes.
        shown: what is to be shown.

    Attributes:
        links: addresses by number.
        may_have_math: may there be formulas in what was made so far.
    """

    def __init__(self, source: Source, notes: Notes, shown: Shown) -> None:
        self._source, self._notes, self._shown = source, notes, shown
        self._formulas = source.paragraphs.formulas
        self._is_mixed = bool(notes.marks) or self._formulas is not None
        self.links: list[str] = []
        self.may_have_math = self._formulas is not None
        self._numbers = {-1: -1}

    def of(self, paragraph: int, images: Sequence[Image]) -> list[Inline]:
        """Content of a paragraph of text with the images in it."""
        if images or self._is_mixed:
            return self._typed(_stripped(self._pieces(paragraph, images)))
        contents, has_sign, _ = self._contents
        content = contents[paragraph]
        return self._typed(content) if has_sign[paragraph] else content

    def _typed(self, pieces: list[Inline]) -> list[Inline]:
        text = "".join([piece.text for piece in pieces if isinstance(piece, Text)])
        dollars = text.count("$") > 1 and self._source.types_tex
        if dollars or may_type(text):
            self.may_have_math = True
            return with_formulas(pieces, dollars=dollars)
        return pieces

    # Text alone

    @cached_property
    def _contents(self) -> tuple[list[list[Inline]], bytes, bytes]:
        """(Q,) texts and line breaks; has each a sign of formulas; (E,) marks of the elements."""
        columns = self._source.paragraphs
        contents: tuple[list[list[Inline]], bytes, bytes] = core.compiled.inline_texts(
            self._source.table.batch, columns.blocks, columns.starts, columns.pre,
            _SET if self._shown.formatting else _PLAIN, self._links, Text, Break(), _can_be_linked,
        )  # fmt: skip
        return contents

    @cached_property
    def _links(self) -> Ints:
        """(E,) number of the link around each element, -1 for none."""
        anchors, table = self._anchors, self._source.table
        kept = self._source.paragraphs.kept_segments
        used = {*anchors[table.segment_element[kept]].tolist()} - {-1}
        numbers = np.full(len(anchors) + 1, -1)  # the last one is for those in none
        for anchor in table.allowance.over(sorted(used)):
            numbers[anchor] = self._link(anchor)
        return numbers[anchors]

    @cached_property
    def _segments_of_all(self) -> tuple[Ints, Ints]:
        """The segments of all paragraphs, and (Q + 1,) where those of each begin."""
        columns, starts = self._source.paragraphs, self._source.table.segment_starts
        first = starts[columns.blocks]
        ends = np.cumsum(starts[columns.blocks + 1] - first)
        sizes = np.diff(ends, prepend=0)
        segments = np.repeat(first - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)
        return segments, np.append(0, ends)[columns.starts]

    @cached_property
    def _anchors(self) -> Ints:
        """(E,) the innermost ``<a>`` around each element, -1 for none."""
        none = np.full(len(self._source.table.elements), -1)
        return self._source.anchors if self._shown.links else none

    # Text with images, formulas and notes

    def _pieces(self, paragraph: int, images: Sequence[Image]) -> list[Inline]:
        pieces: list[Inline] = []
        pending = [*reversed(images)]
        last = -1
        for segment in self._source.table.allowance.over(self._segments(paragraph)):
            gap = self._gap(last, segment) if last >= 0 else None
            if gap is not None:
                pieces.append(gap)
            before = len(pending)
            while pending and pending[-1].tag <= self._source.segment_tag[segment]:
                pieces.append(self.picture(pending.pop()))
            if len(pending) < before and (gap is not None or self._begins_with_space(segment)):
                pieces.append(Text(" "))
            pieces.append(self._content(segment))
            last = segment
        if pending and last >= 0:
            pieces.append(Text(" "))
        pieces += [self.picture(image) for image in reversed(pending)]
        return pieces

    def _segments(self, paragraph: int) -> list[int]:
        segments, starts = self._segments_of_all
        of_paragraph: list[int] = segments[starts[paragraph] : starts[paragraph + 1]].tolist()
        if not self._is_mixed:
            return of_paragraph
        alone = self._formulas.alone if self._formulas is not None else ()
        return [row for row in of_paragraph if row not in alone and not self._is_hidden(row)]

    def _is_hidden(self, segment: int) -> bool:
        source = self._source
        if segment in self._notes.hidden:
            return True
        return self._formulas is not None and source.start[segment] == source.end[segment]

    def _gap(self, last: int, segment: int) -> Inline | None:
        source, tags = self._source, self._source.segment_tag
        if source.n_breaks[tags[segment]] > source.n_breaks[tags[last]]:
            return Break()
        places = (segment, last + 1) if self._is_mixed else (segment,)
        is_apart = any(source.start[row] > source.end[row - 1] for row in places)
        if not is_apart and (segment - 1 == last or self._is_hidden(segment - 1)):
            return None
        # White space is set as the innermost element around both sides of it is.
        element = source.segment_element[last]
        while source.close[element] <= tags[segment]:
            element = source.parent[element]
        return Text(" ", *self._setting(element))

    def _begins_with_space(self, segment: int) -> bool:
        tag = self._source.segment_tag[segment]
        return bool(self._source.start[segment] > self._source.table.tags.text_start[tag])

    def _content(self, segment: int) -> Inline:
        if (formula := self.formula(segment)) is not None:
            return formula
        if label := self._notes.marks.get(segment):
            return NoteMark(label)
        text = self._notes.texts.get(segment) or self._source.text(segment)
        marks, link = self._setting(self._source.segment_element[segment])
        return Text(text, marks, link if link >= 0 and _can_be_linked(text) else -1)

    def formula(self, segment: int) -> Math | None:
        """The formula that a segment is, if it is one."""
        if self._formulas is None or segment not in self._formulas.display:
            return None
        return Math(self._source.text(segment), self._formulas.display[segment])

    def picture(self, image: Image) -> Picture:
        """An image as inline content."""
        tags = self._source.table.tags
        # Where alternative texts are text of the page, this one is shown as such.
        alternative = "" if tags.step[image.tag] else image.attributes.get("alt", "")
        return Picture(
            image.source,
            " ".join(alternative.split()),
            " ".join(image.attributes.get("title", "").split()),
            self._link(int(self._anchors[self._source.tag_element[image.tag]])),
        )

    def _setting(self, element: int) -> tuple[int, int]:
        return self._contents[2][element], int(self._links[element])

    def _link(self, anchor: int) -> int:
        """Number of the link of an ``<a>``, -1 if it leads nowhere or there is none."""
        if anchor not in self._numbers:
            addresses = self._source.addresses
            written = self._source.href(anchor)
            leads_to_itself = (
                "#" in written and addresses.is_place(written) and self._is_heading(anchor)
            )
            address = addresses.link(written) if written.strip() and not leads_to_itself else ""
            self._numbers[anchor] = len(self.links) if address else -1
            if address:
                self.links.append(address)
        return self._numbers[anchor]

    def _is_heading(self, anchor: int) -> bool:
        table = self._source.table
        segment = np.searchsorted(table.segments.tag, table.elements.open[anchor])
        return bool(table.heading_level[table.block_of_segment[segment]])


def _can_be_linked(text: str) -> bool:
    return _LETTER_OR_DIGIT.search(text) is not None


def _stripped(pieces: list[Inline]) -> list[Inline]:
    while pieces and _is_blank(pieces[-1]):
        pieces.pop()
    start = 0
    while start < len(pieces) and _is_blank(pieces[start]):
        start += 1
    return pieces[start:] if start else pieces


def _is_blank(inline: Inline) -> bool:
    return isinstance(inline, Break) or (isinstance(inline, Text) and inline.text.isspace())
