"""How the text of a block is laid out: what it begins with, lines and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing.characters import N_CLASSES
from victor.page.table.blocks import BlockTable

COLUMNS: Final = (
    Column("text.first", "category", f"class of the first character, below {N_CLASSES}"),
    Column("text.lines", "count", "line breaks inside the block"),
    Column("text.segments", "count", "pieces of text between two tags"),
)
_NEWLINE: Final = ord("\n")


def build() -> Feature:
    """Layout of the text, without parameters; classes are of `victor.page.parsing.characters`.

    >>> from victor.page.table.segment import parse_pages
    >>> values = build()(parse_pages([b"<p>Bees<br>and <b>hives</b><p>12"]))
    >>> values["text.first"], values["text.lines"], values["text.segments"]
    (array([2, 5]), array([1, 0]), array([3, 1]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tokens = table.tokens
    newlines = np.flatnonzero(table.chars == _NEWLINE)
    return {
        "text.first": tokens.first_class[tokens.block_offsets[:-1]].astype(np.int64),
        "text.lines": _between(newlines, table.start, table.end),
        "text.segments": np.diff(table.segment_starts),
    }


def _between(positions: Ints, start: Ints, end: Ints) -> Ints:
    """How many of ascending positions lie in each extent."""
    return np.searchsorted(positions, end) - np.searchsorted(positions, start)
