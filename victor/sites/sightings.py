"""Sightings of pages: what a first pass notes of every page, as bytes for a file.

A sighting is a head, 12 bytes for every block (the hashes of its text and of its path, its words),
and the marginals of the blocks, so that a second pass need not find them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from struct import Struct as Unpacker
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Floats, Hashes, Ints, span_indices, unchanging, window_sums
from victor.page.parsing import characters as ch
from victor.page.parsing.tags import NAMES
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, cached_powers, lower_weights, mixed

HEAD: Final = np.dtype(
    [("key", "<u8"), ("site", "<u8"), ("address", "<u8"), ("digest", "<u8"), ("blocks", "<u8")]
)
"""Of a sighting: what finds its page again, its site, its address, its texts, and its length."""
ROW: Final = np.dtype([("text", "<u4"), ("path", "<u4"), ("words", "<u4")])
"""Of a block."""
_MARGINALS: Final = np.dtype(("<f8", 3))
_LENGTH: Final = Unpacker("<Q")
_BLOCK_BYTES: Final = ROW.itemsize + _MARGINALS.itemsize
_LEVELS: Final = 2
"""Elements of a path."""
_SIMPLE_ADDRESS: Final = re.compile(r"https?://([A-Za-z0-9.-]+)(?:[/?#]|\Z)")
"""Most addresses: to split others takes ten times as long."""
_NEXT_SHIFT: Final = np.uint32(7)
_KEY_BASE: Final = 0xD6E8FEB86659FD93
"""Odd: the base of polynomials."""


class Pages(Struct, frozen=True):
    """Where the P pages of a batch come from.

    Attributes:
        site: (P,) uint64 hash of the site of each.
        address: (P,) uint64 hash of its address; 0 where it has none.
    """

    site: Hashes
    address: Hashes

    @classmethod
    def of_urls(cls, urls: Sequence[str | None]) -> Pages:
        """Pages by their addresses; those without one are of one site."""
        site = [name_hash(site_of(url)) for url in urls]
        address = [name_hash(url) if url else 0 for url in urls]
        return cls(np.array(site, dtype=np.uint64), np.array(address, dtype=np.uint64))


class Sighting(NamedTuple):
    """A sighting that was read again; n blocks.

    Attributes:
        head: record of `HEAD`.
        rows: (n,) of `ROW`.
        marginals: (n, 3) float64.
    """

    head: Any
    rows: NDArray[Any]
    marginals: Floats


def site_of(url: str | None) -> str:
    """The host of an address without ``www.``; empty if there is none.

    >>> site_of("https://www.Example.org:8080/a?b"), site_of("pages/a.html"), site_of(None)
    ('example.org', '', '')
    """
    if simple := _SIMPLE_ADDRESS.match(url or ""):
        return simple[1].lower().removeprefix("www.")
    from urllib.parse import urlsplit  # 3 ms to load

    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # no address
        return ""
    return host.removeprefix("www.")


def name_hash(name: str) -> int:
    """64 bits of a name."""
    digest = blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def sight(table: BlockTable, marginals: Floats, pages: Pages) -> list[bytes]:
    """Sightings of the pages of a batch.

    Args:
        table: the blocks.
        marginals: (n, 3) float64 of a first verdict.
        pages: where they come from.
    """
    rows = np.empty(len(table), dtype=ROW)
    rows["text"], rows["words"] = _text_hashes(table), table.words
    rows["path"] = _template_paths(table)
    keys, digests = page_keys(table, pages), _digests(table, rows)
    starts = table.page_starts.tolist()
    sightings = []
    for page in range(table.n_pages):
        blocks = slice(starts[page], starts[page + 1])
        head = np.array(
            (keys[page], pages.site[page], pages.address[page], digests[page],
             starts[page + 1] - starts[page]),
            dtype=HEAD,
        )  # fmt: skip
        of_blocks = np.ascontiguousarray(marginals[blocks], dtype="<f8")
        sightings.append(b"".join((head.tobytes(), rows[blocks].tobytes(), of_blocks.tobytes())))
    return sightings


def page_keys(table: BlockTable, pages: Pages) -> Hashes:
    """(P,) hash of the address of each page, its text, and where its blocks begin."""
    sums = np.zeros((2, table.n_pages), dtype=np.uint64)
    for page, (blocks, chars) in enumerate(_extents(table)):
        tags, starts = table.tag[blocks], table.start[blocks] - chars.start
        places = (tags - tags[:1]) << 32 | starts
        sums[:, page] = _polynomial(table.chars[chars]), _polynomial(places)
    of_text, of_places = sums
    return np.asarray((mixed(pages.address) + of_text) * GOLDEN + of_places)


def _extents(table: BlockTable) -> Iterator[tuple[slice, slice]]:
    """The blocks and the characters of each page.

    Page by page no array is so long that powers of a base have to be found again for it.
    """
    for first, last in pairwise(table.page_starts.tolist()):
        if first == last:
            yield slice(first, first), slice(0, 0)
        else:
            yield slice(first, last), slice(int(table.start[first]), int(table.end[last - 1]))


def _polynomial(numbers: NDArray[Any]) -> np.uint64:
    """Sum modulo 2^64 of 64 bits at a time times powers of a base."""
    n_odd = numbers.nbytes % 8 // 4  # a last number of 32 bits
    words = numbers[: len(numbers) - n_odd].view(np.uint64)
    total = np.add.reduce(words * cached_powers(_KEY_BASE, len(words)))
    return np.uint64(total ^ np.uint64(numbers[-1])) if n_odd else np.uint64(total)


def _text_hashes(table: BlockTable) -> NDArray[np.uint32]:
    """(n,) hash of the word characters of each block, each with the next one of its word.

    Case and signs do not count, nor does the order of words, which saves time. Digits do: the
    prices and ratings of a list are content, and without digits they all repeat.
    """
    if not len(table):
        return np.zeros(0, dtype=np.uint32)
    filled = table.end > table.start
    characters = _character_numbers().take(table.chars, mode="clip")
    pairs = np.ones(len(characters) + 1, dtype=np.uint32)  # a block without text may lie at the end
    # Shifted, so that two characters count otherwise than the same two in the other order.
    pairs[:-2] += characters[1:] >> _NEXT_SHIFT
    pairs[table.end[filled] - 1] = 1
    pairs[:-1] *= characters
    bounds = np.stack([table.start, table.end], axis=1).ravel()
    sums = np.add.reduceat(pairs, bounds, dtype=np.uint32)[::2]
    return np.where(filled, sums, np.uint32(0))


@cache
def _character_numbers() -> NDArray[np.uint32]:
    """A random-looking number for every word character, the same for both cases; 0 for others."""
    classes = ch.class_table()[: len(lower_weights())]
    is_word = (classes >= ch.LOWER) & (classes <= ch.OTHER_WORD)
    numbers = np.where(is_word, lower_weights(), np.uint64(0))
    return unchanging(numbers.astype(np.uint32))


def _digests(table: BlockTable, rows: NDArray[Any]) -> Hashes:
    """(P,) sum of the texts of each page: that of pages with equal texts."""
    texts = np.where(rows["words"] > 0, mixed(rows["text"]), np.uint64(0))
    return window_sums(texts.view(np.int64), table.page_starts).view(np.uint64)


def _template_paths(table: BlockTable) -> NDArray[np.uint32]:
    """(n,) hash of the two block-level elements around each block, with their first classes.

    More of them tell more blocks apart, but fewer are then found on other pages: classes of outer
    elements often name the page.
    """
    tags = mixed(np.arange(len(NAMES), dtype=np.uint64))
    elements = np.stack([*table.ancestors(_LEVELS)])
    classes = np.zeros(elements.shape, dtype=np.uint64)
    if "class" in table.attributes:
        classes = _class_hashes(table, table.elements.bundle[elements])
    sums = np.zeros(len(table), dtype=np.uint64)
    for tag, of_class in zip(tags[table.elements.tag[elements]], classes, strict=True):
        sums = (sums * GOLDEN + tag) * GOLDEN + of_class
    return (mixed(sums) >> np.uint64(32)).astype(np.uint32)


def _class_hashes(table: BlockTable, bundles: Ints) -> Hashes:
    """Hash of the first class of some bundles, 0 for none.

    Args:
        table: the blocks, with classes.
        bundles: row of each bundle, -1 for none.
    """
    numbers = table.class_numbers[bundles]
    bundle = np.full(int(numbers.max(initial=0)) + 1, -1)
    bundle[numbers] = bundles  # one of those with each class
    used = np.flatnonzero(bundle[1:] >= 0) + 1
    columns = table.bundle_columns
    value = bundle[used] * columns.width + table.attribute_column("class")
    start = columns.offsets[value]
    length = columns.offsets[value + 1] - start
    data = columns.values[span_indices(start, length)].tobytes()
    values = [data[first:last] for first, last in pairwise([0, *np.cumsum(length).tolist()])]
    classes = [value.decode().split(None, 1)[0] for value in values]
    hashes = np.zeros(len(bundle), dtype=np.uint64)
    hashes[used] = [crc32(name.encode()) for name in classes]
    return np.asarray(hashes[numbers])


def heads(path: Path) -> tuple[Ints, NDArray[Any]]:
    """Where each sighting of a file begins, and its head."""
    data = mapped(path, np.dtype(np.uint8))
    offset, offsets, view = 0, [], data.data
    while offset < len(data):
        offsets.append(offset)
        (n_blocks,) = _LENGTH.unpack_from(view, offset + HEAD.itemsize - _LENGTH.size)
        offset += HEAD.itemsize + n_blocks * _BLOCK_BYTES
    places = np.array(offsets, dtype=np.int64)
    letters = data[places[:, None] + np.arange(HEAD.itemsize)]
    return places, np.ascontiguousarray(letters).view(HEAD).reshape(-1)


def sighting(data: NDArray[np.uint8], offset: int) -> Sighting:
    """The sighting that begins at an offset of a file."""
    head = np.frombuffer(data, HEAD, 1, offset)[0]
    n_blocks = int(head["blocks"])
    offset += HEAD.itemsize
    rows = np.frombuffer(data, ROW, n_blocks, offset)
    offset += n_blocks * ROW.itemsize
    marginals = np.frombuffer(data, "<f8", 3 * n_blocks, offset).reshape(-1, 3)
    return Sighting(head, rows, marginals)


def mapped(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The items of a file, read when they are used; no memory of this process holds them."""
    if not path.stat().st_size:  # which cannot be mapped
        return np.zeros(0, dtype=dtype)
    return np.asarray(np.memmap(path, dtype=dtype, mode="r"))
