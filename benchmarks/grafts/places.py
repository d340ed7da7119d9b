"""Places of a page at which a section can follow its text.

The parser does not say where in the source a tag stands. So a probe, an element without text, is
put behind every end tag of interest, the page is parsed once, and each probe says which place of
the source is where among the elements and segments.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment

ATTRIBUTE: Final = "data-victor-place"
END: Final = re.compile(
    rb"</(?:article|section|main|div|p|table|center|blockquote|ul|ol|dl|h[1-6]|form|figure|pre|aside"
    rb"|header|footer)\s*>",
    re.IGNORECASE,
)
AROUND: Final = frozenset("article section main div td center body form".split())
"""Elements that a section may be put in."""
WHOLE: Final = 0.9
"""Share of the kept segments that such an element has to hold."""
BETWEEN: Final = 60
"""Segments at most between the end of the text and the section: shares, tags, the author."""


class Place(NamedTuple):
    """A place in the source of a page: in its bytes, and how many canonical segments are before."""

    offset: int
    segment: int


def places(markup: bytes, kept: Bools) -> list[Place]:
    """The first place behind the text in each element around it, from the inside out.

    Args:
        markup: a page in UTF-8.
        kept: (S,) bool, which canonical segments are content; at least one is.
    """
    offsets = [match.end() for match in END.finditer(markup)]
    table = probed(markup, offsets)
    if len(table.segments) != len(kept):
        return []  # an end tag in a script or the like: the probe became text
    elements, positions = table.elements, np.flatnonzero(kept)
    probes = np.flatnonzero(elements.bundle >= 0)
    numbers = [int(table.bundles[row][0] or 0) for row in elements.bundle[probes].tolist()]
    before = np.searchsorted(table.segments.tag, elements.open[probes])
    end = int(positions[-1]) + 1
    places_in = dict[int, Place]()
    for parent, probe, n_before in zip(
        elements.parent[probes].tolist(), numbers, before.tolist(), strict=True
    ):
        if end <= n_before <= end + BETWEEN and parent not in places_in:
            places_in[parent] = Place(offsets[probe], n_before)
    return [places_in[row] for row in around_text(table, kept) if row in places_in]


def probed(markup: bytes, offsets: list[int]) -> BlockTable:
    """The canonical segments of a page with a probe at each offset."""
    bounds = [0, *offsets, len(markup)]
    pieces = [markup[start:stop] for start, stop in pairwise(bounds)]
    probes = [
        f'<victor-place {ATTRIBUTE}="{number}"></victor-place>'.encode()
        for number in range(len(offsets))
    ]
    source = b"".join(part for pair in zip(pieces, probes, strict=False) for part in pair)
    return segment(record([source + pieces[-1]], attributes=(ATTRIBUTE,)), "tag")


def around_text(table: BlockTable, kept: Bools) -> list[int]:
    """Elements around the last kept segment that hold nearly all that is kept, inside out."""
    elements = table.elements
    tags = table.segments.tag[kept]
    allowed = member_mask(AROUND)
    row = int(table.tags.element[tags[-1]])
    around = []
    while elements.depth[row] > 0 and elements.tag[row] != IDS["html"]:
        is_inside = (tags >= elements.open[row]) & (tags < elements.close[row])
        if allowed[elements.tag[row]] and is_inside.mean() >= WHOLE:
            around.append(row)
        row = int(elements.parent[row])
    return around
