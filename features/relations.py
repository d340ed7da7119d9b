"""How a block lies to the one before it: the kinds of edge of the chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.table.blocks import BlockTable

_ALIKE, _CLOSE, _NEAR, _APART = range(4)
_HEADING: Final = 4
"""Added where the block is a heading."""
COLUMNS: Final = (
    Column(
        "relation.before",
        "category",
        "how the block before lies: 0 alike, 1 close, 2 near, 3 apart, 4 heading alike, "
        "5 heading close, 6 heading near, 7 heading apart",
    ),
)


def build() -> Feature:
    """The relation to the block before; it has no parameters.

    Blocks are *alike* in the same container or in neighbouring ones of the same name, as the
    paragraphs of a text are; *close* if one container holds the other or the same element holds
    both; *near* if that is so one level above; *apart* otherwise, and at the start of a page.
    Containers are block-level elements.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div><p>Bees<p>fly<h2>Home</h2><ul><li>hive</ul></div><div><div><p>News"
    >>> build()(parse_pages([page], "block"))["relation.before"].tolist()
    [3, 0, 5, 2, 3]
    """
    return Measure(COLUMNS, _compute, kernel=Kernel("relations"))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    levels = [*table.ancestors(3)]
    container, above, _ = levels
    tag = table.elements.tag[container]
    relation = np.full(len(table), _APART)
    relation[_holds_both(*levels[1:])] = _NEAR
    relation[_holds_both(container, above)] = _CLOSE
    relation[_same(container) | (_same(above) & _same(tag))] = _ALIKE
    relation[np.diff(table.page, prepend=-1) > 0] = _APART
    return {"relation.before": relation + _HEADING * (table.heading_level > 0)}


def _holds_both(inner: Ints, outer: Ints) -> Bools:
    """(n,) is an element of a block also around the block before, at one of two levels."""
    return _same(outer) | _same(inner) | _equal(inner, outer) | _equal(outer, inner)


def _same(values: Ints) -> Bools:
    return _equal(values, values)


def _equal(values: Ints, before: Ints) -> Bools:
    """(n,) is the value of a block that of another column at the block before."""
    equal = np.zeros(len(values), dtype=bool)
    np.equal(values[1:], before[:-1], out=equal[1:])
    return equal
