"""Texts of the blocks and segments of one page, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of


class PageTexts(Sequence[str]):
    """Text of each block of a page.

    Args:
        whole: text of the page from the first block to the last.
        start, end: extent of each block in it.
    """

    __slots__ = ("_end", "_start", "whole")

    def __init__(self, whole: str, start: list[int], end: list[int]) -> None:
        self.whole = whole
        self._start = start
        self._end = end

    @classmethod
    def of(cls, table: BlockTable, blocks: slice) -> PageTexts:
        """The texts of the blocks of a page."""
        start, end = table.start[blocks], table.end[blocks]
        if not len(start):
            return cls("", [], [])
        first = start[0]
        whole = text_of(table.chars[first : end[-1]])
        return cls(whole, (start - first).tolist(), (end - first).tolist())

    def __iter__(self) -> Iterator[str]:
        whole = self.whole
        return (whole[start:end] for start, end in zip(self._start, self._end, strict=True))

    def of_length(self, shortest: int, longest: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the blocks with so many characters."""
        whole = self.whole
        for number, (start, end) in enumerate(zip(self._start, self._end, strict=True)):
            if shortest <= end - start <= longest:
                yield number, whole[start:end]

    def starting_with(self, letters: frozenset[str], longest: int) -> list[int]:
        """Numbers of the blocks that start with one of some letters and have so many characters."""
        whole = self.whole
        extents = enumerate(zip(self._start, self._end, strict=True))
        return [
            number
            for number, (start, end) in extents
            if end - start <= longest and whole[start] in letters
        ]

    def __len__(self) -> int:
        return len(self._start)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return self.whole[self._start[index] : self._end[index]]


@dataclass(frozen=True, eq=False)
class PageSegments:
    """Runs of text between two tags of a page; S segments, n blocks.

    Attributes:
        tag: (S,) ordinal in the batch of the tag before each.
        start, end: (S,) extent in `PageTexts.whole`.
        of_block: (n + 1,) first segment of each block, and S.
    """

    tag: list[int]
    start: list[int]
    end: list[int]
    of_block: list[int]

    @classmethod
    def of(cls, table: BlockTable, blocks: slice) -> PageSegments:
        """The segments of the blocks of a page."""
        starts = table.segment_starts[blocks.start : blocks.stop + 1]
        rows, segments = slice(int(starts[0]), int(starts[-1])), table.segments
        start, end = segments.start[rows], segments.end[rows]
        first = start[0] if len(start) else 0
        return cls(
            segments.tag[rows].tolist(),
            (start - first).tolist(),
            (end - first).tolist(),
            (starts - rows.start).tolist(),
        )
