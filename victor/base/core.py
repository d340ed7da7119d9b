"""The compiled core, which reads, measures and labels pages: `core.compiled`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy import frombuffer

from victor.base.errors import VictorError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

try:
    import victor._core as compiled
except ModuleNotFoundError:
    raise VictorError(
        "the compiled core is missing, for this checkout was not built: "
        "run `pip install -e .` in its folder"
    ) from None

__all__ = ["array", "compiled"]

array: Callable[[memoryview, DTypeLike], NDArray[Any]] = frombuffer
"""Memory that a stage filled, as an array of a type, read-only; without a call between."""
