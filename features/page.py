"""Measures of the whole page, and the position of a block on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Floats, Ints, prefix_sums, window_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable

_COUNTED = ("article", "main", "p", "li", "td", "pre", "h1", "form")
_LONG = 20
_KERNEL = Kernel(
    "page",
    (
        np.array([IDS[name] for name in _COUNTED], dtype=np.int64),
        np.array([_LONG], dtype=np.int64),
    ),
)


def build() -> Feature:
    """Page measures; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> values = build()(parse_pages([b"<p>Bees live<p><a>More</a><ul><li>and more</ul>"]))
    >>> values["page.n-p"], values["page.link-density"], values["place.from-end"]
    (array([2, 2, 2]), array([0.2, 0.2, 0.2]), array([2, 1, 0]))
    >>> values["place.words-before"]
    array([0. , 0.4, 0.6])
    """
    columns = [Column(f"page.n-{name}", "count", f"<{name}> elements") for name in _COUNTED]
    columns += [
        Column("page.link-density", "number", "share of the page's words inside links"),
        Column("page.long-blocks", "count", f"blocks of {_LONG} words or more"),
        Column("page.words-per-block", "number", "words per block of the page"),
        Column("place.from-start", "count", "blocks before this one on the page"),
        Column("place.from-end", "count", "blocks after this one on the page"),
        Column("place.words-before", "number", "share of the page's words before the block"),
        Column("place.free-before", "number", "share of its words outside links before the block"),
    ]
    return Measure(tuple(columns), _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    page = table.page
    values: dict[str, ColumnValues] = {
        f"page.n-{name}": _n_elements(table, name)[page] for name in _COUNTED
    }
    index = np.arange(len(table))
    values["page.link-density"] = (
        window_sums(table.link_words, table.page_starts) / np.maximum(table.page_words, 1)
    )[page]
    values["page.long-blocks"] = window_sums(table.words >= _LONG, table.page_starts)[page]
    n_blocks = np.maximum(np.diff(table.page_starts), 1)
    values["page.words-per-block"] = (table.page_words / n_blocks)[page]
    values["place.from-start"] = index - table.page_starts[page]
    values["place.from-end"] = table.page_starts[page + 1] - 1 - index
    values["place.words-before"] = _share_before(table, table.words)
    values["place.free-before"] = _share_before(table, table.free_words)
    return values


def _n_elements(table: BlockTable, name: str) -> Ints:
    """(P,) elements of one name on each page."""
    chosen = table.elements.tag == IDS[name]
    return np.bincount(table.page_of_element[chosen], minlength=table.n_pages)


def _share_before(table: BlockTable, values: Ints) -> Floats:
    """Share of the page's total that stands before each block."""
    total = prefix_sums(values)
    before = total[:-1] - total[table.page_starts[table.page]]
    return before / np.maximum(window_sums(values, table.page_starts), 1)[table.page]
