"""Which words of a page stand in another text: the longest common subsequence, tidied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

MOST: Final = 4_000_000_000
"""Product of the numbers of words beyond which texts are not aligned (half a GB of bits)."""
_GAP: Final = 8
"""Words between two matches of one passage, at most."""
_PASSAGE: Final = 6
"""Matches of a passage, at least: single words of a menu occur in every article."""


def aligned(page: Sequence[str], other: Sequence[str]) -> NDArray[np.int64]:
    """(n,) number in the other text of every word of a page, -1 where it is not there.

    Words match in order. Where a word could match twice, it stands with its neighbours; matches
    that stand alone are none.
    """
    places = np.full(len(page), -1, dtype=np.int64)
    if len(page) * len(other) > MOST:
        return places
    runs = [
        [block.a, block.b, block.size]
        for block in LCSseq.opcodes(page, other).as_matching_blocks()
        if block.size
    ]
    _slide(runs, page, other)
    for a, b, size in _passages(runs, min(_PASSAGE, len(other))):
        places[a : a + size] = np.arange(b, b + size)
    return places


def _slide(runs: list[list[int]], page: Sequence[str], other: Sequence[str]) -> None:
    """Move a run to the next or the last one if the page has the same words there."""
    for number in range(len(runs) - 2, -1, -1):
        a, b, size = runs[number]
        next_a, next_b, _ = runs[number + 1]
        before = a - (runs[number - 1][0] + runs[number - 1][2]) if number else _GAP + 1
        distance = next_a - a - size
        if (
            next_b == b + size
            and before > _GAP
            and distance > 0
            and list(page[next_a - size : next_a]) == list(other[b : b + size])
        ):
            runs[number][0] = next_a - size
    for number in range(1, len(runs)):
        a, b, size = runs[number]
        last_a, last_b, last_size = runs[number - 1]
        end = last_a + last_size
        after = runs[number + 1][0] - a - size if number + 1 < len(runs) else _GAP + 1
        if (
            last_b + last_size == b
            and after > _GAP
            and a > end
            and list(page[end : end + size]) == list(other[b : b + size])
        ):
            runs[number][0] = end


def _passages(runs: list[list[int]], least: int) -> list[list[int]]:
    """The runs that make passages of enough words."""
    kept: list[list[int]] = []
    passage: list[list[int]] = []
    for run in runs:
        if passage:
            last = passage[-1]
            gap = max(run[0] - last[0] - last[2], run[1] - last[1] - last[2])
            if gap > _GAP:
                kept += passage if sum(each[2] for each in passage) >= least else []
                passage = []
        passage.append(run)
    return kept + (passage if sum(each[2] for each in passage) >= least else [])
