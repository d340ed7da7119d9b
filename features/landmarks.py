"""The article, main part and section around a block: how much of the page, how much in links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.blocks import BlockTable, Ints
from victor.columns import Column, ColumnValues, Feature, Measure
from victor.tags import IDS

_NAMES: Final = ("article", "main", "section")
COLUMNS: Final = tuple(
    Column(f"{name}.{measure}", "number", f"{meaning} of the nearest <{name}>, -1 outside")
    for name in _NAMES
    for measure, meaning in (("share", "share of the page's words"), ("link", "link density"))
)


def build() -> Feature:
    """Measures of the nearest element of each name; they have no parameters.

    >>> from victor.events import record
    >>> from victor.segment import segment
    >>> page = b"<p>one</p><article>two <a>three</a><article><p>four</article></article>"
    >>> values = build()(segment(record([page])))
    >>> values["article.share"], values["article.link"].round(2)
    (array([-1.  ,  0.75,  0.25]), array([-1.  ,  0.33,  0.  ]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    words, links = table.element_words, table.element_link_words
    page_words = np.maximum(words[table.page_roots], 1)[table.page]
    values: dict[str, ColumnValues] = {}
    for name in _NAMES:
        element = _nearest(table, name)
        inside, own = element >= 0, words[element]
        values[f"{name}.share"] = np.where(inside, own / page_words, -1.0)
        values[f"{name}.link"] = np.where(inside, links[element] / np.maximum(own, 1), -1.0)
    return values


def _nearest(table: BlockTable, name: str) -> Ints:
    """(n,) innermost element of a name around the start of each block, -1 where none is.

    As `BlockTable.nearest`, by the same sort on levels, but levels are counted at blocks only.
    """
    elements = table.elements
    chosen = np.flatnonzero(elements.tag == IDS[name])
    if not len(chosen):
        return np.full(len(table), -1)
    opens = elements.open[chosen]
    # In document order an element of level k is the last of that level opened before a block, and
    # still open if the block is on level k or deeper.
    first = np.searchsorted(table.tag, opens)
    beyond = np.searchsorted(table.tag, elements.close[chosen])
    size = len(table) + 1
    change = np.bincount(first, minlength=size) - np.bincount(beyond, minlength=size)
    level = np.cumsum(change)[:-1]
    own = _levels(opens, elements.close[chosen])
    order = np.lexsort((opens, own))
    keys = own[order] * size + first[order]
    found = order[np.searchsorted(keys, level * size + np.arange(len(table)), side="right") - 1]
    return np.where(level > 0, chosen[found], -1)


def _levels(opens: Ints, closes: Ints) -> Ints:
    """How many of the elements are open at the start of each, itself included."""
    return np.arange(1, len(opens) + 1) - np.searchsorted(np.sort(closes), opens)
