"""Split blocks into tokens: runs of word or of other visible characters, with their classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Ints, ReadOnlyColumns, window_sums
from victor.page.table.vocabulary import vocabulary

ALPHA: Final = 0
NUMERIC: Final = 1
MIXED: Final = 2
OTHER: Final = 3
PUNCTUATION: Final = 4
N_TOKEN_CLASSES: Final = 5


@dataclass(frozen=True, eq=False)
class Tokens(ReadOnlyColumns):
    """Tokens in text order; K tokens.

    A token is a maximal run of word characters (letters, digits, underscore) or of other visible
    characters, cut at white space and at block ends; an ideograph is a token of its own. That is
    the generic tokeniser of the original Victor, where "3.14" is three tokens. A joiner belongs
    to the character before it. Letters of scripts without spaces are cut into pieces as long as
    words are (`victor.page.parsing.characters`).

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

    PREFIX: ClassVar = "tokens."
    TYPES: ClassVar = {
        "start": np.int64, "end": np.int64, "kind": np.uint8, "word": np.bool_,
        "first_class": np.uint8, "last_class": np.uint8, "block_offsets": np.int64,
        "segment_offsets": np.int64,
    }  # fmt: skip

    def per_block(self, chosen: Bools) -> Ints:
        """(n,) how many chosen tokens each block has."""
        return window_sums(chosen, self.block_offsets)


def tokenize(chars: Chars, block_starts: Ints, segment_starts: Ints) -> Tokens:
    """Tokens of collapsed text.

    Args:
        chars: (N,) uint32 code points.
        block_starts: (n,) int64 first character of every block; they ascend.
        segment_starts: (S,) int64 first character of every segment; they ascend.
    """
    memories = core.compiled.tokenize(vocabulary(), chars, block_starts, segment_starts)
    return Tokens(*map(core.array, memories, Tokens.TYPES.values()))
