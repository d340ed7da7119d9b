"""Decision forests as plain arrays, evaluated without the library that grew them.

Source: Breiman (2001), Random forests, Machine Learning 45.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from functools import cache
from typing import IO, Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Floats32
from victor.base.errors import ModelError
from victor.base.files import package_folder
from victor.base.lazy import cached_property

_DTYPES: Final = {
    "roots": np.int32, "feature": np.int16, "threshold": np.float32, "yes": np.int32,
    "no": np.int32,
}  # fmt: skip
_DAMAGE: Final = (
    OSError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError,
    MemoryError, BadZipFile, zlib.error,
)  # fmt: skip
"""Errors that a damaged file causes."""


@dataclass(frozen=True, eq=False)
class Forest:
    """T trees over N nodes that distinguish K classes by F features.

    A node that is its own child is a leaf.

    Raises:
        ModelError: the parts do not fit each other.
    """

    classes: tuple[str, ...]  # (K) names
    features: tuple[str, ...]  # (F) names, in the order of the columns
    roots: NDArray[np.int32]  # (T,) first node of each tree
    feature: NDArray[np.int16]  # (N,) feature that a node tests
    threshold: Floats32  # (N,) the answer is yes for values up to it
    yes: NDArray[np.int32]  # (N,) node that this answer leads to
    no: NDArray[np.int32]  # (N,) node that the other answer leads to
    shares: Floats32  # (N, K) share of each class at a node
    depth: int  # tests on the longest path

    def __post_init__(self) -> None:
        n_nodes = len(self.feature)
        nodes = np.concatenate((self.roots, self.yes, self.no))
        fits = (
            len(self.roots) > 0
            and self.shares.shape == (n_nodes, len(self.classes))
            and self.threshold.shape == self.yes.shape == self.no.shape == (n_nodes,)
            and bool(((nodes >= 0) & (nodes < n_nodes)).all())
            and bool(((self.feature >= 0) & (self.feature < len(self.features))).all())
            and bool(np.isfinite(self.shares).all() and np.isfinite(self.threshold).all())
            and 0 <= self.depth <= n_nodes
        )
        if not fits:
            raise ModelError("the forest is damaged: install the package again")

    def __call__(self, rows: NDArray[Any]) -> Floats32:
        """(n, K) mean share of each class over the trees, for (n, F) feature values."""
        memory = core.compiled.forest_shares(
            *(np.ascontiguousarray(rows, dtype=np.float32), self.roots, self._nodes, self.shares),
            *(len(self.features), len(self.classes), self.depth),
        )
        return core.array(memory, np.float32).reshape(-1, len(self.classes))

    @cached_property
    def _nodes(self) -> NDArray[np.int32]:
        """(N, 4) threshold as its bits, feature, and where yes and no lead."""
        columns = self.threshold.view(np.int32), self.feature.astype(np.int32), self.yes, self.no
        return np.ascontiguousarray(np.stack(columns, axis=1))

    def write(self, file: IO[bytes]) -> None:
        """Write the arrays, compressed and without pickle; `read` restores the forest."""
        arrays: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays["shares"] = np.round(self.shares * 255).astype(np.uint8)
        np.savez_compressed(file, **arrays)

    @classmethod
    def read(cls, file: IO[bytes]) -> Forest:
        """The forest that `write` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            with np.load(file, allow_pickle=False) as arrays:
                parts: dict[str, Any] = {field.name: arrays[field.name] for field in fields(cls)}
            parts["classes"] = tuple(parts["classes"].tolist())
            parts["features"] = tuple(parts["features"].tolist())
            if parts["shares"].dtype != np.uint8:
                raise ValueError("shares are not bytes")
            shares = np.ascontiguousarray(parts["shares"]).astype(np.float32)
            parts["shares"] = shares / np.float32(255)
            parts["depth"] = int(parts["depth"])
            for name, dtype in _DTYPES.items():
                if parts[name].ndim != 1 or parts[name].dtype != dtype:
                    raise ValueError(f"{name} is not a row of {dtype.__name__}")
            return cls(**parts)
        except (*_DAMAGE, ModelError) as error:
            raise ModelError(
                f"the forest cannot be read: {error}; install the package again"
            ) from None


@cache
def shipped(name: str) -> Forest:
    """A forest shipped with the package: ``tables`` or ``cells``.

    Raises:
        ModelError: it is damaged.
    """
    with (package_folder("victor.tables") / "forests" / f"{name}.npz").open("rb") as file:
        return Forest.read(file)
