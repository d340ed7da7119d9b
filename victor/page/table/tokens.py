"""Split blocks into tokens: runs of word or of other visible characters, with their classes."""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Codes, Ints, ReadOnlyColumns, window_sums
from victor.page.names.name_groups import shipped_names
from victor.page.parsing.characters import cases, class_runs, share_table, unspaced
from victor.page.parsing.tags import HEADINGS, IDS, NAMES, SPLITTING, VOID, roles_of

ALPHA: Final = 0
NUMERIC: Final = 1
MIXED: Final = 2
OTHER: Final = 3
PUNCTUATION: Final = 4
N_TOKEN_CLASSES: Final = 5


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


# --- Vocabulary -----------------------------------------------------------------------------------

_N_TAG_IDS: Final = 128
_TAG_CODES: Final = 0x400
_PRE: Final = frozenset({"pre", "listing"})
_BREAK: Final = frozenset({"br"})
_IMAGE: Final = frozenset({"img"})
_BLOCK_LEVEL: Final = 8
_LINK: Final = 16
assert len(NAMES) * 3 <= _TAG_CODES, "tag codes fit into the surrogate range"


@cache
def vocabulary() -> object:
    """The tables, in the order of ``core/table/vocabulary.c``."""
    of_cuts = roles_of(VOID, SPLITTING, _PRE, _BREAK, _IMAGE)[: len(NAMES)]
    of_codes = class_runs(), cases().ravel(), unspaced(), of_cuts, share_table(), _roles()
    return core.compiled.vocabulary((*of_codes, *shipped_names()))


def _roles() -> Codes:
    """(128,) what a tag id is to the columns: the level of a heading, and bits."""
    roles = np.zeros(_N_TAG_IDS, dtype=np.uint8)
    for level, name in enumerate(HEADINGS, 1):
        roles[IDS[name]] = level
    roles[[IDS[name] for name in SPLITTING]] |= _BLOCK_LEVEL
    roles[IDS["a"]] |= _LINK
    return roles
