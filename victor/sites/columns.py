"""What the other pages of its site say of each block: the columns of a second verdict.

Every column is 0 where the other pages say nothing: a text that they do not have and a path that
they do not have, or nothing of the page, change no verdict.
"""

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
from victor.sites.counts import FARTHEST, STEP, SUMS, SiteCounts, is_among, log_odds
from victor.sites.sightings import ROW, Pages, Sighting, page_keys

COLUMNS: Final[Mapping[str, str]] = {
    "text.words": "log(1 + words of the block)",
    "text.change": "mean log-odds of the text on other pages, less those of the block; -2 to 2",
    "path.change": "mean log-odds of the words at its path on other pages, less those on its own "
    "page; -4 to 4, and less where they have few words there",
    "path.absent": "share of the words that its page is expected to keep that are at paths which "
    "other pages have, if they have neither the path nor the text of the block",
}
"""Names and meanings; those of texts times the share of the other pages that have the text."""
_MOST_OF_TEXT: Final = 2.0
_MOST_OF_PATH: Final = 4.0
_PATH_WORDS: Final = 10
"""Words on other pages whose path counts half as much as one of many words."""


class SitePages(Struct, frozen=True, eq=False, dict=True):
    """What is known of P pages of a batch and of their sites; n blocks.

    Attributes:
        counts: of all sites.
        table: the blocks.
        was_sighted: (P,) did the first pass see the page.
        n_counted: (P,) pages of its site that were counted.
        is_counted: (P,) is the page itself one of these.
        marginals: (n, 3) float64 of the first pass; 0 on pages that it did not see.
        rows: (n,) `victor.sites.sightings.ROW`; 0 on such pages.
        text, path: (n,) place in `counts` of the text and path of each block, -1 if it has none.
    """

    counts: SiteCounts
    table: BlockTable
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
            table,
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
        return np.where(self.rows["words"] > 0, _at(self.counts.text_sums, self.text)[:, 0], 0)

    @cached_property
    def changing(self) -> Ints:
        """(m,) blocks with words on pages of which there are others."""
        is_changing = np.repeat(self.n_others > 0, np.diff(self.table.page_starts))
        return np.flatnonzero(is_changing & (self.rows["words"] > 0))

    def columns(self) -> dict[str, Floats]:
        """`COLUMNS` of the m `changing` blocks."""
        chosen = self.changing
        page, words = self.table.page[chosen], self.rows["words"][chosen].astype(np.int64)
        odds = log_odds(self.marginals[chosen])
        texts, _ = self._elsewhere("text", page, words, odds)
        paths, own_path = self._elsewhere("path", page, words, odds)
        has_text, has_path = texts[:, 0] > 0, paths[:, 0] > 0
        share = texts[:, 0] / self.n_others[page]
        of_text = np.clip(_mean_odds(texts) - odds, -_MOST_OF_TEXT, _MOST_OF_TEXT)
        of_path = np.clip(_mean_odds(paths) - _mean_odds(own_path), -_MOST_OF_PATH, _MOST_OF_PATH)
        kept = words * (1 - self.marginals[chosen, Label.OTHER])
        of_page = [np.bincount(page, values) for values in (kept * has_path, kept)]
        known = of_page[0] / np.maximum(of_page[1], np.finfo(float).tiny)
        return {
            "text.words": share * np.log1p(words),
            "text.change": share * of_text,
            "path.change": of_path * paths[:, 1] / (paths[:, 1] + _PATH_WORDS),
            "path.absent": np.where(has_text | has_path, 0.0, known[page]),
        }

    def _elsewhere(self, name: str, page: Ints, words: Ints, odds: Floats) -> tuple[Ints, Ints]:
        """(m, 3) `SUMS` of the texts or paths of the changing blocks: elsewhere, and on their page.

        Args:
            name: ``text`` or ``path``.
            page: (m,) of each block.
            words: (m,) of each block.
            odds: (m,) log-odds of each block.
        """
        places, sums = getattr(self, name)[self.changing], getattr(self.counts, f"{name}_sums")
        here, elsewhere = np.zeros((2, len(places), len(SUMS)), dtype=np.int64)
        rows = np.flatnonzero(places >= 0)
        page, words, places = page[rows], words[rows], places[rows]
        here[rows] = _sums_on_page(page * len(sums) + places, words, odds[rows])
        elsewhere[rows] = sums[places] - np.where(self.is_counted[page, None], here[rows], 0)
        elsewhere[(elsewhere[:, :2] <= 0).any(axis=1)] = 0  # on no other page
        return elsewhere, here


def _sums_on_page(keys: Ints, words: Ints, odds: Floats) -> Ints:
    """(m, 3) `SUMS` of the blocks with the same key as each; a key is of one page."""
    found, number = np.unique(keys, return_inverse=True)
    steps = np.rint(STEP * odds).astype(np.int64)
    sums = [np.bincount(number, values, len(found)) for values in (words, words * steps)]
    # All are whole, so that their sums are exact.
    return np.stack([np.ones(len(found)), *sums], axis=1)[number].astype(np.int64)


def _mean_odds(sums: Ints) -> Floats:
    """(m,) mean log-odds of words, given their (m, 3) `SUMS`; 0 where there are none."""
    mean = sums[:, 2] / (STEP * np.maximum(sums[:, 1], 1))
    return np.asarray(np.clip(mean, -FARTHEST, FARTHEST))


def _at(sums: Ints, places: Ints) -> Ints:
    """(m, 3) sums at some places, 0 where there is none."""
    result = np.zeros((len(places), len(SUMS)), dtype=np.int64)
    is_there = places >= 0
    result[is_there] = sums[places[is_there]]
    return result


def _places(ascending: NDArray[Any], part: slice, hashes: NDArray[Any]) -> Ints:
    """(m,) places of hashes in a part of an array, -1 where they are not there."""
    if part.start == part.stop:
        return np.full(len(hashes), -1)
    of_part = ascending[part]
    places = np.minimum(np.searchsorted(of_part, hashes), len(of_part) - 1)
    return np.where(of_part[places] == hashes, places + part.start, -1)
