"""The tables of `victor.page.parsing.characters`, made from the Unicode data of the running Python.

``python core/parsing/write_characters.py`` writes the two data files.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Chars
from victor.base.files import write_bytes
from victor.page.parsing import characters as ch

_SENTENCE_ENDS: Final = ".?!…。！？।॥؟\u06d4།༎༏༐༑༒။።፧፨។៕"
_PUNCTUATION: Final = ",:;，、；：\u060c\u061b၊፣፤፥፦៖"
_TSHEGS: Final = (0x0F0B, 0x0F0C)
"""Between the syllables of a Tibetan word."""
_ZERO_WIDTH_SPACE: Final = 0x200B
_VARIATION_SELECTORS: Final = (0xFE00, 0xFE0F)
_SIGNS_OVER_NUMBERS: Final = (
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Of what only formats, these are seen: they stand around or under the number that follows."""
_PRIVATE_PLANES: Final = 0xF0000
_IDEOGRAPHS: Final = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF))
_CATEGORIES: Final = {
    ch.SPACE: "Zs Zl Zp Cc Co",
    ch.LOWER: "Ll",
    ch.UPPER: "Lu Lt",
    ch.CASELESS: "Lm Lo Mn Mc Me",
    ch.OTHER_WORD: "Nd Nl No Pc",
    ch.JOINER: "Cf",
}
"""Class of the categories of Unicode; the others are symbols."""


def classes() -> NDArray[np.uint8]:
    """(0x110000,) class of every code point."""
    table = np.full(ch.N_CODES, ch.SYMBOL, dtype=np.uint8)
    class_of = {name: code for code, names in _CATEGORIES.items() for name in names.split()}
    categories = map(unicodedata.category, map(chr, range(ch.N_TABULATED)))
    table[: ch.N_TABULATED] = [class_of.get(category, ch.SYMBOL) for category in categories]
    table[ch.N_TABULATED : 0x3FFFF] = ch.IDEOGRAPH
    table[_PRIVATE_PLANES:] = ch.SPACE
    for first, last in _IDEOGRAPHS:
        block = table[first : last + 1]
        block[block == ch.CASELESS] = ch.IDEOGRAPH
    table[ord("0") : ord("9") + 1] = ch.DIGIT
    table[list(map(ord, _SENTENCE_ENDS))] = ch.SENTENCE_END
    table[list(map(ord, _PUNCTUATION))] = ch.PUNCTUATION
    table[list(_TSHEGS)] = ch.CASELESS
    table[_ZERO_WIDTH_SPACE] = ch.SPACE
    table[_VARIATION_SELECTORS[0] : _VARIATION_SELECTORS[1] + 1] = ch.JOINER
    table[list(map(ord, _SIGNS_OVER_NUMBERS))] = ch.SYMBOL
    table[ch.LINE_BREAK] = ch.SPACE
    return table


def lower_cases() -> Chars:
    """(0x20000,) lower case of a code point where that is one code point."""
    lowered = (chr(code).lower() for code in range(ch.N_TABULATED))
    return np.array(
        [ord(low) if len(low) == 1 else code for code, low in enumerate(lowered)], dtype=np.uint32
    )


def write(folder: Path = ch.DATA) -> None:
    """Write the data files: runs of one class, and pairs of an upper and a lower case."""
    table, lower = classes(), lower_cases()
    starts = np.flatnonzero(np.diff(table, prepend=ch.N_CLASSES))
    upper = np.flatnonzero(lower != np.arange(len(lower)))
    runs = starts << ch.CLASS_BITS | table[starts]
    for name, data in ((ch.CLASS_FILE, runs), (ch.LOWER_FILE, np.stack((upper, lower[upper])))):
        write_bytes(folder / name, data.astype("<u4").tobytes())


if __name__ == "__main__":
    if unicodedata.unidata_version != ch.UNICODE:
        raise SystemExit(f"the tables are of Unicode {ch.UNICODE}; this Python has another one")
    write()
