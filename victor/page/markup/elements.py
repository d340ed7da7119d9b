"""The elements of a full record as columns: what each spans, and what it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.lazy import cached_property
from victor.page.markup.full_record import Kind, Markup
from victor.page.parsing.tags import VOID


class MarkupElements(Struct, frozen=True, eq=False, dict=True):
    """E elements in the order of their start tags."""

    record: Markup  # of the page; m items
    names: list[str]  # (E,) element names
    start: Ints  # (E,) int64 item that is the start tag
    end: Ints  # (E,) int64 item that is the end tag; `start` of a void element
    parent: Ints  # (E,) int64 element around each; -1 for a root
    last: Ints  # (E,) int64 last element inside each, itself if there is none

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def of(cls, record: Markup) -> MarkupElements:
        """The elements of a record: sorted by level, start tags and end tags pair one to one."""
        start = np.flatnonzero(record.kind == Kind.START)
        names = [record.texts[row] for row in start.tolist()]
        is_void = np.array([name in VOID for name in names], dtype=bool)
        end, ends = start.copy(), np.flatnonzero(record.kind == Kind.END)
        step = np.zeros(len(record.texts), dtype=np.int64)
        step[start] = ~is_void
        step[ends] = -1
        level = np.cumsum(step)
        depth = level[start] - ~is_void
        holding = np.flatnonzero(~is_void)
        end[holding[_stable_order(depth[holding])]] = ends[_stable_order(level[ends])]
        parent = np.where(depth > 0, _parents(depth), -1)
        last = np.searchsorted(start, end, side="right") - 1
        return cls(record, names, start, end, parent, last)

    @cached_property
    def dropped(self) -> Bools:
        """(E,) is each dropped before blocks are cut, or inside an element that is."""
        return self.record.dropped[self.start]

    def valued(self, name: str, part: str = "") -> Iterator[tuple[int, str]]:
        """Element and value of every attribute of some name whose value holds a part, in order."""
        values = self.record.valued(name, part)
        rows = np.fromiter(values, dtype=np.int64, count=len(values))
        return zip(np.searchsorted(self.start, rows).tolist(), values.values(), strict=True)

    def inside(self, chosen: Bools) -> Bools:
        """(E,) is each element inside one that is chosen."""
        behind = np.bincount(self.last[chosen] + 1, minlength=len(self) + 1)[:-1]
        return np.asarray(np.cumsum(chosen - behind) > chosen)

    def holding(self, chosen: Bools) -> Bools:
        """(E,) is one that is chosen inside each element."""
        before = prefix_sums(chosen)
        return np.asarray(before[self.last + 1] > before[1:])

    @cached_property
    def siblings(self) -> Siblings:
        """The elements of each parent."""
        return Siblings.of(self.parent)

    @cached_property
    def namesakes(self) -> Siblings:
        """The elements of each parent that have one name."""
        number = {name: row for row, name in enumerate(dict.fromkeys(self.names))}
        named = np.array([number[name] for name in self.names], dtype=np.int64)
        return Siblings.of(self.parent * len(number) + named)


class Siblings(NamedTuple):
    """E elements in groups, put in an order in which a group is a run of places.

    Attributes:
        order: (E,) int64 element at each place; in a group they are in order.
        place: (E,) int64 where each element is.
        before, after: (E,) int64 how many of its group come before each element, and after it.
    """

    order: Ints
    place: Ints
    before: Ints
    after: Ints

    @classmethod
    def of(cls, group: Ints) -> Siblings:
        """Elements, given a number of the group of each."""
        order = np.argsort(group, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        borders = np.flatnonzero(np.diff(group[order])) + 1
        run = np.searchsorted(borders, place, side="right")
        first, stop = np.append(0, borders)[run], np.append(borders, len(order))[run]
        return cls(order, place, place - first, stop - place - 1)

    def beside(self, chosen: Bools, start: int, stop: int) -> Bools:
        """(E,) is any of the group chosen that lies from so many to so many places away."""
        n_chosen = prefix_sums(chosen[self.order])
        low, high = (self.place + np.clip(n, -self.before, self.after + 1) for n in (start, stop))
        return np.asarray(n_chosen[high] > n_chosen[low])


def _parents(depth: Ints) -> Ints:
    """Parent of each element: the last one before it that is one level higher; a root is its own.

    Every element is listed twice, among the children of its depth and then among the parents of
    the depth below. Sorted by that depth, each child follows the parent that it belongs to.
    """
    listed = np.repeat(depth, 2)
    listed[1::2] += 1
    order = _stable_order(listed)
    is_parent = order % 2 == 1
    last = np.maximum.accumulate(np.where(is_parent, np.arange(len(order)), 0))
    parent = np.empty(len(depth), dtype=np.int64)
    parent[order[~is_parent] // 2] = order[last[~is_parent]] // 2
    return np.where(depth == 0, np.arange(len(depth)), parent)


def _stable_order(numbers: Ints) -> Ints:
    """What sorts integers of 0 or more, equal ones as they are: by radix if they fit 16 bits."""
    narrow = numbers.astype(np.min_scalar_type(numbers.max(initial=0)))
    return np.argsort(narrow, kind="stable")
