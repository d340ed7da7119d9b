"""The inline content of paragraphs: how text is set, links, images, formulas, marks of notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.lazy import cached_property
from victor.page.parsing.tags import IDS
from victor.render.forms import Shown
from victor.render.tree.formulas import may_type, with_formulas
from victor.render.tree.media import Image
from victor.render.tree.nodes import Break, Inline, Mark, Math, NoteMark, Picture, Text
from victor.render.tree.notes import Notes
from victor.render.tree.source import Source

_NAMES: Final = {
    Mark.STRONG: ("b", "strong"),
    Mark.EMPHASIS: ("i", "em"),
    Mark.DELETED: ("del", "s", "strike"),
    Mark.SUBSCRIPT: ("sub",),
    Mark.SUPERSCRIPT: ("sup",),
    Mark.CODE: ("code", "kbd", "samp", "tt"),
}


def _bits(names: Sequence[str]) -> tuple[int, int]:
    """Bits of some names as `victor.page.table.blocks.Elements.around` has them."""
    ids = [IDS[name] for name in names]
    first, second = (sum(1 << (tag & 63) for tag in ids if tag >> 6 == half) for half in (0, 1))
    return first, second


_BITS: Final = {mark: _bits(names) for mark, names in _NAMES.items()}
_ANY: Final = np.array([*map(np.uint64, _bits([*chain(*_NAMES.values())]))])[:, None]
_SETTINGS: Final = tuple(map(Mark, range(2 * max(Mark))))
"""All marks that a text can have, by their value."""
_SPACES: Final = np.array([chr(code).isspace() for code in range(0x3002)])
"""Which code points are white space; none above is."""
_BREAK: Final = -1
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")


class _Runs(NamedTuple):
    first: list[int]  # (Q + 1,) first run of each paragraph
    start: list[int]  # of each run in the text of the page; white space in it is single spaces
    end: list[int]
    setting: list[int]  # of each run, the value of its marks; `_BREAK` for the end of a line
    link: list[int]  # of each run, -1 for none
    is_odd: list[bool]  # (Q,) has a paragraph white space that is to be looked at


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
        self._known: dict[int, tuple[Mark, int]] = {}

    def of(self, paragraph: int, images: Sequence[Image]) -> list[Inline]:
        """Content of a paragraph of text with the images in it."""
        if images or self._is_mixed or self._runs.is_odd[paragraph]:
            return self._typed(_stripped(self._pieces(paragraph, images)))
        text, (first, start, end, setting, link, _) = self._source.all_text, self._runs
        at, stop = first[paragraph], first[paragraph + 1]
        pieces: list[Inline] = [
            Break()
            if setting[run] == _BREAK
            else Text(text[start[run] : end[run]], _SETTINGS[setting[run]], link[run])
            for run in range(at, stop)
        ]
        signs = (text.find(sign, start[at], end[stop - 1]) for sign in "$\\")
        return pieces if max(signs) < 0 else self._typed(pieces)

    def _typed(self, pieces: list[Inline]) -> list[Inline]:
        text = "".join([piece.text for piece in pieces if isinstance(piece, Text)])
        dollars = text.count("$") > 1 and self._source.types_tex
        if dollars or may_type(text):
            self.may_have_math = True
            return with_formulas(pieces, dollars=dollars)
        return pieces

    # Text alone

    @cached_property
    def _runs(self) -> _Runs:
        pieces, first_pieces, is_odd = self._rows()
        _, _, setting, link = pieces
        begins = np.ones(len(setting), dtype=bool)
        begins[1:] = (setting[1:] != setting[:-1]) | (link[1:] != link[:-1])
        begins[first_pieces] = True
        first = np.flatnonzero(begins)
        last = np.append(first, len(begins))[1:] - 1
        start, _, settings, links = pieces[:, first].tolist()
        of_paragraphs = np.searchsorted(first, np.append(first_pieces, len(begins)))
        end = pieces[1, last].tolist()
        return _Runs(of_paragraphs.tolist(), start, end, settings, links, is_odd.tolist())

    def _rows(self) -> tuple[Ints, Ints, Bools]:
        """Texts and what stands between them, in order.

        Returns:
            (4, m) start, end, setting and link of each as of `_Runs`; (Q,) the first of each
            paragraph; (Q,) `_Runs.is_odd`.
        """
        table, (segments, starts) = self._source.table, self._segments_of_all
        start, end = table.segments.start[segments], table.segments.end[segments]
        tag, element = table.segments.tag[segments], table.segment_element[segments]
        firsts = starts[:-1]
        follows = np.ones(len(segments), dtype=bool)
        follows[firsts] = False
        before = np.arange(len(segments)) - follows
        is_break = self._source.n_breaks[tag] > self._source.n_breaks[tag[before]]
        is_break &= follows
        leaps = segments - segments[before] > 1
        is_gap = (start > table.segments.end[np.maximum(segments - 1, 0)]) | leaps
        is_gap &= follows & ~is_break
        is_odd = is_gap & (leaps | (start - end[before] != 1))
        is_odd |= self._are_blank(start, end)
        gaps = np.flatnonzero(is_gap)
        around = self._around_gaps(element[gaps - 1], tag[gaps])
        of_gaps = end[gaps - 1], start[gaps], self._settings(around), self._links(around)
        # A gap or the end of a line stands before the segment that follows it.
        at = np.arange(len(segments)) + np.cumsum(is_gap | is_break)
        rows = np.full((4, len(segments) + len(gaps) + int(is_break.sum())), _BREAK)
        rows[:, at] = start, end, self._settings(element), self._links_of_texts(element, start, end)
        rows[:, at[gaps] - 1] = of_gaps
        return rows, at[firsts], np.logical_or.reduceat(is_odd, firsts)

    @cached_property
    def _segments_of_all(self) -> tuple[Ints, Ints]:
        """The segments of all paragraphs, and (Q + 1,) where those of each begin."""
        columns, starts = self._source.paragraphs, self._source.table.segment_starts
        first = starts[columns.blocks]
        ends = np.cumsum(starts[columns.blocks + 1] - first)
        sizes = np.diff(ends, prepend=0)
        segments = np.repeat(first - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)
        return segments, np.append(0, ends)[columns.starts]

    def _are_blank(self, start: Ints, end: Ints) -> Bools:
        """Which texts are white space that the parser lets stand, such as no-break spaces."""
        text = self._source.all_text
        may_be = _SPACES[np.minimum(self._source.table.chars[start], len(_SPACES) - 1)]
        for row in np.flatnonzero(may_be).tolist():
            may_be[row] = text[start[row] : end[row]].isspace()
        return may_be

    def _settings(self, elements: Ints) -> Ints:
        marks = np.zeros(len(elements), dtype=np.int64)
        if self._shown.formatting:
            first, second = self._source.table.elements.around.take(elements, axis=1) & _ANY
            rows = np.flatnonzero(first | second)
            names = zip(first[rows].tolist(), second[rows].tolist(), strict=True)
            marks[rows] = [_marks(*each) for each in names]
        return marks

    def _links(self, elements: Ints) -> list[int]:
        known = self._numbers
        anchors = self._anchors[elements].tolist()
        return [known[each] if each in known else self._link(each) for each in anchors]

    @cached_property
    def _anchors(self) -> Ints:
        """(E,) the innermost ``<a>`` around each element, -1 for none."""
        none = np.full(len(self._source.table.elements), -1)
        return self._source.anchors if self._shown.links else none

    def _links_of_texts(self, elements: Ints, start: Ints, end: Ints) -> list[int]:
        links, text = self._links(elements), self._source.all_text
        for row, link in enumerate(links):
            if link >= 0 and not _can_be_linked(text[start[row] : end[row]]):
                links[row] = -1
        return links

    def _around_gaps(self, elements: Ints, tags: Ints) -> Ints:
        """The innermost of some elements and those around them that are open at tags after them."""
        around, rows = elements.copy(), self._source.table.elements
        while (is_closed := rows.close[around] <= tags).any():
            around[is_closed] = rows.parent[around[is_closed]]
        return around

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

    def _setting(self, element: int) -> tuple[Mark, int]:
        if element not in self._known:
            elements = np.array([element])
            link = self._links(elements)[0]
            self._known[element] = _SETTINGS[self._settings(elements)[0]], link
        return self._known[element]

    def _link(self, anchor: int) -> int:
        """Number of the link of an ``<a>``, -1 if it leads nowhere or there is none."""
        if anchor not in self._numbers:
            addresses = self._source.addresses
            written = self._addresses.get(self._source.open[anchor], "")
            leads_to_itself = addresses.is_place(written) and self._is_heading(anchor)
            address = addresses.link(written) if written.strip() and not leads_to_itself else ""
            self._numbers[anchor] = len(self.links) if address else -1
            if address:
                self.links.append(address)
        return self._numbers[anchor]

    @cached_property
    def _addresses(self) -> dict[int, str]:
        return self._source.tags.valued("href")

    def _is_heading(self, anchor: int) -> bool:
        table = self._source.table
        segment = np.searchsorted(table.segments.tag, table.elements.open[anchor])
        return bool(table.heading_level[table.block_of_segment[segment]])


@lru_cache(maxsize=256)
def _marks(first: int, second: int) -> Mark:
    """What elements of some names around a text set, given their bits."""
    marks = Mark.PLAIN
    for mark, (one, other) in _BITS.items():
        marks |= mark if first & one or second & other else Mark.PLAIN
    return marks


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
