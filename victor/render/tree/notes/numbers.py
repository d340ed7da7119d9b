"""Notes that no link leads to: a raised number, and further down a text that begins with it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

import numpy as np

from victor.page.parsing.tags import HEADINGS, IDS
from victor.render.tree.notes.extents import is_note
from victor.render.tree.notes.places import Extent, Places

NUMBER: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?\Z")
"""All of the text of a mark that no link tells from other text."""
_TYPED: Final = re.compile(r"\[(\d{1,3})\]\s*\S|(\d{1,3})[.)]\s+\S|([*†‡§¶]{1,3})\s*\w")
"""How the text of a note begins with its number."""
_NAMES: Final = re.compile(r"(?:foot|end)-?_?note|\bfnotes?\b|references?\b|reflist", re.IGNORECASE)
"""What is named so holds notes."""
_BOUNDS: Final = frozenset(HEADINGS) | {"hr"}
_FEWEST: Final = 2
"""Numbers in a row that need neither a line nor a title before them."""
_MARKED: Final = 0.5
"""Share of the items of a list that have marks, at least."""
_WRAPPERS: Final = 3


class Numbered(NamedTuple):
    """A note found by its number.

    Attributes:
        label: the number or sign.
        marks: segments of its marks.
        extent: where it stands.
    """

    label: str
    marks: list[int]
    extent: Extent


class _Start(NamedTuple):
    """Where a text begins with a number."""

    label: str
    segment: int
    block: int
    is_raised: bool


def numbered(places: Places, used: Container[int]) -> list[Numbered]:
    """The notes of raised numbers that lead nowhere.

    Args:
        places: the page.
        used: segments of marks and notes that are known.
    """
    if not (places.source.table.tags.id == IDS["sup"]).any():
        return []
    marks, starts = _raised(places, used)
    if not marks:
        return []
    found = [*_of_runs(places, marks, starts)]
    missing = {
        label: rows for label, rows in marks.items() if label not in {n.label for n in found}
    }
    if missing:
        found += _of_runs(places, missing, _bold(places, missing))
        found += _of_items(places, missing)
        found += _of_runs(places, missing, _typed(places, missing))
    return found


def _raised(places: Places, used: Container[int]) -> tuple[dict[str, list[int]], list[_Start]]:
    """Raised numbers in texts, by number, and those that texts begin with."""
    table = places.source.table
    is_chosen = table.segments_inside(frozenset({"sup"})) & places.source.paragraphs.kept_segments
    marks: dict[str, list[int]] = defaultdict(list)
    starts: list[_Start] = []
    for segment in np.flatnonzero(is_chosen).tolist():
        match = NUMBER.match(places.rows.text(segment))
        if not match or segment in used or places.leads_away(segment):
            continue
        if not places.starts_paragraph(segment):
            marks[match[1]].append(segment)
        elif len(places.of_paragraph(places.paragraph(segment))) > 1:
            block = places.block(places.rows.segment_element[segment])
            starts.append(_Start(match[1], segment, block, is_raised=True))
    return dict(marks), starts


def _bold(places: Places, marks: Container[str]) -> list[_Start]:
    """Texts that begin with a number in bold."""
    is_bold = places.source.table.segments_inside(frozenset({"b", "strong"}))
    rows = np.flatnonzero(is_bold & places.source.paragraphs.kept_segments).tolist()
    return [
        _Start(match[1], segment, places.block(places.rows.segment_element[segment]), False)
        for segment in rows
        if (match := NUMBER.match(places.rows.text(segment).rstrip(".:")))
        and match[1] in marks
        and places.starts_paragraph(segment)
    ]


def _typed(places: Places, marks: Container[str]) -> list[_Start]:
    """Texts that begin with a number as any other text."""
    starts: list[_Start] = []
    for paragraph in range(len(places.source.paragraphs.pre)):
        segments = places.of_paragraph(paragraph)
        match = _TYPED.match(places.rows.text(segments[0])) if segments else None
        label = match and next(filter(None, match.groups()))
        if label and label in marks:
            block = places.block(places.rows.segment_element[segments[0]])
            starts.append(_Start(label, segments[0], block, is_raised=False))
    return starts


def _of_runs(
    places: Places, marks: dict[str, list[int]], starts: Sequence[_Start]
) -> Iterator[Numbered]:
    """Notes whose texts follow one another, or that a name or a title says are notes."""
    starts = [each for each in starts if marks.get(each.label, [each.segment])[0] < each.segment]
    last_start: dict[str, int] = {}
    for run in _runs(places, starts):
        is_sure = _is_sure(places, run)
        texts = [each for each in run if is_sure or _is_named(places, each.block)]
        for start, extent in zip(texts, _extents(places, texts, marks), strict=True):
            rows = marks[start.label]
            # A number that stands again for another note stands for the next one.
            first = bisect_left(rows, last_start.get(start.label, 0))
            rows = rows[first : bisect_left(rows, start.segment)]
            last_start[start.label] = start.segment
            if rows and is_note(places, extent):
                yield Numbered(start.label, rows, extent)


def _runs(places: Places, starts: Sequence[_Start]) -> Iterator[list[_Start]]:
    """Texts of one parent with numbers that go up by one, or with signs."""
    run: list[_Start] = []
    for start in starts:
        if run and not _follows(places, run[-1], start):
            yield run
            run = []
        run.append(start)
    if run:
        yield run


def _follows(places: Places, before: _Start, start: _Start) -> bool:
    parent = places.rows.parent
    is_sibling = start.block == before.block or parent[start.block] == parent[before.block]
    if not start.label.isdigit() or not before.label.isdigit():
        return is_sibling
    return is_sibling and int(start.label) == int(before.label) + 1


def _is_sure(places: Places, run: Sequence[_Start]) -> bool:
    first = run[0]
    tag = places.rows.segment_tag[first.segment]
    if first.is_raised and (len(run) >= _FEWEST or not first.label.isdigit()):
        return True
    return places.follows_rule_or_title(min(tag, places.rows.open[first.block]))


def _is_named(places: Places, block: int) -> bool:
    """Does a name say that an element, or one around it, holds notes."""
    return any(_NAMES.search(places.names(each)) for each in places.around(block, _WRAPPERS))


def _extents(
    places: Places, run: Sequence[_Start], marks: dict[str, list[int]]
) -> Iterator[Extent]:
    """Where the notes of a run stand: up to the next one, if no mark is between any two."""
    rows = places.rows
    are_below = max((marks[each.label][-1] for each in run), default=0) < (
        run[0].segment if run else 0
    )
    before = -1
    for start, after in zip_longest(run, run[1:]):
        opens, stop = rows.open[start.block], rows.close[start.block]
        begin = rows.segment_tag[start.segment] if before == start.block else opens
        before = start.block
        if after is not None and after.block == start.block:
            stop = rows.segment_tag[after.segment]
        elif after is not None and are_below:
            next_open = rows.open[after.block]
            stop = stop if places.opening(_BOUNDS, stop, next_open) else next_open
        yield Extent(begin, stop)


def _of_items(places: Places, marks: dict[str, list[int]]) -> Iterator[Numbered]:
    """Notes in lists that a name or a title says hold notes."""
    elements = places.source.table.elements
    items = np.flatnonzero(elements.tag == IDS["li"])
    by_list: dict[int, list[int]] = defaultdict(list)
    for item, parent in zip(items.tolist(), elements.parent[items].tolist(), strict=True):
        by_list[parent].append(item)
    for parent, children in by_list.items():
        if places.name(parent) == "ol" and _holds_notes(places, parent):
            yield from _of_list(places, marks, parent, children)


def _holds_notes(places: Places, element: int) -> bool:
    around = places.around(element, 2)
    return (
        _is_named(places, element)
        or any(places.name(each) == "aside" for each in around)
        or places.follows_title(places.rows.open[element])
    )


def _of_list(
    places: Places, marks: dict[str, list[int]], parent: int, items: Sequence[int]
) -> Iterator[Numbered]:
    start = places.source.of_element(parent).get("start", "1").strip()
    first = int(start) if start.isdecimal() and len(start) <= len("9999") else 1
    found: list[Numbered] = []
    for number, item in enumerate(items, first):
        extent = places.extent(item)
        rows = [m for m in marks.get(str(number), ()) if places.rows.segment_tag[m] < extent.start]
        if rows and is_note(places, extent):
            found.append(Numbered(str(number), rows, extent))
    if len(found) >= _MARKED * len(items):
        yield from found
