"""Tags met between a block and the block before it (Victor 2008: split.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import tags
from victor.page.parsing.tags import VOID, member_mask
from victor.page.table.blocks import BlockTable

_SINGLE: Final = ("p", "br", "hr")
_CLASSES: Final = {"inline": "inline", "block": "block-level"}


def build(
    *, void_twice: bool = False, classes: Mapping[str, Sequence[str]] | None = None
) -> Feature:
    """Counts of tags opened and closed since the previous block or the start of the page.

    Args:
        void_twice: an element without content, such as ``<br>``, counts as an opened and a closed
            tag, as in the original, where split.br is hence never 1.
        classes: name of a class to its elements, in place of those of 2008, whose ``block`` has no
            section, tr or form; a name that is new is a column more.

    Raises:
        ConfigError: the elements are no list of known names.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>one<br>two<hr><p>three <i><b>four</b></i> five"], "tag")
    >>> build()(table)["split.p"]
    array([1, 0, 2, 0, 0])
    >>> build(void_twice=True)(table)["split.br"]
    array([0, 2, 0, 0, 0])
    >>> build()(table)["split.class-inline"]
    array([0, 1, 0, 2, 2])
    >>> build(classes={"block": ["p"]})(table)["split.class-block"]
    array([1, 0, 2, 0, 0])
    """
    of_class = tags.classes(_CLASSES, classes, "splits: classes")
    elements = {
        **{f"split.{name}": frozenset({name}) for name in _SINGLE},
        **{f"split.class-{name}": members for name, members in of_class.items()},
    }
    kinds = (
        *(f"<{name}>" for name in _SINGLE),
        *(
            ", ".join(sorted(members)) if name in (classes or {}) else _CLASSES[name]
            for name, members in of_class.items()
        ),
    )
    columns = tuple(
        Column(name, "count", f"{kind} tags opened or closed since the previous block")
        for name, kind in zip(elements, kinds, strict=True)
    )
    return Measure(columns, partial(_compute, elements, void_twice=void_twice))


def _compute(
    elements: Mapping[str, frozenset[str]], table: BlockTable, *, void_twice: bool
) -> Mapping[str, ColumnValues]:
    members = np.stack([member_mask(names) for names in elements.values()])
    events = members.astype(np.int8).take(table.tags.id, axis=1)
    events *= _weights(table, void_twice=void_twice)
    met = events.cumsum(axis=1, dtype=np.int64)
    since = met.take(table.tag, axis=1) - met.take(_tag_before(table), axis=1)
    return dict(zip(elements, since, strict=True))


def _weights(table: BlockTable, *, void_twice: bool) -> NDArray[np.int8]:
    """(T,) how many opened and closed tags each tag of the stream counts as."""
    weights = np.ones(len(table.tags.id), dtype=np.int8)
    if void_twice:
        weights[table.tags.step == 0] = 2
    else:
        # An image with alternative text has an end tag in the stream.
        weights[member_mask(VOID)[table.tags.id] & (table.tags.step == -1)] = 0
    return weights


def _tag_before(table: BlockTable) -> Ints:
    """(n,) the tag before the last text of the previous block, or the one that opens the page."""
    before = np.empty(len(table), dtype=np.int64)
    before[1:] = table.last_tag[:-1]
    pages = np.flatnonzero(np.diff(table.page_starts))
    before[table.page_starts[pages]] = table.elements.open[table.page_roots[pages]]
    return before
