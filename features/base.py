"""The contract of features: from a block table to named columns, one value per block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Floats, Ints, prefix_sums, span_indices
from victor.errors import FeatureError
from victor.page.blocks import BlockTable
from victor.page.events import ATTRIBUTES

Kind = Literal["bool", "category", "count", "number", "bag"]


@dataclass(frozen=True, slots=True)
class Column:
    """Declaration of one column.

    Attributes:
        name: unique name, ``group.measure`` by convention.
        kind: ``bool`` (0/1), ``category`` (small non-negative integer codes), ``count``
            (non-negative integers), ``number`` (finite floats), ``bag`` (a set of tokens).
        meaning: one line for people.
    """

    name: str
    kind: Kind
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """Tokens per block, by way of groups of tokens that many blocks share.

    Attributes:
        indptr: (n + 1,) int64; block i has the groups ``groups[indptr[i]:indptr[i + 1]]``.
        groups: int64 group numbers, G groups in all.
        group_indptr: (G + 1,) int64; group g has the tokens ``ids[group_indptr[g]:...[g + 1]]``.
        ids: int64 positions in `vocabulary`; a block has a token as often as its groups do.
        vocabulary: the distinct tokens of this batch.
    """

    indptr: Ints
    groups: Ints
    group_indptr: Ints
    ids: Ints
    vocabulary: Sequence[str]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def sums(self, values: Floats) -> Floats:
        """(n, L) sums over the tokens of each block of (V, L) values per token."""
        of_group = _row_sums(values[self.ids], self.group_indptr)
        return _row_sums(of_group[self.groups], self.indptr)

    def flat(self) -> tuple[Ints, Ints]:
        """Compressed rows without groups: (n + 1,) offsets and the token ids of each block."""
        lengths = np.diff(self.group_indptr)[self.groups]
        ids = self.ids[span_indices(self.group_indptr[self.groups], lengths)]
        return prefix_sums(lengths)[self.indptr], ids

    def tokens(self) -> list[list[str]]:
        """Tokens of every block."""
        indptr, ids = self.flat()
        words = [self.vocabulary[token] for token in ids.tolist()]
        return [words[a:b] for a, b in pairwise(indptr.tolist())]

    def take(self, rows: Ints) -> Bag:
        """The same bag for some of the blocks."""
        lengths = np.diff(self.indptr)[rows]
        groups = self.groups[span_indices(self.indptr[rows], lengths)]
        return Bag(prefix_sums(lengths), groups, self.group_indptr, self.ids, self.vocabulary)

    @classmethod
    def concatenate(cls, bags: Sequence[Bag]) -> Bag:
        """One bag for the blocks of several, one after the other."""
        number: dict[str, int] = {}
        numbered = [
            np.array([number.setdefault(word, len(number)) for word in bag.vocabulary], np.int64)
            for bag in bags
        ]
        n_groups = np.cumsum([0, *(len(bag.group_indptr) - 1 for bag in bags)])
        return cls(
            _joined_offsets([bag.indptr for bag in bags]),
            np.concatenate([bag.groups + n for bag, n in zip(bags, n_groups, strict=False)]),
            _joined_offsets([bag.group_indptr for bag in bags]),
            np.concatenate([new[bag.ids] for bag, new in zip(bags, numbered, strict=True)]),
            list(number),
        )


def _joined_offsets(offsets: Sequence[Ints]) -> Ints:
    """Offsets of several compressed tables put one after the other."""
    return prefix_sums(np.concatenate([np.diff(part) for part in offsets]))


def _row_sums(values: Floats, indptr: Ints) -> Floats:
    """Sums of consecutive rows of (m, L) values; an empty window gives 0."""
    sums = np.zeros((len(indptr) - 1, values.shape[1]))
    filled = np.diff(indptr) > 0
    if filled.any():
        sums[filled] = np.add.reduceat(values, indptr[:-1][filled])
    return sums


ColumnValues = NDArray[Any] | Bag


@runtime_checkable
class Feature(Protocol):
    """A feature module's product: declared columns and a pure function from table to values.

    It keeps no state between calls, does no input or output, and knows neither labels nor
    models nor other features. Computing a batch equals computing its pages one by one.
    """

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns it gives."""
        ...

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column, each of length ``len(table)``."""
        ...


@dataclass(frozen=True, slots=True)
class Measure:
    """A feature made of declarations and a function.

    Attributes:
        columns: what it gives.
        compute: the function from a table to the values.
        attributes: element attributes that it reads (`victor.page.events.ATTRIBUTES`).
    """

    columns: tuple[Column, ...]
    compute: Callable[[BlockTable], Mapping[str, ColumnValues]]
    attributes: tuple[str, ...] = ()

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column."""
        return self.compute(table)


class FeatureSet:
    """Features in order, checked: unique names, declared columns, right lengths, finite values."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self.features = tuple(features)
        self.columns = tuple(column for feature in features for column in feature.columns)
        self.attributes = _attributes(features)
        names = [column.name for column in self.columns]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise FeatureError(f"two features give the same column: {', '.join(repeated)}")

    def __call__(self, table: BlockTable) -> dict[str, ColumnValues]:
        """Compute all columns of a table.

        Raises:
            FeatureError: a feature breaks its contract.
        """
        computed = [(feature.columns, feature(table)) for feature in self.features]
        with np.errstate(over="ignore", invalid="ignore"):  # of sums that tell what is not finite
            return {
                column.name: _checked(column, values, len(table))
                for columns, values in computed
                for column in columns
            }


def _attributes(features: Sequence[Feature]) -> tuple[str, ...]:
    """The attributes that some features read; all of them for a feature that does not say."""
    read = {name for feature in features for name in getattr(feature, "attributes", ATTRIBUTES)}
    return tuple(name for name in ATTRIBUTES if name in read)


_DTYPES: Final[dict[Kind, str]] = {
    "bool": "b", "category": "iu", "count": "iu", "number": "fiu", "bag": "",
}  # fmt: skip
"""Letters of the dtypes that a column of each kind may have."""


def _is_of_kind(values: object, kind: Kind) -> bool:
    """Whether values are of the type that columns of a kind have."""
    if isinstance(values, Bag):
        return kind == "bag"
    return (
        isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in _DTYPES[kind]
    )


def _checked(column: Column, computed: Mapping[str, ColumnValues], length: int) -> ColumnValues:
    """The values of one column after checking them against its declaration."""
    if column.name not in computed:
        raise FeatureError(f"column {column.name} is declared but not computed")
    values = computed[column.name]
    if not _is_of_kind(values, column.kind):
        raise FeatureError(f"column {column.name} is declared as {column.kind} but is not")
    if len(values) != length:
        raise FeatureError(f"column {column.name} has {len(values)} values for {length} blocks")
    if isinstance(values, Bag):
        return values
    if values.dtype.kind == "f" and not _all_finite(values):
        raise FeatureError(f"column {column.name} has a value that is not a finite number")
    return values


def _all_finite(values: NDArray[Any]) -> bool:
    """Are all of them finite: their sum tells at once, unless it is too large itself."""
    return isfinite(np.add.reduce(values)) or bool(np.isfinite(values).all())
