"""Count what pages of one site share, from the sightings of a first pass.

A folder of sightings, `*.sights` files in the order of their names, gets files of plain arrays
beside them, which a second pass maps into memory:

```
sites      (S,) `SITE`: sites with two counted pages or more, ascending by hash
counted    per site the addresses and digests of the counted pages, ascending
texts      per site the hashes of texts on two pages or more, ascending
text_sums  per text `SUMS`
paths      per site the hashes of paths on two pages or more, ascending
path_sums  per path `SUMS`
keys       (P,) keys of all pages, ascending
places     (P,) where the sighting of each lies: number of the file and byte in it
```

All sums are of integers, so that taking out what a page itself gave is exact. Source: the idea is
that of the frequent texts of a site in Saralegi and Leturia (Kimatu, WAC3, 2007), who wanted to ask
search engines for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Hashes, Ints, span_indices
from victor.base.labels import Label
from victor.sites.sightings import HEAD, Sighting, heads, mapped, sighting

SIGHTS: Final = ".sights"
"""Extension of the files."""
MOST_PAGES: Final = 100
"""Pages of a site that are counted: the first ones that differ."""
MOST_BLOCKS: Final = 1_000_000
"""Blocks of these pages; a page that would be beyond is not counted."""
_ALIKE: Final = 0.9
"""Part of the words of the larger one of two pages whose texts are on both, if they are twins."""
STEP: Final = 1024
"""Log-odds are counted in this part of one."""
FARTHEST: Final = 8.0
"""Log-odds are at most this."""

SUMS: Final = ("pages", "words", "log-odds")
"""Pages that have a text or path, its words there, and the sum of their log-odds in steps."""
SITE: Final = np.dtype(
    [("site", "<u8"), ("pages", "<u8"), ("counted", "<u8"), ("texts", "<u8"), ("paths", "<u8")]
)
"""Hash, counted pages, and where in the other files what is of the site ends."""
_FILES: Final[Mapping[str, tuple[str, int]]] = {
    "sites": ("<u8", 5), "counted": ("<u8", 1), "texts": ("<u4", 1),
    "text_sums": ("<i8", len(SUMS)), "paths": ("<u4", 1), "path_sums": ("<i8", len(SUMS)),
    "keys": ("<u8", 1), "places": ("<u8", 1),
}  # fmt: skip
"""Types of numbers, and how many there are in a row."""
_OF_SITES: Final = ("counted", "texts", "text_sums", "paths", "path_sums")
_PLACE_BITS: Final = np.uint64(44)
"""Of the byte in a file."""
_OPEN: Final = 64
"""Files of sightings that stay mapped."""


class Totals(NamedTuple):
    """What was counted.

    Attributes:
        sites: with two counted pages or more.
        pages: all that were sighted.
        counted: pages of these sites that were counted.
    """

    sites: int
    pages: int
    counted: int


def log_odds(marginals: NDArray[Any]) -> NDArray[np.float64]:
    """(n,) log-odds of being kept, within `FARTHEST`."""
    p_other = np.clip(marginals[:, Label.OTHER], 1e-9, 1 - 1e-9)
    odds = np.log1p(-p_other) - np.log(p_other)
    return np.asarray(np.clip(odds, -FARTHEST, FARTHEST))


def count_sites(folder: Path) -> Totals:
    """Count the sightings of a folder, and write what was counted beside them."""
    files = sorted(folder.glob(f"*{SIGHTS}"))
    all_heads, places = _all_heads(files)
    order = np.argsort(all_heads["site"], kind="stable")
    starts = np.flatnonzero(np.diff(all_heads["site"][order], prepend=np.uint64(0)) != 0)
    starts = np.union1d(starts, np.zeros(min(len(order), 1), dtype=np.int64))
    reader = SightingReader(files)
    totals = Totals(0, len(order), 0)
    ends = np.zeros(3, dtype=np.uint64)
    with ExitStack() as stack:
        out = {name: stack.enter_context((folder / name).open("wb")) for name in _FILES}
        for first, last in pairwise([*starts.tolist(), len(order)]):
            chosen = order[first:last]
            site = _counted(all_heads[chosen], places[chosen], reader) if last - first > 1 else None
            if site is None:
                continue
            lengths = len(site.counted), len(site.texts), len(site.paths)
            ends = ends + np.array(lengths, dtype=np.uint64)
            head = np.array((all_heads["site"][chosen[0]], site.pages, *ends), dtype=SITE)
            out["sites"].write(head.tobytes())
            for name in _OF_SITES:
                out[name].write(getattr(site, name).tobytes())
            totals = Totals(totals.sites + 1, totals.pages, totals.counted + site.pages)
        keys, rows = np.unique(all_heads["key"], return_index=True)
        out["keys"].write(keys.tobytes())
        out["places"].write(places[rows].tobytes())
    return totals


def _all_heads(files: Sequence[Path]) -> tuple[NDArray[Any], Hashes]:
    """Heads and places of all sightings, in their order."""
    found, places = [np.zeros(0, dtype=HEAD)], [np.zeros(0, dtype=np.uint64)]
    for number, file in enumerate(files):
        offsets, of_file = heads(file)
        found.append(of_file)
        places.append(offsets.astype(np.uint64) | np.uint64(number) << _PLACE_BITS)
    return np.concatenate(found), np.concatenate(places)


class SightingReader:
    """Reads the sightings of some files by their places."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._mapped = lru_cache(_OPEN)(lambda number: mapped(files[number], np.dtype(np.uint8)))

    def __call__(self, place: np.uint64) -> Sighting:
        """The sighting at a place."""
        number = int(place >> _PLACE_BITS)
        return sighting(self._mapped(number), int(place) & ((1 << int(_PLACE_BITS)) - 1))


class _Site(NamedTuple):
    """What the counted pages of a site share: how many these are, and what the files have of it."""

    pages: int
    counted: Hashes
    texts: NDArray[np.uint32]
    text_sums: Ints
    paths: NDArray[np.uint32]
    path_sums: Ints


def _counted(heads: NDArray[Any], places: Hashes, reader: SightingReader) -> _Site | None:
    """What pages of a site share, the first that differ; None if these are fewer than two."""
    chosen = [*_different(heads)]
    if len(chosen) < 2:
        return None
    pages = [reader(places[row]) for row in chosen]
    lengths = [len(page.rows) for page in pages]
    page = np.repeat(np.arange(len(pages)), lengths)
    rows = np.concatenate([page.rows for page in pages])
    odds = log_odds(np.concatenate([page.marginals for page in pages]))
    filled = np.flatnonzero(rows["words"] > 0)
    page, rows, odds = page[filled], rows[filled], odds[filled]
    texts, paths = (_Sorted.of(rows[name], page, rows["words"], odds) for name in ("text", "path"))
    is_twin = _twins(texts, len(pages))
    n_pages = len(pages) - int(is_twin.sum())
    if n_pages < 2:
        return None
    names = np.unique(np.concatenate([heads["address"][chosen], heads["digest"][chosen]]))
    ours = ~is_twin
    return _Site(
        n_pages, names[names > 0], *texts.of_pages(ours).shared(), *paths.of_pages(ours).shared()
    )


class _Sorted(NamedTuple):
    """Blocks of a site by their text or path, and then by their page; n blocks.

    Attributes:
        hashes: (n,) uint32 of the text or path of each, ascending.
        page: (n,) number of its page.
        words: (n,) its words.
        steps: (n,) its log-odds in steps.
    """

    hashes: NDArray[np.uint32]
    page: Ints
    words: Ints
    steps: Ints

    @classmethod
    def of(cls, hashes: NDArray[Any], page: Ints, words: NDArray[Any], odds: Floats) -> _Sorted:
        """Sort blocks."""
        order = np.argsort(hashes.astype(np.uint64) << np.uint64(32) | page.astype(np.uint64))
        steps = np.rint(STEP * odds[order]).astype(np.int64)
        return cls(hashes[order], page[order], words[order].astype(np.int64), steps)

    def of_pages(self, chosen: Bools) -> _Sorted:
        """The blocks of chosen ones of P pages."""
        rows = np.flatnonzero(chosen[self.page])
        return _Sorted(self.hashes[rows], self.page[rows], self.words[rows], self.steps[rows])

    def begins(self) -> tuple[Bools, Bools]:
        """(n,) is the block the first with its hash, and the first with it on its page."""
        of_all = _differs(self.hashes)
        return of_all, of_all | _differs(self.page)

    def shared(self) -> tuple[NDArray[np.uint32], Ints]:
        """The hashes that are on two pages or more, ascending, and their (K, 3) `SUMS`."""
        of_all, of_page = self.begins()
        starts = np.flatnonzero(of_all)
        if not len(starts):
            return self.hashes, np.zeros((0, len(SUMS)), dtype=np.int64)
        columns = np.stack([of_page, self.words, self.words * self.steps])
        sums = np.add.reduceat(columns, starts, axis=1).T
        is_shared = sums[:, 0] > 1
        return self.hashes[starts[is_shared]], sums[is_shared]


def _differs(values: NDArray[Any]) -> Bools:
    """(n,) is each value another than the one before."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _twins(texts: _Sorted, n_pages: int) -> Bools:
    """(P,) is each page almost the same as one before, so that it is no other page of the site.

    An article that is there twice, with another count of its readers, repeats its content.
    """
    of_all, of_page = texts.begins()
    owner, words = texts.page[of_page], texts.words[of_page].astype(float)
    size = np.bincount(owner, words, n_pages)
    starts = np.flatnonzero(of_all[of_page])
    n_owners = np.diff(starts, append=len(owner))
    text = np.repeat(np.arange(len(starts)), n_owners)
    shared = np.bincount(owner, words * (n_owners[text] > 1), n_pages)
    is_twin = np.zeros(n_pages, dtype=bool)
    for number in np.flatnonzero(shared >= _ALIKE * size):
        own = text[owner == number]
        owners = span_indices(starts[own], n_owners[own])
        common = np.bincount(owner[owners], words[owners], n_pages)[:number]
        alike = common >= _ALIKE * np.maximum(size[:number], size[number])
        is_twin[number] = (alike & ~is_twin[:number]).any()
    return is_twin


def _different(heads: NDArray[Any]) -> Iterator[int]:
    """Rows of the pages that count: with texts, and another address and texts than those before."""
    seen: set[int] = set()
    n_pages = n_blocks = 0
    for row, (address, digest, blocks) in enumerate(
        zip(*(heads[name].tolist() for name in ("address", "digest", "blocks")), strict=True)
    ):
        names = {digest, address} - {0}
        if not digest or seen & names or n_blocks + blocks > MOST_BLOCKS:
            continue
        seen |= names
        n_pages, n_blocks = n_pages + 1, n_blocks + blocks
        yield row
        if n_pages == MOST_PAGES:
            return


def is_among(hashes: NDArray[Any], ascending: NDArray[Any]) -> Bools:
    """(n,) is each hash one of some."""
    if not len(ascending):
        return np.zeros(len(hashes), dtype=bool)
    return np.asarray(ascending.take(np.searchsorted(ascending, hashes), mode="clip") == hashes)


class SiteCounts:
    """What `count_sites` wrote, mapped into memory.

    Args:
        folder: of the sightings.

    Attributes:
        texts, text_sums, paths, path_sums: arrays as in the folder.
    """

    def __init__(self, folder: Path) -> None:
        arrays = {
            name: mapped(folder / name, np.dtype(dtype)).reshape((-1, width) if width > 1 else -1)
            for name, (dtype, width) in _FILES.items()
        }
        self._sites = arrays["sites"]
        self._hashes = np.ascontiguousarray(self._sites[:, 0])
        self._counted, self._keys, self._places = (
            arrays[name] for name in ("counted", "keys", "places")
        )
        self.texts, self.text_sums = arrays["texts"], arrays["text_sums"]
        self.paths, self.path_sums = arrays["paths"], arrays["path_sums"]
        self._reader = SightingReader(sorted(folder.glob(f"*{SIGHTS}")))

    def sighted(self, key: np.uint64) -> Sighting | None:
        """The sighting of a page; None if the first pass saw no such page."""
        row = int(np.searchsorted(self._keys, key))
        if row == len(self._keys) or self._keys[row] != key:
            return None
        return self._reader(self._places[row])

    def site(self, site: np.uint64) -> KnownSite | None:
        """What is known of a site; None where fewer than two pages were counted."""
        row = int(np.searchsorted(self._hashes, site))
        if row == len(self._hashes) or self._hashes[row] != site:
            return None
        _, pages, *ends = self._sites[row].tolist()
        starts = self._sites[row - 1, 2:].tolist() if row else [0, 0, 0]
        counted, texts, paths = map(slice, starts, ends)
        return KnownSite(pages, self._counted[counted], texts, paths)


class KnownSite(NamedTuple):
    """A site of `SiteCounts`.

    Attributes:
        pages: that were counted.
        counted: their addresses and digests, ascending.
        texts, paths: where what is of the site lies in the arrays.
    """

    pages: int
    counted: Hashes
    texts: slice
    paths: slice
