"""Every regular expression that a module of the package holds, with the ways it is used.

What a function makes, out of its arguments or for a single call, is none of these: `BUILT` of the
tests has examples of it.
"""

import importlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import regex

from tests.modules import modules

WAY_OF_METHOD = {
    "match": "match", "search": "search", "fullmatch": "fullmatch", "finditer": "finditer",
    "findall": "finditer", "sub": "finditer", "subn": "finditer", "split": "finditer",
}  # fmt: skip
ALL_WAYS = frozenset(WAY_OF_METHOD.values())


class Expression(NamedTuple):
    """A pattern: the module and the name that hold it, what it is, and how it is used."""

    where: str
    pattern: Any
    ways: frozenset[str]


def expressions() -> Iterator[Expression]:
    """All patterns of all modules."""
    sources = modules()
    whole = "\n".join(sources.values())
    for module, source in sources.items():
        if module.endswith("__main__"):
            continue
        held = vars(importlib.import_module(module))
        for name in re.findall(r"(?m)^(\w+)(?:: [^=\n]+)? = ", source):
            users = source if name.startswith("_") else whole
            for pattern in _patterns(held.get(name)):
                yield Expression(f"{module}:{name}", pattern, _ways(name, users))


def _patterns(value: object) -> Iterator[Any]:
    """A pattern, or those of a container."""
    match value:
        case re.Pattern() | regex.Pattern():
            yield value
        case dict():
            yield from _patterns([*value.values()])
        case list() | tuple() if len(value) < 100:
            for each in value:
                yield from _patterns(each)
        case _ if type(value).__name__ == "_Pattern":  # of victor.base.lazy
            yield re.compile(value.pattern, value.flags)


def _ways(name: str, sources: str) -> frozenset[str]:
    """How the pattern of a name is used; in any other place than a call of a method, all ways.

    A call of `match` with a position is one of many, each where the last match ended: `steps`.
    """
    uses = re.findall(
        rf"\b{name}\b(?!\s*[:=])(?:\.(\w+)(\([^()]*(?:\([^()]*\)[^()]*)*,)?)?", sources
    )
    ways = set()
    for method, is_with_position in uses:
        if method in ("pattern", "flags"):
            continue
        if method not in WAY_OF_METHOD:
            return ALL_WAYS
        if is_with_position and method in ("match", "search"):
            ways.add("steps" if method == "match" else "finditer")
        else:
            ways.add(WAY_OF_METHOD[method])
    return frozenset(ways) or ALL_WAYS
