"""Weights compiled to lookup tables: scores of all labels of a batch of blocks in few gathers.

Columns whose entries use the same offsets share a table: its row number is the combination of their
codes, and a row holds the contributions to every label at every one of these offsets. The
contributions are added up over tables first and shifted to their blocks afterwards, once per offset.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from victor.columns import Bag
from victor.crf.attributes import Places, entry_rows
from victor.crf.weights import N_LABELS, BagWeights, Weights, coded_entries, entry_codes
from victor.template import Entry

MAX_ROWS = 1024
"""Rows of one table: more would fall out of the processor's caches."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Columns = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Table:
    """Contributions of a few columns together.

    Attributes:
        columns: positions of the columns among the codes.
        strides: what a step of each column's code adds to the row number.
        values: (rows, offsets * 3) float64.
    """

    columns: list[int]
    strides: list[int]
    values: Floats


@dataclass(frozen=True, eq=False)
class Emission:
    """Compiled weights.

    Attributes:
        weights: where they come from.
        names: columns of the codes, in order.
        tables: tables by the offsets that they serve.
        outside: by offset, (abs(offset), 3) what places 1, 2 ... outside the page contribute.
        mixed: entries whose columns are at different offsets, with their weights.
    """

    weights: Weights
    names: tuple[str, ...]
    tables: Mapping[tuple[int, ...], tuple[_Table, ...]]
    outside: Mapping[int, Floats]
    mixed: tuple[tuple[Entry, Floats], ...]

    @classmethod
    def compile(cls, weights: Weights, names: Sequence[str]) -> Emission:
        """Compile weights for codes whose columns have the given names."""
        by_columns: dict[Columns, dict[int, Floats]] = defaultdict(dict)
        outside: dict[int, Floats] = {}
        mixed = []
        entries = coded_entries(weights.template, weights.sizes)
        for entry, values in zip(entries, weights.entries, strict=True):
            offsets = {offset for _, offset in entry.columns}
            if len(offsets) > 1:
                mixed.append((entry, values.astype(np.float64)))
                continue
            (offset,) = offsets
            inside = entry_codes(entry, weights.sizes)
            by_columns[tuple(name for name, _ in entry.columns)][offset] = values[:inside]
            if offset:
                total = outside.setdefault(offset, np.zeros((abs(offset), N_LABELS)))
                total += values[inside:]
        return cls(
            weights, tuple(names), _pack(by_columns, weights.sizes, names), outside, tuple(mixed)
        )

    def __call__(
        self, codes: NDArray[np.uint8], bags: Mapping[str, Bag], page_starts: Ints
    ) -> Floats:
        """(n, 3) float64 scores: the log potentials of each block without transitions.

        Args:
            codes: (n, C) uint8 codes, columns as compiled.
            bags: bag columns by name.
            page_starts: (P + 1,) first block of each page.
        """
        scores = np.zeros((len(codes), N_LABELS))
        if not len(codes):
            return scores
        places = Places(np.asarray(page_starts, dtype=np.int64))
        for offsets, tables in self.tables.items():
            sums = _lookup(tables, codes)
            for position, offset in enumerate(offsets):
                own = sums[:, position * N_LABELS : (position + 1) * N_LABELS]
                _add_shifted(scores, own, offset, places)
        for offset, values in self.outside.items():
            beyond = places.beyond(offset)
            scores += np.concatenate([np.zeros((1, N_LABELS)), values])[beyond]
        self._add_mixed(scores, codes, places)
        for name, bag in self._bags.items():
            scores += bag.scores(bags[name])
        return scores

    def _add_mixed(self, scores: Floats, codes: NDArray[np.uint8], places: Places) -> None:
        if not self.mixed:
            return
        column = {name: codes[:, place] for place, name in enumerate(self.names)}
        for entry, values in self.mixed:
            rows = entry_rows(entry, column, places, self.weights.template, self.weights.sizes)
            scores += values[rows]

    @cached_property
    def _bags(self) -> dict[str, _BagScores]:
        return {name: _BagScores(bag) for name, bag in self.weights.bags.items()}


class _BagScores:
    """Weights of a bag's tokens, found by their text."""

    def __init__(self, weights: BagWeights) -> None:
        self._row = {token: row for row, token in enumerate(weights.vocabulary)}
        unknown = np.zeros((1, N_LABELS))
        self._values = np.concatenate([weights.values.astype(np.float64), unknown])

    def scores(self, bag: Bag) -> Floats:
        """(n, 3) sums over the tokens of each block."""
        get, unknown = self._row.get, len(self._row)
        rows = np.array([get(token, unknown) for token in bag.vocabulary], dtype=np.int64)
        return bag.sums(self._values[rows])


def _lookup(tables: Sequence[_Table], codes: NDArray[np.uint8]) -> Floats:
    """(n, offsets * 3) contributions of all tables together."""
    total = None
    for table in tables:
        rows = codes[:, table.columns[0]].astype(np.int64) * table.strides[0]
        for column, stride in zip(table.columns[1:], table.strides[1:], strict=True):
            rows += codes[:, column].astype(np.int64) * stride
        found = table.values.take(rows, axis=0)
        total = found if total is None else np.add(total, found, out=total)
    assert total is not None, "offsets without tables are not kept"
    return total


def _add_shifted(scores: Floats, own: Floats, offset: int, places: Places) -> None:
    """Add what the block at an offset contributes, where there is one on the page."""
    n = len(scores)
    if offset == 0:
        scores += own
    elif abs(offset) < n:
        here = slice(max(0, -offset), min(n, n - offset))
        there = slice(max(0, offset), min(n, n + offset))
        inside = places.beyond(offset)[here] == 0
        scores[here] += own[there] * inside[:, None]


def _pack(
    by_columns: Mapping[Columns, Mapping[int, Floats]],
    sizes: Mapping[str, int],
    names: Sequence[str],
) -> dict[tuple[int, ...], tuple[_Table, ...]]:
    """Put columns of the same offsets into shared tables of at most `MAX_ROWS` rows."""
    by_offsets: dict[tuple[int, ...], list[Columns]] = defaultdict(list)
    for columns, values in by_columns.items():
        by_offsets[tuple(sorted(values))].append(columns)
    return {
        offsets: tuple(
            _table(group, offsets, by_columns, sizes, list(names))
            for group in _groups(members, sizes)
        )
        for offsets, members in by_offsets.items()
    }


def _groups(members: Sequence[Columns], sizes: Mapping[str, int]) -> list[list[Columns]]:
    """Greedy grouping: conjunctions first, so that their columns join them for free."""
    groups: list[list[Columns]] = []
    for columns in sorted(members, key=lambda member: -_rows(set(member), sizes)):
        for group in groups:
            joined = {name for member in group for name in member} | set(columns)
            if _rows(joined, sizes) <= MAX_ROWS:
                group.append(columns)
                break
        else:
            groups.append([columns])
    return groups


def _rows(names: set[str], sizes: Mapping[str, int]) -> int:
    return int(np.prod([sizes[name] for name in names]))


def _table(
    group: Sequence[Columns],
    offsets: tuple[int, ...],
    by_columns: Mapping[Columns, Mapping[int, Floats]],
    sizes: Mapping[str, int],
    names: list[str],
) -> _Table:
    """The table of some columns: the sum of what each of its members says of a combination."""
    used = list(dict.fromkeys(name for columns in group for name in columns))
    shape = [sizes[name] for name in used]
    total = np.zeros((*shape, len(offsets) * N_LABELS))
    for columns in group:
        own = np.concatenate([by_columns[columns][offset] for offset in offsets], axis=1)
        own = own.astype(np.float64).reshape(*(sizes[name] for name in columns), -1)
        order = sorted(range(len(columns)), key=lambda place: used.index(columns[place]))
        own = own.transpose(*order, len(columns))
        spread = [sizes[name] if name in columns else 1 for name in used]
        total += own.reshape(*spread, -1)
    strides = [int(np.prod(shape[place + 1 :])) for place in range(len(used))]
    values = np.ascontiguousarray(total.reshape(-1, len(offsets) * N_LABELS))
    return _Table([names.index(name) for name in used], strides, values)
