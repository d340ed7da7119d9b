"""The headline of a page: the block before the text that is most like its title."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import OTHER
from victor.kinds.names import Signs
from victor.page.parsing.heads import Head
from victor.page.parsing.patterns import pattern
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

_LIKENESS: Final = 3.0
_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_SITE: Final = 0.9
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0
_LEAST: Final = 1.3
_SURELY: Final = 0.4
_MOST_OF: Final = 0.5
"""Words of a heading below level one that are in the title at least."""
_LETTERS: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD: Final = pattern(rf"[{_LETTERS}]|[^\W{_LETTERS}]+")
"""A word; of Chinese and Japanese, which have no spaces between words, each letter is one."""


def headlines(signs: Signs, labels: Labels) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie")
    elsewhere |= signs.near("navigation", "site") | table.blocks_inside(_ELSEWHERE_TAGS)
    by_names = _NAMED * signs.near("headline") - _ELSEWHERE * elsewhere
    result = np.full(table.n_pages, -1, dtype=np.int64)
    for page, row in _best(table, labels, None, by_names).items():
        result[page] = row
    return result


def kept_headlines(table: BlockTable, labels: Labels, no_text: Bools | None = None) -> Ints:
    """(k,) the headlines that a labeler keeps, of at most as many pages, ascending.

    This is what `headlines` finds, but for the names in the markup. Only an h1 or h2 and what is
    kept as a heading or as a header may be the headline: so it costs a small part of the time, and
    needs nothing but the blocks.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: (n,) bool; which blocks are copies of others; None if none is.
    """
    rows = np.array([*_best(table, labels, no_text, None).values()], dtype=np.int64)
    return np.asarray(rows[labels[rows] != OTHER])


def _best(
    table: BlockTable, labels: Labels, no_text: Bools | None, by_names: Floats | None
) -> dict[int, int]:
    """The block of each page that is most like a headline, pages ascending.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: as of `kept_headlines`.
        by_names: (n,) what names in the markup add to the score, for all blocks; None to look at
            those only that `kept_headlines` does.
    """
    best: dict[int, tuple[float, int]] = {}
    titles: dict[int, tuple[frozenset[str], list[frozenset[str]]]] = {}
    found = core.compiled.judge("headlines", table.batch, (labels, no_text, by_names))
    for page, row, start, end, level, own, is_before in found:
        least = best[page][0] if page in best else _LEAST
        if own + _LIKENESS <= least:
            continue
        if page not in titles:
            titles[page] = _titles(table.heads[page])
        words = _words(text_of(table.chars[start:end]))
        likeness = _likeness(words, *titles[page], is_below=level > 1)
        score = own + _LIKENESS * likeness
        if score > least and (is_before or likeness >= _SURELY):
            best[page] = score, row
    return {page: row for page, (_, row) in best.items()}


def _likeness(
    own: frozenset[str], site: frozenset[str], titles: list[frozenset[str]], *, is_below: bool
) -> float:
    """How much of the words of a block and of a title of its page are the same, 0 to 1.

    A page has up to two titles, its own and that for sharing; the more similar one counts. The name
    of the site, which may be a part of the title, is like no title; nor is a heading below level
    one that has a word of the title among others (``How bees live`` of ``Bees``).
    """
    if site and _jaccard(own, site) >= _SITE:
        return 0.0
    least = _MOST_OF * len(own) * is_below
    return max((_jaccard(own, title) for title in titles if len(own & title) >= least), default=0.0)


def _titles(head: Head) -> tuple[frozenset[str], list[frozenset[str]]]:
    """Words of the name of a page's site, and of its titles."""
    titles = {head.title, head.meta.get("og:title", "")}
    site = _words(head.meta.get("og:site_name", ""))
    return site, [_words(title) for title in titles if title]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _jaccard(own: frozenset[str], other: frozenset[str]) -> float:
    n_shared = len(own & other)
    return n_shared / max(len(own) + len(other) - n_shared, 1)
