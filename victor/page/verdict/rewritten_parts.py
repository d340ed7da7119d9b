"""A table in which some segments have another text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from victor.base.arrays import Chars, Ints
from victor.page.table.blocks import BlockTable


def rewritten(table: BlockTable, texts: Mapping[int, str]) -> BlockTable:
    """A table of the same segments, some of them with another text.

    Args:
        table: the blocks.
        texts: by the ordinal of the tag before the segment; those of no segment have no effect.
    """
    segments = table.segments
    rows = np.flatnonzero(np.isin(segments.tag, [*texts]))
    written = [_codes(texts[tag]) for tag in segments.tag[rows].tolist()]
    spans = Replaced(segments.start[rows], segments.end[rows], written)
    result = replace(
        table,
        chars=spans.in_place(table.chars),
        segments=replace(
            segments, start=spans.moved(segments.start), end=spans.moved(segments.end)
        ),
        tags=replace(table.tags, text_start=spans.moved(table.tags.text_start)),
    )
    result.freeze()
    return result


class Replaced(NamedTuple):
    """Spans of the characters of a table, none empty, and what is written instead of each.

    Attributes:
        starts, ends: (k,) int64, ascending; no two overlap.
        written: k arrays of code points.
    """

    starts: Ints
    ends: Ints
    written: Sequence[Chars]

    def in_place(self, chars: Chars) -> Chars:
        """The characters with what is written; the rest is copied piece by piece."""
        bounds = [0, *self.ends.tolist()], [*self.starts.tolist(), len(chars)]
        stays = [chars[start:end] for start, end in zip(*bounds, strict=True)]
        between = [*self.written, chars[:0]]
        return np.concatenate([part for pair in zip(stays, between, strict=True) for part in pair])

    def moved(self, positions: Ints) -> Ints:
        """(m,) where ascending positions are afterwards; one in a span is at the end of it."""
        lengths = np.array([len(codes) for codes in self.written], dtype=np.int64)
        first = np.searchsorted(positions, self.starts, side="right")
        after = np.searchsorted(positions, self.ends)
        shift = np.append(0, np.cumsum(lengths - (self.ends - self.starts)))
        result = positions + np.repeat(shift, np.diff(after, prepend=0, append=len(positions)))
        for span in np.flatnonzero(first < after).tolist():
            result[first[span] : after[span]] = self.ends[span] + shift[span + 1]
        return np.asarray(result)


def _codes(text: str) -> Chars:
    return np.array([*map(ord, text)], dtype=np.uint32)
