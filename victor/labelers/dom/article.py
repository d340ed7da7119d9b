"""The article of a page: an element whose own text is long, the first of the document."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Bools, Ints
from victor.labelers.dom.settings import Article
from victor.page.blocks import BlockTable
from victor.page.tags import SPLITTING

_TEXTUAL: Final = frozenset(
    "address blockquote caption center dd dir dl dt figcaption figure h1 h2 h3 h4 h5 h6 hgroup li "
    "listing menu ol p pre ul".split()
)
"""Elements that make a text rather than hold one: theirs is the text of the element around."""
CONTAINERS: Final = SPLITTING - _TEXTUAL


def own_length(table: BlockTable, gone: Bools) -> NDArray[np.float64]:
    """(E,) characters of each element that stand in no element inside it but paragraphs and such.

    Args:
        table: the blocks.
        gone: (T,) bool; places whose text does not count.
    """
    segments = table.segments
    length = np.where(gone[segments.tag], 0, segments.end - segments.start)
    holder = table.nearest(CONTAINERS, segments.tag)
    sums = np.bincount(holder, weights=length, minlength=len(table.elements))
    return sums.astype(np.float64)


def articles(table: BlockTable, gone: Bools, settings: Article) -> Ints:
    """(P,) int64 element that is the article of each page, -1 where no text is long enough."""
    long = np.flatnonzero(own_length(table, gone) > settings.characters)
    pages, first = np.unique(table.page_of_element[long], return_index=True)
    found = np.full(table.n_pages, -1, dtype=np.int64)
    found[pages] = long[first]
    if settings.subtree == "common" and len(long):
        closes = np.maximum.reduceat(table.elements.close[long], first)
        found[pages] = _around(table, found[pages], closes)
    return found


def _around(table: BlockTable, element: Ints, closes: Ints) -> Ints:
    """The innermost elements around the given ones that close no earlier than given tags."""
    elements = table.elements
    while (elements.close[element] < closes).any():
        element = np.where(elements.close[element] < closes, elements.parent[element], element)
    return element


def in_article(table: BlockTable, article: Ints) -> Bools:
    """(n,) bool; does each block begin in the article of its page; all of a page without one do."""
    own = article[table.page]
    elements = table.elements
    inside = (elements.open[own] <= table.tag) & (table.tag < elements.close[own])
    return np.asarray(inside | (own < 0))
