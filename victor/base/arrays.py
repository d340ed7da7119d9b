"""Names for the kinds of arrays that columns are made of, and sums over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]  # counts, offsets, row numbers
Floats = NDArray[np.float64]  # measures, scores, probabilities
Floats32 = NDArray[np.float32]
"""Columns and scores of the hot path, where half the memory is half the time."""
Bools = NDArray[np.bool_]  # masks
Codes = NDArray[np.uint8]  # discretised columns
Chars = NDArray[np.uint32]  # code points
Hashes = NDArray[np.uint64]  # numbers modulo 2^64
Labels = NDArray[np.uint8]  # `victor.base.labels.Label` of blocks, or ``UNLABELLED``


@dataclass_transform()
class ReadOnlyColumns:
    """Base of tables whose columns nobody may write to, those of copies included.

    Columns may be those of a batch of the core, of which arrays are made when they are first asked
    for: most are not, and a small page has little time for each. For the same reason no table is a
    dataclass, which takes longer to make than such a page to clean.
    """

    PREFIX: ClassVar[str] = ""
    TYPES: ClassVar[Mapping[str, type[np.generic]]] = {}
    """Columns that may be such ones, in the order of the core, which knows them with the prefix."""

    @classmethod
    def of_batch(cls, batch: Any, **others: object) -> Self:  # noqa: ANN401  (of the core)
        """A table of the columns of a batch, and of its other fields."""
        table = object.__new__(cls)
        table.__dict__.update(others, batch=batch)
        return table

    if not TYPE_CHECKING:  # fields have their types

        def __init__(self, *fields: object, **others: object) -> None:
            self.__dict__.update(zip(self.field_names(), fields, strict=False), **others)

        def __getattr__(self, name: str) -> NDArray[Any]:
            if name not in self.TYPES or "batch" not in self.__dict__:
                object.__getattribute__(self, name)  # raises the usual error
            memory = self.__dict__["batch"].array(f"{self.PREFIX}{name}")
            self.__dict__[name] = column = np.frombuffer(memory, self.TYPES[name])
            return column

    def columns(self) -> tuple[NDArray[Any], ...]:
        """The columns in the order of the core."""
        return tuple([getattr(self, name) for name in self.TYPES])

    def replace(self, **changes: object) -> Self:
        """The same table but for some of its fields, no longer of a batch."""
        return type(self)(**{name: getattr(self, name) for name in self.field_names()} | changes)

    @classmethod
    def field_names(cls) -> list[str]:
        """Names of the fields in order."""
        return [name for name in cls.__annotations__ if name.islower()]

    def freeze(self) -> None:
        """Make every array of the table and of the tables inside it read-only."""
        for column in vars(self).values():
            if isinstance(column, np.ndarray):
                column.flags.writeable = False
            elif isinstance(column, ReadOnlyColumns):
                column.freeze()

    def __getstate__(self) -> dict[str, Any]:
        """What is copied: arrays, and no batch."""
        state = {**vars(self), **dict(zip(self.TYPES, self.columns(), strict=True))}
        state.pop("batch", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was copied, here or in another process; numpy's copies are writable."""
        self.__dict__.update(state)
        self.freeze()


Items = TypeVar("Items", bound=np.generic)


def unchanging(values: NDArray[Items]) -> NDArray[Items]:
    """The same values in memory that nothing can write to, so that the core need not copy them."""
    return np.frombuffer(values.tobytes(), values.dtype)


def prefix_sums(values: NDArray[np.generic]) -> Ints:
    """(m + 1,) sums of the integers or flags before each of m places, and of all of them."""
    sums = np.empty(len(values) + 1, dtype=np.int64)
    sums[0] = 0
    # Converted here, for `accumulate` would do so in another array as large.
    sums[1:] = values
    np.add.accumulate(sums, out=sums)
    return sums


def window_sums(values: NDArray[np.generic], offsets: Ints) -> Ints:
    """Sums of integers over the consecutive windows that offsets cut; empty windows give 0."""
    before = prefix_sums(values)[offsets]
    return before[1:] - before[:-1]


def span_indices(start: Ints, length: Ints) -> Ints:
    """The indices in spans of so many places each, one span after the other.

    >>> span_indices(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    first = start - np.cumsum(length) + length
    return np.arange(length.sum()) + np.repeat(first, length)
