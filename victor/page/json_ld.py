"""Read the objects of schema.org that the scripts of a page declare (JSON-LD).

Pages hold it with comments around it, with commas too many and cut off; what can be read is.
Numbers are strings as written, so that prices keep their digits and no number is too large.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final

from victor.page.events import Head

_WRAPPING: Final = re.compile(r"(?://|/\*)?\s*+(?:<!\[CDATA\[|\]\]>|<!--|-->)\s*+(?:\*/)?")
"""What hides a script from old browsers and XML parsers."""
_COMMA_TOO_MANY: Final = re.compile(r",\s*+(?=[}\]])")
_SEPARATORS: Final = re.compile(r"[\s;,\ufeff]*+")
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(u[dD][89a-fA-F]\w\w)|.)", re.DOTALL
)
"""Any escape; group 1 is half a pair, which stands for no character."""
_DECODER: Final = json.JSONDecoder(
    strict=False, parse_int=str, parse_float=str, parse_constant=lambda _: None
)
_NAMES: Final = ("@value", "name", "@id")


def objects(head: Head) -> list[Mapping[str, Any]]:
    """The objects of all JSON-LD scripts of a page in order; lists and ``@graph`` are flattened.

    Values inside an object stay as they are; `nested` walks over them. A script that is no JSON
    gives what stands before the fault; nothing raises. Linear in the length of the scripts.
    """
    return [one for script in head.json_ld for value in _values(script) for one in _flat(value)]


def nested(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    """A value, if it is an object, and all objects inside it, in document order."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            yield here
            waiting += reversed([*here.values()])
        elif isinstance(here, list):
            waiting += reversed(here)


def types(thing: Mapping[str, Any]) -> frozenset[str]:
    """The types of an object in lower case without their address: ``product``; also several."""
    return frozenset(
        name.rstrip("/").rpartition("/")[2].rpartition(":")[2].lower()
        for name in members(thing.get("@type"))
        if isinstance(name, str)
    )


def members(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON
    """A value as the list that it may be or stand for; nothing is an empty list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def string(value: Any) -> str:  # noqa: ANN401 - any JSON
    """A value as one line: of a list the first that has one, of an object its value, name or id.

    Character references are resolved, for many pages escape what a script need not escape.
    """
    for member in members(value):
        texts = [*map(member.get, _NAMES)] if isinstance(member, Mapping) else [member]
        for text in texts:
            if isinstance(text, str) and (line := " ".join(unescape(text).split())):
                return line
    return ""


def by_id(things: list[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Objects by ``@id``, for values that only refer to them; of several the largest."""
    result: dict[str, Mapping[str, Any]] = {}
    for thing in nested(things):
        name = thing.get("@id")
        if isinstance(name, str) and len(thing) > len(result.get(name, ())):
            result[name] = thing
    return result


def _values(script: str) -> list[Any]:
    """The values of a script, one after the other, up to a fault."""
    script = _ESCAPE.sub(_whole, script)
    values = _decoded(script)
    if values:
        return values
    return _decoded(_COMMA_TOO_MANY.sub("", _WRAPPING.sub("", script)))


def _whole(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[1] else escape[0]


def _decoded(script: str) -> list[Any]:
    values: list[Any] = []
    end = _start(script, 0)
    while end < len(script):
        try:
            value, end = _DECODER.raw_decode(script, end)
        except (ValueError, RecursionError):
            break
        values.append(value)
        end = _start(script, end)
    return values


def _start(script: str, end: int) -> int:
    """Where the next value begins."""
    between = _SEPARATORS.match(script, end)
    return between.end() if between is not None else end


def _flat(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    """The objects of a value; one that only holds a graph is no object of its own."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting += reversed(here)
        elif isinstance(here, Mapping):
            if "@graph" not in here or "@type" in here:
                yield here
            waiting.append(here.get("@graph"))
