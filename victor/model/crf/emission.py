"""Compile weights to lookup tables: codes of a batch to a score per block and label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Floats32, Ints
from victor.base.errors import ModelError
from victor.base.labels import Label
from victor.model.crf.attributes import entry_values, extents, outside
from victor.model.crf.weights import Weights
from victor.model.template import Entry, Template

Pairs = NDArray[np.complex64]
"""Scores of two labels, header and text, relative to that of the third; one number that adds up
and moves as a whole is several times as fast as a row of two."""

_MAX_ROWS = 512
"""Columns share a joint table while it has at most so many rows, so that all tables fit a cache."""

_MAX_COLUMNS = 16
"""And at most so many columns: those of one value add no rows, but an array has 32 axes at most."""

_PIECE = 4
"""A table row holds at most so many offsets: rows of 8, 16 or 32 bytes are copied fastest."""


@dataclass(frozen=True, eq=False)
class Emission:
    """A compiled model without its transitions.

    Columns are put together in groups with a joint table: a row for every combination of their
    codes, in it what these codes mean for the block itself and for the blocks at every offset.
    Only differences between labels matter, so scores are relative to that of `Label.OTHER`.

    Attributes:
        template: for its page edge.
        sizes: number of codes of every column.
        numbers: column name to its number in the codes.
        index: how codes become rows of the joint tables.
        tables: joint tables in the order of the groups.
        pieces: the offsets in the table rows, one tuple per kind of row.
        edges: offset to the (values,) sums of all weights of places outside the page.
        mixed: conjunctions over several offsets with their (values,) weights.
        bias: (3,) float64.
    """

    template: Template
    sizes: Mapping[str, int]
    numbers: Mapping[str, int]
    index: _JointIndex
    tables: tuple[_Table, ...]
    pieces: tuple[tuple[int, ...], ...]
    edges: Mapping[int, Pairs]
    mixed: tuple[tuple[Entry, Pairs], ...]
    bias: Floats

    @classmethod
    def compile(cls, weights: Weights, names: Sequence[str]) -> Emission:
        """Build the tables.

        Args:
            weights: trained weights.
            names: the columns of the codes, in order; more than the weights need do no harm.

        Raises:
            ModelError: the weights need a column that is not there.
        """
        numbers = {name: number for number, name in enumerate(names)}
        missing = [name for name in weights.sizes if name not in numbers]
        if missing:
            raise ModelError(f"no codes for columns {', '.join(missing)}: train the model again")
        terms = [
            _Term.of(entry, values, weights)
            for entry, values in zip(weights.template.entries, weights.entries, strict=True)
        ]
        joint = [term for term in terms if term.offset is not None]
        groups = _assign(joint, weights.sizes)
        tables = tuple(_tables(groups, weights.sizes))
        return cls(
            template=weights.template,
            sizes=weights.sizes,
            numbers=numbers,
            index=_JointIndex.compile([columns for columns, _ in groups], weights.sizes, numbers),
            tables=tables,
            pieces=tuple(dict.fromkeys(table.offsets for table in tables)),
            edges=_edges(joint),
            mixed=tuple((term.entry, term.inside) for term in terms if term.offset is None),
            bias=weights.bias.astype(np.float64) - float(weights.bias[Label.OTHER]),
        )

    def __call__(self, codes: Codes, page_starts: Ints) -> Floats:
        """Score a batch.

        Args:
            codes: (n, C) codes in the order given to `compile`; fastest if columns are contiguous.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

        Returns:
            (n, 3) float64 log potentials, those of `Label.OTHER` the same for all blocks.
        """
        columns = codes.T
        pairs = self._joint(columns, page_starts)
        if self.mixed:
            by_name = {name: columns[number] for name, number in self.numbers.items()}
        for entry, rows in self.mixed:
            pairs += rows[
                entry_values(entry, by_name, page_starts, template=self.template, sizes=self.sizes)
            ]
        scores = np.zeros((len(Label), len(pairs)))
        scores[Label.HEADER], scores[Label.TEXT] = pairs.real, pairs.imag
        scores += self.bias[:, None]
        return scores.T

    def _joint(self, columns: Codes, page_starts: Ints) -> Pairs:
        """(n,) sums over the joint tables, every offset moved to where it belongs."""
        n = columns.shape[1]
        sums = {piece: np.zeros((n, len(piece)), dtype=np.complex64) for piece in self.pieces}
        looked_up = {piece: np.empty_like(total) for piece, total in sums.items()}
        index = self.index(columns)
        for group, tables in groupby(self.tables, key=lambda table: table.group):
            rows = index[group].astype(np.intp)
            for table in tables:
                values = looked_up[table.offsets]
                table.rows.take(rows, axis=0, out=values, mode="clip")
                sums[table.offsets] += values
        total = np.zeros(n, dtype=np.complex64)
        for offset in dict.fromkeys(offset for piece in self.pieces for offset in piece):
            parts = [values[:, p.index(offset)] for p, values in sums.items() if offset in p]
            total += self._moved(sum(parts[1:], parts[0]), offset, page_starts)
        return total

    def _moved(self, values: Pairs, offset: int, page_starts: Ints) -> Pairs:
        """(n,) values of the blocks at an offset, or of the place outside the page."""
        if offset == 0:
            return values
        moved = np.empty_like(values)
        if 0 < offset < len(values):
            moved[:-offset] = values[offset:]
        elif 0 < -offset < len(values):
            moved[-offset:] = values[:offset]
        blocks, rows = outside(page_starts, offset, template=self.template)
        moved[blocks] = self.edges[offset][rows]
        return moved


@dataclass(frozen=True, eq=False)
class _Term:
    """One entry with its weights relative to `Label.OTHER`.

    Attributes:
        entry: the entry.
        offset: the offset of all its places, None if they differ.
        inside: weights of values inside the page: (size, ...), one axis per column; all values
            of an entry of several offsets, (values,).
        outside: (values,) weights of the places outside the page.
    """

    entry: Entry
    offset: int | None
    inside: Pairs
    outside: Pairs

    @classmethod
    def of(cls, entry: Entry, values: Floats32, weights: Weights) -> _Term:
        """Cut the weights of an entry."""
        relative = _pairs(values)
        offsets = {offset for _, offset in entry.columns}
        if len(offsets) > 1:
            return cls(entry, None, relative, relative[:0])
        sizes = [weights.sizes[name] for name, _ in entry.columns]
        table = relative.reshape(*extents(entry, weights.template, weights.sizes))
        inside = table[tuple(slice(size) for size in sizes)]
        # Places in the same block are outside the page together.
        beyond = np.arange(table.shape[0] - sizes[0])
        outer = table[tuple(size + beyond for size in sizes)]
        return cls(entry, offsets.pop(), inside, outer)

    @property
    def names(self) -> tuple[str, ...]:
        """Its columns."""
        return tuple(name for name, _ in self.entry.columns)


Group = tuple[tuple[str, ...], list[_Term]]
"""Columns that share a joint table, and what the table sums up."""


def _assign(terms: Sequence[_Term], sizes: Mapping[str, int]) -> list[Group]:
    """Choose groups of columns and give every term to one that has all its columns.

    Conjunctions first, so that they cost nothing where their columns fit one group; then every
    other column goes where there is room and its offsets are looked up already.
    """
    groups: list[tuple[set[str], set[int]]] = []
    by_columns = sorted({(-len(t.names), t.names): None for t in terms})
    offsets = {
        names: {t.offset for t in terms if t.names == names and t.offset is not None}
        for _, names in by_columns
    }
    wide_first = sorted(
        offsets, key=lambda names: (-len(names), -len(offsets[names]), -_product(names, sizes))
    )
    for names in wide_first:
        _put(set(names), offsets[names], groups, sizes)
    assigned: list[Group] = [(tuple(sorted(columns)), []) for columns, _ in groups]
    # Groups of many columns first: the index of all groups is built column by column.
    assigned.sort(key=lambda group: -len(group[0]))
    for term in terms:
        needed = set(term.names)
        next(group for columns, group in assigned if needed <= set(columns)).append(term)
    return assigned


def _put(
    names: set[str],
    offsets: set[int],
    groups: list[tuple[set[str], set[int]]],
    sizes: Mapping[str, int],
) -> None:
    """Put columns into the first group that has them or room for them, else into a new one."""
    for columns, present in groups:
        if names <= columns:
            present.update(offsets)
            return
    for columns, present in groups:
        shared = len(names) == 1 or names & columns
        together = columns | names
        fits = _product(together, sizes) <= _MAX_ROWS and len(together) <= _MAX_COLUMNS
        if shared and fits and offsets <= present:
            columns.update(names)
            return
    groups.append((set(names), set(offsets)))


def _product(names: Iterable[str], sizes: Mapping[str, int]) -> int:
    """Number of combinations of codes."""
    return math.prod(sizes[name] for name in names)


@dataclass(frozen=True, eq=False)
class _Table:
    """Part of the joint table of a group.

    Attributes:
        group: number of the group.
        offsets: the offsets in a row, as many as make 1, 2 or 4; the last one may be repeated.
        rows: (combinations of codes, offsets) complex64.
    """

    group: int
    offsets: tuple[int, ...]
    rows: Pairs


def _tables(groups: Sequence[Group], sizes: Mapping[str, int]) -> Iterable[_Table]:
    """The tables of all groups."""
    for number, (columns, terms) in enumerate(groups):
        offsets = sorted({term.offset for term in terms if term.offset is not None})
        for start in range(0, len(offsets), _PIECE):
            piece = offsets[start : start + _PIECE]
            piece += piece[-1:] * (len(piece) == 3)
            shape = (*(sizes[name] for name in columns), len(piece))
            rows = np.zeros(shape, dtype=np.complex128)
            for term in terms:
                if term.offset in piece:
                    rows[..., piece.index(term.offset)] += _spread(term, columns)
            flat = rows.reshape(-1, len(piece)).astype(np.complex64)
            yield _Table(number, tuple(piece), flat)


def _spread(term: _Term, columns: Sequence[str]) -> Pairs:
    """The weights of a term with one axis for each column of its group."""
    order = sorted(range(len(term.names)), key=lambda axis: columns.index(term.names[axis]))
    weights = term.inside.transpose(order)
    missing = [axis for axis, name in enumerate(columns) if name not in term.names]
    return np.expand_dims(weights, missing)


def _edges(terms: Iterable[_Term]) -> dict[int, Pairs]:
    """Sums of the weights of places outside the page, by offset."""
    sums: dict[int, Pairs] = {}
    for term in terms:
        if term.offset:
            sums[term.offset] = sums.get(term.offset, np.complex64(0)) + term.outside
    return sums


def _pairs(values: Floats32) -> Pairs:
    """(m,) weights relative to that of `Label.OTHER` from (m, 3) weights."""
    relative = values - values[:, Label.OTHER :]
    pairs: Pairs = relative[:, Label.HEADER] + np.complex64(1j) * relative[:, Label.TEXT]
    return pairs


@dataclass(frozen=True, eq=False)
class _JointIndex:
    """Rows of the joint tables from codes, for all groups at once.

    Attributes:
        columns: for the first, second, ... column of the groups: numbers in the codes; groups with
            most columns come first, so later ones are shorter.
        sizes: number of codes of these columns, (groups, 1) each.
    """

    columns: tuple[Ints, ...]
    sizes: tuple[NDArray[np.unsignedinteger], ...]

    @classmethod
    def compile(
        cls,
        groups: Sequence[tuple[str, ...]],
        sizes: Mapping[str, int],
        numbers: Mapping[str, int],
    ) -> _JointIndex:
        """Lay out groups given by their columns, those with most columns first."""
        largest = max((_product(columns, sizes) for columns in groups), default=0)
        dtype = np.uint16 if largest <= 2**16 else np.uint32
        by_rank = [
            [columns[rank] for columns in groups if len(columns) > rank]
            for rank in range(len(groups[0]) if groups else 0)
        ]
        return cls(
            tuple(np.array([numbers[name] for name in names]) for names in by_rank),
            tuple(np.array([[sizes[name]] for name in names], dtype=dtype) for names in by_rank),
        )

    def __call__(self, columns: Codes) -> NDArray[np.unsignedinteger]:
        """(groups, n) rows from (C, n) codes."""
        if not self.columns:
            return np.zeros((0, columns.shape[1]), dtype=np.uint16)
        index = columns[self.columns[0]].astype(self.sizes[0].dtype)
        for numbers, sizes in zip(self.columns[1:], self.sizes[1:], strict=True):
            part = index[: len(numbers)]
            part *= sizes
            part += columns[numbers]
        return index
