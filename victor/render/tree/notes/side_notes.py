"""Notes beside the text: elements within a paragraph that are shown in the margin or on demand."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Final, NamedTuple

from victor.page.parsing.tags import HEADINGS, IDS
from victor.render.tree.notes.extents import LONGEST
from victor.render.tree.notes.numbers import NUMBER
from victor.render.tree.notes.places import LABEL, Extent, Places

_NAMES: Final = re.compile(
    r"(?:^|[\s_-])(?:foot|side|margin)-?_?note(?:[_-]*(?:content|text|body|note))?(?=\s|\Z)"
    r"|ltx_note_content|footnoteContent",
    re.IGNORECASE,
)
"""Classes of Tufte CSS, LaTeXML, Org mode, and plugins of WordPress."""
_ELEMENTS: Final = frozenset(IDS[name] for name in ("span", "small", "aside", "cite"))
_TEXTS: Final = frozenset({"p", "li", "dd", "td", "th", *HEADINGS})
_SIGNS: Final = frozenset("⊕⊗⊙※")
"""What is shown in place of a note where the screen is narrow."""


class SideNote(NamedTuple):
    """A note within a paragraph.

    Attributes:
        mark: segment of its mark before it, -1 for none.
        extent: where it stands.
    """

    mark: int
    extent: Extent


def side_notes(places: Places) -> list[SideNote]:
    """The notes within paragraphs; none of them is in another."""
    source = places.source
    ids = source.table.tags.id
    named = [
        int(source.table.tags.element[tag])
        for tag, value in source.tags.valued("class", "ote").items()
        if ids[tag] in _ELEMENTS and _NAMES.search(value[:500])
    ]
    opens = [source.rows.open[element] for element in named[1:]]
    innermost = [
        element
        for element, start in zip_longest(named, opens)
        if start is None or start >= source.rows.close[element]
    ]
    return [note for each in innermost if (note := _side_note(places, each)) is not None]


def _side_note(places: Places, element: int) -> SideNote | None:
    extent = places.extent(element)
    segments = places.segments(extent)
    text = places.text(segments)
    if not segments or LABEL.match(text.strip()) or len(text) > LONGEST:
        return None
    before = places.before(extent.start)
    if before < 0 or not _are_in_one_text(places, before, element):
        return None
    return SideNote(before if _is_mark(places, before) else -1, extent)


def _are_in_one_text(places: Places, segment: int, element: int) -> bool:
    """Does a note stand in the paragraph of the text before it."""
    around = places.around_named(_TEXTS)
    return around[element] >= 0 and around[element] == around[places.rows.segment_element[segment]]


def _is_mark(places: Places, segment: int) -> bool:
    """Is a text before a note its mark: a number or sign in an element of its own."""
    text = places.rows.text(segment)
    if text in _SIGNS:
        return True
    element = places.rows.segment_element[segment]
    return NUMBER.match(text) is not None and places.name(element) not in _TEXTS
