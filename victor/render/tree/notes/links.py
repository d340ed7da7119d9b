"""Links within a page: from a mark to its note, and back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np

from victor.page.parsing.tags import IDS
from victor.render.tree.notes.places import TITLE, Places, label_of

_NAMES: Final = re.compile(
    r"(?:foot|end|side)?-?note|\bfn|\bsdfootnote|references?\b|cite|bibr|noteref", re.IGNORECASE
)
"""What is named so may be a mark."""
_TARGETS: Final = re.compile(
    r"note|foot|cite|bib|(?:^|[^a-z])_?(?:e?d?ftn|edn|fn|ref|r)(?:$|[^a-z])", re.IGNORECASE
)
"""Fragments that lead to notes."""
BACK: Final = re.compile(r"(_?(?:ftn|edn|fn))_?ref(?=[\W_]*\d)", re.IGNORECASE)
"""Word, Google Docs and others call what leads back to ``ftn1`` ``ftnref1``."""
_QUOTED: Final = re.compile(r"'([\w:.-]{1,100})'")
_NEAR: Final = 6
"""Tags between a mark and the place that the link back leads to, at most."""
_MOST_LINKS: Final = 20
"""Links of one block that may lead back, at most."""


class Link(NamedTuple):
    """A link within the page.

    Attributes:
        element: the ``<a>``, or the ``<label>`` of a check box.
        target: the element that it leads to, -1 if there is none.
        segments: its kept text.
        text: the same as one text.
        fragment: name of the target.
        is_local: the address has nothing but the fragment, or is that of the page.
    """

    element: int
    target: int
    segments: list[int]
    text: str
    fragment: str
    is_local: bool


def links(places: Places) -> list[Link]:
    """The links of kept text within the page, in order."""
    source = places.source
    addresses = source.tags.valued("href", "#") | source.tags.valued("onclick", "ote")
    if (source.table.tags.id == IDS["label"]).any():
        addresses |= {tag: f"#{name}" for tag, name in source.tags.valued("for").items()}
    tags, ordinals = source.table.tags, [*addresses]
    columns = tags.element[ordinals].tolist(), tags.step[ordinals].tolist(), addresses.values()
    of_element = {
        element: address for element, step, address in zip(*columns, strict=True) if step > 0
    }
    if not places.hold_any([*of_element]):
        return []
    segments = _segments(places, of_element)
    ids = source.ids | _back_names(of_element, source.ids)
    made = (_link(places, element, of_element[element], segments[element], ids)
            for element in segments)  # fmt: skip
    return [link for link in made if link is not None]


def _segments(places: Places, elements: Iterable[int]) -> dict[int, list[int]]:
    """The kept segments in each of some elements."""
    table = places.source.table
    chosen = np.zeros(len(table.elements), dtype=bool)
    chosen[[*elements]] = True
    around = table.elements.nearest(chosen)[table.segment_element]
    rows = np.flatnonzero((around >= 0) & places.source.paragraphs.kept_segments)
    result: dict[int, list[int]] = defaultdict(list)
    for segment, element in zip(rows.tolist(), around[rows].tolist(), strict=True):
        result[element].append(segment)
    return result


def _back_names(addresses: dict[int, str], ids: dict[str, int]) -> dict[str, int]:
    """Elements that are known by what leads back from them, where nothing has the name itself."""
    names: dict[str, int] = {}
    for element, address in addresses.items():
        fragment = address.partition("#")[2]
        name = BACK.sub(r"\1", fragment)
        if name not in (fragment, *ids):
            names.setdefault(name, element)
    return names


def _link(
    places: Places, element: int, address: str, segments: list[int], ids: dict[str, int]
) -> Link | None:
    before, sign, fragment = address.partition("#")
    if not sign or not fragment:
        fragment = _named_target(places, element, ids)
        before = ""
    fragment = fragment if fragment in ids else unquote(fragment)
    target = ids.get(fragment, -1)
    is_local = not before or places.source.addresses.is_page(before)
    if target < 0 and not is_local and not BACK.match(fragment):
        return None
    return Link(element, target, segments, places.text(segments), fragment, is_local)


def _named_target(places: Places, element: int, ids: dict[str, int]) -> str:
    """The target of a link that a script follows: its name stands in some attribute."""
    for each in places.around(element, 2):
        attributes = places.source.of_element(each)
        for name in _QUOTED.findall(attributes.get("onclick", "")[:500]):
            if name in ids:
                return str(name)
        for key, value in attributes.items():
            if (key.startswith("data-") or key == "aria-describedby") and value in ids:
                return value
    return ""


def marks(places: Places, within: Sequence[Link]) -> list[Link]:
    """Those of some links that are marks of notes after them."""
    rows = places.rows
    is_raised = places.source.table.segments_inside(frozenset({"sup"}))
    back = _Back(places, within)
    return [
        link
        for link in within
        if link.target >= 0
        and not TITLE.match(link.fragment)
        and label_of(link.text)
        and rows.open[link.target] > rows.open[link.element]
        and (
            back.leads_to(link)
            or (link.is_local and (is_raised[link.segments[0]] or _is_named(places, link)))
            or (not link.is_local and _is_named(places, link) and _begins_with(places, link))
        )
    ]


def _begins_with(places: Places, link: Link) -> bool:
    """Does the block that a link leads to begin with the number that is linked."""
    first = places.first(places.extent(places.block(link.target)))
    return first >= 0 and places.rows.text(first).strip("[]()., ") == (link.text.strip("[]()., "))


def _is_named(places: Places, link: Link) -> bool:
    """Do names, or brackets around a number, say that a link is a mark."""
    around = places.around(link.element, 1)
    if any(places.name(e) == "cite" or _NAMES.search(places.names(e)) for e in around):
        return True
    is_bracketed = link.text.strip()[:1] == "["
    is_bracketed |= is_between(places, link.segments, "[]")
    return (is_bracketed and link.text.strip("[] ").isdigit()) and (
        _TARGETS.search(link.fragment) is not None
        or places.name(places.block(link.target)) == "li"
        or _begins_with(places, link)
    )


def is_between(places: Places, segments: Sequence[int], brackets: str) -> bool:
    """Do brackets stand directly around some segments."""
    first, last = segments[0] - 1, segments[-1] + 1
    if first < 0 or last >= len(places.rows.segment_tag):
        return False
    text = places.rows.text
    return text(first).endswith(brackets[0]) and text(last).startswith(brackets[1])


class _Back:
    """Which links are led back to from what they lead to."""

    def __init__(self, places: Places, within: Sequence[Link]) -> None:
        rows = places.rows
        self._places = places
        self._links = sorted(within, key=lambda link: rows.open[link.element])
        self._opens = [rows.open[link.element] for link in self._links]

    def leads_to(self, mark: Link) -> bool:
        """Does a sign or a number in the block that a numbered mark leads to lead to the mark."""
        if mark.text.strip("[]() ").isalpha():
            return False
        extent = self._places.extent(self._places.block(mark.target))
        first = bisect_left(self._opens, extent.start)
        links = self._links[first : bisect_left(self._opens, extent.stop, first)][:_MOST_LINKS]
        return any(
            link.target >= 0
            and (label_of(link.text) or not any(map(str.isalnum, link.text)))
            and is_near(self._places, link, mark)
            for link in links
        )


def is_near(places: Places, link: Link, mark: Link) -> bool:
    """Does a link lead to a place at a mark before it."""
    rows = places.rows
    place, start = rows.open[link.target], rows.open[mark.element]
    return rows.open[link.element] > start and (
        start - _NEAR <= place <= rows.segment_tag[mark.segments[-1]] + 1
    )
