"""Alternatives and ranges in braces: ``char.{alpha,num}``, ``{-2..2}``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from reprlib import repr as shortened
from typing import Any, Final

from victor.base.errors import ConfigError, nearest

_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_RANGE: Final = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
_LONGEST_RANGE: Final = 200
_MOST: Final = 10_000
"""Names that a string may stand for."""
_MOST_NAMED: Final = 3
REMEDY: Final = (
    "correct the name, add its module (`features+: [MODULE]`) or set the entry to null; "
    "`features-: [MODULE]` leaves a module of the base out with its entries"
)
"""What helps where a column is named that no feature gives."""


def expand(text: str) -> list[str]:
    """All expansions of the brace alternatives and integer ranges in a string, in order."""
    expanded, end = [""], 0
    for braces in _BRACES.finditer(text):
        head, end = _plain(text, end, braces.start()), braces.end()
        choices = [each for part in braces[1].split(",") for each in _choices(part.strip(), text)]
        if len(expanded) * len(choices) > _MOST:
            raise ConfigError(f"{shortened(text)} stands for more than {_MOST:,} names")
        expanded = [start + head + choice for start in expanded for choice in choices]
    rest = _plain(text, end, len(text))
    return [start + rest for start in expanded]


def _plain(text: str, start: int, end: int) -> str:
    """What stands between braces."""
    part = text[start:end]
    if "{" in part or "}" in part:
        raise ConfigError(f"unbalanced or nested braces in {shortened(text)}")
    return part


def _choices(part: str, text: str) -> Iterable[str]:
    """One alternative between braces: itself, or the numbers of its range."""
    bounds = _RANGE.fullmatch(part)
    if not part or (".." in part and bounds is None):
        raise ConfigError(f"cannot expand {shortened(text)}: write {{a,b}} or {{-3..3}}")
    if bounds is None:
        return [part]
    low, high = int(bounds[1]), int(bounds[2])
    if not 0 <= high - low <= _LONGEST_RANGE:
        raise ConfigError(
            f"cannot expand {shortened(text)}: a range goes from low to high, e.g. {{-3..3}}"
        )
    return map(str, range(low, high + 1))


def _some(unknown: Sequence[str], columns: Collection[str]) -> str:
    """The first few names, each with the nearest that is known, and how many more there are."""
    guesses = [f"{name}{nearest(name, columns)}" for name in unknown[:_MOST_NAMED]]
    more = len(unknown) - len(guesses)
    return "; ".join(guesses) + (f"; and {more} more" if more else "")


def without_columns(discretize: Mapping[str, Any], columns: Collection[str]) -> dict[str, Any]:
    """`Config.discretize` without some columns; of braces the other alternatives stay.

    >>> without_columns({"default": "bool", "char.{alpha,num}": "bool"}, ["char.num"])
    {'default': 'bool', 'char.alpha': 'bool'}
    """
    kept: dict[str, Any] = {}
    for key, discretizer in discretize.items():
        names = expand(key)
        others = [name for name in names if name not in columns]
        kept |= dict.fromkeys([key] if others == names else others, discretizer)
    return kept


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
        raise ConfigError(f"discretize: no feature gives {_some(unknown, columns)}; {REMEDY}")
    return expanded
