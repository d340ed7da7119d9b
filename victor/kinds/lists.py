"""Pages that are lists of other pages: front pages, search results, product cards, directories.

Such a page repeats short records, each with a link to what it is about, and has hardly any
sentences of its own. One judgement is made for the page, not for a block: a list inside an article
belongs to the article. The guidelines of the paper leave such lists out: "discouraging a markup of
short, incomplete sections (product descriptions, lists of items, discussions)" (Spousta, Marek,
Pecina 2008). The weights are learnt by ``benchmarks/train_lists.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from victor.base.arrays import Bools, Codes, Floats, Ints, window_sums
from victor.base.cached import cached_property
from victor.config import compiled
from victor.kinds.extent import Extent
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.table.texts import block_texts

WEIGHTS: Final = Path(__file__).with_suffix(".yaml")
_FEWEST_RECORDS: Final = 3
_LONGEST_RECORD: Final = 80
"""Words of the records of a group, on average, at most; longer ones say what they have to say."""
_HAVE_LINKS: Final = 0.7
"""Share of the records of a group that have a link, at least."""
_FEW: Final = 5
"""So many blocks that are of no list are thought beside the kept ones: few make no list."""
_LINKED: Final = 0.8
"""Share of the words of a block in links that makes it a link."""
_PROSE: Final = 25
"""Words outside links of a paragraph beside the lists, at least."""
_INTRODUCTION: Final = 40
"""Words that such paragraphs have together if they stay, at least."""
_SENTENCE: Final = re.compile(r"(?<!\.)[.!?。！？؟।][\"'”’“«»)\]]?\Z")
_CUT_OFF: Final = re.compile(r"(?:\.\.|…)[\"'”’“«»)\]]?\Z|(?<![.!?])[→›»]\Z")


def of_lists(table: BlockTable, labels: Codes) -> Bools:
    """Which kept blocks are of lists, on pages that are little else.

    Paragraphs beside the lists are not, if they are long enough for a text, nor are headings right
    above these. A page without such a text is a list altogether.

    Args:
        table: the pages, of ``split: block``, with the attribute ``class``.
        labels: (n,) uint8 `victor.base.labels.Label`.

    Returns:
        (n,) bool.
    """
    if not len(table):
        return np.zeros(0, dtype=bool)
    lists = Lists(Extent(table, labels))
    is_list = lists.log_odds >= 0
    if not is_list.any():
        return np.zeros(len(table), dtype=bool)
    return np.asarray(lists.extent.kept & is_list[table.page] & ~lists.text)


@dataclass(frozen=True, eq=False)
class Lists:
    """What tells pages that are lists; P pages, n blocks, E elements.

    Attributes:
        extent: what is kept of the pages.
    """

    extent: Extent

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.extent.table

    @cached_property
    def log_odds(self) -> Floats:
        """(P,) of the page being a list, less those from which it is taken for one."""
        learnt = _learnt()
        weights = learnt["weights"]
        measures = self.measures
        scores = sum(measures[name] * weight for name, weight in weights.items())
        scores += learnt["intercept"] - learnt["least"]
        return np.where(self.extent.kept_words > 0, scores, -np.inf)

    @cached_property
    def measures(self) -> Mapping[str, Floats]:
        """(P,) for each name: shares of the blocks or of the words that are kept."""
        table, extent = self.table, self.extent
        heading = extent.kept & (table.heading_level > 0)
        size = self._n_blocks / (self._n_blocks + _FEW)
        return {
            "linked-words": self._linked_words / np.maximum(extent.kept_words, 1),
            "linked-headings": self._share_of_blocks(self.links & heading),
            "listed": self._share_of_words(self.in_records | self.links | self.cut_off) * size,
            "sentences": self._share_of_words(self.ends_sentence),
            "cut-off": self._share_of_blocks(self.cut_off),
            "one-article": self._largest_article / np.maximum(extent.kept_words, 1),
            "says-article": np.array([_says_article(head) for head in table.heads], float),
        }

    @cached_property
    def text(self) -> Bools:
        """(n,) is a kept block a paragraph beside the lists, or a heading of one."""
        table, extent = self.table, self.extent
        prose = self.ends_sentence & ~self.in_records & (table.free_words >= _PROSE)
        prose &= (table.link_words <= table.free_words) & ~self._announced
        words = window_sums(np.where(prose, table.words, 0), table.page_starts)
        text = prose & (words >= _INTRODUCTION)[table.page]
        heading = extent.kept & (table.heading_level > 0)
        below = next_from(table, extent.kept & ~heading)
        return np.asarray(text | heading & (below >= 0) & text[below])

    @property
    def _announced(self) -> Bools:
        """(n,) is the nearest heading above a block a link, so that the block leads to its page."""
        heading = (self.table.heading_level > 0) & (self.table.words > 0)
        above = last_until(self.table, heading)
        return np.asarray((above >= 0) & self._linked[above])

    @cached_property
    def links(self) -> Bools:
        """(n,) is a kept block a link, or nearly so."""
        return np.asarray(self.extent.kept & self._linked)

    @cached_property
    def _linked(self) -> Bools:
        table = self.table
        return np.asarray((table.words > 0) & (table.link_words >= _LINKED * table.words))

    @cached_property
    def in_records(self) -> Bools:
        """(n,) does a kept block stand in one of several short elements alike that have links."""
        table = self.table
        inside = table.elements.gathered(_records(table))[table.element]
        return np.asarray(self.extent.kept & inside)

    @cached_property
    def ends_sentence(self) -> Bools:
        """(n,) does a kept block end as a sentence does."""
        return self._with_end(_SENTENCE)

    @cached_property
    def cut_off(self) -> Bools:
        """(n,) does the text of a kept block go on elsewhere: does it end in "…" or an arrow."""
        return self._with_end(_CUT_OFF)

    def _with_end(self, pattern: re.Pattern[str]) -> Bools:
        """(n,) which of the kept blocks end so."""
        result = np.zeros(len(self.table), dtype=bool)
        result[self.extent.kept] = [bool(pattern.search(text)) for text in self._texts]
        return result

    @cached_property
    def _texts(self) -> list[str]:
        return block_texts(self.table, np.flatnonzero(self.extent.kept))

    @cached_property
    def _largest_article(self) -> Ints:
        """(P,) most words kept in one <article>, without those inside it."""
        table = self.table
        article = table.elements.innermost(frozenset({"article"}))[table.element]
        of_article = (article >= 0) & self.extent.kept
        words = np.bincount(
            article[of_article], table.words[of_article], minlength=len(table.elements)
        )
        largest = np.zeros(table.n_pages, dtype=np.int64)
        np.maximum.at(largest, table.page_of_element, words.astype(np.int64))
        return largest

    @property
    def _linked_words(self) -> Ints:
        """(P,) kept words in links."""
        table = self.table
        return window_sums(np.where(self.extent.kept, table.link_words, 0), table.page_starts)

    @cached_property
    def _n_blocks(self) -> Ints:
        """(P,) kept blocks with words."""
        return window_sums(self.extent.kept & (self.table.words > 0), self.table.page_starts)

    def _share_of_blocks(self, chosen: Bools) -> Floats:
        """(P,) of the kept blocks with words, and of some more."""
        chosen = chosen & (self.table.words > 0)
        return window_sums(chosen, self.table.page_starts) / (self._n_blocks + _FEW)

    def _share_of_words(self, chosen: Bools) -> Floats:
        """(P,) of the kept words."""
        words = window_sums(np.where(chosen, self.table.words, 0), self.table.page_starts)
        return words / np.maximum(self.extent.kept_words, 1)


def _records(table: BlockTable) -> Bools:
    """(E,) is an element one of several siblings alike, short and mostly with links."""
    elements = table.elements
    chosen = np.flatnonzero(member_mask(SPLITTING)[elements.tag] & (table.element_words > 0))
    is_record = np.zeros(len(elements), dtype=bool)
    looks = table.class_numbers[elements.bundle[chosen]] << 8 | elements.tag[chosen]
    looks = np.unique(looks, return_inverse=True)[1]
    alike = elements.parent[chosen] * (looks.max(initial=0) + 1) + looks
    group = np.unique(alike, return_inverse=True)[1]
    size = np.bincount(group)
    n_linked = np.bincount(group, table.element_link_words[chosen] > 0)
    words = np.bincount(group, table.element_words[chosen]) / size
    is_list = (size >= _FEWEST_RECORDS) & (n_linked >= _HAVE_LINKS * size)
    is_record[chosen] = (is_list & (words <= _LONGEST_RECORD))[group]
    return is_record


def _says_article(head: Head) -> bool:
    """Does a page say of itself that it is an article."""
    kind = head.meta.get("og:type", "").lower()
    return "article" in kind or "article:published_time" in head.meta


@lru_cache(maxsize=1)
def _learnt() -> Mapping[str, Any]:
    return compiled.read(WEIGHTS)  # type: ignore[no-any-return]
