"""The text of blocks and segments as strings."""

from __future__ import annotations

from codecs import utf_32_le_decode
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from victor.base.arrays import Chars, Ints
from victor.page.table.blocks import BlockTable


def block_texts(table: BlockTable, blocks: Ints | slice = slice(None)) -> list[str]:
    """Text of all blocks, or of some with ascending numbers; white space as in `table.chars`.

    The characters from the first to the last are decoded, so the blocks are best of one page.
    """
    return [*Texts(table.chars, table.start[blocks], table.end[blocks])]


def segment_texts(table: BlockTable) -> list[str]:
    """Text of every segment."""
    return [*Texts(table.chars, table.segments.start, table.segments.end)]


def segment_text(table: BlockTable, segment: int) -> str:
    """Text of one segment."""
    return text_of(table.chars[table.segments.start[segment] : table.segments.end[segment]])


class Texts(Sequence[str]):
    """Texts of ascending spans of characters: decoded at once, each cut out when asked for.

    Args:
        chars: (N,) uint32 code points.
        start, end: (n,) extent of each span in `chars`.

    Attributes:
        whole: the text from the first span to the last.
    """

    __slots__ = ("_end", "_start", "whole")

    def __init__(self, chars: Chars, start: Ints, end: Ints) -> None:
        self.whole = text_of(chars[start[0] : end[-1]]) if len(start) else ""
        self._start: list[int] = (start - start[:1]).tolist()
        self._end: list[int] = (end - start[:1]).tolist()

    def __iter__(self) -> Iterator[str]:
        whole = self.whole
        return iter([whole[a:b] for a, b in zip(self._start, self._end, strict=True)])

    def __len__(self) -> int:
        return len(self._start)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        return self.whole[self._start[index] : self._end[index]]


def text_of(chars: Chars) -> str:
    """Code points as a string."""
    return utf_32_le_decode(chars.data)[0]  # to look the codec up takes longer than most texts


def char_codes(text: str) -> Chars:
    """Code points of a string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
