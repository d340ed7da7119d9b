"""Islands: units that stand between two kept blocks.

A short block is seldom as sure as the prose around it. So a decision that is strict about unsure
blocks, as expected F is on a page of much prose, drops a listing out of the middle of its text. The
neighbours tell more: on development pages two of three units that a chain drops between kept
blocks, whole or in part, are in the gold text.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.kinds.units import Raised, Units
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.verdict.preformatted import PRE

_WRAPPERS: Final = 8


def islands(units: Units) -> Raised | None:
    """Units that stand between two blocks of the same container; None if there are none.

    The container is the innermost element that holds more words than the unit. Units in a row have
    the same neighbours. Code is part of a text whatever its size and in whatever frame of its own.
    """
    chosen = units.may_be_raised & (units.is_part | units.have(PRE))
    if not chosen.any() or not (chosen := chosen & ~units.is_mixed).any():
        return None
    units = units.outermost(chosen)
    table, is_free, is_code = units.table, _outside(units), units.have(PRE)
    ends = table.page_starts[table.page[units.starts] + 1]
    before = last_until(table, is_free)[units.starts]
    after = np.append(next_from(table, is_free), -1)[units.stops]
    after = np.where(units.stops < ends, after, -1)
    around, tags = _container(units), np.append(table.tag, -1)
    is_beside = is_code | (tags[before] >= table.elements.open[around])
    is_beside &= is_code | (tags[after] < table.elements.close[around])
    is_beside &= (before >= 0) & (after >= 0)
    if not is_beside.any():
        return None
    return Raised(units.only(is_beside), before[is_beside], after[is_beside])


def _outside(units: Units) -> Bools:
    """(n,) has a block words, and is it in none of the units."""
    depth = np.zeros(len(units.table) + 1, dtype=np.int64)
    depth[units.starts] += 1
    np.subtract.at(depth, units.stops, 1)
    return np.asarray((np.cumsum(depth[:-1]) == 0) & (units.table.words > 0))


def _container(units: Units) -> Ints:
    """(m,) the innermost element around each unit that holds more words than it.

    Of many wrappers around a unit only the inner ones are looked through.
    """
    table, elements = units.table, units.table.elements
    around = elements.parent[units.elements]
    for _ in range(_WRAPPERS):
        is_wrapper = table.element_words[around] == units.words
        if not is_wrapper.any():
            break
        around = np.where(is_wrapper, elements.parent[around], around)
    return around
