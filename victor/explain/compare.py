"""Where two systems label a page differently, whatever the blocks that each of them cuts.

Blocks are compared where they lie in the visible text of the page. Systems that read the page
alike see the same characters in the same order; where one sees more (it reads the alternative
text of images), words that both see are put beside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.api import Block, Result
from victor.arrays import Ints
from victor.labels import LABEL_NAMES
from victor.page.characters import JOINER, SPACE, class_table

_UNSEEN: Final = np.isin(class_table(), (SPACE, JOINER))
"""(code points,) characters that depend on how blocks are cut."""
_MOST_PAIRS: Final = 1_000_000
"""Longer texts that differ are not compared character by character."""


class Side(NamedTuple):
    """What one system says of a piece of text."""

    blocks: tuple[int, ...]
    """Numbers of its blocks there."""
    label: str
    marginals: dict[str, float]
    """Means over the characters."""


@dataclass(frozen=True)
class Difference:
    """A piece of text on which two systems differ."""

    text: str
    first: Side
    second: Side

    @property
    def kind(self) -> tuple[str, str]:
        """The labels of the first and of the second system."""
        return self.first.label, self.second.label


def compare(first: Result, second: Result) -> list[Difference]:
    """The pieces of text that two systems label differently, in the order of the page.

    A piece is as long as the labels stay as they are and one of the two systems stays in one block:
    where both cut alike, a piece is a block.

    Args:
        first: the result of cleaning a page with one system.
        second: that of the same page with another.

    Returns:
        Differences between the labels; text that only one system sees is not among them.
    """
    a, b = _Text.of(first.blocks), _Text.of(second.blocks)
    here, there = _matched(a, b)
    labels_a, labels_b = a.labels[a.block[here]], b.labels[b.block[there]]
    differs = np.flatnonzero(labels_a != labels_b)
    return [
        Difference(
            _shown(first.blocks, a.block[own], a.place[own]),
            _side(first.blocks, a.block[own]),
            _side(second.blocks, b.block[other]),
        )
        for own, other in _runs(differs, here, there, a, b)
    ]


@dataclass(frozen=True, eq=False)
class _Text:
    """The N visible characters of the blocks of a page.

    Attributes:
        chars: (N,) code points.
        block: (N,) block of each.
        place: (N,) where it stands in the text of its block.
        labels: (n,) label of each block.
    """

    chars: NDArray[np.uint32]
    block: Ints
    place: Ints
    labels: Ints

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> _Text:
        """All blocks of a page, in order."""
        texts = [np.frombuffer(b.text.encode("utf-32-le"), dtype=np.uint32) for b in blocks]
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        chars = np.concatenate([np.zeros(0, dtype=np.uint32), *texts])
        starts = np.cumsum(lengths) - lengths
        place = np.arange(len(chars)) - np.repeat(starts, lengths)
        seen = ~_UNSEEN[chars]
        labels = np.array([LABEL_NAMES.index(b.label) for b in blocks], dtype=np.int64)
        return cls(
            chars[seen], np.repeat(np.arange(len(blocks)), lengths)[seen], place[seen], labels
        )

    def words(self) -> tuple[list[bytes], Ints]:
        """The words, and (words + 1,) where they begin among the characters."""
        begins = (np.diff(self.block, prepend=-1) != 0) | (np.diff(self.place, prepend=-2) != 1)
        starts = np.append(np.flatnonzero(begins), len(self.chars))
        bounds = starts.tolist()
        return [self.chars[i:j].tobytes() for i, j in pairwise(bounds)], starts


def _matched(a: _Text, b: _Text) -> tuple[Ints, Ints]:
    """Positions of the characters that both see, in either text."""
    if np.array_equal(a.chars, b.chars):
        everything = np.arange(len(a.chars))
        return everything, everything
    (words_a, starts_a), (words_b, starts_b) = a.words(), b.words()
    matcher = SequenceMatcher(None, words_a, words_b, autojunk=False)
    here, there = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for kind, i, j, k, m in matcher.get_opcodes():
        own, other = a.chars[starts_a[i] : starts_a[j]], b.chars[starts_b[k] : starts_b[m]]
        for x, y, length in _common(own, other, same=kind == "equal"):
            here.append(starts_a[i] + x + np.arange(length))
            there.append(starts_b[k] + y + np.arange(length))
    return np.concatenate(here), np.concatenate(there)


def _common(
    a: NDArray[np.uint32], b: NDArray[np.uint32], *, same: bool
) -> Iterable[tuple[int, int, int]]:
    """Positions and length of what two short texts share; a word may be cut in one of them."""
    if same:
        return [(0, 0, len(a))]
    if not 0 < len(a) * len(b) <= _MOST_PAIRS:
        return []
    return SequenceMatcher(None, a.tolist(), b.tolist(), autojunk=False).get_matching_blocks()


def _runs(differs: Ints, here: Ints, there: Ints, a: _Text, b: _Text) -> list[tuple[Ints, Ints]]:
    """Matches that differ, cut where a piece ends."""
    if not len(differs):
        return []
    own, other = a.block[here[differs]], b.block[there[differs]]
    new = np.diff(differs) != 1
    new |= (a.labels[own][1:] != a.labels[own][:-1]) | (b.labels[other][1:] != b.labels[other][:-1])
    new |= (np.diff(own) != 0) & (np.diff(other) != 0)
    cuts = np.flatnonzero(new) + 1
    return list(zip(np.split(here[differs], cuts), np.split(there[differs], cuts), strict=True))


def _side(blocks: Sequence[Block], numbers: Ints) -> Side:
    """What a system says of characters, given the block of each."""
    found, counts = np.unique(numbers, return_counts=True)
    marginals = np.array([[*blocks[n].marginals.values()] for n in found.tolist()])
    means = np.average(marginals, axis=0, weights=counts).tolist()
    own = tuple(found.tolist())
    return Side(own, blocks[own[0]].label, dict(zip(LABEL_NAMES, means, strict=True)))


def _shown(blocks: Sequence[Block], numbers: Ints, places: Ints) -> str:
    """The text of characters with all that stands between them."""
    pieces = []
    for number in np.unique(numbers).tolist():
        inside = places[numbers == number]
        pieces.append(blocks[number].text[inside[0] : inside[-1] + 1])
    return " ".join(pieces)
