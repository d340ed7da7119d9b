"""How markup names what is around a block: the signs of kinds, and of threads."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import Bools, Codes, Hashes, Labels
from victor.base.lazy import cached_property
from victor.page.names.name_groups import ATTRIBUTES, WHOLE_PAGE, near, without_whole_page, words
from victor.page.parsing.tags import roles_of
from victor.page.table.blocks import BlockTable


def are_threads(table: BlockTable) -> Bools:
    """(P,) bool; which pages say that they are threads of posts, so that replies are their text.

    They say so by their head, or by a name of an element, ``<html>`` and ``<body>`` included.
    """
    return np.asarray((table.head_signs > 0) | have_named(table, "forum"))


def have_named(table: BlockTable, group: str) -> Bools:
    """(P,) bool; which pages have an element named as one of a group; none without names."""
    if not {*ATTRIBUTES} <= {*table.attributes}:
        return np.zeros(table.n_pages, dtype=bool)
    return _pages_named(table, (group,), roles_of(), None)


def keeping_named(table: BlockTable, labels: Labels, *groups: str) -> Bools:
    """(P,) bool; which pages keep a block in an element named as one of some groups.

    Args:
        table: blocks with the attributes of `name_groups`.
        labels: (n,) uint8 `victor.base.labels.Label`.
        groups: their names; those of ``<html>`` and ``<body>`` do not count.
    """
    return _pages_named(table, groups, roles_of(WHOLE_PAGE), labels)


def _pages_named(
    table: BlockTable, groups: tuple[str, ...], unnamed: Codes, labels: Labels | None
) -> Bools:
    inputs = np.array([bits_of(groups)]), unnamed, labels
    return core.array(core.compiled.judge("names", table.batch, inputs), np.bool_)


class Signs(Struct, frozen=True, eq=False, dict=True):
    """Names and phrases on the pages of a table that has the attributes of `name_groups`."""

    table: BlockTable  # the blocks

    @cached_property
    def masks(self) -> Hashes:
        """(E,) bits of the groups that each element is named as, but <html> and <body>."""
        masks = self.table.names[self.table.elements.bundle]
        return without_whole_page(self.table, masks, slice(None))

    def is_named(self, *groups: str) -> Bools:
        """(E,) is an element named as one of some groups."""
        return np.asarray(self.masks & bits_of(groups) != 0)

    def near(self, *groups: str) -> Bools:
        """(n,) is an element close around a block named so."""
        return np.asarray(self._near & bits_of(groups) != 0)

    def directly(self, *groups: str) -> Bools:
        """(n,) is the innermost element or the container of a block named so."""
        named = self.is_named(*groups)
        return np.asarray(named[self.table.element] | named[self.table.container])

    def far(self, *groups: str) -> Bools:
        """(n,) is any element around a block named so."""
        return np.asarray(self._far[self.table.element] & bits_of(groups) != 0)

    @cached_property
    def is_thread(self) -> Bools:
        """(P,) what `are_threads` says."""
        return are_threads(self.table)

    @cached_property
    def _near(self) -> Hashes:
        """Bits of the innermost element, the one around it, the container and its parents."""
        return near(self.table, self.masks)

    @cached_property
    def _far(self) -> Hashes:
        """(E,) bits of each element and of all around it."""
        return self.table.elements.gathered(self.masks)


def bits_of(groups: tuple[str, ...]) -> np.uint64:
    """The bits of some groups of names."""
    known = words().groups
    return np.uint64(sum(int(known[group]) for group in groups))
