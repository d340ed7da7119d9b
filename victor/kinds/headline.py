"""The headline of a page: the block before the text that is most like its title."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.kinds.names import Signs
from victor.page.names.shared_words import Words, jaccard_index, shared_words
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import first_of_page, page_maxima

_LONGEST: Final = 50
"""Words of a headline at most."""
_LIKENESS: Final = 3.0
_LEVELS: Final = np.array([0.0, 1.4, 0.7, 0.3, 0.1, 0.1, 0.1])
"""What h1 to h6 add to the score; no heading adds nothing."""
_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_SITE: Final = 0.9
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0
_PER_BLOCK, _MOST_BLOCKS = 0.02, 20
_LEAST: Final = 1.3
_SURELY: Final = 0.4
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
    of the site, which may be a part of the title, is like no title.
    """
    texts = (
        [head.title for head in table.heads],
        [head.meta.get("og:title", "") for head in table.heads],
        [head.meta.get("og:site_name", "") for head in table.heads],
    )
    words = [*map(Words.of_texts, texts)]
    shared = shared_words(table, *words)
    own, og, site = map(partial(jaccard_index, table), shared, words)
    return np.where(site >= _SITE, 0.0, np.maximum(own, og))


def _may_be(signs: Signs, first: Ints, likeness: Floats) -> Bools:
    """(n,) is a block short enough, and before the text or surely its title."""
    table = signs.table
    before = (first < 0) | (np.arange(len(table)) <= first + _AFTER)
    before |= (table.heading_level == 1) & (likeness >= _SURELY)
    return np.asarray((table.words > 0) & (table.words <= _LONGEST) & before)


def _scores(signs: Signs, first: Ints, likeness: Floats) -> Floats:
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie") | signs.near(
        "navigation", "site"
    )
    elsewhere |= table.blocks_inside(_ELSEWHERE_TAGS)
    apart = np.where(first >= 0, np.abs(first - np.arange(len(table))), _MOST_BLOCKS)
    score = _LIKENESS * likeness + _LEVELS[table.heading_level]
    score += _NAMED * signs.near("headline")
    score -= _PER_BLOCK * np.minimum(apart, _MOST_BLOCKS) + _ELSEWHERE * elsewhere
    return np.asarray(score)
