"""The parts of a title: what stands between separators, of which the outer ones may be a site's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from victor.metadata.texts import letters

Extent = tuple[int, int]

_SEPARATOR: Final = re.compile(
    r"\s[-–—|·•»«›‹~/:⋆]{1,3}\s|\s?[|｜»›]\s?|\s?::\s?|(?<=\w):\s|\s?[—]\s?"
)
_NOT_OF_QUOTES: Final = re.compile(
    r"\s[-–—|·•~/:⋆]{1,3}\s|\s?[|｜]\s?|\s?::\s?|(?<=\w):\s|\s?[—]\s?"
)
"""The same for a title with quotation marks that have the shape of separators."""
MARK: Final = re.compile(r"[-–—|·•»«›‹~/:⋆｜]")
"""What every separator has."""
_MOST_PIECES: Final = 8


def pieces(text: str) -> list[Extent]:
    """Extents of what stands between separators, at most the outer ones; of none the whole."""
    if not MARK.search(text):
        return [(0, len(text))]
    has_quotes = ("«" in text and "»" in text) or ("‹" in text and "›" in text)
    edges = [0]
    for match in (_NOT_OF_QUOTES if has_quotes else _SEPARATOR).finditer(text):
        edges += match.span()
    edges.append(len(text))
    several = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]
    if len(several) > _MOST_PIECES:
        several = [several[0], (several[1][0], several[-2][1]), several[-1]]
    return several or [(0, len(text))]


def between(text: str, extents: Sequence[Extent]) -> str:
    """A title from the first of some of its parts to the last."""
    return text[extents[0][0] : extents[-1][1]].strip()


def says(title: str) -> Callable[[str], bool]:
    """Tells if a heading says a title: the same letters, or one is the other and parts behind it.

    A part in front of the title may be the name of the site, so the heading may be the title's end.
    """
    parts, wanted = pieces(title), letters(title)
    ends = [parts[:end] for end in range(1, len(parts) + 1)]
    ends += [parts[first:] for first in range(1, len(parts))]
    parts_of_title = {letters(between(title, end)) for end in ends}

    def is_same(heading: str) -> bool:
        written = letters(heading)
        if written in parts_of_title or not written.startswith(wanted):
            return written in parts_of_title
        parts = pieces(heading)
        starts = (between(heading, parts[:end]) for end in range(1, len(parts) + 1))
        return any(letters(start) == wanted for start in starts)

    return is_same
