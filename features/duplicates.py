"""Blocks of a page with the same text (Victor 2008: twins)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Hashes, Ints, unchanging
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.page.parsing import characters as ch
from victor.page.table import hashes
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
_PLANES: Final = 0x40000
"""No letter has a code point above."""
_MIXER: Final = np.uint64(0xBF58476D1CE4E5B9)


def build(*, text: Text = "letters", unique_is_first: bool = True) -> Feature:
    """Count equal blocks of a page; two differ unless their 64-bit hashes agree.

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
    compared = _of_letters if text == "letters" else _of_words
    columns = COLUMNS if unique_is_first else (_FIRST_OF_SEVERAL, *COLUMNS[1:])
    compute = partial(_compute, compared=compared, alone=unique_is_first)
    return Measure(columns, compute, kernel=_kernel(text, unique_is_first))


def _kernel(text: Text, alone: bool) -> Kernel:
    """The compiled twin, which reads the codes of letters as they are here."""
    chosen = np.array([text == "words", alone], dtype=np.int64)
    none = np.zeros(0, dtype=np.uint16)
    return Kernel(
        "duplicates",
        (chosen,),
        constants=lambda: (_letter_codes() if text == "letters" else none,),
    )


def _compute(
    table: BlockTable, *, compared: Callable[[BlockTable], Hashes], alone: bool
) -> Mapping[str, ColumnValues]:
    groups = hashes.equal_groups(compared(table) + table.page.astype(np.uint64))
    first, count = groups.rank() == 0, groups.count()
    return {"first-duplicate": first if alone else first & (count > 1), "duplicate-count": count}


def _of_letters(table: BlockTable) -> Hashes:
    """(n,) hash of the lower-cased letters of each block."""
    codes = _letter_codes().take(table.chars, mode="clip")
    return _hashes(table, codes, np.flatnonzero(codes != 0))


def _of_words(table: BlockTable) -> Hashes:
    """(n,) hash of the words of each block and of where they begin."""
    codes = table.chars.copy()
    codes[table.tokens.start[table.tokens.word]] += _WORD_BEGINS
    classes = ch.class_table().take(table.chars)
    return _hashes(table, codes, np.flatnonzero((classes >= ch.LOWER) & (classes <= ch.OTHER_WORD)))


@cache
def _letter_codes() -> NDArray[np.uint16]:
    """16 bits of the lower case of every letter, never 0; 0 for other code points; read-only."""
    lower = np.arange(_PLANES, dtype=np.uint32)
    lower[: len(ch.lower_table())] = ch.lower_table()
    codes = np.maximum(lower.astype(np.uint16), 1)
    classes = ch.class_table()[:_PLANES]
    codes[(classes < ch.LOWER) | (classes > ch.IDEOGRAPH)] = 0
    return unchanging(codes)


def _hashes(table: BlockTable, codes: NDArray[Any], kept: Ints) -> Hashes:
    """(n,) hash of the kept codes of each block.

    A polynomial modulo 2^64 over words of 64 bits, each of several codes: the codes of every
    block begin a new word. From prefix sums, so that there is one pass for all blocks.
    """
    lanes = 8 // codes.itemsize
    bounds = np.searchsorted(kept, np.append(table.start, len(table.chars)))
    length = np.diff(bounds)
    ends = np.cumsum(-(-length // lanes))
    starts = np.append(0, ends)[:-1]
    padded = np.zeros(lanes * int(ends[-1]) if len(ends) else 0, dtype=codes.dtype)
    padded[np.arange(len(kept)) + np.repeat(lanes * starts - bounds[:-1], length)] = codes[kept]
    powers = hashes.powers(len(padded) // lanes + 1)
    prefix = np.zeros(len(powers), dtype=np.uint64)
    np.cumsum(_mixed(padded.view(np.uint64)) * powers[:-1], out=prefix[1:])
    # Times what each block lacks to the last power, equal texts have equal sums wherever they are.
    shifted: Hashes = (prefix[ends] - prefix[starts]) * powers[len(powers) - 1 - starts]
    return shifted


def _mixed(words: Hashes) -> Hashes:
    """Spread every bit downwards and upwards, one to one."""
    words ^= words >> np.uint64(32)
    words *= _MIXER
    words ^= words >> np.uint64(29)
    return words
