"""How markup names what is around a block: the signs of kinds, and of threads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Hashes
from victor.base.cached import cached_property
from victor.base.files import package_folder
from victor.config import compiled
from victor.page.names.name_groups import (
    ATTRIBUTES,
    NameGroups,
    near,
    without_whole_page,
)
from victor.page.names.phrases import Phrases
from victor.page.names.threads import thread_signs
from victor.page.table.blocks import BlockTable

_FILES: Final = (("victor.features", "class_groups.yaml"), ("victor.kinds", "words.yaml"))


class Words(Struct, frozen=True):
    """The words of all files.

    Attributes:
        groups: name of each group to its bit.
        names: patterns of the groups.
        lists: name of each list of phrases to its bit.
        phrases: the lists.
    """

    groups: Mapping[str, np.uint64]
    names: NameGroups
    lists: Mapping[str, int]
    phrases: Phrases


@lru_cache(maxsize=1)
def words() -> Words:
    """The shipped words, read once."""
    files = [compiled.read(package_folder(package) / name) for package, name in _FILES]
    groups = {name: patterns for file in files for name, patterns in file["groups"].items()}
    lists = {
        name: [phrase for phrases in by_language.values() for phrase in phrases]
        for file in files
        for name, by_language in file["texts"].items()
    }
    return Words(
        {name: np.uint64(1 << number) for number, name in enumerate(groups)},
        NameGroups([*groups.values()]),
        {name: 1 << number for number, name in enumerate(lists)},
        Phrases([*lists.values()]),
    )


def are_threads(table: BlockTable) -> Bools:
    """(P,) bool; which pages say that they are threads of posts, so that replies are their text."""
    named = np.zeros(0, dtype=np.int64)
    if {*ATTRIBUTES} <= {*table.attributes}:
        named = np.flatnonzero(_forum().masks(table)[table.elements.bundle])
    return np.asarray(thread_signs(table, named) > 0)


@lru_cache(maxsize=1)
def _forum() -> NameGroups:
    """The names of posts, read without all others: most pages are asked for nothing else."""
    package, name = _FILES[0]
    return NameGroups([compiled.read(package_folder(package) / name)["groups"]["forum"]])


class Signs(Struct, frozen=True, eq=False, dict=True):
    """Names and phrases on the pages of a table that has the attributes of `name_groups`.

    Attributes:
        table: the blocks.
    """

    table: BlockTable

    @cached_property
    def masks(self) -> Hashes:
        """(E,) bits of the groups that each element is named as, but <html> and <body>."""
        masks = words().names.masks(self.table)[self.table.elements.bundle]
        return without_whole_page(self.table, masks)

    def is_named(self, *groups: str) -> Bools:
        """(E,) is an element named as one of some groups."""
        return np.asarray(self.masks & _bits(groups) != 0)

    def near(self, *groups: str) -> Bools:
        """(n,) is an element close around a block named so."""
        return np.asarray(self._near & _bits(groups) != 0)

    def directly(self, *groups: str) -> Bools:
        """(n,) is the innermost element or the container of a block named so."""
        named = self.is_named(*groups)
        return np.asarray(named[self.table.element] | named[self.table.container])

    def far(self, *groups: str) -> Bools:
        """(n,) is any element around a block named so."""
        return np.asarray(self._far[self.table.element] & _bits(groups) != 0)

    def inside(self, *groups: str) -> Bools:
        """(n,) likewise, where only that is asked."""
        return np.asarray(self.table.elements.gathered(self.is_named(*groups))[self.table.element])

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


def _bits(groups: tuple[str, ...]) -> np.uint64:
    known = words().groups
    return np.uint64(sum(int(known[group]) for group in groups))
