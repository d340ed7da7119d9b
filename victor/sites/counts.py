"""Count what pages of one site share, from the sightings of a first pass.

A folder of sightings, `*.sights` files in the order of their names, gets files of plain arrays
beside them, which a second pass maps into memory:

```
sites      (S,) `SITE`: sites with two counted pages or more, ascending by hash
counted    per site the addresses and digests of the counted pages, ascending
texts      per site the hashes of texts on two pages or more, ascending
on_pages   per text how many of the pages that is
paths      per site the hashes of paths on two pages or more, ascending
path_sums  per path how many pages that is, and sums (`PATH_SUMS`)
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

from victor.base.arrays import Bools, Hashes, Ints
from victor.base.labels import Label
from victor.sites.sightings import HEAD, Sighting, heads, mapped, sighting

SIGHTS: Final = ".sights"
"""Extension of the files."""
MOST_PAGES: Final = 100
"""Pages of a site that are counted: the first ones that differ."""
MOST_BLOCKS: Final = 1_000_000
"""Blocks of these pages; a page that would be beyond is not counted."""
STEP: Final = 1024
"""Log-odds are counted in this part of one."""
FARTHEST: Final = 8.0
"""Log-odds are at most this."""

PATH_SUMS: Final = ("pages", "words", "log-odds", "repeated")
"""Pages that have a path, its words there, their log-odds in steps, and how many of these words
are of texts on two pages or more."""
SITE: Final = np.dtype(
    [("site", "<u8"), ("pages", "<u8"), ("counted", "<u8"), ("texts", "<u8"), ("paths", "<u8")]
)
"""Hash, counted pages, and where in the other files what is of the site ends."""
_FILES: Final[Mapping[str, tuple[str, int]]] = {
    "sites": ("<u8", 5), "counted": ("<u8", 1), "texts": ("<u8", 1), "on_pages": ("<u4", 1),
    "paths": ("<u4", 1), "path_sums": ("<i8", len(PATH_SUMS)), "keys": ("<u8", 1),
    "places": ("<u8", 1),
}  # fmt: skip
"""Types of numbers, and how many there are in a row."""
_OF_SITES: Final = ("counted", "texts", "on_pages", "paths", "path_sums")
_PLACE_BITS: Final = np.uint64(44)
"""Of the byte in a file."""
_LEAST_WORDS: Final = 1
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


def in_steps(marginals: NDArray[Any]) -> Ints:
    """(n,) the same as integers."""
    return np.rint(STEP * log_odds(marginals)).astype(np.int64)


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
    texts: Hashes
    on_pages: NDArray[np.uint32]
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
    odds = in_steps(np.concatenate([page.marginals for page in pages]))
    filled = np.flatnonzero(rows["words"] >= _LEAST_WORDS)
    page, rows, odds = page[filled], rows[filled], odds[filled]
    texts, on_pages = _on_pages(rows["text"], page)
    texts, on_pages = texts[on_pages > 1], on_pages[on_pages > 1]
    paths, with_path = _on_pages(rows["path"], page)
    number, repeats = np.searchsorted(paths, rows["path"]), is_among(rows["text"], texts)
    sums = [with_path, *path_sums(number, rows["words"], odds, repeats, len(paths))]
    shared = with_path > 1
    names = np.unique(np.concatenate([heads["address"][chosen], heads["digest"][chosen]]))
    return _Site(
        len(pages),
        names[names > 0],
        texts,
        on_pages.astype(np.uint32),
        paths[shared],
        np.stack(sums, axis=1)[shared],
    )


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


def _on_pages(hashes: NDArray[Any], page: Ints) -> tuple[NDArray[Any], Ints]:
    """The different hashes, ascending, and on how many pages each is."""
    order = np.lexsort((page, hashes))
    hashes, page = hashes[order], page[order]
    is_new = np.append(np.ones(min(len(hashes), 1), dtype=bool), hashes[1:] != hashes[:-1])
    on_page = is_new | np.append(np.zeros(min(len(page), 1), dtype=bool), page[1:] != page[:-1])
    starts = np.flatnonzero(is_new)
    counts = np.add.reduceat(on_page.astype(np.int64), starts) if len(starts) else starts
    return hashes[starts], counts


def path_sums(
    path: Ints, words: NDArray[Any], odds: Ints, repeats: Bools, n_paths: int
) -> list[Ints]:
    """(K,) words, their log-odds and the repeated ones of each of K paths.

    Args:
        path: (n,) number of the path of each block.
        words: (n,) of each.
        odds: (n,) log-odds in steps.
        repeats: (n,) is the text of each repeated.
        n_paths: K.
    """
    words = words.astype(np.int64)
    return [
        np.bincount(path, values, n_paths).astype(np.int64)  # exact: all are whole
        for values in (words, words * odds, words * repeats)
    ]


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
        texts, on_pages, paths, path_sums: arrays as in the folder.
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
        self.texts, self.on_pages = arrays["texts"], arrays["on_pages"]
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
