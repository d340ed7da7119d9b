"""Split blocks into tokens: runs of word or of other visible characters, with their classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Ints, ReadOnlyColumns, window_sums
from victor.page.parsing import characters as ch
from victor.page.parsing.unspaced import share_table, unspaced, word_starts

ALPHA: Final = 0
NUMERIC: Final = 1
MIXED: Final = 2
OTHER: Final = 3
PUNCTUATION: Final = 4
N_TOKEN_CLASSES: Final = 5

_UNSPACED: Final = ch.N_CLASSES
"""Class of the letters and marks of scripts without spaces, for as long as runs are cut."""
_WORD_RUN, _OTHER_RUN, _UNSPACED_RUN = 1, 2, 3
_LETTER_BIT, _DIGIT_BIT, _WORD_BIT, _PUNCTUATION_BIT, _SYMBOL_BIT = 1, 2, 4, 8, 16


@dataclass(frozen=True, eq=False)
class Tokens(ReadOnlyColumns):
    """Tokens in text order; K tokens.

    A token is a maximal run of word characters (letters, digits, underscore) or of other visible
    characters, cut at white space and at block ends; an ideograph is a token of its own. That is
    the generic tokeniser of the original Victor, where "3.14" is three tokens. A joiner belongs
    to the character before it. Letters of scripts without spaces are cut into pieces as long as
    words are (`victor.page.parsing.unspaced`).

    Attributes:
        start, end: (K,) int64 extent in the characters of the table.
        kind: (K,) uint8; ALPHA all letters, NUMERIC ASCII digits only, MIXED letters and digits,
            PUNCTUATION only ``, : ; . ? !`` and the like, OTHER the rest.
        word: (K,) bool; made of word characters.
        first_class, last_class: (K,) uint8 class of the first and of the last character.
        block_offsets: (n + 1,) int64; block i owns tokens ``block_offsets[i]:[i + 1]``.
        segment_offsets: (S + 1,) int64; the same for segments, by where a token starts.
    """

    start: Ints
    end: Ints
    kind: NDArray[np.uint8]
    word: Bools
    first_class: NDArray[np.uint8]
    last_class: NDArray[np.uint8]
    block_offsets: Ints
    segment_offsets: Ints

    TYPES: ClassVar = {
        "start": np.int64, "end": np.int64, "kind": np.uint8, "word": np.bool_,
        "first_class": np.uint8, "last_class": np.uint8, "block_offsets": np.int64,
        "segment_offsets": np.int64,
    }  # fmt: skip

    def per_block(self, chosen: Bools) -> Ints:
        """(n,) how many chosen tokens each block has."""
        return window_sums(chosen, self.block_offsets)

    def per_segment(self, chosen: Bools) -> Ints:
        """(S,) how many chosen tokens start in each segment."""
        return window_sums(chosen, self.segment_offsets)


def tokenize(chars: Chars, block_starts: Ints, segment_starts: Ints) -> Tokens:
    """Tokens of collapsed text.

    Args:
        chars: (N,) uint32 code points.
        block_starts: (n,) int64 first character of every block; they ascend.
        segment_starts: (S,) int64 first character of every segment; they ascend.
    """
    if core.compiled is not None:
        memories = core.compiled.tokenize(
            chars, block_starts, segment_starts, _classes(), share_table()
        )
        return Tokens.of_memory(memories)
    classes = _classes().take(chars)
    joiners = np.flatnonzero(classes == ch.JOINER)
    if len(joiners):
        before = ch.first_of_run(joiners) - 1
        classes[joiners] = np.where(before < 0, ch.SPACE, classes[before])
    run = _run_kinds().take(classes)
    cut = np.empty(len(chars) + 1, dtype=bool)
    cut[0] = cut[-1] = True
    cut[1:-1] = run[1:] != run[:-1]
    alone = classes == ch.IDEOGRAPH
    cut[1:-1] |= alone[1:] | alone[:-1]
    cut[block_starts] = True
    start, end = _spans(run, cut)
    kind = run[start]
    unspaced_runs = np.flatnonzero(kind == _UNSPACED_RUN)
    if len(unspaced_runs):
        cut[word_starts(chars, start[unspaced_runs], end[unspaced_runs])] = True
        start, end = _spans(run, cut)
        kind = run[start]
        classes[classes == _UNSPACED] = ch.CASELESS
    bits = np.bitwise_or.reduceat(_bits().take(classes), start) if len(start) else _bits()[:0]
    return Tokens(
        start=start,
        end=end,
        kind=_kind_of_bits()[bits],
        word=kind != _OTHER_RUN,
        first_class=classes[start],
        last_class=classes[end - 1],
        block_offsets=_offsets(start, block_starts),
        segment_offsets=_offsets(start, segment_starts),
    )


def tokens_of_lent(lent: object) -> tuple[Tokens, object]:
    """By the compiled core the tokens of what a block table has lent, and what it lends then."""
    memories, lent_tokens = core.compiled.table_tokens(lent, _classes(), share_table())
    return Tokens.of_memory(memories), lent_tokens


def _spans(run: NDArray[np.uint8], cut: Bools) -> tuple[Ints, Ints]:
    """Start and end of what is visible between cuts; no cut is inside of it."""
    visible = run != 0
    return np.flatnonzero(visible & cut[:-1]), np.flatnonzero(visible & cut[1:]) + 1


def _offsets(token_starts: Ints, starts: Ints) -> Ints:
    return np.append(np.searchsorted(token_starts, starts), len(token_starts))


@cache
def _classes() -> NDArray[np.uint8]:
    """Class of every code point, `_UNSPACED` among them."""
    return np.where(unspaced(), np.uint8(_UNSPACED), ch.class_table())


@cache
def _run_kinds() -> NDArray[np.uint8]:
    """0 for space, else the kind of run that characters of each class make up."""
    kinds = np.full(_UNSPACED + 1, _OTHER_RUN, dtype=np.uint8)
    kinds[ch.SPACE] = 0
    kinds[ch.LOWER : ch.OTHER_WORD + 1] = _WORD_RUN
    kinds[_UNSPACED] = _UNSPACED_RUN
    return kinds


@cache
def _bits() -> NDArray[np.uint8]:
    """Bit of every character class."""
    bits = np.zeros(ch.N_CLASSES, dtype=np.uint8)
    bits[[ch.LOWER, ch.UPPER, ch.CASELESS, ch.IDEOGRAPH]] = _LETTER_BIT
    bits[ch.DIGIT] = _DIGIT_BIT
    bits[ch.OTHER_WORD] = _WORD_BIT
    bits[[ch.SENTENCE_END, ch.PUNCTUATION]] = _PUNCTUATION_BIT
    bits[ch.SYMBOL] = _SYMBOL_BIT
    return bits


@cache
def _kind_of_bits() -> NDArray[np.uint8]:
    """Token class of the union of its characters' bits."""
    kinds = np.full(32, OTHER, dtype=np.uint8)
    kinds[_LETTER_BIT] = ALPHA
    kinds[_DIGIT_BIT] = NUMERIC
    kinds[_LETTER_BIT | _DIGIT_BIT] = MIXED
    kinds[_PUNCTUATION_BIT] = PUNCTUATION
    return kinds
