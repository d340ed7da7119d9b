"""What the metadata of all pages of a batch read, found for all of them at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from victor.base.arrays import Chars, Codes, Ints
from victor.base.cached import cached_property
from victor.metadata.element_names import BatchNames
from victor.metadata.texts import INVISIBLE
from victor.page.table.blocks import BlockTable

_ELSEWHERE: Final = frozenset({"aside", "footer", "nav"})
_DIGIT: Final = re.compile(r"\d")
_N_TABULATED: Final = 0x20000
"""Code points that are looked at; there are neither digits nor invisible characters behind."""
_IS_DIGIT, _IS_CHANGED = 1, 2
"""What a character is: a digit, or one that goes or becomes another when a text is cleaned."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Columns of a batch, without its table, which they are kept for.

    Those that are read one value at a time are memories, which give integers of Python.

    Attributes:
        names: names of its elements.
        chars: (N,) code points of its texts.
        starts, ends: (n,) extent of each block.
        heading_level: (n,) level of the heading that each block is, or 0.
        element: (n,) innermost element around each block.
        segment_starts: (n + 1,) first segment of each block.
        segment_tag, segment_start, segment_end: (S,) columns of the segments.
        opens, closes, parents: (E,) columns of the elements.
        first_headings: blocks that are headings of level one, and is each in a footer or the like.
    """

    names: BatchNames
    chars: Chars
    starts: memoryview[int]
    ends: memoryview[int]
    heading_level: Ints
    element: memoryview[int]
    segment_starts: memoryview[int]
    segment_tag: memoryview[int]
    segment_start: memoryview[int]
    segment_end: memoryview[int]
    opens: memoryview[int]
    closes: memoryview[int]
    parents: memoryview[int]
    first_headings: tuple[list[int], list[bool]]

    @classmethod
    def of(cls, table: BlockTable) -> Batch:
        """The columns of a table; made once while the table lives."""
        known = _KNOWN.get(table)
        if known is None:
            known = _KNOWN[table] = cls._of(table)
        return known

    @classmethod
    def _of(cls, table: BlockTable) -> Batch:
        segments, elements = table.segments, table.elements
        highest = np.flatnonzero(table.heading_level == 1)
        is_elsewhere = elements.inside(_ELSEWHERE, table.element[highest])
        return cls(
            names=BatchNames.of(table),
            chars=table.chars,
            starts=table.start.data,
            ends=table.end.data,
            heading_level=table.heading_level,
            element=table.element.data,
            segment_starts=table.segment_starts.data,
            segment_tag=segments.tag.data,
            segment_start=segments.start.data,
            segment_end=segments.end.data,
            opens=elements.open.data,
            closes=elements.close.data,
            parents=elements.parent.data,
            first_headings=(highest.tolist(), is_elsewhere.tolist()),
        )

    @cached_property
    def headings(self) -> list[int]:
        """Blocks in headings."""
        return [*np.flatnonzero(self.heading_level).tolist()]

    @cached_property
    def dated(self) -> list[int]:
        """Blocks that may have a date in them: digits, another character and two digits.

        All blocks count that cleaning their text changes, but for white space.
        """
        chars = self.chars
        small = np.minimum(chars, ord("\x7f")).astype(np.uint8)
        digit = small - np.uint8(ord("0")) < 10
        rare = np.flatnonzero((small == ord("\x7f")) | (small < ord(" ")) | (small == ord("&")))
        kinds = _kinds().take(chars[rare], mode="clip")
        digit[rare] = kinds == _IS_DIGIT
        pairs = digit[:-1] & digit[1:]
        both = np.append(np.flatnonzero(digit[:-3] & pairs[2:]), rare[kinds == _IS_CHANGED])
        block = np.searchsorted(np.asarray(self.starts), both, side="right") - 1
        may_have_date = np.zeros(len(self.starts), dtype=bool)
        may_have_date[block[block >= 0]] = True
        return [*np.flatnonzero(may_have_date).tolist()]


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
