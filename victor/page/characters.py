"""Classes of code points, as one lookup table over all of Unicode."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

SPACE: Final = 0
LOWER: Final = 1
UPPER: Final = 2
CASELESS: Final = 3
"""Letters without case, and marks, which belong to the letter before them."""
IDEOGRAPH: Final = 4
"""Han, Hiragana, Katakana: each stands as a word of its own."""
DIGIT: Final = 5
"""ASCII digits, as in the original."""
OTHER_WORD: Final = 6
"""Word characters that are neither letters nor ASCII digits: underscore, other numerals."""
SENTENCE_END: Final = 7
PUNCTUATION: Final = 8
"""Comma, colon, semicolon; with the sentence ends the original's punctuation."""
SYMBOL: Final = 9
JOINER: Final = 10
"""Not seen and no white space, such as soft hyphens: part of the word that they stand in."""
N_CLASSES: Final = 11

LINE_BREAK: Final = 0x2028
"""Code that stands for ``<br>`` in character arrays until white space is collapsed."""

_SENTENCE_ENDS: Final = ".?!…。！？।؟\u06d4"
_PUNCTUATION: Final = ",:;，、；：\u060c\u061b"
_ZERO_WIDTH_SPACE: Final = 0x200B
_VARIATION_SELECTORS: Final = (0xFE00, 0xFE0F)
_IDEOGRAPHS: Final = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF))
_TABULATED: Final = 0x20000
_BY_CATEGORY: Final = {
    "Ll": LOWER, "Lu": UPPER, "Lt": UPPER, "Lm": CASELESS, "Lo": CASELESS, "Mn": CASELESS,
    "Mc": CASELESS, "Me": CASELESS, "Nd": OTHER_WORD, "Nl": OTHER_WORD, "No": OTHER_WORD,
    "Zs": SPACE, "Zl": SPACE, "Zp": SPACE, "Cc": SPACE, "Cf": JOINER, "Pc": OTHER_WORD,
}  # fmt: skip


@cache
def class_table() -> NDArray[np.uint8]:
    """(0x110000,) uint8, read-only: class of every code point.

    Non-breaking and zero-width spaces and control characters count as space. Characters that
    only format what stands around them (soft hyphen, zero-width joiner, marks of direction,
    variation selectors) are joiners.
    """
    table = np.full(0x110000, SYMBOL, dtype=np.uint8)
    category = unicodedata.category
    table[:_TABULATED] = [_BY_CATEGORY.get(category(chr(c)), SYMBOL) for c in range(_TABULATED)]
    table[_TABULATED:0x3FFFF] = IDEOGRAPH
    for first, last in _IDEOGRAPHS:
        block = table[first : last + 1]
        block[block == CASELESS] = IDEOGRAPH
    table[ord("0") : ord("9") + 1] = DIGIT
    for characters, code in ((_SENTENCE_ENDS, SENTENCE_END), (_PUNCTUATION, PUNCTUATION)):
        table[[ord(c) for c in characters]] = code
    table[_ZERO_WIDTH_SPACE] = SPACE
    table[_VARIATION_SELECTORS[0] : _VARIATION_SELECTORS[1] + 1] = JOINER
    table.flags.writeable = False
    return table


def first_of_run(positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """For ascending positions, the first of the run of consecutive ones that each belongs to.

    >>> first_of_run(np.array([3, 4, 5, 8, 9])).tolist()
    [3, 3, 3, 8, 8]
    """
    starts = np.where(np.diff(positions, prepend=-2) > 1, np.arange(len(positions)), 0)
    first: NDArray[np.int64] = positions[np.maximum.accumulate(starts)]
    return first


@cache
def lower_table() -> NDArray[np.uint32]:
    """(0x20000,) uint32, read-only: lower case of a code point where that is one code point."""
    lowered = (chr(c).lower() for c in range(_TABULATED))
    table = np.array(
        [ord(low) if len(low) == 1 else c for c, low in enumerate(lowered)], dtype=np.uint32
    )
    table.flags.writeable = False
    return table
