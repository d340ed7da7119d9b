"""Texts that are frequent on the pages of one site: counted in one pass, kept in a file.

Saralegi and Leturia plan a ratio for them: they wanted to ask search engines, here the pages
themselves are counted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Hashes
from victor.base.errors import ConfigError, ModelError
from victor.labelers.kimatu.repeats import text_hashes
from victor.labelers.kimatu.settings import Site
from victor.model import archive
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN

FORMAT: Final = 1
_LABELER: Final = "kimatu-sites"
_CAPACITY: Final = 20_000_000
"""Texts that are held while pages are counted, 160 MB."""
_MOST_BYTES: Final = 1 << 30
"""Of a file: texts of large crawls are many."""


def site_of(url: str | None) -> str:
    """The host of an address without ``www.``; empty if there is none.

    >>> site_of("https://www.Example.org:8080/a?b"), site_of("pages/a.html"), site_of(None)
    ('example.org', '', '')
    """
    from urllib.parse import urlsplit  # 3 ms to load

    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # no address
        return ""
    return host.removeprefix("www.")


@dataclass(frozen=True, eq=False)
class SiteTexts:
    """The frequent texts of sites.

    Attributes:
        keys: (K,) uint64 hashes of a site and a text each, ascending.
        sites: number of sites that were counted.
        pages: number of pages that were counted.
    """

    keys: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    sites: int = 0
    pages: int = 0

    def frequent(self, table: BlockTable, urls: Sequence[str | None]) -> Bools:
        """(n,) bool; is the text of each block frequent on the site of its page.

        Args:
            table: the blocks.
            urls: address of each page.
        """
        sites = np.array([_site_hash(site_of(url)) for url in urls], dtype=np.uint64)
        return np.isin(_keys(sites[table.page], text_hashes(table)), self.keys)

    def save(self, path: Path) -> None:
        """Write a file; the same texts are the same bytes."""
        document = {
            "labeler": _LABELER,
            "format": FORMAT,
            "sites": self.sites,
            "pages": self.pages,
        }
        archive.write(path, document, {"keys": self.keys})

    @classmethod
    def load(cls, path: Path) -> SiteTexts:
        """Read a file.

        Raises:
            ConfigError: there is none.
            ModelError: it is damaged, or another file.
        """
        if not path.is_file():
            raise ConfigError(f"no texts of sites at {path}; `victor sites PAGES... -o {path}`")
        wrong = ModelError(f"{path} holds no texts of sites; make it with `victor sites`")
        try:
            document, arrays = archive.read(path, _MOST_BYTES)
        except ModelError as error:
            raise wrong from error
        keys = arrays.get("keys", np.zeros(0))
        sites, pages = document.get("sites"), document.get("pages")
        if (document.get("labeler"), document.get("format")) != (_LABELER, FORMAT):
            raise wrong
        if keys.dtype != np.uint64 or keys.ndim != 1:
            raise wrong
        if not isinstance(sites, int) or not isinstance(pages, int):
            raise wrong
        return cls(keys, sites, pages)


class SiteCounter:
    """Counts on how many pages of its site each text is.

    Of a site the first pages are counted, so that a large one takes no more room than a small one,
    and of equal pages one. If too many texts are held, the site is closed that has had no page
    for the longest time. The outcome depends on the pages and their order alone.

    Args:
        settings: what is frequent.
        capacity: most texts held.
    """

    def __init__(self, settings: Site, *, capacity: int = _CAPACITY) -> None:
        self._settings = settings
        self._capacity = capacity
        self._open: OrderedDict[int, _Pages] = OrderedDict()
        self._closed: set[int] = set()
        self._frequent: list[Hashes] = []
        self._held = self._sites = self._pages = 0
        self._table: BlockTable | None = None
        self._hashes: Hashes = np.zeros(0, dtype=np.uint64)

    def add(self, table: BlockTable, page: int, url: str | None) -> None:
        """Count a page of a batch; batches are best given page by page."""
        if table is not self._table:
            self._table, self._hashes = table, text_hashes(table)
        starts = table.page_starts
        texts = np.unique(self._hashes[starts[page] : starts[page + 1]])
        self._add(_site_hash(site_of(url)), texts)

    def _add(self, site: int, texts: Hashes) -> None:
        if site in self._closed or not len(texts):
            return
        pages = self._open.setdefault(site, _Pages())
        self._open.move_to_end(site)
        if not pages.add(texts):
            return
        self._held += len(texts)
        if len(pages.texts) == self._settings.counted:
            self._close(site)
        while self._held > self._capacity:
            self._close(next(iter(self._open)))

    def _close(self, site: int) -> None:
        """Keep of a site the frequent texts only."""
        pages = self._open.pop(site)
        self._closed.add(site)
        self._sites += 1
        self._pages += len(pages.texts)
        self._held -= sum(map(len, pages.texts))
        texts = pages.frequent(self._settings)
        self._frequent.append(_keys(np.full(len(texts), site, dtype=np.uint64), texts))

    def finish(self) -> SiteTexts:
        """The frequent texts of all sites."""
        while self._open:
            self._close(next(iter(self._open)))
        keys = np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *self._frequent]))
        return SiteTexts(keys, self._sites, self._pages)


@dataclass
class _Pages:
    """The pages of a site that differ.

    Attributes:
        texts: hashes of the different texts of each page, ascending.
        digests: of the pages.
    """

    texts: list[Hashes] = field(default_factory=list)
    digests: set[bytes] = field(default_factory=set)

    def add(self, texts: Hashes) -> bool:
        """Add a page unless an equal one is there."""
        digest = blake2b(texts.tobytes(), digest_size=16).digest()
        if digest in self.digests:
            return False
        self.digests.add(digest)
        self.texts.append(texts)
        return True

    def frequent(self, settings: Site) -> Hashes:
        """Texts on enough of the pages."""
        texts, n_pages = np.unique(np.concatenate(self.texts), return_counts=True)
        least = max(settings.pages, settings.share * len(self.texts))
        return texts[n_pages >= least]


def _site_hash(site: str) -> int:
    return int.from_bytes(blake2b(site.encode(errors="replace"), digest_size=8).digest(), "little")


def _keys(sites: Hashes, texts: Hashes) -> Hashes:
    """Hash of each site and text."""
    return (sites * GOLDEN) ^ texts
