"""What a feature is: a callable from a block table to named columns, one value per block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from victor.blocks import BlockTable
from victor.errors import FeatureError

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
    """Tokens per block in compressed rows.

    Attributes:
        indptr: (n + 1,) int64; block i owns ``ids[indptr[i]:indptr[i + 1]]``.
        ids: int64 positions in `vocabulary`; a token may repeat, repetition counts.
        vocabulary: the distinct tokens of this batch.
    """

    indptr: NDArray[np.int64]
    ids: NDArray[np.int64]
    vocabulary: Sequence[str]

    def __len__(self) -> int:
        return len(self.indptr) - 1


ColumnValues = NDArray[Any] | Bag


@runtime_checkable
class Feature(Protocol):
    """A feature module's product: declared columns and a pure function from table to values.

    It keeps no state between calls, does no input or output, and knows neither labels nor
    models nor other features. Computing a batch equals computing its pages one by one.
    """

    columns: tuple[Column, ...]

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column, each of length ``len(table)``."""
        ...


@dataclass(frozen=True, slots=True)
class Measure:
    """A feature without parameters: its columns and the function that computes them."""

    columns: tuple[Column, ...]
    compute: Callable[[BlockTable], Mapping[str, ColumnValues]]

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column."""
        return self.compute(table)


class FeatureSet:
    """Features in order, checked: unique names, declared columns, right lengths, finite values."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self.features = tuple(features)
        self.columns = tuple(column for feature in features for column in feature.columns)
        names = [column.name for column in self.columns]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise FeatureError(f"two features give the same column: {', '.join(repeated)}")

    def __call__(self, table: BlockTable) -> dict[str, ColumnValues]:
        """Compute all columns of a table.

        Raises:
            FeatureError: a feature breaks its contract.
        """
        values: dict[str, ColumnValues] = {}
        for feature in self.features:
            computed = feature(table)
            for column in feature.columns:
                values[column.name] = _checked(column, computed, len(table))
        return values


def _checked(column: Column, computed: Mapping[str, ColumnValues], length: int) -> ColumnValues:
    """The values of one column after checking them against its declaration."""
    if column.name not in computed:
        raise FeatureError(f"column {column.name} is declared but not computed")
    values = computed[column.name]
    if len(values) != length:
        raise FeatureError(f"column {column.name} has {len(values)} values for {length} blocks")
    if isinstance(values, Bag) != (column.kind == "bag"):
        raise FeatureError(f"column {column.name} is declared as {column.kind} but is not")
    if isinstance(values, Bag):
        return values
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise FeatureError(f"column {column.name} has a value that is not a finite number")
    return values
