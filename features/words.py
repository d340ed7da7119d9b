"""What kind of words a block holds, without knowing their language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints, prefix_sums, window_sums
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.parsing.characters import (
    DIGIT,
    LOWER,
    SENTENCE_END,
    SPACE,
    SYMBOL,
    UPPER,
    class_table,
)
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
    Column("word.price", "count", "currency signs next to a digit"),
    Column("word.mean-length", "number", "characters per word"),
)
_CURRENCY = np.array([ord(c) for c in "$€£¥₹₽₴₺₩"], dtype=np.uint32)
_SHORT = 3
_KERNEL = Kernel("words", (_CURRENCY.astype(np.int64), np.array([_SHORT], dtype=np.int64)))


def build() -> Feature:
    """The word measures; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>The bees of Brno, <b>$ 5</b> each.<p>12 (a)"])
    >>> values = build()(table)
    >>> values["word.count"], values["word.capital-rel"].round(2), values["word.price"]
    (array([6, 2]), array([0.33, 0.  ]), array([1, 0]))
    >>> values["word.end"]
    array([1, 3])
    """
    return Measure(COLUMNS, _compute, kernel=_KERNEL)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tokens, words = table.tokens, table.words
    length = tokens.end - tokens.start
    short = tokens.word & (length <= _SHORT) & (tokens.kind == ALPHA)
    short &= tokens.first_class == LOWER
    capital = tokens.word & (tokens.first_class == UPPER)
    word_chars = window_sums(np.where(tokens.word, length, 0), tokens.block_offsets)
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
        "word.price": _prices(table, classes),
        "word.mean-length": _ratio(word_chars, words),
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


def _prices(table: BlockTable, classes: NDArray[np.uint8]) -> Ints:
    """Currency signs with a digit beside them in the block, a space between allowed."""
    symbols = np.flatnonzero(classes == SYMBOL)
    at = symbols[np.isin(table.chars[symbols], _CURRENCY)]
    block = np.searchsorted(table.start, at, side="right") - 1
    first_char, last_char = table.start[block], table.end[block] - 1
    before = np.maximum(at - 1, first_char)
    before = np.where(classes[before] == SPACE, before - 1, before)
    after = np.minimum(at + 1, last_char)
    after = np.where(classes[after] == SPACE, after + 1, after)
    at = at[(classes[before] == DIGIT) | (classes[after] == DIGIT)]
    return np.searchsorted(at, table.end) - np.searchsorted(at, table.start)
