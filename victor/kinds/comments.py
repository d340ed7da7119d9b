"""Comments that a model keeps below a text: what it knows of one block, the page knows better."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, Labels, prefix_sums
from victor.kinds.extent import Extent
from victor.kinds.headline import kept_headlines
from victor.kinds.names import Signs
from victor.kinds.regions import Regions
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.attributes import rows_with
from victor.page.table.blocks import BlockTable

_STEMS: Final = (b"omment", b"oment")
"""What names of comments hold in most languages. Looking for more takes more time than it is worth:
the scope `article` knows all names."""


def kept_comments(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the kept blocks that are comments on the text of their page, and no posts of a thread.

    Pages without such names, and tables without their attributes, take hardly any time.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    pages = _pages_with_names(table)
    if pages is None or not _may_be(extent := Extent(table, labels), signs := Signs(table, pages)):
        return np.zeros(0, dtype=np.int64)
    headline = np.full(table.n_pages, -1, dtype=np.int64)
    headlines = kept_headlines(table, labels)
    headline[table.page[headlines]] = headlines
    comments = Regions(signs, extent, headline).comments
    return np.flatnonzero(extent.kept & comments & pages[table.page])


def _pages_with_names(table: BlockTable) -> Bools | None:
    """(P,) may an element of the page be called a comment; None if none may on any page."""
    bundles, has_name = table.bundles, np.zeros(table.n_pages, dtype=bool)
    if not {*ATTRIBUTES} <= {*table.attributes} or not len(rows := rows_with(bundles, *_STEMS)):
        return None
    is_named = np.zeros(len(bundles) + 1, dtype=bool)
    is_named[rows] = True
    has_name[table.page_of_element[is_named[table.elements.bundle]]] = True
    return has_name if has_name.any() else None


def _may_be(extent: Extent, signs: Signs) -> bool:
    """Is anything kept in an element called a comment, below running text, and on no thread."""
    table, elements = extent.table, extent.table.elements
    named = np.flatnonzero(signs.is_named("comment", "review"))
    page = table.page_of_element[named]
    starts = np.searchsorted(table.tag, elements.open[named])
    stops = np.searchsorted(table.tag, elements.close[named])
    kept, prose = prefix_sums(extent.kept), prefix_sums(extent.prose)
    may_be = (kept[stops] > kept[starts]) & (prose[starts] > prose[table.page_starts[page]])
    return bool(may_be.any() and (may_be & ~signs.is_thread[page]).any())
