"""Convert any value to data that JSON and UTF-8 can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

_DEEPEST: Final = 32
_LARGEST: Final = 2**63


def valid(text: str) -> str:
    """A text without surrogates, which UTF-8 cannot hold: pairs are joined, others are U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain(value: Any, depth: int = 0) -> Any:  # noqa: ANN401  (JSON values)
    """A value as JSON can hold it: else it becomes text; None if nested too deep or not finite."""
    if isinstance(value, str):
        return valid(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if -_LARGEST <= value < _LARGEST else str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth == _DEEPEST:
        return None
    if isinstance(value, Mapping):
        return {valid(str(key)): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]
    return valid(str(value))
