"""Blocks of a page with the same text (Victor 2008: twins)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, Literal, get_args

import numpy as np

from victor.base.arrays import Bools, Chars, prefix_sums
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable

Text = Literal["letters", "words"]
COLUMNS: Final = (
    Column("first-duplicate", "bool", "no earlier block of the page has the same text"),
    Column("duplicate-count", "count", "blocks of the page with the same text, itself included"),
)
_FIRST_OF_SEVERAL: Final = Column(
    "first-duplicate", "bool", "only later blocks of the page have the same text, and some do"
)
_WORD_BEGINS: Final = np.uint32(1 << 21)
"""Added to the first code point of a word; code points end below it."""


def build(*, text: Text = "letters", unique_is_first: bool = True) -> Feature:
    """Count equal blocks of a page.

    Args:
        text: what is compared: ``letters``: letters only, case folded; ``words``: words with
            digits, case kept, whatever stands between them (the original). Blocks without any
            are all equal.
        unique_is_first: a block that nothing equals counts as the first of its group (the program
            of 2007); else first-duplicate marks the first of two or more (the paper of 2008).

    Raises:
        ConfigError: `text` or `unique_is_first` has another value.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>Page 1<p>Home<p>page 2<p>*<p>PAGE<p>--"], "tag")
    >>> build()(table)["duplicate-count"]
    array([3, 1, 3, 2, 3, 2])
    >>> build()(table)["first-duplicate"]
    array([ True,  True, False,  True, False, False])
    >>> build(unique_is_first=False)(table)["first-duplicate"]
    array([ True, False, False,  True, False, False])
    >>> build(text="words")(table)["duplicate-count"]
    array([1, 1, 1, 2, 1, 2])
    """
    if text not in get_args(Text):
        raise ConfigError(f"duplicates: text is letters or words, got {text!r}")
    if not isinstance(unique_is_first, bool):
        raise ConfigError(f"duplicates: unique_is_first is true or false, got {unique_is_first!r}")
    compared = _letters if text == "letters" else _words
    columns = COLUMNS if unique_is_first else (_FIRST_OF_SEVERAL, *COLUMNS[1:])
    return Measure(columns, partial(_compute, compared=compared, alone=unique_is_first))


def _compute(
    table: BlockTable, *, compared: Callable[[BlockTable], Iterator[bytes]], alone: bool
) -> Mapping[str, ColumnValues]:
    texts = [*zip(table.page.tolist(), compared(table), strict=True)]
    counts = Counter(texts)
    count = np.array([counts[text] for text in texts], dtype=np.int64)
    first = np.zeros(len(table), dtype=bool)
    first[[*{text: block for block, text in reversed([*enumerate(texts)])}.values()]] = True
    return {"first-duplicate": first if alone else first & (count > 1), "duplicate-count": count}


def _letters(table: BlockTable) -> Iterator[bytes]:
    """The lower-cased letters of each block."""
    classes = ch.class_table().take(table.chars)
    is_letter = (classes >= ch.LOWER) & (classes <= ch.IDEOGRAPH)
    return _kept(table, ch.lower(table.chars), is_letter)


def _words(table: BlockTable) -> Iterator[bytes]:
    """The words of each block, and where they begin."""
    codes = table.chars.copy()
    codes[table.tokens.start[table.tokens.word]] += _WORD_BEGINS
    classes = ch.class_table().take(table.chars)
    return _kept(table, codes, (classes >= ch.LOWER) & (classes <= ch.OTHER_WORD))


def _kept(table: BlockTable, codes: Chars, chosen: Bools) -> Iterator[bytes]:
    """The chosen codes of each block."""
    before = prefix_sums(chosen)
    kept = codes[chosen]
    for start, end in zip(before[table.start].tolist(), before[table.end].tolist(), strict=True):
        yield kept[start:end].tobytes()
