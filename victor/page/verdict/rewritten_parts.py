"""A table in which some segments have another text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from victor.base.arrays import Chars, Ints
from victor.page.table.blocks import BlockTable

_SPACE: Final = ord(" ")


def rewritten(table: BlockTable, texts: Mapping[int, str]) -> BlockTable:
    """A table of the same segments, some of them with another text.

    Args:
        table: the blocks.
        texts: by the ordinal of the tag before the segment; those of no segment have no effect.
            Spaces that one begins with stand before its segment.
    """
    segments = table.segments
    rows = np.flatnonzero(np.isin(segments.tag, [*texts]))
    written = [_codes(texts[tag]) for tag in segments.tag[rows].tolist()]
    starts, ends = segments.start[rows], segments.end[rows]
    grown = np.cumsum([0, *map(len, written)]) - np.append(0, np.cumsum(ends - starts))
    stays = np.split(table.chars, np.column_stack((starts, ends)).ravel())[::2]
    pieces = [piece for pair in zip(stays, [*written, _codes("")], strict=True) for piece in pair]

    def moved(positions: Ints) -> Ints:
        return np.asarray(positions + grown[np.searchsorted(ends, positions, side="right")])

    start = moved(segments.start)
    start[rows] += np.array([_n_spaces(text) for text in written], dtype=np.int64)
    result = replace(
        table,
        chars=np.concatenate(pieces),
        segments=replace(segments, start=start, end=moved(segments.end)),
        tags=replace(table.tags, text_start=moved(table.tags.text_start)),
    )
    result.freeze()
    return result


def _n_spaces(text: Chars) -> int:
    """Spaces that a text begins with."""
    return int((np.cumsum(text != _SPACE) == 0).sum())


def _codes(text: str) -> Chars:
    return np.array([*map(ord, text)], dtype=np.uint32)
