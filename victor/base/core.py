"""The compiled core, where there is one; the Python path defines what it computes.

A function with a compiled twin asks `compiled` first. The environment variable ``VICTOR_PURE=1``
keeps the Python path.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    array: Callable[[memoryview, DTypeLike], NDArray[Any]]
    """Memory that a stage filled, as an array of a type, read-only; without a call between."""

PURE: Final = "VICTOR_PURE"
"""Environment variable: 1 means that nothing compiled is used."""


def _loaded() -> Any:  # noqa: ANN401  (its functions are typed where they are called)
    """The extension if it was built and is wanted."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return None
    try:
        return import_module("victor._core")
    except ImportError:
        return None


compiled: Any = _loaded()
"""The extension `victor._core`, None on the Python path."""


def path_name() -> str:
    """Which of the two runs: ``compiled`` or ``python``."""
    return "python" if compiled is None else "compiled"


def __getattr__(name: str) -> object:
    """`array`, once: the name of the path is known without numpy."""
    if name != "array":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from numpy import frombuffer

    globals()[name] = frombuffer
    return frombuffer
