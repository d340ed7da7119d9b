"""Split blocks into tokens: runs of word or of other visible characters, with their classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Codes, Ints, ReadOnlyColumns, unchanging, window_sums
from victor.page.names.name_groups import shipped_names
from victor.page.parsing.characters import (
    JOINER,
    LINE_BREAK,
    N_CLASSES,
    SPACE,
    by_class,
    class_table,
    lower_table,
    shapes,
    share_table,
    unspaced,
)
from victor.page.parsing.events import TAG_BASE
from victor.page.parsing.tags import HEADINGS, IDS, NAMES, SPLITTING, VOID, roles_of

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


# --- Vocabulary -----------------------------------------------------------------------------------

_N_TAG_IDS: Final = 128
_TAG_CODES: Final = 0x400
_SOFT_HYPHEN: Final = 0xAD
_ZERO_WIDTH_SPACE: Final = 0x200B
_NO_BREAKS: Final = (0x2060, 0xFEFF)
"""Word joiner, and the byte order mark that once was one."""
_PRE: Final = frozenset({"pre", "listing"})
_BREAK: Final = frozenset({"br"})
_IMAGE: Final = frozenset({"img"})
_BLOCK_LEVEL: Final = 8
_LINK: Final = 16
assert len(NAMES) * 3 <= _TAG_CODES, "tag codes fit into the surrogate range"


@cache
def vocabulary() -> object:
    """The tables, in the order of ``core/table/blocks.h``."""
    of_cuts = roles_of(VOID, SPLITTING, _PRE, _BREAK, _IMAGE)[: len(NAMES)]
    token_classes = class_table().copy()
    token_classes[unspaced()] = N_CLASSES
    tables = _code_kinds(), of_cuts, token_classes, share_table(), _roles(), class_table()
    names = map(unchanging, shipped_names().arrays())
    return core.compiled.vocabulary((*map(unchanging, tables), lower_table(), *names))


def _roles() -> Codes:
    """(128,) what a tag id is to the columns: the level of a heading, and bits."""
    roles = np.zeros(_N_TAG_IDS, dtype=np.uint8)
    for level, name in enumerate(HEADINGS, 1):
        roles[IDS[name]] = level
    roles[[IDS[name] for name in SPLITTING]] |= _BLOCK_LEVEL
    roles[IDS["a"]] |= _LINK
    return roles


# What a code is, as in core/table/blocks.h.
_UNSPACED_CODE, _SPACE_CODE, _BREAK_CODE, _ZERO_WIDTH_CODE, _JOINER_CODE = range(1, 6)
_SHAPER_CODE, _UNSEEN_CODE, _TAG_CODE = range(6, 9)


def _code_kinds() -> Codes:
    """(0x110000,) uint8: what each code of an event stream is."""
    of_classes = np.zeros(N_CLASSES, dtype=np.uint8)
    of_classes[[SPACE, JOINER]] = _SPACE_CODE, _JOINER_CODE
    kinds = by_class(of_classes)
    kinds[unspaced()] = _UNSPACED_CODE
    joiners = np.flatnonzero(kinds == _JOINER_CODE)
    kinds[joiners[shapes(joiners)]] = _SHAPER_CODE
    kinds[LINE_BREAK] = _BREAK_CODE
    kinds[_ZERO_WIDTH_SPACE] = _ZERO_WIDTH_CODE
    kinds[[_SOFT_HYPHEN, *_NO_BREAKS]] = _UNSEEN_CODE
    kinds[TAG_BASE : TAG_BASE + _TAG_CODES] = _TAG_CODE
    return kinds
