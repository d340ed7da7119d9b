"""The nearest article, main part and section: share of the page's words, and link density."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.table.blocks import BlockTable

_NAMES: Final = ("article", "main", "section")
COLUMNS: Final = tuple(
    Column(f"{name}.{measure}", "number", f"{meaning} of the nearest <{name}>, -1 outside")
    for name in _NAMES
    for measure, meaning in (("share", "share of the page's words"), ("link", "link density"))
)


def build() -> Feature:
    """Measures of the nearest element of each name; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<p>one</p><article>two <a>three</a><article><p>four</article></article>"
    >>> values = build()(parse_pages([page]))
    >>> values["article.share"], values["article.link"].round(2)
    (array([-1.  ,  0.75,  0.25]), array([-1.  ,  0.33,  0.  ]))
    """
    return Measure(COLUMNS, _compute, kernel=Kernel("landmarks", (tag_ids(_NAMES),)))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    words, links = table.element_words, table.element_link_words
    page_words = np.maximum(table.page_words, 1)[table.page]
    values: dict[str, ColumnValues] = {}
    for name in _NAMES:
        element = table.nearest(frozenset({name}), table.tag)
        inside, inner_words = element >= 0, words[element]
        density = links[element] / np.maximum(inner_words, 1)
        values[f"{name}.share"] = np.where(inside, inner_words / page_words, -1.0)
        values[f"{name}.link"] = np.where(inside, density, -1.0)
    return values
