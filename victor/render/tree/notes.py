"""Footnotes: marks in the text, the notes that they lead to, and what only leads back.

Links and names tell them; raised numbers do where nothing is linked. What is not both marked and
kept is no note, nor is what shares a paragraph with other text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools
from victor.base.lazy import cached_property
from victor.page.parsing.tags import HEADINGS, IDS, NAMES, PARTING, member_mask
from victor.render.tree.source import Source, listed

_LABEL: Final = re.compile(r"[\[(]?\s*(\w{1,4}|[*†‡§¶※]{1,3}|[*※]\d{1,3})\s*[\])]?[.:]?\Z")
"""All of the text of a mark that is linked."""
_LONGEST_LABEL: Final = 32  # characters of such a text, with white space in it
_NUMBER: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?\Z")
"""All of the text of a mark that is raised, and no more."""
_NAMES: Final = re.compile(
    r"(?:foot|end|side)?[-_]?note|\bfn|references?\b|reflist|cite|bibr", re.IGNORECASE
)
"""Names of marks, of notes and of lists of notes."""
_BACK: Final = re.compile(r"(_?(?:ftn|edn|fn))_?ref(?=[\W_]*\d)", re.IGNORECASE)
"""Word, Google Docs and others call what leads back to ``ftn1`` ``ftnref1``."""
_RETURNS: Final = re.compile(
    r"back-?_?(?:ref|link|to)?|return|to-?top|jump|zurück|retour|volver|вернуться", re.IGNORECASE
)
"""Names and texts of links that lead back."""
_NAMING: Final = ("class", "role", "rel", "epub:type", "data-type", "data-component-name", "id")
_SIGNS: Final = re.compile(r"[\s\[\]{}^↑⬆↩⏎↵|,;]*\Z")
"""Text beside what leads back, or between raised marks, that goes with it."""
_HEADINGS: Final = member_mask(HEADINGS)
_NO_NOTES: Final = frozenset({"td", "th", "ol", "ul", "dl", "table"})
_LONGEST: Final = 4_000  # characters of a note, at most; a raised link may lead to a chapter, too
_LONGEST_RETURN: Final = 24  # characters of the text of a link that leads back to a mark, at most
_NEAR: Final = 6  # tags between a mark and the place that the link back leads to, at most
_MOST_LINKS: Final = 20  # links of one block that may lead back, at most
_WRAPPERS: Final = 3


Extent = tuple[int, int]
"""Two ordinals of tags: the text of a note follows the tags from the first up to the second."""


class Notes(Struct, eq=False):
    """The footnotes of a page."""

    marks: dict[int, str] = {}  # label of the note that a segment refers to
    extents: list[tuple[Extent, str]] = []  # where notes stand, and their labels, in order
    hidden: set[int] = set()  # segments that are not shown: what leads back, brackets, numbers
    texts: dict[int, str] = {}  # what is shown of segments that are shown in part


class _Note(NamedTuple):
    """One note while it is read: its label, the segments of each of its marks, where it stands."""

    label: str
    marks: list[list[int]]
    extent: Extent


class _Link(NamedTuple):
    element: int  # the ``<a>``
    target: int  # the element that it leads to, -1 if there is none
    segments: list[int]  # its kept text
    text: str  # the same as one text
    fragment: str  # name of the target
    is_local: bool  # the address has nothing but the fragment, or is that of the page


class _Start(NamedTuple):
    """Where a text begins with a raised number: its segment, and the block around it."""

    label: str
    segment: int
    block: int


def notes(source: Source) -> Notes:
    """The notes of which both the mark and the text are kept."""
    places = _Places(source)
    found = [*_linked(places), *_raised(places)]
    return _Reader(places).read(found) if found else Notes()


class _Places:
    """The kept text of a page by place."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def segments(self, extent: Extent) -> list[int]:
        """The kept segments after the tags of an extent."""
        rows, tags = self._kept
        return rows[bisect_left(tags, extent[0]) : bisect_left(tags, extent[1])]

    def after(self, tag: int) -> int:
        """The first kept segment after a tag, the last one of all if there is none."""
        rows, tags = self._kept
        return rows[min(bisect_left(tags, tag), len(rows) - 1)]

    def text(self, segments: Iterable[int]) -> str:
        return "".join(map(self.source.text, segments))

    def extent(self, element: int) -> Extent:
        return self.source.open[element], self.source.close[element]

    def name(self, element: int) -> str:
        return NAMES[int(self.source.table.elements.tag[element])]

    def block(self, element: int) -> int:
        """The element that parts paragraphs: this one, or the nearest around it."""
        return self._blocks[element]

    def names(self, element: int) -> str:
        attributes = self.source.of_element(element)
        return " ".join([attributes.get(name, "")[:200] for name in _NAMING])

    def are_named(self, element: int, n: int) -> bool:
        """Does a name say of an element, or of up to n around it, that notes are there."""
        for _ in range(n + 1):
            if _NAMES.search(self.names(element)) or self.name(element) == "cite":
                return True
            element = self.source.parent[element]
        return False

    def links_in(self, extent: Extent, most: int) -> Sequence[_Link]:
        first, stop = (bisect_left(self._opens, tag) for tag in extent)
        return self.links[first : min(stop, first + most)]

    def begins_paragraph(self, segment: int) -> bool:
        """Is no kept text before a segment in its paragraph."""
        of_segment, firsts, _ = self._paragraphs
        return firsts[of_segment[segment]] == segment

    def are_whole(self, segments: Sequence[int]) -> bool:
        of_segment, _, sizes = self._paragraphs
        counts = Counter(of_segment[segment] for segment in segments)
        return all(sizes[paragraph] == n for paragraph, n in counts.items())

    def are_bracketed(self, segments: Sequence[int]) -> bool:
        """Do square brackets stand directly around some segments."""
        first, last = segments[0] - 1, segments[-1] + 1
        if first < 0 or last >= len(self.source.segment_tag):
            return False
        return self.source.text(first).endswith("[") and self.source.text(last).startswith("]")

    def is_note(self, extent: Extent) -> bool:
        """Is there kept text in an extent: whole paragraphs, no heading, and not too much."""
        segments, columns = self.segments(extent), self.source.table.segments
        if not segments or _HEADINGS[self.source.table.tags.id[slice(*extent)]].any():
            return False
        size = int(columns.end[segments[-1]] - columns.start[segments[0]])
        return size <= _LONGEST and self.are_whole(segments)

    @property
    def may_have_marks(self) -> bool:
        """May a link to a place have the text of a mark: so it is with hardly any page."""
        source, segments = self.source, self.source.table.segments
        around = source.anchors[source.table.segment_element]
        is_short = segments.end - segments.start <= _LONGEST_LABEL
        rows = np.flatnonzero(is_short & (around >= 0) & source.paragraphs.kept_segments)
        texts = defaultdict[int, list[str]](list)
        for element, segment in zip(around[rows].tolist(), rows.tolist(), strict=True):
            texts[element].append(source.text(segment))
        return any(
            _label_of("".join(parts)) and "#" in source.href(element)
            for element, parts in source.table.allowance.over([*texts.items()])
        )

    @cached_property
    def linked(self) -> tuple[dict[int, str], dict[int, list[int]]]:
        """The addresses with a fragment, and the kept text of their links, by element."""
        source = self.source
        addresses = {
            source.tag_element[tag]: address
            for tag, address in source.hrefs.items()
            if "#" in address
        }
        segments = defaultdict[int, list[int]](list)
        if not addresses:
            return addresses, segments
        around = source.anchors[source.table.segment_element]
        has_name = np.zeros(len(source.anchors) + 1, dtype=bool)  # the last is for those in none
        has_name[[*addresses]] = True
        is_chosen = has_name[around] & source.paragraphs.kept_segments
        for segment in source.table.allowance.over(np.flatnonzero(is_chosen).tolist()):
            segments[int(around[segment])].append(segment)
        return addresses, segments

    @cached_property
    def links(self) -> Sequence[_Link]:
        return sorted(_links(self), key=lambda link: self.source.open[link.element])

    @cached_property
    def _opens(self) -> list[int]:
        return [self.source.open[link.element] for link in self.links]

    @cached_property
    def is_raised(self) -> Bools:
        return self.source.table.segments_inside(frozenset({"sup"}))

    @cached_property
    def _kept(self) -> tuple[list[int], list[int]]:
        rows = np.flatnonzero(self.source.paragraphs.kept_segments)
        return listed(rows), listed(self.source.table.segments.tag[rows])

    @cached_property
    def _blocks(self) -> Sequence[int]:
        return listed(self.source.table.elements.innermost(PARTING))

    @cached_property
    def _paragraphs(self) -> tuple[list[int], dict[int, int], dict[int, int]]:
        """The paragraph of each segment, -1 for none; the first segment and the size of each."""
        columns, table = self.source.paragraphs, self.source.table
        of_block = np.full(len(table), -1)
        of_block[columns.blocks] = np.repeat(np.arange(len(columns.pre)), np.diff(columns.starts))
        of_segment = of_block[table.block_of_segment]
        found = np.unique(of_segment, return_index=True, return_counts=True)
        paragraphs, firsts, sizes = map(listed, found)
        first, size = (dict(zip(paragraphs, of_each, strict=True)) for of_each in (firsts, sizes))
        return listed(of_segment), first, size


def _label_of(text: str) -> str:
    match = _LABEL.match(text.strip())
    return str(match[1]) if match else ""


# Links


def _links(places: _Places) -> list[_Link]:
    source, (addresses, segments) = places.source, places.linked
    if not segments:
        return []
    ids = source.ids | _back_names(addresses, source.ids)
    made = (
        _link(places, each, addresses[each], segments[each], ids)
        for each in source.table.allowance.over(segments)
    )
    return [link for link in made if link is not None]


def _back_names(addresses: Mapping[int, str], ids: Mapping[str, int]) -> dict[str, int]:
    """Elements that are known by what leads back from them, where nothing has the name itself."""
    names: dict[str, int] = {}
    for element, address in addresses.items():
        fragment = address.partition("#")[2]
        name = _BACK.sub(r"\1", fragment)
        if name != fragment and name not in ids:
            names.setdefault(name, element)
    return names


def _link(
    places: _Places, element: int, address: str, segments: list[int], ids: Mapping[str, int]
) -> _Link | None:
    before, _, fragment = address.partition("#")
    fragment = fragment if fragment in ids else unquote(fragment)
    target = ids.get(fragment, -1)
    is_local = not before or places.source.addresses.is_page(before)
    if target < 0 and not is_local and not _BACK.match(fragment):
        return None
    return _Link(element, target, segments, places.text(segments), fragment, is_local)


def _linked(places: _Places) -> Iterator[_Note]:
    """Notes that links lead to; what several numbers lead to is a list of notes."""
    if not places.may_have_marks:
        return  # to look for where links lead takes long
    marks: dict[int, list[_Link]] = defaultdict(list)
    for link in places.source.table.allowance.over(places.links):
        if _is_mark(places, link):
            marks[link.target].append(link)
    opens = sorted(places.source.open[target] for target in marks)
    for target, group in places.source.table.allowance.over(marks.items()):
        extent = _extent(places, target, opens)
        if len({_label_of(mark.text) for mark in group}) == 1 and places.is_note(extent):
            yield _Note(_label_of(group[0].text), [mark.segments for mark in group], extent)


def _extent(places: _Places, target: int, opens: Sequence[int]) -> Extent:
    """Where the note of a target stands: in its block, or there up to the next of the targets."""
    block = places.block(target)
    start, stop = places.extent(block)
    is_shared = bisect_left(opens, stop) - bisect_left(opens, start) > 1
    if places.name(block) in _NO_NOTES or (is_shared and target == block):
        return 0, 0
    if is_shared:
        start = places.source.open[target]
        after = bisect_left(opens, start + 1)
        stop = min([stop, *opens[after : after + 1]])
    return start, stop


def _is_mark(places: _Places, link: _Link) -> bool:
    source = places.source
    if link.target < 0 or not _label_of(link.text):
        return False
    if source.open[link.target] <= source.open[link.element]:
        return False
    if _is_led_back_to(places, link):
        return True
    is_named = _is_named(places, link)
    if link.is_local:
        return is_named or bool(places.is_raised[link.segments[0]])
    return is_named and _begins_with(places, link)


def _is_named(places: _Places, link: _Link) -> bool:
    """Do names, or brackets around a number, say that a link is a mark."""
    if places.are_named(link.element, 1):
        return True
    is_bracketed = link.text.strip()[:1] == "[" or places.are_bracketed(link.segments)
    return (is_bracketed and link.text.strip("[] ").isdigit()) and (
        places.name(places.block(link.target)) == "li" or _begins_with(places, link)
    )


def _begins_with(places: _Places, link: _Link) -> bool:
    segment = places.after(places.source.open[places.block(link.target)])
    return places.source.text(segment).strip("[]()., ") == link.text.strip("[]()., ")


def _is_led_back_to(places: _Places, mark: _Link) -> bool:
    """Does a sign or a number in the block that a numbered mark leads to lead to the mark."""
    source = places.source
    if mark.text.strip("[]() ").isalpha():
        return False
    start, inside = source.open[mark.element], places.extent(places.block(mark.target))
    return any(
        link.target >= 0
        and start - _NEAR <= source.open[link.target] <= source.segment_tag[mark.segments[-1]] + 1
        and (_label_of(link.text) or not any(map(str.isalnum, link.text)))
        for link in places.links_in(inside, _MOST_LINKS)
        if source.open[link.element] > start
    )


# Raised numbers


def _raised(places: _Places) -> Iterator[_Note]:
    """The notes of raised numbers that lead nowhere: further down, texts begin with these."""
    if not (places.source.table.tags.id == IDS["sup"]).any():
        return
    marks: dict[str, list[int]] = defaultdict(list)
    starts: list[_Start] = []
    is_chosen = places.is_raised & places.source.paragraphs.kept_segments
    for segment in places.source.table.allowance.over(np.flatnonzero(is_chosen).tolist()):
        match = _NUMBER.match(places.source.text(segment))
        element = places.source.segment_element[segment]
        if not match or places.source.anchors[element] >= 0:
            continue
        if not places.begins_paragraph(segment):
            marks[match[1]].append(segment)
        elif match[1] in marks:
            starts.append(_Start(match[1], segment, places.block(element)))
    last_start: dict[str, int] = {}
    for start, extent in _extents(places, starts):
        # A number that stands again for another note stands for the next one.
        rows = marks[start.label]
        first = bisect_left(rows, last_start.get(start.label, 0))
        rows = rows[first : bisect_left(rows, start.segment)]
        last_start[start.label] = start.segment
        if rows and places.is_note(extent):
            yield _Note(start.label, [[mark] for mark in rows], extent)


def _extents(places: _Places, starts: Sequence[_Start]) -> Iterator[tuple[_Start, Extent]]:
    """Where texts stand that follow one another, or that a sign or a name says are notes."""
    source = places.source
    for before, start, after in zip([None, *starts], starts, [*starts[1:], None], strict=False):
        begin, stop = places.extent(start.block)
        if before is not None and before.block == start.block:
            begin = source.segment_tag[start.segment]
        if after is not None and after.block == start.block:
            stop = source.segment_tag[after.segment]
        is_row = _follows(places, before, start) or _follows(places, start, after)
        if is_row or not start.label.isdigit() or places.are_named(start.block, _WRAPPERS):
            yield start, (begin, stop)


def _follows(places: _Places, one: _Start | None, other: _Start | None) -> bool:
    """Is the number of a text the next one of the text before it, in one element."""
    if one is None or other is None or not (one.label.isdigit() and other.label.isdigit()):
        return False
    parent = places.source.parent
    is_sibling = one.block == other.block or parent[one.block] == parent[other.block]
    return is_sibling and int(other.label) == int(one.label) + 1


# What is shown of notes


class _Reader:
    def __init__(self, places: _Places) -> None:
        self._places, self._source = places, places.source
        self._result = Notes()
        self._marked: set[int] = set()
        self._labels: set[str] = set()

    def read(self, found: Sequence[_Note]) -> Notes:
        """Read all notes, in the order of their texts; one within another is none."""
        self._marked = {mark[0] for note in found for mark in note.marks}
        stop = 0
        allowance = self._places.source.table.allowance
        for note in allowance.over(sorted(found, key=lambda note: note.extent)):
            if note.extent[0] >= stop and self._read(note):
                stop = note.extent[1]
        return self._result

    def _read(self, note: _Note) -> bool:
        """Add a note; False if nothing is left of it without its number and what leads back."""
        segments = self._places.segments(note.extent)
        inside = {*segments}
        marks = [mark for mark in note.marks if mark[0] not in inside]
        hidden = self._returns(note, segments)
        texts = self._trim(note, segments, hidden)
        shown = [segment for segment in segments if segment not in hidden]
        if not marks or not any(map(str.isalnum, self._places.text(shown))):
            return False
        label = self._label(note.label)
        self._result.hidden |= hidden
        self._result.texts |= texts
        for mark in marks:
            self._mark(mark, label)
        self._result.extents.append((note.extent, label))
        return True

    def _label(self, text: str) -> str:
        number = str(len(self._labels) + 1)
        label = text if text.isalnum() else number
        while label in self._labels:
            label += f"x{number}"
        self._labels.add(label)
        return label

    def _returns(self, note: _Note, segments: Sequence[int]) -> set[int]:
        hidden = {
            segment
            for link in self._places.links_in(note.extent, len(self._places.links))
            if self._is_return(link)
            for segment in link.segments
        }
        return hidden | self._signs(segments, hidden) | self._signs(segments[::-1], hidden)

    def _is_return(self, link: _Link) -> bool:
        """Does a link in a note lead back from it, or to its own number."""
        text = link.text.strip()
        if not any(map(str.isalnum, text)):
            return True
        if len(text) > _LONGEST_RETURN or link.segments[0] in self._marked:
            return False
        if _BACK.match(link.fragment) or _RETURNS.search(self._places.names(link.element)):
            return True
        is_labelled = bool(_label_of(text) or _RETURNS.search(text))
        place = self._source.open[link.target] if link.target >= 0 else self._source.close[0]
        return is_labelled and place <= self._source.open[link.element]

    def _signs(self, segments: Sequence[int], hidden: set[int]) -> set[int]:
        """Brackets, arrows and the like beside what leads back, at one end of a note."""
        signs: set[int] = set()
        for segment in segments:
            if segment not in hidden and not _SIGNS.match(self._source.text(segment)):
                break
            signs.add(segment)
        return signs if signs & hidden else set()

    def _trim(self, note: _Note, segments: Sequence[int], hidden: set[int]) -> dict[int, str]:
        """Hide the number that a note begins with; what is left of a text that begins with it."""
        number = re.escape(note.label)
        whole = re.compile(rf"[\[(]?{number}[\])]?[.:]?\Z")
        typed = re.compile(rf"(?:\[{number}\][.:]?|{number}[.:)]+|\({number}\))\s+|[.:)\]]+\s+")
        for segment in segments:
            text = self._source.text(segment)
            if segment not in hidden and not whole.match(text):
                match = typed.match(text)
                left = text[match.end() :] if match else ""
                return {segment: left} if left else {}
            hidden.add(segment)
        return {}

    def _mark(self, mark: Sequence[int], label: str) -> None:
        """Show a mark in place of its segments and of brackets around them."""
        result, text = self._result, self._source.text
        result.marks[mark[0]] = label
        result.hidden.update(mark[1:])
        first, last = mark[0] - 1, mark[-1] + 1
        if self._places.are_bracketed(mark):
            for segment, kept in ((first, text(first)[:-1]), (last, text(last)[1:])):
                if kept:
                    result.texts[segment] = kept
                else:
                    result.hidden.add(segment)
        is_raised = self._places.is_raised
        for segment in (max(first, 0), min(last, len(is_raised) - 1)):
            if is_raised[segment] and _SIGNS.match(text(segment)):
                result.hidden.add(segment)
