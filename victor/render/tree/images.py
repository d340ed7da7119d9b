"""Which images of a page belong to its kept content, and where they are fetched from."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from victor.page.markup.start_tags import Attributes
from victor.page.parsing.tags import NAMES
from victor.render.tree.renditions import picture, width
from victor.render.tree.source import Source

_LAZY: Final = (
    *("data-src", "data-lazy-src", "data-original", "data-hi-res-src", "data-lazy", "data-image"),
    *("data-echo", "data-url", "data-full-src"),
)
"""Attributes in which programs keep the address until the image comes into view."""
_LAZY_NAMES: Final = frozenset(_LAZY)
_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_FILE: Final = re.compile(
    r"(?:https?:/)?/[^\s,?]{1,500}\.(?:jpe?g|png|webp|gif|avif)(?:\?\S{0,500})?\Z", re.IGNORECASE
)
"""The address of a file in an attribute of any program."""
_SMALL: Final = 32
"""Images of at most so many pixels are icons and counters."""
_LEVELS: Final = 8
_WRAPPERS: Final = frozenset({"", "picture", "p", "a", "center"})
"""What may stand between an image and the element that holds the text beside it."""
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
_STAND_IN: Final = re.compile(
    r"/(?:s_)?(?:blank|spacer|pixel|placeholder|lazy|loading|transparent|clear(?:dot)?|1x1(?:[.-]trans\w*)?|1x2)"
    r"\.(?:gif|png|svg)(?:\?|\Z)", re.IGNORECASE
)  # fmt: skip
"""An address that is nothing but a stand-in."""
_LONGEST_SET: Final = 20_000
_DENSITY: Final = 10
"""What a ``srcset`` says of a picture up to here is its density, beyond its width."""
_CELLS: Final = frozenset({"td", "th"})


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
    """Images of the kept content in order; renditions of one picture in a row are one image."""
    result: list[Image] = []
    formulas = source.paragraphs.formulas
    for tag in _beside_kept(source, source.void("img")):
        if not is_inside(source, tag) or (formulas is not None and formulas.draw(tag)):
            continue
        attributes = source.attributes(tag)
        if not attributes or _is_no_picture(attributes):
            continue
        address = _address(source, tag, attributes)
        if address:
            result.append(Image(tag, address, attributes))
    return _once(source, result) if len(result) > 1 else result


def _beside_kept(source: Source, tags: Sequence[int]) -> list[int]:
    """Those of some tags in a figure, or with a kept block next to them or next but one."""
    if not tags:
        return []
    figures, n_kept = source.figures, source.n_kept
    blocks = np.searchsorted(source.table.tag, tags).tolist()
    elements = source.table.tags.element[tags].tolist()
    return [
        tag
        for tag, block, element in zip(tags, blocks, elements, strict=True)
        if n_kept[max(block - 2, 0)] < n_kept[block + 2] or figures[element] >= 0
    ]


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
    return (follows or leads) and (
        _is_in_kept_element(source, tag) or _is_beside_text(source, tag, before, after)
    )


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


def _is_beside_text(source: Source, tag: int, before: int, after: int) -> bool:
    """Does a tag stand right in the element that holds the kept text next to it.

    What is next to it there is kept; of a figure one side is enough.
    """
    rows, element, child = source.rows, int(source.table.tags.element[tag]), -1
    for _ in range(_LEVELS):
        first, last = _blocks_of(source, element)
        if first < last:
            break
        element, child = rows.parent[element], element
    name = "" if child < 0 else NAMES[source.table.elements.tag[child]]
    sides = [source.is_kept[block] for block in (before - 1, after) if first <= block < last]
    if name == "figure":
        return any(sides)
    return name in _WRAPPERS and bool(sides) and all(sides)


def _is_no_picture(attributes: Attributes) -> bool:
    """Is an image an icon or a counter."""
    sizes = (_NUMBER.match(attributes.get(side, "")) for side in ("width", "height"))
    return any(size is not None and int(size[1]) <= _SMALL for size in sizes)


def _address(source: Source, tag: int, attributes: Attributes) -> str:
    """The address of an image, from where programs keep it, if the plain one is a stand-in.

    Where the page offers the picture in several widths, it is the widest, as a browser shows it on
    a large screen; of equal ones that of a ``<source>``, which a browser takes first.
    """
    plain = _plain(source, attributes)
    of_picture = [*_sets_of_picture(source, tag)]
    offered = [
        each
        for written in (*of_picture, *(attributes.get(name, "") for name in _SETS))
        for each in candidates(written)
    ]
    if not offered:
        return plain
    written, widest = max(offered, key=itemgetter(1))
    best = source.addresses.image(written)
    if not plain or not best or widest <= _DENSITY:
        return plain or best
    size = next((size for name, size in offered if source.addresses.image(name) == plain), 0.0)
    size = size or width(plain)
    is_first = bool(of_picture) and size == widest
    return best if size < widest or is_first else plain


def _plain(source: Source, attributes: Attributes) -> str:
    """The address of an image in one size, "" if there is only a stand-in."""
    plain = source.addresses.image(attributes.get("src", "")) if attributes.get("src") else ""
    has_lazy = not _LAZY_NAMES.isdisjoint(attributes) and _has_lazy(attributes)
    # A stand-in is told by the last part of its address.
    if plain and not has_lazy and not _PLACEHOLDER.search(plain, plain.rfind("/") + 1):
        return plain
    for name in _LAZY if has_lazy else ():
        address = source.addresses.image(attributes[name]) if attributes.get(name) else ""
        if address:
            return address
    for name, value in attributes.items():
        if name.startswith("data-") and _FILE.match(value):
            return source.addresses.image(value)
    return "" if _STAND_IN.search(plain) else plain


def _sets_of_picture(source: Source, tag: int) -> Iterator[str]:
    """Of every source of the ``<picture>`` around an image, but for those for small screens."""
    if not source.picture_sources:
        return
    picture = source.pictures[source.table.tags.element[tag]]
    for each in source.picture_sources.get(picture, ()):
        attributes = source.attributes(each)
        if "max-width" not in attributes.get("media", ""):
            yield attributes.get("srcset") or attributes.get("data-srcset") or ""


def _has_lazy(attributes: Attributes) -> bool:
    return any(attributes.get(name) for name in _LAZY)


def candidates(written: str) -> list[tuple[str, float]]:
    """The addresses of a ``srcset``, each with its width in pixels or its density.

    >>> candidates("a.png 480w, b.png 2x, c.png")
    [('a.png', 480.0), ('b.png', 2.0), ('c.png', 1.0)]
    """
    found = _CANDIDATE.finditer(written[:_LONGEST_SET])
    return [(match[1], float(match[2] or 1)) for match in found]


def _once(source: Source, found: Sequence[Image]) -> list[Image]:
    """Images without other renditions of the same picture in the same figure, or the same row.

    A row are the images with no kept text between them, in one cell if they stand in a table.
    """
    cells, elements = source.table.elements.innermost(_CELLS), source.table.tags.element
    around = [elements[image.tag] for image in found]
    groups = [
        ((row_of(source, image.tag), int(cells[element])), (-1, source.figures[element]))
        for image, element in zip(found, around, strict=True)
    ]
    sizes = Counter(group for pair in groups for group in pair)
    kept: list[Image] = []
    positions: dict[tuple[int, int, str], int] = {}
    for image, (row, figure) in zip(found, groups, strict=True):
        in_figure = figure[1] >= 0 and sizes[figure] > 1
        name = picture(image.source) if in_figure or sizes[row] > 1 else ""
        keys = [(*group, name) for group in ((row, figure) if in_figure else (row,)) if name]
        position = next((positions[each] for each in keys if each in positions), len(kept))
        if position == len(kept):
            kept.append(image)
        else:
            kept[position] = _better(source, kept[position], image)
        positions.update(dict.fromkeys(keys, position))
    return sorted(kept, key=itemgetter(0))


def row_of(source: Source, tag: int) -> int:
    """How many kept segments stand before a tag; with no kept text between it is the same."""
    return source.n_kept_segments[bisect_left(source.rows.segment_tag, tag)]


def _better(source: Source, first: Image, second: Image) -> Image:
    """The wider of two renditions, or the one that leads to the picture; with text of either."""
    ranks = [
        (_leads_to_itself(source, image), width(image.source) or math.inf)
        for image in (first, second)
    ]
    best, other = (first, second) if ranks[0] >= ranks[1] else (second, first)
    if best.attributes.get("alt") or not other.attributes.get("alt"):
        return best
    return best._replace(attributes={**best.attributes, "alt": other.attributes["alt"]})


def _leads_to_itself(source: Source, image: Image) -> bool:
    """Is an image a link to the file in full."""
    anchor = int(source.anchors[source.table.tags.element[image.tag]])
    written = source.of_element(anchor).get("href", "") if anchor >= 0 else ""
    return bool(written) and picture(source.addresses.link(written)) == picture(image.source)
