"""Blocks of a page that share a tag path: how many, how long, how many links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Hashes, Ints
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.parsing.tags import NAMES, SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, Groups, equal_groups, mixed, powers

COLUMNS = (
    Column("path.count", "count", "blocks of the page with the same path of block-level tags"),
    Column(
        "path-class.count",
        "count",
        "blocks of the page with the same path of tags and their classes",
    ),
    Column("path-class.words", "number", "mean words of the blocks of this path with classes"),
    Column("path-class.link", "number", "link density of the blocks of this path with classes"),
    Column("path-class.share", "number", "share of the page's words on this path with classes"),
    Column(
        "path-class.first",
        "count",
        "number on the page of the first block of this path with classes; the block's own number "
        "where one element is the parent of them all",
    ),
)


def build() -> Feature:
    """Path statistics; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p class=a>1<p class='a b'>2<p>3<div>4"])
    >>> values = build()(table)
    >>> values["path.count"], values["path-class.count"]
    (array([3, 3, 3, 1]), array([2, 2, 1, 1]))
    """
    kernel = Kernel("paths", inputs=lambda table: (table.class_numbers,))
    return Measure(COLUMNS, _compute, attributes=("class",), kernel=kernel)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tags = _odd(np.arange(len(NAMES), dtype=np.uint64))[table.elements.tag]
    same_path = _groups(table, _path_hashes(table, tags))
    same_classes = _groups(table, _path_hashes(table, tags * _class_hashes(table)))
    group, count = same_classes.number(), same_classes.count()
    words = np.bincount(group, table.words)
    links = np.bincount(group, table.link_words)
    return {
        "path.count": same_path.count(),
        "path-class.count": count,
        "path-class.words": words[group] / count,
        "path-class.link": (links / np.maximum(words, 1))[group],
        "path-class.share": words[group] / np.maximum(table.page_words, 1)[table.page],
        "path-class.first": _first(table, same_classes),
    }


def _first(table: BlockTable, groups: Groups) -> Ints:
    """(n,) number on its page of the first block of each group that has several parents.

    Elements of one path are equally deep, so those of one parent follow each other in a group.
    """
    parent = table.outer[table.container]
    first, last = groups.first(), groups.last()
    several = parent[first] != parent[last]
    number = np.where(several, first, np.arange(len(table)))
    return number - table.page_starts[table.page]


def _odd(values: Hashes) -> Hashes:
    """Odd numbers that look random."""
    return mixed(values) | np.uint64(1)


def _class_hashes(table: BlockTable) -> Hashes:
    """(E,) a number that looks random for the first class of each element."""
    # Far from the numbers of tags: a product does not tell which factor is which.
    return _odd(table.class_numbers.astype(np.uint64) + GOLDEN)[table.elements.bundle]


def _path_hashes(table: BlockTable, values: Hashes) -> Hashes:
    """(n,) hash of the path to each block: the sum over open elements of value x base^depth.

    Only block-level elements count, each at its depth among all elements. A start tag adds its
    element's term and the end tag takes it away, so one running sum modulo 2^64 gives the hash
    of every path without walking any.
    """
    elements = table.elements
    depth = elements.depth
    factors = powers(int(depth.max(initial=0)) + 1)[depth]
    terms = np.where(member_mask(SPLITTING)[elements.tag], values * factors, np.uint64(0))
    step = np.zeros(len(table.tags.id), dtype=np.uint64)
    step[elements.open] = terms
    step[elements.close] = np.uint64(0) - terms
    return np.cumsum(step, dtype=np.uint64)[table.tag]


def _groups(table: BlockTable, hashes: Hashes) -> Groups:
    """Blocks of one page with equal hashes."""
    return equal_groups(hashes + mixed(table.page.astype(np.uint64)))
