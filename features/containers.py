"""Whether a block stands inside certain elements (Victor 2008: container.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from victor.base.arrays import Bools, window_sums
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import tags
from victor.page.parsing.tags import INLINE
from victor.page.table.blocks import BlockTable

_SINGLE: Final = ("p", "a", "u", "img")
_CLASSES: Final = ("header", "bold", "italic", "list", "form")


def build(*, classes: Mapping[str, Sequence[str]] | None = None) -> Feature:
    """The container flags.

    Where only block-level tags split, an inline element counts as a container when at least half
    of the block's words stand inside it.

    Args:
        classes: name of a class to its elements, in place of those of 2008, whose ``form`` is
            button, input and label; a name that is new is a column more.

    Raises:
        ConfigError: the elements are no list of known names.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<ul><li>See <a href='/'>all of it</a></ul><p><b>1.</b> the first of many"
    >>> build()(parse_pages([page]))["container.a"]
    array([ True, False])
    >>> build()(parse_pages([page], "tag"))["container.class-bold"]
    array([False, False,  True, False])
    >>> build(classes={"part": ["ul", "table"]})(parse_pages([page]))["container.class-part"]
    array([ True, False])
    """
    of_class = tags.classes(_CLASSES, classes, "containers: classes")
    elements = {
        **{f"container.{name}": frozenset({name}) for name in _SINGLE},
        **{f"container.class-{name}": members for name, members in of_class.items()},
    }
    columns = tuple(
        Column(name, "bool", f"stands inside {', '.join(sorted(members))}")
        for name, members in elements.items()
    )
    return Measure(columns, partial(_compute, elements))


def _compute(
    elements: Mapping[str, frozenset[str]], table: BlockTable
) -> Mapping[str, ColumnValues]:
    inside = np.stack([table.segments_inside(members) for members in elements.values()])
    starts = inside[:, table.segment_starts[:-1]]
    values: dict[str, ColumnValues] = {}
    for row, (name, members) in enumerate(elements.items()):
        mixed = table.split == "block" and members <= INLINE
        values[name] = _mostly(table, inside[row], starts[row]) if mixed else starts[row]
    return values


def _mostly(table: BlockTable, inside: Bools, at_start: Bools) -> Bools:
    """Blocks with half of their words in such segments; without words their start decides."""
    words = window_sums(np.where(inside, table.segment_words, 0), table.segment_starts)
    return np.where(table.words > 0, 2 * words >= table.words, at_start)
