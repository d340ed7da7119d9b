"""Read the objects of schema.org that the scripts of a page declare (JSON-LD).

Pages hold it with comments around it, with commas too many and cut off; what can be read is.
Numbers are strings as written, so that prices keep their digits and no number is too large.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any, Final

from victor.page.heads import Head

_WRAPPING: Final = re.compile(r"<!--|-->|//\s*+<!\[CDATA\[|//\s*+\]\]>|<!\[CDATA\[|\]\]>")
_REPAIRS: Final = re.compile(
    r'("(?:[^"\\]++|\\.?)*+(?:"|\Z))|,(?=\s*+[\]}])|/\*.*?(?:\*/|\Z)', re.DOTALL
)
"""Strings, which stay; commas before an end and comments, which go."""
_BAD_ESCAPE: Final = re.compile(r'(\\\\)|\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SEPARATORS: Final = re.compile(r"[\s;,\ufeff]*+")
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(u[dD][89a-fA-F]\w\w)|.)", re.DOTALL
)
"""Any escape; group 1 is half a pair, which stands for no character."""
_DECODER: Final = json.JSONDecoder(
    strict=False, parse_int=str, parse_float=str, parse_constant=lambda _: None
)
_LONGEST_TYPE: Final = 200
"""Characters."""
_MOST_MEMBERS: Final = 1_000
"""Values of one property that are read."""
_NAMES: Final = ("@value", "name", "@id")


def read(script: str) -> list[Any]:
    """The values of a script, one after the other: any JSON, but with numbers as strings.

    Comments, commas before an end, raw control characters, wrong escapes and entities are mended.
    What cannot be mended gives what stands before the fault; nothing raises. Nesting that is too
    deep for the parser is a fault. Linear in the length of the script.
    """
    text = script
    for mended in (_without_half_pairs, _unwrapped, _repaired, _unescaped):
        text = mended(text)
        if values := _decoded(text):
            return values
    return []


def objects(head: Head) -> list[Mapping[str, Any]]:
    """The objects of all JSON-LD scripts of a page in order; lists and ``@graph`` are flattened.

    Values inside an object stay as they are; `nested` walks over them. Linear in the length of the
    scripts, which are read as `read` does.
    """
    return [one for script in head.json_ld for value in read(script) for one in _flat(value)]


def nested(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    """A value, if it is an object, and all objects inside it, in document order, each once.

    In microdata one object may be several properties of another; its inside counts once, too.
    """
    waiting, seen = [value], set[int]()
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            if id(here) in seen:
                continue
            seen.add(id(here))
            yield here
            waiting += reversed([each for each in here.values() if not isinstance(each, str)])
        elif isinstance(here, list):
            waiting += reversed(here)


def types(thing: Mapping[str, Any]) -> tuple[str, ...]:
    """The types of an object in lower case without their address: ``product``; also several."""
    return tuple(
        name.rstrip("/").rpartition("/")[2].rpartition(":")[2].lower()
        for name in members(thing.get("@type"))
        if isinstance(name, str) and len(name) < _LONGEST_TYPE
    )


def members(value: object) -> list[Any]:
    """A value as the list that it may be or stand for; null is no value."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) and ("@list" in value or "@set" in value):
        value = value.get("@list", value.get("@set"))
    several = value[:_MOST_MEMBERS] if isinstance(value, list) else [value]
    return [each for each in several if each is not None]


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


def by_id(things: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    """Objects by ``@id``, for values that only refer to them; of several the largest."""
    result: dict[str, Mapping[str, Any]] = {}
    for thing in nested([*things]):
        name = thing.get("@id")
        if isinstance(name, str) and len(thing) > len(result.get(name, ())):
            result[name] = thing
    return result


def _without_half_pairs(text: str) -> str:
    has_some = "\\ud" in text or "\\uD" in text
    return _ESCAPE.sub(_whole, text) if has_some else text


def _whole(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[1] else escape[0]


def _unwrapped(text: str) -> str:
    return _WRAPPING.sub(" ", text)


def _repaired(text: str) -> str:
    return _REPAIRS.sub(_repair, text)


def _repair(match: re.Match[str]) -> str:
    string = match[1]
    if string is None:
        return ""
    return _BAD_ESCAPE.sub(lambda escape: escape[1] or "", string) if "\\" in string else string


def _unescaped(text: str) -> str:
    return unescape(text) if '"' not in text[:200] else text


def _decoded(script: str) -> list[Any]:
    """The values of a script, one after the other, up to a fault."""
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
