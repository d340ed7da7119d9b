"""The article of a page: the first element with enough text of its own."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.labelers.dom.settings import Article
from victor.page.parsing.tags import IDS, SPLITTING, member_mask
from victor.page.table.blocks import BlockTable

_TEXTUAL: Final = frozenset(
    "address blockquote caption center dd dir dl dt figcaption figure h1 h2 h3 h4 h5 h6 hgroup li "
    "listing menu ol p pre ul".split()
)
"""Elements that structure a text: their text counts for the element around them."""
CONTAINERS: Final = SPLITTING - _TEXTUAL
"""All other elements that split blocks; what they hold is theirs."""


def paragraph_divs(table: BlockTable) -> Bools:
    """(E,) bool; is it a ``<div>`` without a container inside, which is a paragraph."""
    tags, elements = table.tags, table.elements
    n_containers = np.cumsum(member_mask(CONTAINERS)[tags.id] & (tags.step > 0))
    has_none = n_containers[elements.close] == n_containers[elements.open]
    return np.asarray((elements.tag == IDS["div"]) & has_none)


def own_length(table: BlockTable, gone: Bools) -> Floats:
    """(E,) characters of the paragraphs of each element, without those of inner containers.

    The three kinds of paragraphs are ``<div>text</div>``, ``<p>text</p>``, and texts that
    ``<br>`` separates.

    Args:
        table: the blocks.
        gone: (T,) bool; places whose text does not count.
    """
    segments, elements = table.segments, table.elements
    length = np.where(gone[segments.tag], 0, segments.end - segments.start)
    container = elements.innermost(CONTAINERS)
    # Around such a div is a container that is none itself, as it holds the div.
    container = np.where(paragraph_divs(table), container[elements.parent], container)
    holder = container[container[table.segment_element]]
    sums = np.bincount(holder, weights=length, minlength=len(table.elements))
    return sums.astype(np.float64)


def articles(table: BlockTable, gone: Bools, settings: Article) -> Ints:
    """(P,) int64 element that is the article of each page, -1 where no text is long enough."""
    long = np.flatnonzero(own_length(table, gone) > settings.characters)
    pages, first_of_page = np.unique(table.page_of_element[long], return_index=True)
    article = np.full(table.n_pages, -1, dtype=np.int64)
    article[pages] = long[first_of_page]
    if settings.subtree == "common" and len(long):
        closes = np.maximum.reduceat(table.elements.close[long], first_of_page)
        article[pages] = _around(table, article[pages], closes)
    return article


def _around(table: BlockTable, element: Ints, closes: Ints) -> Ints:
    """The innermost elements around the given ones that close no earlier than given tags."""
    elements = table.elements
    while (elements.close[element] < closes).any():
        element = np.where(elements.close[element] < closes, elements.parent[element], element)
    return element


def in_article(table: BlockTable, article: Ints) -> Bools:
    """(n,) bool; does each block begin in the article of its page; True on pages without one."""
    root = article[table.page]
    elements = table.elements
    inside = (elements.open[root] <= table.tag) & (table.tag < elements.close[root])
    return np.asarray(inside | (root < 0))
