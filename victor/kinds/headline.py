"""The headline of a page: the block before the text that is most like its title."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import HEADER, OTHER
from victor.kinds.extent import Extent
from victor.kinds.names import Signs
from victor.measures.words import words
from victor.page.names.shared_words import Words, jaccard_index, shared_words
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import first_of_page, page_maxima
from victor.page.table.texts import text_of

LONGEST: Final = 50
"""Words of a headline at most."""
_LIKENESS: Final = 3.0
_LEVELS: Final = (0.0, 1.4, 0.7, 0.3, 0.1, 0.1, 0.1)
"""What h1 to h6 add to the score; no heading adds nothing."""
_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_SITE: Final = 0.9
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0
_PER_BLOCK, _MOST_BLOCKS = 0.02, 20
_LEAST: Final = 1.3
_SURELY: Final = 0.4
_MOST_OF: Final = 0.5
"""Words of a heading below level one that are in the title at least."""
_AFTER: Final = 3
"""So many blocks after the text begins, its headline may still come."""


def headlines(signs: Signs, first: Ints) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        first: (n,) first block of the text of each block's page, -1 where it has none.
    """
    table = signs.table
    alike = likeness(table)
    score = np.where(_may_be(signs, first, alike), _scores(signs, first, alike), 0.0)
    best = (score == page_maxima(table, score)) & (score >= _LEAST)
    return first_of_page(table, best)


def likeness(table: BlockTable) -> Floats:
    """(n,) how much of a block and of the title of its page are the same words, 0 to 1.

    A page has up to two titles, its own and that for sharing; the more similar one counts. The name
    of the site, which may be a part of the title, is like no title; nor is a subheading that has a
    word of the title among others (``How bees live`` of ``Bees``).
    """
    texts = (
        [head.title for head in table.heads],
        [head.meta.get("og:title", "") for head in table.heads],
        [head.meta.get("og:site_name", "") for head in table.heads],
    )
    words = [*map(Words.of_texts, texts)]
    shared = shared_words(table, *words)
    own, og, site = map(partial(jaccard_index, table), shared, words)
    is_other = (table.heading_level > 1) & (_MOST_OF * table.words > np.maximum(*shared[:2]))
    return np.where((site >= _SITE) | is_other, 0.0, np.maximum(own, og))


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
    level = table.heading_level
    may_be = (level == 1) | (level == 2) | (labels == HEADER)
    rows = np.flatnonzero(may_be if no_text is None else may_be & ~no_text)
    is_kept = labels[rows] != OTHER
    if not is_kept.any():
        return rows[:0]
    starts = Extent(table, labels).first.tolist()
    columns = (table.page, labels, table.words, level, table.start, table.end)
    listed = zip(rows.tolist(), *(column[rows].tolist() for column in columns), strict=True)
    candidates = (
        _Candidate(page, row, row - starts[page], label != OTHER, block_level, start, end)
        for row, page, label, n_words, block_level, start, end in listed
        if starts[page] >= 0
        and 0 < n_words <= LONGEST
        and (row - starts[page] <= _AFTER or block_level == 1)
    )
    pages = (tuple(of_page) for _, of_page in groupby(candidates, lambda block: block.page))
    chosen = (
        _of_candidates(table, of_page) for of_page in pages if any(c.is_kept for c in of_page)
    )
    headline = np.array([block for block in chosen if block >= 0], dtype=np.int64)
    return np.asarray(headline[labels[headline] != OTHER])


class _Candidate(NamedTuple):
    """A block that may be the headline of its page; its distance is from where the text starts."""

    page: int
    row: int
    distance: int
    is_kept: bool
    level: int
    start: int
    end: int


def _of_candidates(table: BlockTable, candidates: Sequence[_Candidate]) -> int:
    """The headline of a page among some of its blocks, -1 for none."""
    titles = _titles(table.heads[candidates[0].page])
    best, headline = _LEAST, -1
    for block in candidates:
        own = frozenset(words(text_of(table.chars[block.start : block.end])))
        likeness = _likeness(own, titles, _MOST_OF if block.level > 1 else 0.0)
        score = _LIKENESS * likeness + _LEVELS[block.level]
        score -= _PER_BLOCK * min(abs(block.distance), _MOST_BLOCKS)
        if score > best and (block.distance <= _AFTER or likeness >= _SURELY):
            best, headline = score, block.row
    return headline


def _titles(head: Head) -> tuple[frozenset[str], list[frozenset[str]]]:
    """Words of the name of a page's site, and of its titles."""
    site = head.meta.get("og:site_name", "")
    titles = {head.title, head.meta.get("og:title", "")}
    return frozenset(words(site)), [frozenset(words(title)) for title in titles if title]


def _likeness(
    own: frozenset[str], titles: tuple[frozenset[str], list[frozenset[str]]], least: float
) -> float:
    """How much of a text and of the titles are the same words, as `likeness` has it.

    Args:
        own: words of the text.
        titles: what `_titles` gives.
        least: share of the text's words that a title has at least.
    """
    site, others = titles
    if site and _jaccard(own, site) >= _SITE:
        return 0.0
    like = [_jaccard(own, title) for title in others if least * len(own) <= len(own & title)]
    return max(like, default=0.0)


def _jaccard(own: frozenset[str], other: frozenset[str]) -> float:
    n_shared = len(own & other)
    return n_shared / max(len(own) + len(other) - n_shared, 1)


def _may_be(signs: Signs, first: Ints, likeness: Floats) -> Bools:
    """(n,) is a block short enough, and before the text or surely its title."""
    table = signs.table
    before = (first < 0) | (np.arange(len(table)) <= first + _AFTER)
    before |= (table.heading_level == 1) & (likeness >= _SURELY)
    return np.asarray((table.words > 0) & (table.words <= LONGEST) & before)


def _scores(signs: Signs, first: Ints, likeness: Floats) -> Floats:
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie") | signs.near(
        "navigation", "site"
    )
    elsewhere |= table.blocks_inside(_ELSEWHERE_TAGS)
    apart = np.where(first >= 0, np.abs(first - np.arange(len(table))), _MOST_BLOCKS)
    score = _LIKENESS * likeness + np.array(_LEVELS)[table.heading_level]
    score += _NAMED * signs.near("headline")
    score -= _PER_BLOCK * np.minimum(apart, _MOST_BLOCKS) + _ELSEWHERE * elsewhere
    return np.asarray(score)
