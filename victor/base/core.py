"""The compiled core: what it computes is defined there, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    array: Callable[[memoryview, DTypeLike], NDArray[Any]]
    """Memory that a stage filled, as an array of a type, read-only; without a call between."""


def _loaded() -> Any:  # noqa: ANN401  (its functions are typed where they are called)
    try:
        return import_module("victor._core")
    except ImportError as error:
        raise ImportError(
            "victor._core is missing or was built for another Python: install the package again, "
            "in a checkout with `pip install -e .`"
        ) from error


compiled: Any = _loaded()
"""The extension `victor._core`."""


def __getattr__(name: str) -> object:
    """`array`, once: the compiled core is there without numpy."""
    if name != "array":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from numpy import frombuffer

    globals()[name] = frombuffer
    return frombuffer
