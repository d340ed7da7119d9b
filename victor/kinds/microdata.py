"""Objects of schema.org that markup declares (microdata), in the form that JSON-LD has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from victor.arrays import Bools
from victor.page.blocks import BlockTable
from victor.page.texts import text_of

ATTRIBUTES: Final = ("itemprop", "itemtype", "content", "href", "datetime")
"""What has to be recorded of a page."""
_LONGEST: Final = 500
"""Characters of a text that are read; values of interest are short, and elements nest."""
_MOST_NAMES: Final = 8

Thing = dict[str, Any]


def things(table: BlockTable) -> list[Thing]:
    """The outermost objects of the pages of a table, in order.

    As in JSON-LD, ``@type`` holds types and every other key a property: one value, or a list.

    Args:
        table: with the attributes `ATTRIBUTES`.
    """
    outermost: list[Thing] = []
    open_things: list[tuple[int, Thing]] = []
    for tag, types, names, value in _declared(table):
        while open_things and open_things[-1][0] < tag:
            open_things.pop()
        thing: Thing | None = {"@type": types} if types else None
        if open_things:
            for name in names:
                _add(open_things[-1][1], name, value if thing is None else thing)
        elif thing is not None:
            outermost.append(thing)
        if thing is not None:
            open_things.append((_end(table, tag), thing))
    return outermost


def _declared(table: BlockTable) -> Iterator[tuple[int, list[str], list[str], str]]:
    """Tag, types, properties and value of every tag that is an object or a property."""
    columns = [table.attribute(name) for name in ATTRIBUTES]
    rows = [[value or "" for value in row] for row in zip(*columns, strict=True)]
    says: Bools = np.array([*(bool(row[0] or row[1]) for row in rows), False], dtype=bool)
    tags = table.tags
    for tag in np.flatnonzero(says[tags.bundle] & (tags.step >= 0)).tolist():
        names, types, content, href, moment = rows[int(tags.bundle[tag])]
        value = content or moment or href
        if not value and tags.step[tag] > 0:
            value = _text(table, tag)
        yield tag, types.split()[:_MOST_NAMES], names.split()[:_MOST_NAMES], value


def _end(table: BlockTable, tag: int) -> int:
    """Tag with which the element ends that a tag opens; the tag itself for a void element."""
    return int(table.elements.close[table.tags.element[tag]]) if table.tags.step[tag] > 0 else tag


def _text(table: BlockTable, tag: int) -> str:
    """How the text of an element begins."""
    segments = table.segments
    first, after = np.searchsorted(segments.tag, (tag, _end(table, tag)))
    if first == after:
        return ""
    start = int(segments.start[first])
    end = min(int(segments.end[after - 1]), start + _LONGEST)
    return " ".join(text_of(table.chars[start:end]).split())


def _add(thing: Thing, name: str, value: str | Thing) -> None:
    """One more value of a property."""
    if name not in thing:
        thing[name] = value
    elif isinstance(thing[name], list):
        thing[name].append(value)
    else:
        thing[name] = [thing[name], value]
