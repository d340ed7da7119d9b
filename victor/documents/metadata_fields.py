"""Turn the metadata of a document into one structure: the same keys and types for every page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from victor.documents.schema import METADATA

_MISFIT: Final = object()
"""Result of a reader: the value does not fit its field."""
_Read: TypeAlias = Callable[[Any], Any]
_ALIASES: Final = {"authors": "author", "site": "site_name"}
"""Fields to other names for the same, which a record may have."""


def structured(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is known of a page as the fields of `METADATA` without ``more``, and all else.

    Unknown values are None, unknown lists are empty. A value that does not fit its field stays
    with all else.

    Args:
        metadata: plain data (`victor.page.plain_data.plain`).
    """
    rest = dict(metadata)
    fields = {name: _taken(rest, name, read) for name, read in _READERS.items()}
    return fields, rest


def _taken(rest: dict[str, Any], name: str, read: _Read) -> object:
    """The value of a field; it is taken out of `rest` if it fits."""
    key = name if name in rest else _ALIASES.get(name, name)
    value = read(rest.get(key))
    if value is _MISFIT:
        return read(None)
    rest.pop(key, None)
    return value


def _string(value: object) -> object:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else _MISFIT


def _strings(value: object) -> object:
    if not isinstance(value, list):
        one = _string(value)
        return one if one is _MISFIT else [] if one is None else [one]
    texts = [_string(each) for each in value]
    return _MISFIT if _MISFIT in texts else [each for each in texts if each is not None]


def _pairs(names: Sequence[str]) -> _Read:
    """Reads a mapping, or a list of mappings that have these two keys."""
    first, second = names

    def read(value: object) -> object:
        if value is None:
            return []
        if isinstance(value, Mapping):
            return _fitting({first: key, second: inner} for key, inner in value.items())
        return _fitting(value) if isinstance(value, list) else _MISFIT

    def _fitting(pairs: Iterable[object]) -> object:
        listed = list(pairs)
        return listed if all(map(_fits, listed)) else _MISFIT

    def _fits(pair: object) -> bool:
        return (
            isinstance(pair, Mapping)
            and pair.keys() == {first, second}
            and all(isinstance(each, str) for each in pair.values())
        )

    return read


def _reader(name: str) -> _Read:
    kind = METADATA[name]
    if not isinstance(kind, list):
        return _string
    return _pairs([*kind[0]]) if isinstance(kind[0], Mapping) else _strings


_READERS: Final[Mapping[str, _Read]] = {name: _reader(name) for name in METADATA if name != "more"}
