"""Group the elements of a page by their names, so that those of one name can be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints, span_indices
from victor.base.lazy import cached_property
from victor.page.table.blocks import BlockTable

_MOST_NAMES: Final = 8  # names of one element that are looked at
_LONGEST: Final = 60
_DIGITS: Final = re.compile(r"\d+")


def elements_with(table: BlockTable, attribute: str, holds: Callable[[str], bool]) -> Bools:
    """(E,) which elements have an attribute with a value of which something holds."""
    rows = [value is not None and holds(value) for value in table.attribute(attribute)]
    return np.array([*rows, False], dtype=bool)[table.elements.bundle]


class Grouped(NamedTuple):
    """Elements by the names that they have; one with several names is in as many groups."""

    element: Ints  # (m,)
    group: Ints  # (m,) ascending from 0; elements of a group are in document order

    @property
    def size(self) -> Ints:
        """(G,) elements of each group."""
        return np.bincount(self.group)


@dataclass(frozen=True, eq=False)
class ElementGroups:
    """Names of the elements of a table that has their classes and ids."""

    table: BlockTable

    def of(self, chosen: Ints) -> Grouped:
        """Some elements by their classes and ids, else by the way to them from one with.

        Args:
            chosen: ascending numbers of elements.
        """
        elements = self.table.elements
        names, starts = self._of_rows
        rows = elements.bundle[chosen]
        length = np.diff(starts)[rows]
        plain = chosen[length == 0]
        element = np.append(np.repeat(chosen, length), plain)
        named = names[span_indices(starts[rows], length)]
        group = np.append(named, self.ways[plain] + (names.max(initial=0) + 1))
        order = np.lexsort((element, group))
        number = np.unique(group[order], return_inverse=True)[1].reshape(-1)
        return Grouped(element[order], number)

    @cached_property
    def _of_rows(self) -> tuple[Ints, Ints]:
        """Numbers of the names of every bundle row and of row -1, and where those of each begin."""
        number: dict[str, int] = {}
        names: list[int] = []
        starts = [0]
        columns = (self.table.attribute(name) for name in ("class", "id"))
        for values in zip(*columns, strict=True):
            of_row = dict.fromkeys(_names(*values))
            names += (number.setdefault(name, len(number)) for name in of_row)
            starts.append(len(names))
        starts.append(len(names))
        return np.array(names, dtype=np.int64), np.array(starts, dtype=np.int64)

    @cached_property
    def ways(self) -> Ints:
        """(E,) number of the way to each element from the nearest with a name, perhaps itself."""
        elements = self.table.elements
        names, starts = self._of_rows
        near = elements.nearest(np.diff(starts)[elements.bundle] > 0)
        first = np.append(names, -1)[starts[elements.bundle[near]]]
        ways = (
            np.where(near >= 0, first, -1),
            elements.depth - np.where(near >= 0, elements.depth[near], 0),
            elements.tag[elements.parent],
            elements.tag,
        )
        result = np.zeros(len(elements), dtype=np.int64)
        for way in ways:
            result = np.unique(result * (int(way.max()) + 1) + way, return_inverse=True)[1]
        return result.reshape(-1)


def around(table: BlockTable, named: Grouped) -> Ints:
    """(m,) place in `named` of the nearest element of the same group around each, -1 for none."""
    opens, closes = table.elements.open[named.element], table.elements.close[named.element]
    result = np.full(len(opens), -1)
    if not len(opens):
        return result
    # Few groups nest. Where all elements before have ended, none is around.
    offset = named.group * len(table.tags.id)
    ended = np.maximum.accumulate(closes + offset)
    nested = np.append(False, ended[:-1] > opens[1:] + offset[1:])
    deep = np.flatnonzero(np.isin(named.group, named.group[nested]))
    rows = (column[deep].tolist() for column in (opens, closes, named.group))
    stack: list[tuple[int, int, int]] = []
    for place, begin, end, group in zip(deep.tolist(), *rows, strict=True):
        while stack and (stack[-1][2] != group or stack[-1][1] < begin):
            stack.pop()
        if stack:
            result[place] = stack[-1][0]
        stack.append((place, end, group))
    return result


def _names(classes: str | None, identifier: str | None) -> Iterator[str]:
    """The names of an element without their numbers; an id counts only for its form."""
    for name in (classes or "").split(None, _MOST_NAMES)[:_MOST_NAMES]:
        yield _without_numbers(name[:_LONGEST])
    if identifier and (form := _DIGITS.sub("0", identifier[:_LONGEST])) != identifier:
        yield f"#{form}"


@lru_cache(maxsize=4096)
def _without_numbers(name: str) -> str:
    return _DIGITS.sub("0", name.lower())
