"""What neighbouring labels are worth, by how the two blocks lie to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import FeatureError, ModelError
from victor.base.labels import Label
from victor.features.base import Bag, ColumnValues
from victor.model import archive
from victor.model.crf.marginals import Factors

MOST_KINDS: Final = 64
"""Kinds of edge at most."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Log potentials of the labels of two neighbouring blocks.

    Attributes:
        values: (K, L, L) float64 by kind of edge; a label (row) is followed by another (column).
        column: the column that says the kind of the edge to the block before; None if there is
            one kind.

    Raises:
        ModelError: the numbers are not those of L labels, or not finite.
    """

    values: Floats
    column: str | None = None

    def __post_init__(self) -> None:
        shape = (len(Label), len(Label))
        if (
            self.values.ndim != 3
            or self.values.shape[1:] != shape
            or not 1 <= len(self.values) <= MOST_KINDS
        ):
            raise ModelError("the edges of the model are not those of its labels: train it again")
        if not np.isfinite(self.values).all():
            raise ModelError("the edges of the model are not all finite: train it again")

    @classmethod
    def alike(cls, transitions: Floats) -> Edges:
        """Edges of one kind, given their (L, L) log potentials."""
        return cls(np.asarray(transitions, dtype=np.float64)[None])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return () if self.column is None else (self.column,)

    @cached_property
    def factors(self) -> Factors:
        """What `victor.model.crf.marginals` makes of the values, once for all pages."""
        return Factors(self.values)

    def kinds(self, columns: Mapping[str, ColumnValues], n: int) -> Ints:
        """(n,) kind of the edge to the block before; unknown kinds count as the last one.

        Raises:
            FeatureError: the column is missing.
        """
        if self.column is None:
            return np.zeros(n, dtype=np.int64)
        return kinds_of(columns, self.column, len(self.values))

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        return {"column": self.column}, {"edges": self.values}

    @classmethod
    def from_arrays(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Edges:
        """The edges that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            column = document["column"]
            values = archive.weights(arrays["edges"]).astype(np.float64)
            return cls(values, None if column is None else str(column))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the edges are damaged: {error!r}; train the model again") from None


def kinds_of(columns: Mapping[str, ColumnValues], name: str, count: int) -> Ints:
    """(n,) kinds of edge that a column says, at most `count` of them.

    Raises:
        FeatureError: the column is missing.
    """
    values = columns.get(name)
    if values is None or isinstance(values, Bag):
        raise FeatureError(f"the edges need column {name}: switch its feature on or retrain")
    # `np.clip` takes as long as all else for a small page.
    return np.minimum(np.maximum(values.astype(np.int64), 0), count - 1)
