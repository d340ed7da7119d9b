"""Similar siblings, such as links, results and cards: what the entries of a list are like."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Floats, Hashes, Ints
from victor.page.parsing.tags import SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, equal_groups, mixed

_FEWEST: Final = 3
_LEVELS: Final = 10
"""Block-level elements around a block that are looked at."""


class Entries(Struct, frozen=True, eq=False):
    """The lists that blocks are in; n blocks.

    Entries are three or more siblings of one tag and first class, block-level and with text.

    Attributes:
        size: (n,) entries of the list, 0 outside of any.
        words: (n,) mean words of an entry.
        link: (n,) share of their words inside links.
    """

    size: Floats
    words: Floats
    link: Floats


def entries(table: BlockTable) -> tuple[Entries, Entries]:
    """Lists of the innermost entry around each block, and of the outermost of several blocks."""
    element, starts = _groups(table)
    size = np.diff(starts, append=len(element))
    group = np.repeat(np.arange(len(size)), size)
    words = np.bincount(group, table.element_words[element], len(size))
    links = np.bincount(group, table.element_link_words[element], len(size))
    measures = np.stack((size, words / size, links / np.maximum(words, 1)))
    # The last column is for blocks outside of any.
    columns = np.append(measures.take(group, axis=1), np.zeros((3, 1)), axis=1)
    of_element = np.full(len(table.elements), len(element))
    of_element[element] = np.arange(len(element))
    inner, outer = _around(table, of_element, np.append(_hold_several(table, element), False))
    return Entries(*columns.take(inner, axis=1)), Entries(*columns.take(outer, axis=1))


def _groups(table: BlockTable) -> tuple[Ints, Ints]:
    """Entries, list after list, and where each list begins among them."""
    elements = table.elements
    fit = np.flatnonzero(member_mask(SPLITTING)[elements.tag] & (table.element_words > 0))
    groups = equal_groups(_likeness(table, fit))
    enough = groups.sizes >= _FEWEST
    sizes = groups.sizes[enough]
    return fit[groups.order[np.repeat(enough, groups.sizes)]], np.cumsum(sizes) - sizes


def _likeness(table: BlockTable, element: Ints) -> Hashes:
    """A random-looking number per element, the same for siblings of one tag and first class."""
    elements = table.elements
    looks = table.class_numbers[elements.bundle[element]] << 8 | elements.tag[element]
    parent = elements.parent[element].astype(np.uint64)
    return mixed(parent * GOLDEN ^ mixed(looks.astype(np.uint64)))


def _hold_several(table: BlockTable, element: Ints) -> Bools:
    """Whether each of some elements holds more than one block."""
    held = np.searchsorted(table.tag, table.elements.close[element])
    return np.asarray(held - np.searchsorted(table.tag, table.elements.open[element]) > 1)


def _around(table: BlockTable, of_element: Ints, several: Bools) -> tuple[Ints, Ints]:
    """(n,) innermost entry, and outermost entry of several blocks, the last number for none."""
    none = len(several) - 1
    inner, outer = np.full((2, len(table)), none)
    for element in table.ancestors(_LEVELS):
        entry = of_element[element]
        np.copyto(inner, entry, where=inner == none)
        np.copyto(outer, entry, where=several[entry])
    return inner, outer
