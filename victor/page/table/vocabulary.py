"""What tags and characters are to the columns of the core."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Codes
from victor.page.parsing.characters import class_table
from victor.page.parsing.tags import HEADINGS, IDS, SPLITTING

_N_TAG_IDS: Final = 128
_BLOCK_LEVEL: Final = 8
_LINK: Final = 16


@cache
def vocabulary() -> tuple[Codes, Codes]:
    """Roles of the tag ids, and the class of every code point."""
    roles = np.zeros(_N_TAG_IDS, dtype=np.uint8)
    for level, name in enumerate(HEADINGS, 1):
        roles[IDS[name]] = level
    roles[[IDS[name] for name in SPLITTING]] |= _BLOCK_LEVEL
    roles[IDS["a"]] |= _LINK
    return roles, class_table()
