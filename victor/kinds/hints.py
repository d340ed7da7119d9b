"""What the steps after the labels may find to do: most pages have none of it.

The compiled core looks at all of it in one pass. Without it each step looks for itself.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Codes, Floats
from victor.kinds import headline, islands
from victor.page.parsing.tags import member_mask
from victor.page.verdict.paragraphs import LISTS
from victor.page.verdict.preformatted import PRE
from victor.page.verdict.tag_roles import UNITS as UNIT_TAGS
from victor.page.verdict.verdict import Verdict

UNITS, HEADLINES, DANGLING = (1 << bit for bit in range(3))
"""Bits, those of core/model/hints.c: units of which a block may change its label (data in tables
aside), kept headlines, headings that end a text."""
ALL: Final = (1 << 3) - 1
_N_TAG_IDS: Final = 128


def hints(verdict: Verdict) -> int:
    """Bits of what may be found on the pages of a verdict of a model, given its labels."""
    if core.compiled is None:
        return ALL
    table = verdict.table
    labels = np.ascontiguousarray(verdict.labels, dtype=np.uint8)
    columns = labels, np.ascontiguousarray(verdict.marginals), table.words, table.heading_level
    bits: int = core.compiled.hints(table, *columns, _roles(), _bounds())
    return bits


@cache
def _roles() -> Codes:
    """(128,) uint8, read-only: units, lists, and code, as bits."""
    roles = np.zeros(_N_TAG_IDS, dtype=np.uint8)
    for bit, names in enumerate((UNIT_TAGS, LISTS, PRE)):
        mask = member_mask(frozenset(names))
        roles[: len(mask)] |= mask.astype(np.uint8) << bit
    roles.flags.writeable = False
    return roles


@cache
def _bounds() -> Floats:
    """(3,) float64, read-only: what the steps bound, in the order of core/model/hints.c."""
    bounds = np.array([islands.LEAST, islands.LARGEST, headline.LONGEST])
    bounds.flags.writeable = False
    return bounds
