"""Footnotes: marks in the text, the notes that they lead to, and what only leads back.

Links are believed first, then numbers and places, as the generators of pages write notes in many
ways. What is not both marked and kept is no note.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from victor.page.parsing.tags import IDS
from victor.render.tree.notes import links
from victor.render.tree.notes.extents import extents
from victor.render.tree.notes.links import Link
from victor.render.tree.notes.numbers import numbered
from victor.render.tree.notes.places import Extent, Places, label_of
from victor.render.tree.notes.side_notes import SideNote, side_notes
from victor.render.tree.source import Source

_SAME: Final = 8
"""Notes of one label that letters tell apart; for more these would be long, so numbers do."""
_RETURNS: Final = re.compile(
    r"back-?_?(?:ref|link|to)?|return|to-?top|jump|zurück|retour|volver|вернуться", re.IGNORECASE
)
"""Names and texts of links that lead back."""
_RETURN_NAMES: Final = re.compile(r"ref|back|marker|anchor|mark|link", re.IGNORECASE)
"""Names of what they lead to."""
_LONGEST_RETURN: Final = 24
"""Characters of the text of a link that leads back to a mark, at most."""
_BEFORE: Final = re.compile(r"[\s\[\](){}^↑⬆↩⏎↵|,.:;–-]*\Z")
_AFTER: Final = re.compile(r"[\s\[\]{}^↑⬆↩⏎↵|]*\Z")
"""Text before the start and after the end of a note that goes with what leads back."""
_BRACKETS: Final = re.compile(r"[\s\[\](){},;]*\Z")
_RAISED: Final = frozenset({"sup", "cite"})
_LONGEST_GAP: Final = 1_000
"""Tags between two parts of a paragraph, at most."""
_SWITCHES: Final = frozenset({IDS["label"], IDS["input"]})
"""Elements that show a note where the screen is narrow."""


class Note(Struct, eq=False):
    """One note while it is read.

    Attributes:
        label: what stands for it in the text.
        marks: segments of each of its marks; a side note may have none.
        extent: where it stands.
    """

    label: str
    marks: list[list[int]]
    extent: Extent


class Notes(Struct, eq=False):
    """The footnotes of a page.

    Attributes:
        marks: label of the note that a segment refers to.
        extents: where notes of whole paragraphs stand, and their labels, in order.
        beside: where notes within the paragraphs of other texts stand, and their labels.
        lifted: label of such a note that a segment belongs to.
        places: likewise of the first segment of such a note without a mark, which stands there.
        hidden: segments that are not shown: what leads back, brackets and numbers of notes.
        texts: what is shown of segments that are shown in part.
        joined: paragraphs that go on with the one before, which a note parted from them.
    """

    marks: dict[int, str] = field(default_factory=dict)
    extents: list[tuple[Extent, str]] = field(default_factory=list)
    beside: list[tuple[Extent, str]] = field(default_factory=list)
    lifted: dict[int, str] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    texts: dict[int, str] = field(default_factory=dict)
    joined: set[int] = field(default_factory=set)

    def around(self, tag: int) -> str:
        """Label of the note within another text that a tag stands in, "" for none."""
        row = bisect_right(self.beside, tag, key=lambda each: each[0].start) - 1
        return self.beside[row][1] if row >= 0 and tag < self.beside[row][0].stop else ""

    def __bool__(self) -> bool:
        return bool(self.marks or self.lifted)


def notes(source: Source) -> Notes:
    """The notes of which both the mark and the text are kept."""
    places = Places(source)
    within = links.links(places)
    found = _linked(places, links.marks(places, within)) if within else []
    found += _numbered(places, found)
    beside = side_notes(places)
    result = Notes()
    if found or beside:
        _Reader(places, within, result).read(found, beside)
    return result


def _linked(places: Places, marks: Sequence[Link]) -> list[Note]:
    """Notes that links lead to; what several numbers lead to is a list of notes."""
    by_target: dict[int, list[Link]] = defaultdict(list)
    for mark in marks:
        by_target[mark.target].append(mark)
    single = {t for t, group in by_target.items() if len({label_of(m.text) for m in group}) == 1}
    marks = [mark for mark in marks if mark.target in single]
    return [
        Note(label_of(by_target[target][0].text), [m.segments for m in by_target[target]], extent)
        for target, extent in extents(places, marks).items()
    ]


def _numbered(places: Places, found: Sequence[Note]) -> list[Note]:
    used = {segment for note in found for mark in note.marks for segment in mark}
    for note in found:
        used.update(places.segments(note.extent))
    return [
        Note(note.label, [[mark] for mark in note.marks], note.extent)
        for note in numbered(places, used)
    ]


class _Reader:
    """Puts together what is shown of notes.

    Args:
        places: the page.
        within: its links to places of its own.
        result: filled.
    """

    def __init__(self, places: Places, within: Sequence[Link], result: Notes) -> None:
        rows = places.rows
        self._places, self._rows, self._result = places, rows, result
        self._links = sorted(within, key=lambda link: rows.open[link.element])
        self._opens = [rows.open[link.element] for link in self._links]
        self._marked: dict[int, Note] = {}
        self._labels: set[str] = set()
        self._raised: set[int] = set()
        self._whole: set[int] = set()
        self._joined: set[int] = set()

    def read(self, found: Sequence[Note], beside: Sequence[SideNote]) -> None:
        """Read all notes, in the order of their texts."""
        self._marked = marked = {mark[0]: note for note in found for mark in note.marks}
        sides = [self._side(each, marked) for each in beside]
        stop = 0
        for note in sorted([*found, *filter(None, sides)], key=lambda note: note.extent):
            if note.extent.start >= stop and self._read(note):
                stop = note.extent.stop
        self._result.joined = self._joined - self._whole

    def _side(self, side: SideNote, marked: dict[int, Note]) -> Note | None:
        """A note in a paragraph, if it is not the copy of one below the text."""
        other = marked.get(side.mark)
        segments = self._places.segments(side.extent)
        if other is None:
            label = self._rows.text(side.mark) if side.mark >= 0 else ""
            return Note(label_of(label), [[side.mark]] if side.mark >= 0 else [], side.extent)
        if self._words(segments) == self._words(self._places.segments(other.extent)):
            self._result.hidden.update(segments)
        return None

    def _words(self, segments: Sequence[int]) -> list[str]:
        """The words of a note without its number."""
        texts = [self._rows.text(segment) for segment in segments]
        return re.findall(r"[^\W\d_]\w*", " ".join(texts))

    def _read(self, note: Note) -> bool:
        """Add a note; False if nothing is left of it without its number and what leads back."""
        places, result = self._places, self._result
        segments = places.segments(note.extent)
        inside = {*segments}
        marks = [mark for mark in note.marks if mark[0] not in inside]
        hidden = self._returns(note, segments)
        texts = self._trim(note, segments, hidden)
        shown = [segment for segment in segments if segment not in hidden]
        if not any(map(str.isalnum, places.text(shown))) or (note.marks and not marks):
            return False
        label = self._label(note.label)
        result.hidden |= hidden
        result.texts |= texts
        for mark in marks:
            self._mark(mark, label)
        self._put(note, label, segments, has_mark=bool(marks))
        return True

    def _label(self, text: str) -> str:
        """Label of a note; two notes never have the same."""
        first = text if text.isalnum() else str(len(self._labels) + 1)
        labels = (first + "x" * count for count in range(_SAME))
        serial = f"{first}{'x' * _SAME}{len(self._labels) + 1}"
        label = next((label for label in labels if label not in self._labels), serial)
        self._labels.add(label)
        return label

    def _returns(self, note: Note, segments: Sequence[int]) -> set[int]:
        """The segments of a note that only lead back."""
        start, stop = note.extent
        first = bisect_left(self._opens, start)
        hidden: set[int] = set()
        for link in self._links[first : bisect_left(self._opens, stop, first)]:
            if self._is_return(link, note):
                hidden.update(link.segments)
        if not hidden:
            return hidden
        return (
            hidden
            | self._signs(segments, hidden, _BEFORE)
            | self._signs(segments[::-1], hidden, _AFTER)
        )

    def _is_return(self, link: Link, note: Note) -> bool:
        text = link.text.strip()
        if not any(map(str.isalnum, text)):
            return True
        if len(text) > _LONGEST_RETURN:
            return False
        if links.BACK.match(link.fragment) or _RETURNS.search(self._places.names(link.element)):
            return True
        if link.segments[0] in self._marked or not (label_of(text) or _RETURNS.search(text)):
            return False
        if link.target < 0:
            return _RETURN_NAMES.search(link.fragment) is not None
        return self._rows.open[link.target] < note.extent.start or link.target == link.element

    def _signs(
        self, segments: Sequence[int], hidden: set[int], pattern: re.Pattern[str]
    ) -> set[int]:
        """Brackets, arrows and the like beside what leads back, at one end of a note."""
        signs: set[int] = set()
        for segment in segments:
            if segment not in hidden and not pattern.match(self._rows.text(segment)):
                break
            signs.add(segment)
        return signs if signs & hidden else set()

    def _trim(self, note: Note, segments: Sequence[int], hidden: set[int]) -> dict[int, str]:
        """Hide the number that a note begins with; what is left of texts that begin with it."""
        number = re.escape(note.label)
        whole = re.compile(rf"[\[(]?{number}[\])]?[.:]?\Z|footnotemark:\s*\Z", re.IGNORECASE)
        typed = re.compile(rf"\[{number}\][.:]?\s*|{number}[.:)]+\s+|\({number}\)\s*"
                           + (rf"|{number}\s*" if not note.label.isalnum() else ""))  # fmt: skip
        is_numbered = any(segment in hidden for segment in segments[:1])
        for segment in segments:
            if segment in hidden:
                continue
            text = self._rows.text(segment)
            if note.label and whole.match(text):
                hidden.add(segment)
                is_numbered = True
                continue
            match = typed.match(text) if note.label else None
            if match is None and is_numbered:
                match = re.match(r"[.:)\]]+\s+", text)
            return {segment: text[match.end() :]} if match and match.end() < len(text) else {}
        return {}

    def _mark(self, mark: Sequence[int], label: str) -> None:
        """Show a mark in place of its segments and of brackets around them."""
        result, text = self._result, self._rows.text
        result.marks[mark[0]] = label
        result.hidden.update(mark[1:])
        first, last = mark[0] - 1, mark[-1] + 1
        around = self._places.around_named(_RAISED)[self._rows.segment_element[mark[0]]]
        if around >= 0 and around not in self._raised:
            self._raised.add(around)
            self._hide_signs(around)
        if links.is_between(self._places, mark, "[]"):
            for segment, kept in ((first, text(first)[:-1]), (last, text(last)[1:])):
                if kept:
                    result.texts[segment] = kept
                else:
                    result.hidden.add(segment)

    def _hide_signs(self, element: int) -> None:
        """Hide brackets around marks, and what stands between raised ones."""
        is_raised = self._places.name(element) == "sup"
        for segment in self._places.segments(self._places.extent(element)):
            text = self._rows.text(segment)
            is_sign = _BRACKETS.match(text) and (is_raised or {*text} & {*"[]()"})
            if is_sign and segment not in self._marked:
                self._result.hidden.add(segment)

    def _put(self, note: Note, label: str, segments: Sequence[int], *, has_mark: bool) -> None:
        """Say what of the text the note is, and what goes on after it."""
        places, result = self._places, self._result
        paragraphs = Counter(map(places.paragraph, segments))
        parts = {
            q for q, n in paragraphs.items() if not has_mark or n < len(places.of_paragraph(q))
        }
        if len(parts) < len(paragraphs):
            result.extents.append((note.extent, label))
        for segment in segments:
            if places.paragraph(segment) in parts:
                result.lifted[segment] = label
        if parts:
            result.beside.append((note.extent, label))
        if not has_mark:
            result.places[segments[0]] = label
        if parts:
            beside = {*parts, *(places.paragraph(mark[0]) for mark in note.marks)}
            pairs = {(q + step - 1, q + step) for q in beside for step in (0, 1)}
        else:
            pairs = {(min(paragraphs) - 1, max(paragraphs) + 1)}
        self._whole.update(q for q in paragraphs if q not in parts)
        self._joined |= {after for before, after in pairs if self._is_one(before, after, note)}

    def _is_one(self, before: int, after: int, note: Note) -> bool:
        """Does nothing but a note, or what it is opened with, part two paragraphs."""
        places, tags = self._places, self._places.source.table.tags
        if before < 0 or after >= len(places.source.paragraphs.pre):
            return False
        start = self._rows.segment_tag[places.of_paragraph(before)[-1]] + 1
        stop = self._rows.segment_tag[places.of_paragraph(after)[0]] + 1
        return stop - start <= _LONGEST_GAP and all(
            note.extent.start <= tag <= note.extent.stop or tags.id[tag] in _SWITCHES
            for tag in range(start, stop)
            if places.parts[tags.id[tag]] or tags.id[tag] == IDS["br"]
        )
