"""Text that two systems label differently, whichever blocks each of them makes.

The labels are compared character by character over the visible text of the page. Systems that
read the page alike see the same characters in the same order; where one sees more (such as the
alternative text of images), the words that both see are aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.base.labels import LABEL_NAMES
from victor.page.parsing.characters import JOINER, SPACE, class_table

_UNSEEN: Final = np.isin(class_table(), (SPACE, JOINER))
"""(code points,) characters that depend on how the page is split into blocks."""
_MOST_PAIRS: Final = 1_000_000
"""Pairs of characters; longer texts that differ are not compared character by character."""


class Block(Protocol):
    """What is compared of a block: `victor.api.Block` has it."""

    @property
    def text(self) -> str:
        """What of it can be read."""
        ...

    @property
    def label(self) -> str:
        """One of `victor.base.labels.LABEL_NAMES`."""
        ...

    @property
    def marginals(self) -> Mapping[str, float]:
        """Probability of every label."""
        ...


class Result(Protocol):
    """A page that a system labelled: `victor.api.Result` is one."""

    @property
    def blocks(self) -> Sequence[Block]:
        """Every block of the page."""
        ...


class Side(NamedTuple):
    """The labels of one system for a piece of text."""

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

    A piece ends where a label changes or both systems begin a new block; where both have the same
    blocks, a piece is a block.

    Args:
        first: the result of cleaning a page with one system.
        second: that of the same page with another.

    Returns:
        Differences between the labels; text that only one system sees is left out.
    """
    a, b = _Text.of(first.blocks), _Text.of(second.blocks)
    in_a, in_b = _matched(a, b)
    labels_a, labels_b = a.labels[a.block[in_a]], b.labels[b.block[in_b]]
    differs = np.flatnonzero(labels_a != labels_b)
    return [
        Difference(
            _shown(first.blocks, a.block[run_a], a.offset[run_a]),
            _side(first.blocks, a.block[run_a]),
            _side(second.blocks, b.block[run_b]),
        )
        for run_a, run_b in _runs(differs, in_a, in_b, a, b)
    ]


@dataclass(frozen=True, eq=False)
class _Text:
    """The N visible characters of the blocks of a page.

    Attributes:
        chars: (N,) code points.
        block: (N,) block of each.
        offset: (N,) position of each in the text of its block.
        labels: (n,) label of each block.
    """

    chars: NDArray[np.uint32]
    block: Ints
    offset: Ints
    labels: Ints

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> _Text:
        """All blocks of a page, in order."""
        texts = [np.frombuffer(b.text.encode("utf-32-le"), dtype=np.uint32) for b in blocks]
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        chars = np.concatenate([np.zeros(0, dtype=np.uint32), *texts])
        starts = np.cumsum(lengths) - lengths
        offset = np.arange(len(chars)) - np.repeat(starts, lengths)
        block = np.repeat(np.arange(len(blocks)), lengths)
        seen = ~_UNSEEN[chars]
        labels = np.array([LABEL_NAMES.index(b.label) for b in blocks], dtype=np.int64)
        return cls(chars[seen], block[seen], offset[seen], labels)

    def words(self) -> tuple[list[bytes], Ints]:
        """The words, and (words + 1,) where they begin among the characters."""
        begins = (np.diff(self.block, prepend=-1) != 0) | (np.diff(self.offset, prepend=-2) != 1)
        starts = np.append(np.flatnonzero(begins), len(self.chars))
        bounds = starts.tolist()
        return [self.chars[i:j].tobytes() for i, j in pairwise(bounds)], starts


def _matched(a: _Text, b: _Text) -> tuple[Ints, Ints]:
    """Positions in either text of the characters that both systems see."""
    if np.array_equal(a.chars, b.chars):
        everything = np.arange(len(a.chars))
        return everything, everything
    (words_a, starts_a), (words_b, starts_b) = a.words(), b.words()
    matcher = SequenceMatcher(None, words_a, words_b, autojunk=False)
    in_a, in_b = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for kind, i, j, k, m in matcher.get_opcodes():
        chars_a, chars_b = a.chars[starts_a[i] : starts_a[j]], b.chars[starts_b[k] : starts_b[m]]
        for x, y, length in _common(chars_a, chars_b, same=kind == "equal"):
            in_a.append(starts_a[i] + x + np.arange(length))
            in_b.append(starts_b[k] + y + np.arange(length))
    return np.concatenate(in_a), np.concatenate(in_b)


def _common(
    a: NDArray[np.uint32], b: NDArray[np.uint32], *, same: bool
) -> Iterable[tuple[int, int, int]]:
    """Positions and length of what two short texts share; one of them may split a word."""
    if same:
        return [(0, 0, len(a))]
    if not 0 < len(a) * len(b) <= _MOST_PAIRS:
        return []
    return SequenceMatcher(None, a.tolist(), b.tolist(), autojunk=False).get_matching_blocks()


def _runs(differs: Ints, in_a: Ints, in_b: Ints, a: _Text, b: _Text) -> list[tuple[Ints, Ints]]:
    """Positions in either text of every piece whose labels differ."""
    if not len(differs):
        return []
    positions_a, positions_b = in_a[differs], in_b[differs]
    block_a, block_b = a.block[positions_a], b.block[positions_b]
    new = np.diff(differs) != 1
    new |= (np.diff(a.labels[block_a]) != 0) | (np.diff(b.labels[block_b]) != 0)
    new |= (np.diff(block_a) != 0) & (np.diff(block_b) != 0)
    ends = np.flatnonzero(new) + 1
    return list(zip(np.split(positions_a, ends), np.split(positions_b, ends), strict=True))


def _side(blocks: Sequence[Block], block: Ints) -> Side:
    """The labels of a system for characters, given the block of each."""
    unique, counts = np.unique(block, return_counts=True)
    rows = tuple(unique.tolist())
    marginals = np.array([[*blocks[row].marginals.values()] for row in rows])
    means = np.average(marginals, axis=0, weights=counts).tolist()
    return Side(rows, blocks[rows[0]].label, dict(zip(LABEL_NAMES, means, strict=True)))


def _shown(blocks: Sequence[Block], block: Ints, offset: Ints) -> str:
    """The text of characters, with everything between them."""
    pieces = []
    for row in np.unique(block).tolist():
        inside = offset[block == row]
        pieces.append(blocks[row].text[inside[0] : inside[-1] + 1])
    return " ".join(pieces)
