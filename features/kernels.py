"""Plans of the core: which of its functions compute the columns of feature modules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Codes, Floats32, Ints
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable

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
