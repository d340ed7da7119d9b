"""Elements of a page by their names: classes and ids in one string each, in lower case.

A page has hundreds of different names and a regular expression takes microseconds for each. So only
names are tried that hold one of some runs of four characters, which are looked up all at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Bools, Ints
from victor.page.blocks import BlockTable

_LONGEST: Final = 500
"""Characters of a class or an id that are read."""
_LONGEST_NAME: Final = 100
_RUNS: Final = (
    "auth byli by-l auto aute writ post arti publ date time datu fech meta subm sign comm rela "
    "reco side foot teas card recir more tren popu late nav- navi navb -nav _nav prom disq repl "
    "test news caro slid copy even user mess bigu crea redak verf skri even cont"
).split()
"""What names have that any pattern here asks for."""
_BITS: Final = 16
_FACTOR: Final = np.uint32(0x9E3779B1)


@dataclass(frozen=True, eq=False)
class ElementNames:
    """Names of the elements of one page.

    Attributes:
        table: of a batch.
        elements: those of the page.
    """

    table: BlockTable
    elements: slice

    @cached_property
    def _rows(self) -> Ints:
        """(E,) row of the attributes of each element of the page; -1 for none."""
        return self.table.elements.bundle[self.elements]

    @cached_property
    def rows(self) -> list[int]:
        """Rows of the attributes that elements of the page have."""
        flags = np.zeros(len(self.table.bundles) + 1, dtype=bool)
        flags[self._rows] = True
        rows: list[int] = np.flatnonzero(flags[:-1]).tolist()
        return rows

    def values(self, attribute: str) -> dict[int, str]:
        """Row to value of an attribute, where it has one; empty where it was not recorded."""
        known = self._by_attribute.get(attribute)
        if known is None:
            recorded = attribute in self.table.attributes
            of_row = self.table.attribute(attribute) if recorded else ()
            rows = self.rows if recorded else ()
            known = {
                row: value[:_LONGEST].replace("\n", " ") for row in rows if (value := of_row[row])
            }
            self._by_attribute[attribute] = known
        return known

    @cached_property
    def _by_pattern(self) -> dict[re.Pattern[str], Ints]:
        return {}

    @cached_property
    def _by_attribute(self) -> dict[str, dict[int, str]]:
        return {}

    @cached_property
    def _likely(self) -> dict[str, list[int]]:
        """Single names that hold one of the runs, and their rows."""
        rows: list[int] = []
        values: list[str] = []
        for attribute in ("class", "id"):
            of_row = self.values(attribute)
            rows += of_row.keys()
            values += of_row.values()
        by_name: dict[str, list[int]] = {}
        for name, number in _with_runs(values):
            by_name.setdefault(name, []).append(rows[number])
        return by_name

    def matching(self, pattern: re.Pattern[str]) -> Ints:
        """Elements with a class or id that a pattern for lower case is found in, in order."""
        known = self._by_pattern.get(pattern)
        if known is None:
            likely = self._likely.items()
            known = self._of_rows(
                [row for name, rows in likely if _is_found(pattern, name) for row in rows]
            )
            self._by_pattern[pattern] = known
        return known

    def with_property(self, pattern: re.Pattern[str]) -> Ints:
        """Elements with an ``itemprop`` that a pattern is found in, in order."""
        values = self.values("itemprop")
        return self._of_rows([row for row, value in values.items() if pattern.search(value)])

    def _of_rows(self, rows: list[int]) -> Ints:
        if not rows:
            return np.zeros(0, dtype=np.int64)
        flags = np.zeros(len(self.table.bundles) + 1, dtype=bool)
        flags[rows] = True
        return np.asarray(np.flatnonzero(flags[self._rows]) + self.elements.start)


@lru_cache(maxsize=1 << 14)
def _is_found(pattern: re.Pattern[str], name: str) -> bool:
    """Is a pattern found in a name; pages have many names in common."""
    return pattern.search(name) is not None


def _with_runs(values: list[str]) -> list[tuple[str, int]]:
    """The names in some values that hold one of the runs, and the number of the value of each."""
    text = "\n".join([*values, ""]).lower()
    chars = np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)
    if len(chars) < 4:
        return []
    edges = np.flatnonzero(chars <= ord(" "))
    value_ends = np.cumsum(chars == ord("\n"))
    hits = np.flatnonzero(_table()[_hashed(chars)])
    names = np.unique(np.searchsorted(edges, hits))
    names = names[names < len(edges)]
    starts = np.where(names > 0, edges[names - 1] + 1, 0)
    numbers = value_ends[edges[names] - 1].tolist()
    extents = zip(starts.tolist(), edges[names].tolist(), numbers, strict=True)
    return [
        (text[start : min(end, start + _LONGEST_NAME)], number) for start, end, number in extents
    ]


def _hashed(chars: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Hash of every run of four characters."""
    wide = chars.astype(np.uint32)
    runs = wide[:-3] | wide[1:-2] << np.uint32(8) | wide[2:-1] << np.uint32(16)
    runs |= wide[3:] << np.uint32(24)
    return np.asarray(runs * _FACTOR >> np.uint32(32 - _BITS))


@cache
def _table() -> Bools:
    """Which hashes are those of the runs."""
    table = np.zeros(1 << _BITS, dtype=bool)
    for run in _RUNS:
        table[_hashed(np.frombuffer(run[:4].encode(), dtype=np.uint8))] = True
    return table
