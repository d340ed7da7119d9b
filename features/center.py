"""Where a block stands relative to the element with most free text, as in Readability."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable

COLUMNS = (
    Column("center.inside", "bool", "stands in the element that collects most free text"),
    Column("center.steps", "count", "levels from that element up to one that holds the block"),
    Column("center.score", "number", "that element's score over the page's words"),
    Column("center.share", "number", "share of the page's words in that element"),
)
_DECAY = 0.6
_LEVELS = 6
_MAX_STEPS = 8


def build() -> Feature:
    """Position relative to the text centre of the page; it has no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<ul><li><a>Home</a></ul><div><p>Bees live here<p>They fly a lot</div><div>(c)"
    >>> values = build()(parse_pages([page]))
    >>> values["center.inside"], values["center.steps"]
    (array([False,  True,  True, False]), array([1, 0, 0, 1]))
    >>> values["center.share"].round(2)
    array([0.78, 0.78, 0.78, 0.78])
    """
    return Measure(COLUMNS, _compute, kernel=Kernel("center"))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    words, links = table.element_words, table.element_link_words
    score = _scores(table) * (1 - links / np.maximum(words, 1))
    center = _best_of_page(table, score)
    page_words = np.maximum(table.page_words, 1)
    steps = _steps_up(table, center[table.page])
    return {
        "center.inside": steps == 0,
        "center.steps": steps,
        "center.score": (score[center] / page_words)[table.page],
        "center.share": (words[center] / page_words)[table.page],
    }


def _scores(table: BlockTable) -> Floats:
    """(E,) free words of the blocks below, less by a constant factor with every level."""
    free = table.free_words.astype(np.float64)
    score = np.zeros(len(table.elements))
    element = table.container
    for _ in range(_LEVELS):
        score += np.bincount(element, free, len(score))
        # What has reached the root does not count there again.
        free = np.where(table.elements.depth[element] > 0, _DECAY * free, 0.0)
        element = table.outer[element]
    return score


def _best_of_page(table: BlockTable, score: Floats) -> Ints:
    """(P,) first element of the highest score on each page."""
    page = table.page_of_element
    # From the last to the first, which is what stays.
    best = np.flatnonzero(score == np.maximum.reduceat(score, table.page_roots)[page])[::-1]
    first = np.empty(table.n_pages, dtype=np.int64)
    first[page[best]] = best
    return first


def _steps_up(table: BlockTable, center: Ints) -> Ints:
    """How far up from the centre each block is covered, at most `_MAX_STEPS`."""
    elements = table.elements
    steps = np.zeros(len(table), dtype=np.int64)
    element = center
    for _ in range(_MAX_STEPS):
        inside = (elements.open[element] <= table.tag) & (table.tag < elements.close[element])
        steps += ~inside
        element = np.where(inside, element, table.outer[element])
    return steps
