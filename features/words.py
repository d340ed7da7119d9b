"""What kind of words a block holds, without knowing their language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.parsing.characters import DIGIT, LOWER, SENTENCE_END, SPACE, UPPER, class_table
from victor.page.table.blocks import BlockTable
from victor.page.table.tokens import ALPHA, PUNCTUATION

COLUMNS = (
    Column("word.count", "count", "words in the block"),
    Column("word.capital-rel", "number", "share of words that begin with an upper-case letter"),
    Column("word.short-rel", "number", "share of words of at most three lower-case letters"),
    Column("word.digit-rel", "number", "digits per visible character"),
    Column("word.punct-rel", "number", "punctuation tokens per word"),
    Column(
        "word.end", "category", "last character: 0 word, 1 sentence end, 2 punctuation, 3 other"
    ),
)
_SHORT = 3
_KERNEL = Kernel("words", (np.array([_SHORT], dtype=np.int64),))


def build() -> Feature:
    """The word measures; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>The bees of Brno, <b>$ 5</b> each.<p>12 (a)"])
    >>> values = build()(table)
    >>> values["word.count"], values["word.capital-rel"].round(2)
    (array([6, 2]), array([0.33, 0.  ]))
    >>> values["word.end"]
    array([1, 3])
    """
    return Measure(COLUMNS, _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tokens, words = table.tokens, table.words
    short = tokens.word & (tokens.end - tokens.start <= _SHORT) & (tokens.kind == ALPHA)
    short &= tokens.first_class == LOWER
    capital = tokens.word & (tokens.first_class == UPPER)
    classes = class_table().take(table.chars)
    return {
        "word.count": words,
        "word.capital-rel": _ratio(tokens.per_block(capital), words),
        "word.short-rel": _ratio(tokens.per_block(short), words),
        "word.digit-rel": _ratio(
            _per_block(table, classes == DIGIT), _per_block(table, classes != SPACE)
        ),
        "word.punct-rel": _ratio(tokens.per_block(tokens.kind == PUNCTUATION), words),
        "word.end": _end(table),
    }


def _ratio(part: Ints, whole: Ints) -> Floats:
    return part / np.maximum(whole, 1)


def _per_block(table: BlockTable, chosen: Bools) -> Ints:
    """How many chosen characters each block has."""
    total = prefix_sums(chosen)
    return total[table.end] - total[table.start]


def _end(table: BlockTable) -> Ints:
    """Kind of the last character of each block."""
    last = table.tokens.last_class[table.tokens.block_offsets[1:] - 1].astype(np.int64)
    kinds = np.array([0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
    assert kinds[SENTENCE_END] == 1, "the kinds follow the character classes"
    return kinds[last]
