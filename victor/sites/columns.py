"""What the other pages of its site say of each block: the columns of a second verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.base.cached import cached_property
from victor.base.labels import Label
from victor.page.table.blocks import BlockTable
from victor.sites.counts import (
    FARTHEST,
    PATH_SUMS,
    STEP,
    SiteCounts,
    in_steps,
    is_among,
    log_odds,
    path_sums,
)
from victor.sites.sightings import ROW, Pages, Sighting, page_keys

COLUMNS: Final[Mapping[str, str]] = {
    "log-odds": "of the first verdict that the block is kept",
    "header": "share of p(header) in the probability of being kept",
    "pages": "other pages of the site that were counted, 20 at most",
    "text.pages": "other pages with the text of the block, 20 at most",
    "text.share": "the same as a share of the other pages",
    "path.pages": "other pages with a block at the path of tags and classes, 20 at most",
    "path.share": "the same as a share of the other pages",
    "path.log-odds": "mean log-odds of the words at the path on other pages",
    "path.change": "the same less the mean at the path on the page itself",
    "path.repeats": "share of the words at the path on other pages that repeat on the site",
    "own-path.repeats": "share of the words at the path on the page that are on other pages",
    "page.repeats": "share of the words of the page that are on other pages",
}
"""Names and meanings."""
_MOST: Final = 20
_NOWHERE: Final = -2 * FARTHEST
"""Log-odds of a path that no other page has."""


class SitePages(Struct, frozen=True, eq=False, dict=True):
    """What is known of P pages of a batch and of their sites; n blocks.

    Attributes:
        counts: of all sites.
        n_blocks: (P,) blocks of each page.
        was_sighted: (P,) did the first pass see the page.
        n_counted: (P,) pages of its site that were counted.
        is_counted: (P,) is the page itself one of these.
        marginals: (n, 3) float64 of the first pass; 0 on pages that it did not see.
        rows: (n,) `victor.sites.sightings.ROW`; 0 on such pages.
        text, path: (n,) place in `counts` of the text and path of each block, -1 if it has none.
    """

    counts: SiteCounts
    n_blocks: Ints
    was_sighted: Bools
    n_counted: Ints
    is_counted: Bools
    marginals: Floats
    rows: NDArray[Any]
    text: Ints
    path: Ints

    @classmethod
    def of(cls, counts: SiteCounts, table: BlockTable, pages: Pages) -> SitePages:
        """What was counted, for the pages of a table.

        Args:
            counts: of the first pass.
            table: the blocks.
            pages: where they come from.
        """
        n_blocks, n_pages = len(table), table.n_pages
        result = cls(
            counts,
            np.diff(table.page_starts),
            np.zeros(n_pages, dtype=bool),
            np.zeros(n_pages, dtype=np.int64),
            np.zeros(n_pages, dtype=bool),
            np.zeros((n_blocks, len(Label))),
            np.zeros(n_blocks, dtype=ROW),
            np.full(n_blocks, -1),
            np.full(n_blocks, -1),
        )
        starts = table.page_starts.tolist()
        for page, key in enumerate(page_keys(table, pages)):
            sighting = counts.sighted(key)
            blocks = slice(starts[page], starts[page + 1])
            if sighting is not None and len(sighting.rows) == blocks.stop - blocks.start:
                result._add(page, blocks, sighting)
        return result

    def _add(self, page: int, blocks: slice, sighting: Sighting) -> None:
        """Add what is known of a page that was sighted."""
        self.was_sighted[page] = True
        self.marginals[blocks], self.rows[blocks] = sighting.marginals, sighting.rows
        site = self.counts.site(sighting.head["site"])
        if site is None:
            return
        names = np.array([sighting.head["address"], sighting.head["digest"]], dtype=np.uint64)
        self.n_counted[page] = site.pages
        self.is_counted[page] = is_among(names, site.counted).any()
        self.text[blocks] = _places(self.counts.texts, site.texts, sighting.rows["text"])
        self.path[blocks] = _places(self.counts.paths, site.paths, sighting.rows["path"])

    @cached_property
    def n_others(self) -> Ints:
        """(P,) counted pages of the site beside the page itself."""
        return self.n_counted - self.is_counted

    @cached_property
    def on_pages(self) -> Ints:
        """(n,) counted pages with the text of the block; 0 for fewer than two, or without words."""
        is_known = (self.text >= 0) & (self.rows["words"] > 0)
        places = np.where(is_known, self.text, 0)
        counted = self.counts.on_pages if len(self.counts.on_pages) else np.zeros(1, np.uint32)
        return np.where(is_known, counted.take(places), 0).astype(np.int64)

    @cached_property
    def changing(self) -> Ints:
        """(m,) blocks with words on pages of which there are others."""
        is_changing = np.repeat(self.n_others > 0, self.n_blocks)
        return np.flatnonzero(is_changing & (self.rows["words"] > 0))

    def columns(self) -> dict[str, Floats]:
        """`COLUMNS` of the m `changing` blocks."""
        chosen = self.changing
        page = np.repeat(np.arange(len(self.n_blocks)), self.n_blocks)[chosen]
        rows, marginals = self.rows[chosen], self.marginals[chosen]
        n_others, own = self.n_others[page], self.is_counted[page].astype(np.int64)
        texts = np.maximum(self.on_pages[chosen] - own, 0)
        here = self._here(page, rows, marginals, texts > 0)
        there = self._there(self.path[chosen]) - np.where(own, self._counted_here(page, chosen), 0)
        pages, words = np.maximum(there[0], 0), there[1]
        is_there = (pages > 0) & (words > 0)
        words = np.where(is_there, words, 1)
        odds = np.clip(there[2] / (STEP * words), -FARTHEST, FARTHEST)
        own_odds = here[2] / (STEP * here[1])
        keep = 1 - marginals[:, Label.OTHER]
        of_page = np.bincount(page, rows["words"] * (texts > 0)) / np.maximum(
            np.bincount(page, rows["words"]), 1
        )
        return {
            "log-odds": log_odds(marginals),
            "header": marginals[:, Label.HEADER] / np.maximum(keep, 1e-9),
            "pages": np.minimum(n_others, _MOST),
            "text.pages": np.minimum(texts, _MOST),
            "text.share": texts / n_others,
            "path.pages": np.minimum(pages, _MOST),
            "path.share": pages / n_others,
            "path.log-odds": np.where(is_there, odds, _NOWHERE),
            "path.change": np.where(is_there, odds - own_odds, _NOWHERE),
            "path.repeats": np.where(is_there, np.clip(there[3] / words, 0.0, 1.0), -1.0),
            "own-path.repeats": here[3] / here[1],
            "page.repeats": of_page[page],
        }

    def _there(self, places: Ints) -> Ints:
        """(4, m) `PATH_SUMS` of some places, 0 where there is none."""
        sums = np.zeros((len(PATH_SUMS), len(places)), dtype=np.int64)
        is_known = places >= 0
        sums[:, is_known] = self.counts.path_sums[places[is_known]].T
        return sums

    def _counted_here(self, page: Ints, chosen: Ints) -> Ints:
        """(4, m) `PATH_SUMS` that the page of each block gave itself to those of the site."""
        return self._here(
            page, self.rows[chosen], self.marginals[chosen], self.on_pages[chosen] > 1
        )

    @staticmethod
    def _here(page: Ints, rows: NDArray[Any], marginals: Floats, repeats: Bools) -> Ints:
        """(4, m) `PATH_SUMS` of the path of each block on its own page."""
        of_page = page.astype(np.uint64) << np.uint64(32) | rows["path"].astype(np.uint64)
        paths, number = np.unique(of_page, return_inverse=True)
        sums = path_sums(number, rows["words"], in_steps(marginals), repeats, len(paths))
        return np.stack([np.ones(len(paths), dtype=np.int64), *sums])[:, number]


def _places(ascending: NDArray[Any], part: slice, hashes: NDArray[Any]) -> Ints:
    """(m,) places of hashes in a part of an array, -1 where they are not there."""
    if part.start == part.stop:
        return np.full(len(hashes), -1)
    of_part = ascending[part]
    places = np.minimum(np.searchsorted(of_part, hashes), len(of_part) - 1)
    return np.where(of_part[places] == hashes, places + part.start, -1)
