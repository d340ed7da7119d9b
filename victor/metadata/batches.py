"""What the metadata of all pages of a batch read, found for all of them at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from victor.base.arrays import Bools, Chars, Codes, Ints
from victor.metadata.element_names import BatchNames
from victor.metadata.texts import INVISIBLE
from victor.page.table.blocks import BlockTable

_DIGIT: Final = re.compile(r"\d")
_N_TABULATED: Final = 0x20000
"""Code points that are looked at; there are neither digits nor invisible characters behind."""
_IS_DIGIT, _IS_CHANGED = 1, 2
"""What a character is: a digit, or one that goes or becomes another when a text is cleaned."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Columns of a batch, without its table, which they are kept for.

    Attributes:
        names: names of its elements.
        chars: (N,) code points of its texts.
        start, end: (n,) extent of each block.
    """

    names: BatchNames
    chars: Chars
    start: Ints
    end: Ints

    @classmethod
    def of(cls, table: BlockTable) -> Batch:
        """The columns of a table; made once while the table lives."""
        known = _KNOWN.get(table)
        if known is None:
            known = cls(BatchNames.of(table), table.chars, table.start, table.end)
            _KNOWN[table] = known
        return known

    @cached_property
    def may_have_date(self) -> Bools:
        """(n,) may each block have a date in it: digits, another character and two digits.

        All blocks count that cleaning their text changes, but for white space.
        """
        result = np.zeros(len(self.start), dtype=bool)
        if not len(result):
            return result
        chars = self.chars
        digit = chars - np.uint32(ord("0")) < 10
        rare = np.flatnonzero((chars >= ord("\x7f")) | (chars < ord(" ")) | (chars == ord("&")))
        kinds = _kinds().take(chars[rare], mode="clip")
        digit[rare] = kinds == _IS_DIGIT
        pairs = digit[:-1] & digit[1:]
        both = np.append(np.flatnonzero(digit[:-3] & pairs[2:]), rare[kinds == _IS_CHANGED])
        block = np.searchsorted(self.start, both, side="right") - 1
        result[block[block >= 0]] = True
        return result


_KNOWN: Final[WeakKeyDictionary[BlockTable, Batch]] = WeakKeyDictionary()


@cache
def _kinds() -> Codes:
    """What each code point is."""
    text = "".join(map(chr, range(_N_TABULATED)))
    kinds = np.zeros(_N_TABULATED, dtype=np.uint8)
    kinds[[match.start() for match in _DIGIT.finditer(text)]] = _IS_DIGIT
    kinds[[match.start() for match in INVISIBLE.finditer(text)]] = _IS_CHANGED
    kinds[ord("&")] = _IS_CHANGED
    return kinds
