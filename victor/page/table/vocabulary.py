"""What tags, characters and names are to the core, checked once for all batches."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Codes, unchanging
from victor.page.names.name_groups import shipped_names
from victor.page.parsing.characters import (
    JOINER,
    LINE_BREAK,
    N_CLASSES,
    SPACE,
    class_table,
    lower_table,
    shapes,
    share_table,
    unspaced,
)
from victor.page.parsing.events import TAG_BASE
from victor.page.parsing.tags import HEADINGS, IDS, NAMES, SPLITTING, VOID, roles_of

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
    token_classes = np.where(unspaced(), np.uint8(N_CLASSES), class_table())
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
    kinds = of_classes.take(class_table())
    kinds[unspaced()] = _UNSPACED_CODE
    joiners = np.flatnonzero(kinds == _JOINER_CODE)
    kinds[joiners[shapes(joiners)]] = _SHAPER_CODE
    kinds[LINE_BREAK] = _BREAK_CODE
    kinds[_ZERO_WIDTH_SPACE] = _ZERO_WIDTH_CODE
    kinds[[_SOFT_HYPHEN, *_NO_BREAKS]] = _UNSEEN_CODE
    kinds[TAG_BASE : TAG_BASE + _TAG_CODES] = _TAG_CODE
    return kinds
