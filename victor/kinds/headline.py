"""The headline of a page: the block before the text that is most like its title."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.labels import HEADER, OTHER
from victor.kinds.extent import Extent
from victor.kinds.names import Signs
from victor.page.parsing.heads import Head
from victor.page.parsing.patterns import pattern
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import first_of_page, page_maxima
from victor.page.table.texts import text_of

_LONGEST: Final = 50
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
_LETTERS: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD: Final = pattern(rf"[{_LETTERS}]|[^\W{_LETTERS}]+")
"""A word; of Chinese and Japanese, which have no spaces between words, each letter is one."""


def headlines(signs: Signs, first: Ints) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        first: (P,) first block of the text of each page, -1 where it has none.
    """
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie")
    elsewhere |= signs.near("navigation", "site") | table.blocks_inside(_ELSEWHERE_TAGS)
    by_names = _NAMED * signs.near("headline") - _ELSEWHERE * elsewhere
    return _best(table, np.arange(len(table)), first, by_names)


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
    level, kept = table.heading_level, labels != OTHER
    may_be = (level == 1) | (level == 2) | (labels == HEADER)
    rows = np.flatnonzero(may_be if no_text is None else may_be & ~no_text)
    has_kept = np.zeros(table.n_pages, dtype=bool)
    has_kept[table.page[rows[kept[rows]]]] = True
    rows = rows[has_kept[table.page[rows]]]
    if not len(rows):
        return rows
    best = _best(table, rows, Extent(table, labels).first, np.zeros(len(table)))
    return np.asarray(best[(best >= 0) & kept[best]])


def _best(table: BlockTable, rows: Ints, first: Ints, by_names: Floats) -> Ints:
    """(P,) the block of some that is most like a headline, -1 for none.

    Args:
        table: the blocks.
        rows: (m,) the blocks that may be one.
        first: (P,) as of `headlines`.
        by_names: (n,) what names in the markup add to the score.
    """
    begin = first[table.page[rows]]
    distance = np.where(begin >= 0, rows - begin, -_MOST_BLOCKS)
    level, n_words = table.heading_level[rows], table.words[rows]
    base = np.array(_LEVELS)[level] + by_names[rows]
    base -= _PER_BLOCK * np.minimum(np.abs(distance), _MOST_BLOCKS)
    chosen = (n_words > 0) & (n_words <= _LONGEST) & (base + _LIKENESS > _LEAST)
    chosen &= (distance <= _AFTER) | (level == 1)
    rows, likeness = rows[chosen], _likeness(table, rows[chosen])
    is_sure = (distance[chosen] <= _AFTER) | (likeness >= _SURELY)
    score = np.zeros(len(table))
    score[rows] = (base[chosen] + _LIKENESS * likeness) * is_sure
    return first_of_page(table, (score == page_maxima(table, score)) & (score > _LEAST))


def _likeness(table: BlockTable, rows: Ints) -> Floats:
    """(m,) how much of some blocks and of the titles of their pages are the same words, 0 to 1.

    A page has up to two titles, its own and that for sharing; the more similar one counts. The name
    of the site, which may be a part of the title, is like no title; nor is a subheading that has a
    word of the title among others (``How bees live`` of ``Bees``).
    """
    pages, result = table.page[rows].tolist(), np.zeros(len(rows))
    titles = {page: _titles(table.heads[page]) for page in {*pages}}
    is_below = (table.heading_level[rows] > 1).tolist()
    bounds = (column[rows].tolist() for column in (table.start, table.end))
    blocks = zip(*bounds, pages, is_below, strict=True)
    for place, (start, end, page, is_subheading) in enumerate(blocks):
        own, (site, others) = _words(text_of(table.chars[start:end])), titles[page]
        if not site or _jaccard(own, site) < _SITE:
            least = _MOST_OF * len(own) * is_subheading
            like = (_jaccard(own, title) for title in others if len(own & title) >= least)
            result[place] = max(like, default=0.0)
    return result


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
