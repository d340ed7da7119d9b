"""Which post of a thread another one replies to, as far as the markup shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from victor.kinds.threads.post_fields import Fields
from victor.page.markup.start_tags import Attributes, StartTags, start_tags
from victor.page.table.blocks import BlockTable

_INDENT: Final = re.compile(
    r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d{1,4})(?:px|em|rem|%)", re.IGNORECASE
)
_LEVEL: Final = re.compile(r"(?:depth|level|indent)[-_]?(\d{1,3})\b", re.IGNORECASE)
_MARKS: Final = (b"indent", b"margin-left", b"padding-left", b"depth", b"level", b"width")
_DIGITS: Final = re.compile(r"\d+")
_LONGEST: Final = 500
"""Characters of a class that are read."""
_MOST_TAGS: Final = 12
"""Tags at the beginning of a post that may say how far it is indented."""
_LEAST: Final = 0.8
"""Share of posts that say so, at least."""


def parents(table: BlockTable, fields: Fields, markup: bytes, n_lead: int) -> list[int]:
    """(R,) the post that each post replies to, -1 for none.

    A reply stands in the post or deeper in what is around it; or its markup says how far it is
    indented: a level in a class, a margin, the width of an image that holds nothing, or ``indent``.

    Args:
        table: of the page.
        fields: of its R posts.
        markup: the page as UTF-8 bytes.
        n_lead: one if the first post began the thread, else zero; nothing is a reply to it alone.
    """
    nested = [*_nested(table, fields.records.elements.tolist(), n_lead)]
    if any(parent >= 0 for parent in nested) or not any(mark in markup for mark in _MARKS):
        return nested
    levels = [*_levels(table, fields, StartTags(table, start_tags(markup)))]
    known = [level for level in levels[n_lead:] if level >= 0]
    if len({*known}) < 2 or len(known) < _LEAST * (len(levels) - n_lead):
        return nested
    return [*_by_level(levels, n_lead)]


def _nested(table: BlockTable, records: Sequence[int], n_lead: int) -> Iterator[int]:
    """The post that each stands in, or beside which it stands deeper."""
    elements = table.elements
    opens, closes, depths = (
        column[np.array(records)].tolist()
        for column in (elements.open, elements.close, elements.depth)
    )
    around = elements.close[elements.parent[np.array(records)]].tolist()
    names = _names(table, records)
    above: list[int] = []
    for row in range(len(records)):
        while above:
            top = above[-1]
            is_beside = depths[row] > depths[top] and around[top] > opens[row]
            is_beside &= names[row] == names[top]
            if closes[top] > opens[row] or is_beside:
                break
            above.pop()
        yield above[-1] if above else -1
        if row >= n_lead:
            above.append(row)


def _names(table: BlockTable, records: Sequence[int]) -> list[str]:
    """The first class of each post, without numbers; that of its tag if it has none."""
    classes, elements = table.attribute("class"), table.elements
    rows = elements.bundle[np.array(records)].tolist()
    tags = elements.tag[np.array(records)].tolist()
    written = (((classes[row] if row >= 0 else None) or "").split(None, 1)[:1] for row in rows)
    return [
        _DIGITS.sub("", first[0][:_LONGEST]) if first else str(tag)
        for first, tag in zip(written, tags, strict=True)
    ]


def _by_level(levels: Sequence[int], n_lead: int) -> Iterator[int]:
    """The last post before each that is less indented."""
    above: list[int] = []
    for row, level in enumerate(levels):
        while above and levels[above[-1]] >= level:
            above.pop()
        yield above[-1] if above and row >= n_lead else -1
        if row >= n_lead:
            above.append(row)


def _levels(table: BlockTable, fields: Fields, tags: StartTags) -> Iterator[int]:
    """How far each post is indented, -1 where nothing says so."""
    steps = table.tags.step
    for element in fields.records.elements.tolist():
        begin = int(table.elements.open[element])
        head = range(begin, min(begin + 2 * _MOST_TAGS, len(steps)))
        levels = (_level(tags.of(tag)) for tag in head if steps[tag] >= 0)
        yield next((level for level in levels if level >= 0), -1)


def _level(attributes: Attributes) -> int:
    """What a start tag says of how far something is indented, -1 for nothing."""
    written = attributes.get("indent", "")
    if written.isascii() and written.isdigit():
        return int(written[:4])
    if match := _INDENT.search(attributes.get("style", "")[:_LONGEST]):
        return int(match[1])
    if match := _LEVEL.search(attributes.get("class", "")[:_LONGEST]):
        return int(match[1])
    width = attributes.get("width", "")
    is_spacer = "src" in attributes and attributes.get("height") in ("1", "0")
    return int(width[:4]) if is_spacer and width.isascii() and width.isdigit() else -1
