"""Text that two systems label differently, whichever blocks each of them makes.

The words of the blocks of both are aligned, so that systems are compared that cut a page
differently. Words that only one of them sees, such as the alternative text of images, and words
that only one of them cuts in two are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import Match, SequenceMatcher
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from victor.base.labels import LABEL_NAMES


class Block(Protocol):
    """What is compared of a block: `victor.api.Block` has it."""

    text: str
    label: str
    marginals: Mapping[str, float]


class Side(Struct, frozen=True):
    """The labels of one system for a piece of text."""

    blocks: tuple[int, ...]  # numbers of its blocks there
    label: str
    probabilities: dict[str, float]  # means over the words


class Difference(Struct, frozen=True):
    """A piece of text on which two systems differ."""

    text: str
    first: Side
    second: Side

    @property
    def kind(self) -> tuple[str, str]:
        """The labels of the first and of the second system."""
        return self.first.label, self.second.label


class _Pair(NamedTuple):
    """A word that both systems see: its place among the words of each, and its block in each."""

    word: str
    place: tuple[int, int]
    blocks: tuple[int, int]


def compare(first: Any, second: Any) -> list[Difference]:  # noqa: ANN401
    """The pieces of text that two systems label differently, in the order of the page.

    A piece ends where a label changes or both systems begin a new block; where both have the same
    blocks, a piece is a block.

    Args:
        first: the `victor.api.Result` of cleaning a page with one system.
        second: that of the same page with another.
    """
    a: Sequence[Block] = first.blocks
    b: Sequence[Block] = second.blocks
    pieces: list[list[_Pair]] = []
    for pair in _shared(a, b):
        if a[pair.blocks[0]].label == b[pair.blocks[1]].label:
            continue
        if pieces and _goes_on(pieces[-1][-1], pair, a, b):
            pieces[-1].append(pair)
        else:
            pieces.append([pair])
    return [
        Difference(
            " ".join(pair.word for pair in piece),
            _side(a, [pair.blocks[0] for pair in piece]),
            _side(b, [pair.blocks[1] for pair in piece]),
        )
        for piece in pieces
    ]


def _shared(a: Sequence[Block], b: Sequence[Block]) -> Iterator[_Pair]:
    (words_a, blocks_a), (words_b, blocks_b) = _words(a), _words(b)
    if words_a == words_b:  # as of most pairs of systems; repeated words would take long
        runs = [Match(0, 0, len(words_a))]
    else:
        runs = SequenceMatcher(None, words_a, words_b, autojunk=False).get_matching_blocks()
    for start_a, start_b, length in runs:
        for i in range(start_a, start_a + length):
            j = i - start_a + start_b
            yield _Pair(words_a[i], (i, j), (blocks_a[i], blocks_b[j]))


def _words(blocks: Sequence[Block]) -> tuple[list[str], list[int]]:
    """The words of blocks, and the number of the block of each."""
    pairs = [(word, number) for number, block in enumerate(blocks) for word in block.text.split()]
    return [word for word, _ in pairs], [number for _, number in pairs]


def _goes_on(last: _Pair, pair: _Pair, a: Sequence[Block], b: Sequence[Block]) -> bool:
    follows = all(place == before + 1 for place, before in zip(pair.place, last.place, strict=True))
    (a_last, b_last), (a_now, b_now) = last.blocks, pair.blocks
    labels_stay = a[a_last].label == a[a_now].label and b[b_last].label == b[b_now].label
    return follows and labels_stay and (a_last == a_now or b_last == b_now)


def _side(blocks: Sequence[Block], numbers: Sequence[int]) -> Side:
    """The labels of a system for words, given the block of each."""
    means = {
        name: sum(blocks[number].marginals[name] for number in numbers) / len(numbers)
        for name in LABEL_NAMES
    }
    return Side(tuple(sorted({*numbers})), blocks[numbers[0]].label, means)
