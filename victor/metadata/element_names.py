"""Elements by their names: classes and ids in one string each, in lower case.

A page has hundreds of different names and a regular expression takes microseconds for each. So only
names are tried that hold one of some runs of four characters, which are looked up all at once, for
all pages of a batch: first any run of `_RUNS`, then one of those that a pattern needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import compress
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.page.table.blocks import BlockTable

_LONGEST: Final = 500
"""Characters of a class or an id that are read."""
_LONGEST_NAME: Final = 100
_RUNS: Final = tuple(
    "auth byli by-l auto aute writ post arti publ date time datu fech meta subm sign comm rela "
    "reco side foot teas card recir more tren popu late nav- navi navb -nav _nav prom disq repl "
    "test news caro slid copy even user mess bigu crea redak verf skri even cont".split()
)
"""What names have that any pattern here asks for."""
_BITS: Final = 16
_FACTOR: Final = np.uint32(0x9E3779B1)


class NamePattern(NamedTuple):
    """A pattern for names in lower case.

    Attributes:
        pattern: is looked for in a name.
        runs: four characters each; a name without one of them does not match, unless it has
            characters beyond ASCII. Those are best that few other names have. A newline stands for
            the start or the end of the name. None where any name may match.
    """

    pattern: re.Pattern[str]
    runs: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class BatchNames:
    """Names of the elements of all pages of a batch.

    Attributes:
        by_attribute: values of each attribute by row of the bundles; those not recorded are not
            there.
        n_rows: rows of the bundles.
    """

    by_attribute: Mapping[str, Sequence[str | None]]
    n_rows: int

    @classmethod
    def of(cls, table: BlockTable) -> BatchNames:
        """The names in a table, without the table itself."""
        known: dict[str, Sequence[str | None]] = {
            name: table.attribute(name)
            for name in ("class", "id", "itemprop", "itemtype")
            if name in table.attributes
        }
        return cls(known, len(table.bundles))

    def value(self, attribute: str, row: int) -> str:
        """Value of an attribute, "" where there is none or it was not recorded."""
        values = self.by_attribute.get(attribute)
        return _cut((values[row] if values and row >= 0 else None) or "")

    @cached_property
    def _values(self) -> dict[str, dict[int, str]]:
        return {}

    def values(self, attribute: str) -> dict[int, str]:
        """Row to value of an attribute that few elements have."""
        known = self._values.get(attribute)
        if known is None:
            values = self.by_attribute.get(attribute, ())
            rows = compress(range(len(values)), values)
            known = {row: _cut(values[row] or "") for row in rows}
            self._values[attribute] = known
        return known

    @cached_property
    def _likely(self) -> _Likely:
        of_both = (self.by_attribute.get(attribute, ()) for attribute in ("class", "id"))
        values = [value[:_LONGEST] if value else "" for of_one in of_both for value in of_one]
        return _Likely.of(values, self.n_rows)

    @cached_property
    def _flags(self) -> dict[object, Bools]:
        return {}

    def matching(self, wanted: NamePattern) -> Bools:
        """(B + 1,) does each row have a class or id that a pattern is found in; False for -1."""
        known = self._flags.get(wanted)
        if known is None:
            likely = self._likely
            numbers = likely.numbers(wanted.runs)
            chosen = [n for n in numbers if _is_found(wanted.pattern, likely.names[n])]
            known = self._of_rows(likely.rows_of(chosen))
            self._flags[wanted] = known
        return known

    def rows_matching(self, wanted: NamePattern, rows: Sequence[int]) -> set[int]:
        """Those of some rows with such a class or id."""
        likely = self._likely
        among = likely.of_rows(self._of_rows(rows))
        return {row for number, row in among if _is_found(wanted.pattern, likely.names[number])}

    def with_property(self, pattern: re.Pattern[str]) -> Bools:
        """(B + 1,) does each row have an ``itemprop`` that a pattern is found in."""
        known = self._flags.get(pattern)
        if known is None:
            values = self.values("itemprop").items()
            known = self._of_rows([row for row, value in values if _is_found(pattern, value)])
            self._flags[pattern] = known
        return known

    def having(self, attribute: str) -> Bools:
        """(B + 1,) does each row have an attribute that few elements have."""
        known = self._flags.get(attribute)
        if known is None:
            known = self._flags[attribute] = self._of_rows([*self.values(attribute)])
        return known

    def _of_rows(self, rows: Sequence[int] | Ints) -> Bools:
        flags = np.zeros(self.n_rows + 1, dtype=bool)
        flags[rows] = True
        return flags


@dataclass(frozen=True, eq=False)
class ElementNames:
    """Names of the elements of one page.

    Attributes:
        batch: names of its batch.
        bundle: (E,) row of the attributes of each element of the page; -1 for none.
        first: number of the first of these elements in the batch.
    """

    batch: BatchNames
    bundle: Ints
    first: int

    def values(self, attribute: str) -> list[str]:
        """Different values of an attribute that few elements have, by row."""
        if not self.batch.values(attribute):
            return []
        values = self.batch.values(attribute)
        rows = {*self.bundle[self.batch.having(attribute)[self.bundle]].tolist()}
        return [values[row] for row in sorted(rows)]

    def matching(self, wanted: NamePattern) -> Ints:
        """Elements with a class or id that a pattern is found in, in order."""
        return self._flagged(self.batch.matching(wanted))

    def with_property(self, pattern: re.Pattern[str]) -> Ints:
        """Elements with an ``itemprop`` that a pattern is found in, in order."""
        if not self.batch.values("itemprop"):
            return _NONE
        return self._flagged(self.batch.with_property(pattern))

    def without(self, wanted: NamePattern, elements: Ints) -> Ints:
        """Those of some elements without a class or id that a pattern is found in."""
        rows = self.bundle[elements - self.first].tolist()
        barred = self.batch.rows_matching(wanted, [*{*rows}])
        return elements[[row not in barred for row in rows]] if barred else elements

    def _flagged(self, flags: Bools) -> Ints:
        return np.asarray(np.flatnonzero(flags[self.bundle]) + self.first)


_NONE: Final = np.zeros(0, dtype=np.int64)


def _cut(value: str) -> str:
    return value[:_LONGEST].replace("\n", " ")


@lru_cache(maxsize=1 << 14)
def _is_found(pattern: re.Pattern[str], name: str) -> bool:
    """Is a pattern found in a name; pages have many names in common."""
    if name.isascii() and name.islower():
        pattern = _in_lower_case(pattern)
    return pattern.search(name) is not None


@cache
def _in_lower_case(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """A pattern for names of ASCII in lower case, which takes a third of the time."""
    is_lower = pattern.pattern == pattern.pattern.lower()
    return re.compile(pattern.pattern, pattern.flags & ~re.IGNORECASE) if is_lower else pattern


@dataclass(frozen=True, eq=False)
class _Likely:
    """The different names of a batch that hold one of the runs; N names, M times.

    Attributes:
        names: the names.
        number: (M,) number of the name each time.
        row: (M,) row of the bundles.
    """

    names: list[str]
    number: Ints
    row: Ints

    @classmethod
    def of(cls, values: list[str], n_rows: int) -> _Likely:
        """The names in some values, of as many rows for each attribute."""
        names, value = _with_runs(values)
        known: dict[str, int] = {}
        numbers = [known.setdefault(name, len(known)) for name in names]
        return cls([*known], np.array(numbers, dtype=np.int64), value % max(n_rows, 1))

    def of_rows(self, chosen: Bools) -> Iterator[tuple[int, int]]:
        """Numbers of the names that chosen rows have, and the rows."""
        times = np.flatnonzero(chosen[self.row])
        return zip(self.number[times].tolist(), self.row[times].tolist(), strict=True)

    def rows_of(self, numbers: list[int]) -> Ints:
        """Rows that have one of some names."""
        flags = np.zeros(len(self.names), dtype=bool)
        flags[numbers] = True
        return self.row[flags[self.number]]

    @cached_property
    def _text(self) -> tuple[NDArray[np.uint32], Ints]:
        """Hashes of all runs in the names, a newline before and after each; where each begins."""
        text = "\n".join(["", *self.names, ""])
        chars = text.encode("latin-1", "replace")
        return _hashed(chars), np.cumsum([0, *map(len, self.names)]) + np.arange(
            len(self.names) + 1
        )

    @cached_property
    def _beyond_ascii(self) -> list[int]:
        return [number for number, name in enumerate(self.names) if not name.isascii()]

    def numbers(self, runs: tuple[str, ...] | None) -> list[int]:
        """Numbers of the names that hold one of some runs, or characters beyond ASCII."""
        if runs is None:
            return [*range(len(self.names))]
        if not self.names:
            return []
        hashes, starts = self._text
        hits = np.flatnonzero(_table(runs).take(hashes))
        numbers = {*(np.searchsorted(starts, hits, side="right") - 1).tolist()}
        return sorted(numbers.union(self._beyond_ascii))


def _with_runs(values: list[str]) -> tuple[list[str], Ints]:
    """The names in some values that hold one of the runs, and the number of the value of each."""
    text = "\0".join([*values, ""])
    if text.count("\0") != len(values):  # no attribute of a page holds one
        text = "\0".join([*(value.replace("\0", " ") for value in values), ""])
    text = text.replace("\n", " ").replace("\0", "\n").lower()
    data = text.encode("latin-1", "replace")
    if len(data) < 4:
        return [], _NONE
    chars = np.frombuffer(data, dtype=np.uint8)
    edges = np.flatnonzero(chars <= ord(" "))
    value_ends = np.flatnonzero(chars == ord("\n"))
    hits = np.flatnonzero(_table(_RUNS).take(_hashed(data)))
    numbers = np.searchsorted(edges, hits)
    numbers = numbers[hits + 4 <= edges.take(numbers, mode="clip")]
    numbers = numbers[np.diff(numbers, prepend=-1) > 0]
    ends = edges[numbers]
    starts = np.where(numbers > 0, edges[numbers - 1] + 1, 0)
    extents = zip(starts.tolist(), np.minimum(ends, starts + _LONGEST_NAME).tolist(), strict=True)
    return [text[start:end] for start, end in extents], np.searchsorted(value_ends, starts)


def _hashed(data: bytes) -> NDArray[np.uint32]:
    """Hash of every run of four characters, of four at least."""
    runs: NDArray[np.uint32] = np.ndarray((len(data) - 3,), "<u4", data, strides=(1,))
    return np.asarray(runs * _FACTOR >> np.uint32(32 - _BITS))


@cache
def _table(runs: tuple[str, ...]) -> Bools:
    """Which hashes are those of some runs."""
    table = np.zeros(1 << _BITS, dtype=bool)
    for run in runs:
        table[_hashed(run[:4].encode())] = True
    return table
