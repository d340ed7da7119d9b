"""Kinds of characters in a block, white space as written (Victor 2008: char.*)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.base.arrays import Ints, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable

_OTHER: Final = 3
_MEANINGS: Final = {
    "alpha": "letters",
    "num": "ASCII digits",
    "punct": ", : ; . ? ! and the like",
    "white": "white space around and inside the block, as written",
    "other": "other characters",
}
COLUMNS: Final = tuple(
    column
    for kind, meaning in _MEANINGS.items()
    for column in (
        Column(f"char.{kind}-rel", "number", f"{meaning}: share of all characters"),
        Column(f"char.{kind}-abs", "count", f"{meaning}: how many"),
    )
)


def build() -> Feature:
    """The character counts; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> values = build()(parse_pages([b"<p>  Room 12, please! </p>"], "tag"))
    >>> [int(values[f"char.{kind}-abs"][0]) for kind in ("alpha", "num", "punct", "white", "other")]
    [10, 2, 2, 5, 0]
    >>> values["char.white-rel"].round(3)
    array([0.263])
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    length, white = _raw(table, table.tags.text_length), _raw(table, table.tags.text_space)
    alpha, num, punct = _visible(table).T
    other = length - white - alpha - num - punct
    counts = zip(_MEANINGS, (alpha, num, punct, white, other), strict=True)
    values: dict[str, ColumnValues] = {}
    for kind, count in counts:
        values[f"char.{kind}-abs"] = count
        values[f"char.{kind}-rel"] = count / length
    return values


def _raw(table: BlockTable, lengths: Ints) -> Ints:
    """(n,) sums of lengths given per tag over the text of each block."""
    total = prefix_sums(lengths)
    return total[table.last_tag + 1] - total[table.tag]


def _visible(table: BlockTable) -> Ints:
    """(n, 3) letters, digits and punctuation of each block.

    A joiner is of the kind of the character that it follows, as in tokens.
    """
    classes = ch.class_table().take(table.chars)
    followed = np.where(classes == ch.JOINER, 0, np.arange(len(classes)))
    kinds = _kind_of_class()[classes[np.maximum.accumulate(followed)]]
    sums = [prefix_sums(kinds == kind) for kind in range(_OTHER)]
    return np.stack([total[table.end] - total[table.start] for total in sums], axis=1)


def _kind_of_class() -> Ints:
    """0 letter, 1 digit, 2 punctuation, 3 other for every character class."""
    kinds = np.full(ch.N_CLASSES, _OTHER)
    kinds[[ch.LOWER, ch.UPPER, ch.CASELESS, ch.IDEOGRAPH]] = 0
    kinds[ch.DIGIT] = 1
    kinds[[ch.SENTENCE_END, ch.PUNCTUATION]] = 2
    return kinds
