"""Blocks of the same tag path on a page: how many there are and what they are like together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable, equal_groups
from victor.page.tags import NAMES, SPLITTING, member_mask

COLUMNS = (
    Column("path.count", "count", "blocks of the page with the same path of block-level tags"),
    Column("path-class.count", "count", "the same, paths of tags with their first class"),
    Column("path-class.words", "number", "mean words of the blocks of this path with classes"),
    Column("path-class.link", "number", "link density of the blocks of this path with classes"),
    Column("path-class.share", "number", "share of the page's words on this path with classes"),
    Column("path-class.index", "count", "blocks of this path with classes earlier on the page"),
)
_BASE = np.uint64(0x9E3779B97F4A7C15)


def build() -> Feature:
    """Path statistics; they have no parameters.

    >>> from victor.page.segment import parse_pages
    >>> table = parse_pages([b"<p class=a>1<p class='a b'>2<p>3<div>4"])
    >>> values = build()(table)
    >>> values["path.count"], values["path-class.count"], values["path-class.index"]
    (array([3, 3, 3, 1]), array([2, 2, 1, 1]), array([0, 1, 0, 0]))
    """
    return Measure(COLUMNS, _compute, attributes=("class",))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tags = _mixed(np.arange(1, len(NAMES) + 1, dtype=np.uint64))[table.elements.tag]
    _, same_path, _ = _groups(table, _path_hashes(table, tags))
    group, count, index = _groups(table, _path_hashes(table, tags * _class_hashes(table)))
    words = np.bincount(group, table.words)
    links = np.bincount(group, table.link_words)
    page_words = np.bincount(table.page, table.words, table.n_pages)[table.page]
    return {
        "path.count": same_path,
        "path-class.count": count,
        "path-class.words": words[group] / count,
        "path-class.link": (links / np.maximum(words, 1))[group],
        "path-class.share": words[group] / np.maximum(page_words, 1),
        "path-class.index": index,
    }


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Odd 64-bit numbers that look random."""
    mixed = values * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))) | np.uint64(1)


def _class_hashes(table: BlockTable) -> NDArray[np.uint64]:
    """(E,) a number that looks random for the first class of each element."""
    # Far from the numbers of tags: a product does not tell which factor is which.
    hashes = _mixed(table.class_numbers.astype(np.uint64) + _BASE)
    return hashes[table.elements.bundle]


def _path_hashes(table: BlockTable, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(n,) hash of the path to each block: the sum over open elements of value x base^depth.

    Only block-level elements count, each at its depth among all elements. A start tag adds its
    element's term and the end tag takes it away, so one running sum modulo 2^64 gives the hash
    of every path without walking any.
    """
    elements = table.elements
    depth = elements.depth
    powers = np.full(int(depth.max(initial=0)) + 1, _BASE)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint64)
    terms = np.where(member_mask(SPLITTING)[elements.tag], values * powers[depth], np.uint64(0))
    step = np.zeros(len(table.tags.id), dtype=np.uint64)
    step[elements.open] = terms
    step[elements.close] = np.uint64(0) - terms
    return np.cumsum(step, dtype=np.uint64)[table.tag]


def _groups(
    table: BlockTable, hashes: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Group blocks of one page by hash: group of a block, its size, how many in it are before."""
    keys = hashes + _mixed(table.page.astype(np.uint64) + np.uint64(1))
    order, starts = equal_groups(keys)
    size = np.diff(starts, append=len(order))
    found = np.empty((3, len(order)), dtype=np.int64)
    found[0, order] = np.repeat(np.arange(len(size)), size)
    found[1, order] = np.repeat(size, size)
    found[2, order] = np.arange(len(order)) - np.repeat(starts, size)
    return found[0], found[1], found[2]
