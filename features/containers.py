"""Whether a block stands inside certain elements (Victor 2008: container.*)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Bools, window_sums
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing.tags import CLASS_2008, INLINE
from victor.page.table.blocks import BlockTable

_CLASSES: Final = ("header", "bold", "italic", "list", "form")
_ELEMENTS: Final[dict[str, frozenset[str]]] = {
    **{f"container.{name}": frozenset({name}) for name in ("p", "a", "u", "img")},
    **{f"container.class-{name}": CLASS_2008[name] for name in _CLASSES},
}
COLUMNS: Final = tuple(
    Column(name, "bool", f"stands inside {', '.join(sorted(elements))}")
    for name, elements in _ELEMENTS.items()
)


def build() -> Feature:
    """The container flags; they have no parameters.

    Where only block-level tags split, an inline element counts as a container when at least half
    of the block's words stand inside it.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<ul><li>See <a href='/'>all of it</a></ul><p><b>1.</b> the first of many"
    >>> build()(parse_pages([page]))["container.a"]
    array([ True, False])
    >>> build()(parse_pages([page], "tag"))["container.class-bold"]
    array([False, False,  True, False])
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    inside = _segments_inside(table)
    starts = inside[:, table.segment_starts[:-1]]
    values: dict[str, ColumnValues] = {}
    for row, (name, elements) in enumerate(_ELEMENTS.items()):
        mixed = table.split == "block" and elements <= INLINE
        values[name] = _mostly(table, inside[row], starts[row]) if mixed else starts[row]
    return values


def _segments_inside(table: BlockTable) -> Bools:
    """(columns, S) segments inside one of the elements of each column."""
    return np.stack([table.segments_inside(elements) for elements in _ELEMENTS.values()])


def _mostly(table: BlockTable, inside: Bools, at_start: Bools) -> Bools:
    """Blocks with half of their words in such segments; without words their start decides."""
    words = window_sums(np.where(inside, table.segment_words, 0), table.segment_starts)
    return np.where(table.words > 0, 2 * words >= table.words, at_start)
