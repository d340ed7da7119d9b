"""Which images of a page belong to its kept content, and where they are fetched from."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from victor.page.markup.start_tags import Attributes
from victor.render.tree.source import Source

_LAZY: Final = (
    *("data-src", "data-lazy-src", "data-original", "data-hi-res-src", "data-lazy", "data-image"),
    *("data-echo", "data-url", "data-full-src"),
)
"""Attributes in which programs keep the address until the image comes into view."""
_LAZY_NAMES: Final = frozenset(_LAZY)
_LAZY_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_SMALL: Final = 32
"""Images of at most so many pixels are icons and counters."""
_FORMULA: Final = "mwe-math-fallback"
"""Begins the class of images that MediaWiki draws of formulas."""
_LEVELS: Final = 8
_CREDIT: Final = 12
"""Words of a credit or of a button below an image, at most."""
_NUMBER: Final = re.compile(r"\s*+(\d{1,6}+)(?:\.\d++)?+\s*+(?:px)?+\s*+\Z")
_CANDIDATE: Final = re.compile(
    r"(?<![^\s,])([^\s,]\S*[^\s,]|[^\s,])(?:\s++(\d{1,6}(?:\.\d{1,4})?)[wx])?\s*+(?:,|\Z)"
)
"""Tried once for each run without spaces or commas: a later start in it would end the same."""
_PLACEHOLDER: Final = re.compile(
    r"blank|spacer|pixel|placeholder|lazy|loading|transparent", re.IGNORECASE
)
_LONGEST_SET: Final = 20_000


class Image(NamedTuple):
    """An image of the kept content.

    Attributes:
        tag: its ordinal.
        source: absolute address.
        attributes: of its tag.
    """

    tag: int
    source: str
    attributes: Attributes


def images(source: Source) -> list[Image]:
    """Images of the kept content in order; one address twice in a row is one image."""
    result: list[Image] = []
    for tag in source.void("img"):
        if not is_inside(source, tag):
            continue
        attributes = source.attributes(tag)
        if not attributes or _is_no_picture(attributes):
            continue
        address = _address(source, attributes)
        if address and not (result and result[-1].source == address):
            result.append(Image(tag, address, attributes))
    return result


def is_inside(source: Source, tag: int) -> bool:
    """Does a tag stand in the kept content.

    The blocks before and after it, or the figure it is in, are kept; a short one that is dropped,
    such as a credit, may stand between. Or one of both is kept and shares with it an element in
    which nothing is dropped.
    """
    if source.dropped_tags is not None and source.dropped_tags[tag]:
        return False
    rows = source.rows
    before = after = bisect_left(rows.first_tag, tag)
    if before and rows.last_tag[before - 1] >= tag:  # within a block
        return source.is_kept[before - 1]
    figure = source.figures[source.table.tags.element[tag]]
    if figure >= 0:
        before, after = _blocks_of(source, figure)
    follows, leads = _is_kept(source, before - 1, -1), _is_kept(source, after, 1)
    if (follows and leads) or source.n_kept[before] < source.n_kept[after]:
        return True
    return (follows or leads) and _is_in_kept_element(source, tag)


def _is_kept(source: Source, block: int, step: int) -> bool:
    """Is a block kept, or a short one that is not, and the one beyond it is."""
    kept = source.is_kept
    n = len(kept)
    if 0 <= block < n and not kept[block] and source.words[block] <= _CREDIT:
        block += step
    return 0 <= block < n and kept[block]


def _blocks_of(source: Source, element: int) -> tuple[int, int]:
    """The blocks that begin in an element: the first, and the one after the last."""
    tags, rows = source.rows.first_tag, source.rows
    return bisect_left(tags, rows.open[element]), bisect_left(tags, rows.close[element])


def _is_in_kept_element(source: Source, tag: int) -> bool:
    """Is one of the nearest elements around a tag kept whole, and not empty."""
    element = int(source.table.tags.element[tag])
    for _ in range(_LEVELS):
        first, last = _blocks_of(source, element)
        if first < last:
            return source.n_kept[last] - source.n_kept[first] == last - first
        element = source.rows.parent[element]
    return False


def _is_no_picture(attributes: Attributes) -> bool:
    """Is an image an icon, a counter, or a drawing of a formula that is shown as TeX."""
    if _FORMULA in attributes.get("class", ""):
        return True
    sizes = (_NUMBER.match(attributes.get(side, "")) for side in ("width", "height"))
    return any(size is not None and int(size[1]) <= _SMALL for size in sizes)


def _address(source: Source, attributes: Attributes) -> str:
    """The address of an image, from where programs keep it, if the plain one is a stand-in."""
    plain = source.addresses.image(attributes.get("src", "")) if attributes.get("src") else ""
    has_lazy = not _LAZY_NAMES.isdisjoint(attributes) and _has_lazy(attributes)
    # A stand-in is told by the last part of its address.
    if plain and not has_lazy and not _PLACEHOLDER.search(plain, plain.rfind("/") + 1):
        return plain
    for name in _LAZY if has_lazy else ():
        address = source.addresses.image(attributes[name]) if attributes.get(name) else ""
        if address:
            return address
    for name in _LAZY_SETS:
        written = largest(attributes.get(name, ""))
        address = source.addresses.image(written) if written else ""
        if address and not plain:
            return address
    return plain


def _has_lazy(attributes: Attributes) -> bool:
    return any(attributes.get(name) for name in _LAZY)


def largest(candidates: str) -> str:
    """The address with the largest width or density of a ``srcset``; "" if there is none.

    >>> largest("a.png 480w, b.png 2x, c.png 1024w")
    'c.png'
    """
    best, size = "", -1.0
    for match in _CANDIDATE.finditer(candidates[:_LONGEST_SET]):
        if float(match[2] or 1) > size:
            best, size = match[1], float(match[2] or 1)
    return best
