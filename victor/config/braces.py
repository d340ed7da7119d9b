"""Alternatives and ranges in braces: ``char.{alpha,num}``, ``{-2..2}``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from victor.config.section import listed
from victor.errors import ConfigError, hint

_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_RANGE: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")
_LONGEST_RANGE: Final = 200


def expand(text: str) -> list[str]:
    """All expansions of the brace alternatives and integer ranges in a string, in order."""
    braces = _BRACES.search(text)
    if braces is None:
        if "{" in text or "}" in text:
            raise ConfigError(f"unbalanced or nested braces in {text!r}")
        return [text]
    head, tail = text[: braces.start()], expand(text[braces.end() :])
    middle = [choice for part in braces[1].split(",") for choice in _choices(part.strip(), text)]
    return [head + choice + rest for choice in middle for rest in tail]


def _choices(part: str, text: str) -> Iterable[str]:
    """One alternative between braces: itself, or the numbers of its range."""
    bounds = _RANGE.fullmatch(part)
    if not part or (".." in part and bounds is None):
        raise ConfigError(f"cannot expand {text!r}: write {{a,b}} or {{-3..3}}")
    if bounds is None:
        return [part]
    first, last = int(bounds[1]), int(bounds[2])
    if not 0 <= last - first <= _LONGEST_RANGE:
        raise ConfigError(f"cannot expand {text!r}: a range goes from low to high, e.g. {{-3..3}}")
    return map(str, range(first, last + 1))


def expand_discretizers(
    discretize: Mapping[str, Any], columns: Collection[str]
) -> dict[str, str | Mapping[str, Any]]:
    """One discretizer per column, the alternatives in braces written out; later entries win.

    Args:
        discretize: `Config.discretize`; its entry ``default`` is left out.
        columns: the columns that the configured features give.

    Raises:
        ConfigError: entries name columns that no configured feature gives.

    >>> expand_discretizers({"char.{alpha,num}": "bool"}, ["char.alpha", "char.num"])
    {'char.alpha': 'bool', 'char.num': 'bool'}
    """
    expanded = {
        name: discretizer
        for key, discretizer in discretize.items()
        if key != "default"
        for name in expand(key)
    }
    unknown = [name for name in expanded if name not in columns]
    if unknown:
        remedy = "correct the name, configure its feature module, or set the entry to null"
        lines = [f"{name}{hint(name, columns)}" for name in unknown]
        raise ConfigError(f"discretize: no feature gives these columns; {remedy}{listed(lines)}")
    return expanded
