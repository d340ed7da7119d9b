"""What arrays of model files have to be before anything computes with them.

A file may say anything. The compiled core reads memory by the numbers in these arrays, so what
passes here has the type, the shape and the range that it counts on.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Floats

Whole = TypeVar("Whole", bound=np.integer[Any])

LARGEST: Final = 1e9
"""Largest size of a weight: sums of any number of them stay finite."""


def weights(array: NDArray[Any], columns: int | None = None) -> Floats:
    """Finite floats of at most `LARGEST`, in rows of so many columns.

    Raises:
        ValueError: they are something else.
    """
    if array.dtype.kind != "f":
        raise ValueError(f"weights are floats, not {array.dtype}")
    if columns is not None and (array.ndim != 2 or array.shape[1] != columns):
        raise ValueError(f"weights come in rows of {columns}, not as {array.shape}")
    if not float(np.abs(array).max(initial=0)) <= LARGEST:  # NaN is not, either
        raise ValueError(f"a weight is not a number up to {LARGEST:g}")
    return array


def numbers(array: NDArray[Any], below: int, dtype: type[Whole]) -> NDArray[Whole]:
    """Whole numbers from 0 to below a bound, as another type.

    Raises:
        ValueError: they are something else.
    """
    if array.dtype.kind not in "iu":
        raise ValueError(f"these are whole numbers, not {array.dtype}")
    if array.size and not (int(array.min()) >= 0 and int(array.max()) < below):
        raise ValueError(f"a number is not from 0 to {below - 1}")
    return array.astype(dtype)
