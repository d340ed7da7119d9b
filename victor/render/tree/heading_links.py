"""Links of headings to themselves, which programs that make documentation write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from victor.page.parsing.tags import HEADINGS, IDS
from victor.render.tree.source import Source

_HEADINGS: Final = frozenset(IDS[name] for name in HEADINGS)
_ABOVE: Final = 5
"""Elements around a heading that may have the name its link leads to: section, post."""
_PREFIX: Final = "user-content-"
"""Before the names that GitHub makes."""


def is_at(source: Source, anchor: int, fragment: str) -> bool:
    """Is an ``<a>`` in or around the heading of the place that it leads to.

    Args:
        source: the page.
        anchor: the element.
        fragment: the name of the place, without number sign.
    """
    heading = _heading(source, anchor)
    if heading < 0:
        return False
    names = map(source.of_element, _near(source, heading))
    wanted = fragment.casefold()
    return any(
        attributes.get(key, "").casefold().removeprefix(_PREFIX) == wanted
        for attributes in names
        for key in ("id", "name")
    )


def _heading(source: Source, anchor: int) -> int:
    """The heading around an element, or the first thing in it, -1 for none."""
    elements, rows = source.table.elements, source.rows
    element = anchor
    for _ in range(_ABOVE):
        if elements.tag[element] in _HEADINGS:
            return element
        element = rows.parent[element]
    inner = anchor + 1
    is_inside = inner < len(elements) and rows.open[inner] < rows.close[anchor]
    return inner if is_inside and elements.tag[inner] in _HEADINGS else -1


def _near(source: Source, heading: int) -> Iterator[int]:
    """A heading with what is in it, and elements around it."""
    rows = source.rows
    inner = heading
    while inner < len(source.table.elements) and rows.open[inner] < rows.close[heading]:
        yield inner
        inner += 1
    for _ in range(_ABOVE):
        heading = rows.parent[heading]
        yield heading
