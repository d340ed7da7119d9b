"""The blocks between two headings, and the heading above a block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Ints, window_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN
from victor.page.table.nearest_blocks import last_until

COLUMNS: Final = (
    Column("section-text.share", "number", "share of the page's words in the section"),
    Column("section-text.link", "number", "link density of the section"),
    Column("section-text.density", "number", "words outside links per block of the section"),
    Column("section-text.blocks", "count", "blocks of the section"),
    Column("heading.words", "number", "words of the heading above, -1 if none"),
    Column("heading.link", "number", "link density of the heading above, -1 if none"),
    Column("heading.depth", "number", "elements around the heading above, -1 if none"),
    Column("heading.alike", "number", "headings that look like the heading above, -1 if none"),
    Column("heading.after-h1", "bool", "an h1 of the page stands here or before"),
)
_COMPARED: Final = 3
_KERNEL: Final = Kernel("sections", inputs=lambda table: (table.class_numbers,))


def build() -> Feature:
    """Section measures; they have no parameters. A section begins at every block of a heading.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<p>Home<h1>On bees</h1><p>They <a>live</a> and fly<h2>More</h2>"
    >>> values = build()(parse_pages([page], attributes=("class",)))
    >>> values["section-text.share"], values["section-text.density"]
    (array([0.125, 0.75 , 0.75 , 0.125]), array([1. , 2.5, 2.5, 1. ]))
    >>> values["heading.words"], values["heading.after-h1"]
    (array([-1,  2,  2,  1]), array([False,  True,  True,  True]))
    """
    return Measure(COLUMNS, _compute, attributes=("class",), kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    return {**_sections(table), **_headings(table)}


def _sections(table: BlockTable) -> dict[str, ColumnValues]:
    """Sums over the section of each block."""
    begins = table.heading_level > 0
    begins[table.page_starts[:-1][np.diff(table.page_starts) > 0]] = True
    section = np.cumsum(begins) - 1
    starts = np.append(np.flatnonzero(begins), len(table))
    words, links = window_sums(table.words, starts), window_sums(table.link_words, starts)
    blocks = np.diff(starts)
    page_words = np.maximum(table.page_words, 1)[table.page]
    return {
        "section-text.share": words[section] / page_words,
        "section-text.link": (links / np.maximum(words, 1))[section],
        "section-text.density": ((words - links) / blocks)[section],
        "section-text.blocks": blocks[section],
    }


def _headings(table: BlockTable) -> dict[str, ColumnValues]:
    """The last block of a heading at or before each block."""
    level = table.heading_level
    above = last_until(table, level > 0)
    has_heading = above >= 0
    depth = table.elements.depth[table.container]
    density = table.link_words / np.maximum(table.words, 1)
    return {
        "heading.words": np.where(has_heading, table.words[above], -1),
        "heading.link": np.where(has_heading, density[above], -1.0),
        "heading.depth": np.where(has_heading, depth[above], -1),
        "heading.alike": np.where(has_heading, _alike(table)[above], -1),
        "heading.after-h1": last_until(table, level == 1) >= 0,
    }


def _alike(table: BlockTable) -> Ints:
    """(n,) headings of the page of one level whose nearest elements have equal tags and classes.

    Three block-level elements are compared, by a hash; 0 for blocks that are not headings.
    """
    elements = table.elements
    block = np.flatnonzero(table.heading_level)
    element = table.container[block]
    hashes = (table.page[block] << 3 | table.heading_level[block]).astype(np.uint64)
    for _ in range(_COMPARED):
        looks = table.class_numbers[elements.bundle[element]] << 8 | elements.tag[element]
        hashes = (hashes ^ looks.astype(np.uint64)) * GOLDEN
        hashes ^= hashes >> np.uint64(32)
        element = table.outer[element]
    _, group, size = np.unique(hashes, return_inverse=True, return_counts=True)
    count = np.zeros(len(table), dtype=np.int64)
    count[block] = size[group]
    return count
