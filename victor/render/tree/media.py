"""Images, frames, videos and sounds of the kept content, and where they are fetched from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from victor.page.markup.full_record import Attributes, Kind, Markup, markup_of
from victor.page.parsing.tags import NAMES, VOID
from victor.render.tree.nodes import Embed
from victor.render.tree.source import Source

_LAZY: Final = (
    *("data-src", "data-lazy-src", "data-original", "data-hi-res-src", "data-lazy", "data-image"),
    *("data-echo", "data-url", "data-full-src"),
)
"""Attributes in which programs keep the address until the image comes into view."""
_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_FILE: Final = re.compile(
    r"(?:https?:/)?/[^\s,?]{1,500}\.(?:jpe?g|png|webp|gif|avif)(?:\?\S{0,500})?\Z", re.IGNORECASE
)
"""The address of a file in an attribute of any program."""
_SMALL: Final = 32  # images of at most so many pixels are icons and counters
_LEVELS: Final = 8
_WRAPPERS: Final = frozenset({"", "picture", "p", "a", "center"})
"""What may stand between an image and the element that holds the text beside it."""
_CREDIT: Final = 12  # words of a credit or of a button below an image, at most
_NUMBER: Final = re.compile(r"\s*+(\d{1,6}+)(?:\.\d++)?+\s*+(?:px)?+\s*+\Z")
_CANDIDATE: Final = re.compile(
    r"(?<![^\s,])([^\s,]\S*[^\s,]|[^\s,])(?:\s++(\d{1,6}(?:\.\d{1,4})?)[wx])?\s*+(?:,|\Z)"
)
"""Tried once for each run without spaces or commas: a later start in it would end the same."""
_STAND_IN: Final = re.compile(
    r"/(?:s_)?(?:blank|spacer|pixel|placeholder|lazy|loading|transparent|clear(?:dot)?|1x1(?:[.-]trans\w*)?|1x2)"
    r"\.(?:gif|png|svg)(?:\?|\Z)", re.IGNORECASE
)  # fmt: skip
"""An address that is nothing but a stand-in."""
_LONGEST_SET: Final = 20_000
_DENSITY: Final = 10
"""What a ``srcset`` says of a picture up to here is its density, beyond its width."""
_CELLS: Final = frozenset({"td", "th"})
_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg")


_PLAYER: Final = re.compile(r"[^?#]*?(?:embed|player|video)", re.I)
"""The address of a frame that shows more than an advertisement or a button."""
_YOUTUBE: Final = re.compile(
    r"(?:https?:)?//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{6,})"
)
"""Its frames refuse to be opened as pages."""
_ADDRESSES: Final = ("src", "data-src", "data-lazy-src")
_NO_TITLE: Final = re.compile(r"(?:youtube|vimeo|video|player|embed(?:ded)?|iframe|[ -])*", re.I)
"""A title that says only that something is shown."""


class Image(NamedTuple):
    """An image of the kept content."""

    tag: int  # its ordinal
    source: str  # absolute address
    attributes: Attributes  # of its tag


def images(source: Source) -> list[Image]:
    """Images of the kept content in order; of one file at one place there is one image."""
    result: list[Image] = []
    of_pictures = _widest_sources(source)
    formulas = source.paragraphs.formulas
    for tag in source.void("img"):
        if not is_inside(source, tag) or (formulas is not None and formulas.draw(tag)):
            continue
        attributes = source.tags.of(tag)
        if not attributes or _is_no_picture(attributes):
            continue
        picture = source.pictures[source.tag_element[tag]] if of_pictures else -1
        address = _address(source, attributes, of_pictures.get(picture))
        if address:
            result.append(Image(tag, address, attributes))
    return _once(source, result) if len(result) > 1 else result


def is_inside(source: Source, tag: int) -> bool:
    """Does a tag stand in the kept content.

    The blocks before and after it, or the figure it is in, are kept; a short one that is dropped,
    such as a credit, may stand between. Or one of both is kept and shares with it an element in
    which nothing is dropped.
    """
    if source.dropped_tags is not None and source.dropped_tags[tag]:
        return False
    before = after = bisect_left(source.first_tag, tag)
    if before and source.last_tag[before - 1] >= tag:  # within a block
        return source.is_kept[before - 1]
    figure = source.figures[source.tag_element[tag]]
    if figure >= 0:
        before, after = _blocks_of(source, figure)
    elif source.n_kept[max(before - 2, 0)] == source.n_kept[before + 2]:
        return False  # nothing near it is kept
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
    tags = source.first_tag
    return bisect_left(tags, source.open[element]), bisect_left(tags, source.close[element])


def _is_in_kept_element(source: Source, tag: int) -> bool:
    """Is one of the nearest elements around a tag kept whole, and not empty."""
    element = source.tag_element[tag]
    for _ in range(_LEVELS):
        first, last = _blocks_of(source, element)
        if first < last:
            return source.n_kept[last] - source.n_kept[first] == last - first
        element = source.parent[element]
    return False


def _is_beside_text(source: Source, tag: int, before: int, after: int) -> bool:
    """Does a tag stand right in the element that holds the kept text next to it.

    What is next to it there is kept; of a figure one side is enough.
    """
    element, child = source.tag_element[tag], -1
    for _ in range(_LEVELS):
        first, last = _blocks_of(source, element)
        if first < last:
            break
        element, child = source.parent[element], element
    name = "" if child < 0 else NAMES[source.table.elements.tag[child]]
    sides = [source.is_kept[block] for block in (before - 1, after) if first <= block < last]
    if name == "figure":
        return any(sides)
    return name in _WRAPPERS and bool(sides) and all(sides)


def _is_no_picture(attributes: Attributes) -> bool:
    sizes = (_NUMBER.match(attributes.get(side, "")) for side in ("width", "height"))
    return any(size is not None and int(size[1]) <= _SMALL for size in sizes)


def _address(source: Source, attributes: Attributes, of_picture: tuple[str, float] | None) -> str:
    """The address of an image, from where programs keep it, if the plain one is a stand-in.

    Where the page offers the picture in several widths, it is the widest, as a browser shows it on
    a large screen; of equal ones that of a ``<source>``, which a browser takes first.
    """
    plain = _plain(source, attributes)
    offered = [each for name in _SETS for each in candidates(attributes.get(name, ""))]
    if of_picture:
        offered.insert(0, of_picture)
    if not offered:
        return plain
    written, widest = max(offered, key=itemgetter(1))
    best = source.addresses.image(written)
    return best or plain if widest > _DENSITY else plain or best


def _plain(source: Source, attributes: Attributes) -> str:
    plain = source.addresses.image(attributes.get("src", "")) if attributes.get("src") else ""
    if _STAND_IN.search(plain):
        plain = ""
    lazy = (source.addresses.image(attributes[name]) for name in _LAZY if attributes.get(name))
    if address := next(filter(None, lazy), plain):
        return address
    files = (value for name, value in attributes.items() if name.startswith("data-"))
    return next((source.addresses.image(value) for value in files if _FILE.match(value)), "")


def candidates(written: str) -> list[tuple[str, float]]:
    """The addresses of a ``srcset``, each with its width in pixels or its density.

    >>> candidates("a.png 480w, b.png 2x, c.png")
    [('a.png', 480.0), ('b.png', 2.0), ('c.png', 1.0)]
    """
    found = _CANDIDATE.finditer(written[:_LONGEST_SET])
    return [(match[1], float(match[2] or 1)) for match in found]


def _widest_sources(source: Source) -> dict[int, tuple[str, float]]:
    """What the sources of each ``<picture>`` offer in the largest size, but for small screens."""
    widest: dict[int, tuple[str, float]] = {}
    for tag in source.void("source"):
        picture, attributes = (
            source.pictures[source.tag_element[tag]],
            source.tags.of(tag),
        )
        if picture >= 0 and "max-width" not in attributes.get("media", ""):
            written = attributes.get("srcset") or attributes.get("data-srcset") or ""
            for each in candidates(written):
                widest[picture] = max(widest.get(picture, each), each, key=itemgetter(1))
    return widest


def _once(source: Source, found: Sequence[Image]) -> list[Image]:
    """Images without further ones of the same file name in one figure, or in one row.

    Programs write an image again in another size, for other screens or for browsers without
    scripts. A row are the images with no kept text between them, in one cell if they stand in a
    table.
    """
    if len({_file(image.source) for image in found}) == len(found):
        return [*found]
    cells, elements = source.table.elements.innermost(_CELLS), source.tag_element
    kept: list[Image] = []
    seen: set[tuple[str, int, int]] = set()
    for image in found:
        element, name = elements[image.tag], _file(image.source)
        places = {(name, row_of(source, image.tag), int(cells[element]))}
        if source.figures[element] >= 0:
            places.add((name, -1, source.figures[element]))
        if seen.isdisjoint(places):
            kept.append(image)
        seen |= places
    return kept


def _file(address: str) -> str:
    """The name of the file at an address; the address, where it has no such name."""
    name = address.partition("?")[0].rpartition("/")[2]
    return name if name.lower().endswith(_ENDINGS) else address


def row_of(source: Source, tag: int) -> int:
    """How many kept segments stand before a tag; with no kept text between it is the same."""
    return source.n_kept_segments[bisect_left(source.segment_tag, tag)]


def embeds(source: Source) -> list[tuple[int, Embed]]:
    """What is embedded in the kept content, each with the tag before it, in order.

    One address twice with no text between is one.
    """
    record, n_tags = source.players, len(source.table.tags.id)
    if record is None or not len(record.kind):
        return []
    if record.n_tags != n_tags:  # the table counts lines of the source, or texts of images
        record = markup_of(source.table, 0, source.markup)
    if record.n_tags != n_tags:
        return []
    found: dict[tuple[int, str], tuple[int, Embed]] = {}
    for tag, name, holders in _holders(record):
        address = _address_of(source, name, holders)
        if address and is_inside(source, tag):
            title = " ".join(holders[0].get("title", "").split())
            embed = Embed(address, "" if _NO_TITLE.fullmatch(title) else title)
            found.setdefault((row_of(source, tag), address), (tag, embed))
    return [*found.values()]


def _holders(record: Markup) -> Iterator[tuple[int, str, list[Attributes]]]:
    """The outermost elements that are dropped from the text, as frames and media are.

    Yields:
        The tag before one, its name, and its attributes followed by those of the sources in it.
    """
    depth, holders = 0, list[Attributes]()
    is_start = record.kind == Kind.START
    is_tag = (is_start | (record.kind == Kind.END)) & record.dropped
    for row in np.flatnonzero(is_tag).tolist():
        name = record.texts[row]
        is_void = name in VOID
        if is_start[row]:
            if depth == 0:
                holders = []
            if not is_void or name == "source":
                holders.append(record.attributes[row])
            depth += not is_void
        elif not is_void:
            depth -= 1
            if depth == 0:
                yield int(record.tag[row]), name, holders


def _address_of(source: Source, name: str, holders: Sequence[Attributes]) -> str:
    """The address of a frame or of media; a video that plays by itself is part of the design."""
    is_media = name in ("video", "audio")
    if not (is_media or name == "iframe") or (
        "autoplay" in holders[0] and "controls" not in holders[0]
    ):
        return ""
    written = (each.get(key, "") for each in holders for key in _ADDRESSES)
    addresses = (source.addresses.image(each) for each in written if each)
    address = next(filter(None, addresses), "")
    if match := _YOUTUBE.match(address):
        return f"https://www.youtube.com/watch?v={match[1]}"
    return address if is_media or _PLAYER.match(address) else ""
