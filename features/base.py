"""The contract of features: from a block table to named columns, one value per block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import isfinite
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Codes, Floats32, Ints
from victor.base.errors import FeatureError
from victor.page.parsing.events import ATTRIBUTES
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable

__all__ = [
    "Column",
    "ColumnValues",
    "Feature",
    "FeatureSet",
    "Kernel",
    "Kind",
    "Measure",
]

Kind = Literal["bool", "category", "count", "number"]


class Column(Struct, frozen=True):
    """Declaration of one column.

    Attributes:
        name: unique name, ``group.measure`` by convention.
        kind: ``bool`` (0/1), ``category`` (small non-negative integer codes), ``count``
            (non-negative integers), ``number`` (finite floats).
        meaning: one line for people.
    """

    name: str
    kind: Kind
    meaning: str


ColumnValues = NDArray[Any]


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


class Measure(Struct, frozen=True):
    """A feature made of declarations and a function.

    Attributes:
        columns: what it gives.
        compute: the function from a table to the values.
        attributes: element attributes that it reads (`victor.page.parsing.events.ATTRIBUTES`).
    """

    columns: tuple[Column, ...]
    compute: Callable[[BlockTable], Mapping[str, ColumnValues]]
    attributes: tuple[str, ...] = ()

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """Values of every declared column."""
        return self.compute(table)


class Kernel(Struct, frozen=True, eq=False):
    """A feature that a function of the core computes.

    Attributes:
        columns: what it gives.
        name: of the function in the core.
        parameters: int64 arrays made of the configuration of the module.
        inputs: arrays of a batch that are made in Python, if the function wants any.
        constants: inputs that are the same for all batches, made when they are first needed.
        attributes: element attributes that it reads.
    """

    columns: tuple[Column, ...]
    name: str
    parameters: tuple[Ints, ...] = ()
    inputs: Callable[[BlockTable], Arrays] | None = None
    constants: Callable[[], Arrays] = tuple
    attributes: tuple[str, ...] = ()

    @property
    def entry(self) -> Entry:
        """What the core is to compute."""
        constants = self.constants() if self.inputs is None else None
        return self.name, len(self.columns), self.parameters, constants

    def __call__(self, table: BlockTable) -> Mapping[str, ColumnValues]:
        """(n,) float32 values of every declared column."""
        return FeatureSet([self])(table)


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
        self._kernels = [_kernel(feature) for feature in self.features]
        self._inputs = [kernel.inputs for kernel in self._kernels if kernel.inputs]
        self._read = {name for kernel in self._kernels for name in kernel.attributes}
        self._row = {name: row for row, name in enumerate(names)}
        self._planned: tuple[object, object, Plan] | None = None

    def __call__(self, table: BlockTable) -> dict[str, Floats32]:
        """(n,) values of all columns of a table, as the codes are made of them.

        Raises:
            FeatureError: a feature breaks its contract.
        """
        _, values = self._all.codes(table, self._inputs_of(table))
        return dict(zip(self._row, values, strict=True))

    @cached_property
    def _all(self) -> Plan:
        """Gives the values of all columns."""
        n_columns = len(self.columns)
        return Plan(self._entries, [None] * n_columns, range(n_columns))

    @property
    def _entries(self) -> list[Entry]:
        return [kernel.entry for kernel in self._kernels]

    def codes(
        self, table: BlockTable, thresholds: Sequence[Floats32 | None], raw: Sequence[str] = ()
    ) -> tuple[Codes, Floats32]:
        """Compute all columns of a table and discretise them, at once.

        Args:
            table: the blocks.
            thresholds: of every column in the order of `columns`, float32, ascending, at most 255;
                None for a column that is not read. The same sequence has to hold the same arrays
                at every call.
            raw: names of columns whose values are wanted, too.

        Returns:
            Codes (C, n): how many thresholds are not above the value; 0 for columns that are not
            read. Values (R, n) of the columns in `raw`. Both are read-only.

        Raises:
            FeatureError: a feature breaks its contract, or there is no column of a name in `raw`.
            ValueError: thresholds do not fit the columns.
        """
        return self._plan(thresholds, raw).codes(table, self._inputs_of(table))

    def planned(
        self, table: BlockTable, thresholds: Sequence[Floats32 | None], raw: Sequence[str]
    ) -> tuple[object, list[Arrays]]:
        """What the core computes the codes of a table by: the plan, and inputs that it lacks."""
        return self._plan(thresholds, raw).lent, self._inputs_of(table)

    def _inputs_of(self, table: BlockTable) -> list[Arrays]:
        """What the core is given of a table; it reads all attributes there.

        Raises:
            FeatureError: an attribute was not recorded.
        """
        for name in self._read.difference(table.attributes):
            raise FeatureError(f"attribute {name} was not recorded; declare it in the feature")
        return [make(table) for make in self._inputs] if self._inputs else []

    def _plan(self, thresholds: Sequence[Floats32 | None], raw: Sequence[str]) -> Plan:
        last = self._planned
        if last is None or last[0] is not thresholds or last[1] is not raw:
            rows = [self._row_of(name) for name in raw]
            self._planned = last = thresholds, raw, Plan(self._entries, thresholds, rows)
        return last[2]

    def _row_of(self, name: str) -> int:
        if name not in self._row:
            raise FeatureError(f"no feature gives a column {name}")
        return self._row[name]


def _kernel(feature: Feature) -> Kernel:
    """What computes a feature; the core is given the columns of one that is none of its own."""
    if isinstance(feature, Kernel):
        return feature
    return Kernel(feature.columns, GIVEN, inputs=partial(_given, feature))


def _given(feature: Feature, table: BlockTable) -> tuple[Floats32]:
    """The columns of a feature as computed in numpy."""
    computed = feature(table)
    matrix = np.zeros((len(feature.columns), len(table)), dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        for row, column in zip(matrix, feature.columns, strict=True):
            row[:] = _checked(column, computed, len(table))
    return (matrix,)


def _attributes(features: Sequence[Feature]) -> tuple[str, ...]:
    """The attributes that some features read; all of them for a feature that does not say."""
    read = {name for feature in features for name in getattr(feature, "attributes", ATTRIBUTES)}
    return tuple(name for name in ATTRIBUTES if name in read)


_DTYPES: Final[dict[Kind, str]] = {
    "bool": "b", "category": "iu", "count": "iu", "number": "fiu",
}  # fmt: skip
"""Letters of the dtypes that a column of each kind may have."""
_WANTED: Final[dict[Kind, str]] = {
    "bool": "an array of bool", "category": "an array of integers", "count": "an array of integers",
    "number": "an array of numbers",
}  # fmt: skip


def _checked(column: Column, computed: Mapping[str, ColumnValues], length: int) -> ColumnValues:
    """The values of one column after checking them against its declaration."""
    if column.name not in computed:
        raise FeatureError(f"column {column.name} is declared but not computed")
    given: Any = computed[column.name]
    values: ColumnValues = _as_array(column, given) if isinstance(given, list | tuple) else given
    if not _is_of_kind(values, column.kind):
        raise FeatureError(
            f"column {column.name}: declared as {column.kind}, want {_WANTED[column.kind]}, "
            f"got {_described(values)}"
        )
    if len(values) != length:
        raise FeatureError(f"column {column.name}: {len(values)} values for {length} blocks")
    if values.dtype.kind == "f" and not _all_finite(values):
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        raise FeatureError(
            f"column {column.name}: {values[at]} at block {at} is not a finite number"
        )
    return values


def _is_of_kind(values: object, kind: Kind) -> bool:
    """Whether values are of the type that columns of a kind have."""
    return (
        isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in _DTYPES[kind]
    )


def _as_array(column: Column, values: Sequence[object]) -> NDArray[Any]:
    """A list as an array; one without values has no type of its own."""
    if not values:
        return np.zeros(0, dtype=np.int64 if column.kind != "bool" else bool)
    try:
        return np.asarray(values)
    except ValueError:  # of lists of different lengths
        raise FeatureError(
            f"column {column.name}: want one value for each block, got a list of lists"
        ) from None


def _described(values: object) -> str:
    """What values are, for people who expected an array."""
    if isinstance(values, np.ndarray):
        shape = "" if values.ndim == 1 else f" of shape {values.shape}"
        return f"an array of {values.dtype}{shape}"
    return f"a value of type {type(values).__name__}"


def _all_finite(values: NDArray[Any]) -> bool:
    """Are all of them finite: their sum tells at once, unless it is too large itself."""
    return isfinite(np.add.reduce(values)) or bool(np.isfinite(values).all())


# --- Plans of the core ---------------------------------------------------------------------------

Arrays = tuple[NDArray[Any], ...]
Entry = tuple[str, int, tuple[Ints, ...], Arrays | None]
"""A compiled module, how many columns it gives, its parameters and its inputs; None if these are
other ones for every table."""

GIVEN: Final = "given"
"""Name of the entry whose columns were computed in numpy: its only input."""

_N_TAG_IDS: Final = 128


def tag_ids(names: Iterable[str]) -> Ints:
    """Parameter of a kernel: ids of element names, -1 for a name that no element has."""
    return np.array([IDS.get(name, -1) for name in names], dtype=np.int64)


def of_tag_ids(values: Sequence[int] | NDArray[np.integer[Any]]) -> Ints:
    """Parameter of a kernel: a number for every tag id, 0 for ids that are not used."""
    parameter = np.zeros(_N_TAG_IDS, dtype=np.int64)
    parameter[: len(values)] = values
    return parameter


class Plan:
    """Which columns the compiled core computes, borrowed and checked once for all tables.

    Args:
        entries: the modules.
        thresholds: of every column of theirs, float32, ascending; None for one that nothing reads.
        raw: numbers of the columns whose values are wanted, too.

    Raises:
        ValueError, TypeError: an entry is wrong, or the thresholds do not fit the entries.
    """

    def __init__(
        self, entries: Sequence[Entry], thresholds: Sequence[Floats32 | None], raw: Sequence[int]
    ) -> None:
        nothing = np.zeros(0, dtype=np.float32)
        read = [nothing if of_column is None else of_column for of_column in thresholds]
        offsets = np.cumsum([0, *map(len, read)], dtype=np.int64)
        joined = np.concatenate([nothing, *read], dtype=np.float32)
        self._n_columns, self._n_raw = len(read), len(raw)
        basics = joined, offsets, np.array(raw, dtype=np.int64)
        self.lent = core.compiled.plan(basics, [*entries])

    def codes(self, table: BlockTable, inputs: Sequence[Arrays]) -> tuple[Codes, Floats32]:
        """Codes (C, n) of all columns, which are 0 where there is no threshold, and values (R, n).

        The code of a value is the number of thresholds that are not above it. All arrays are
        read-only.

        Args:
            table: the blocks.
            inputs: of the entries whose own are None, in their order.

        Raises:
            ValueError: a module refuses its arrays.
        """
        codes, raw = core.compiled.columns(table.batch, self.lent, [*inputs])
        n = len(table)
        return (
            core.array(codes, np.uint8).reshape(self._n_columns, n),
            core.array(raw, np.float32).reshape(self._n_raw, n),
        )
