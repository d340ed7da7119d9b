"""Sections: tables of keys with types and bounds, read from plain data with every mistake named."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Final, Literal, Self, TypeGuard, TypeVar, get_args, get_origin

import msgspec

from victor.base.errors import ConfigError, hint

Count = Annotated[int, msgspec.Meta(ge=0)]
PositiveInt = Annotated[int, msgspec.Meta(ge=1)]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Numbers with their bounds."""


class Section(msgspec.Struct, frozen=True):
    """What all schemas and their parts have in common: immutable, and checked when made.

    A field says its type and bounds as ``Annotated[int, Meta(ge=1)]``; a function in place of the
    `Meta` reads the value first and raises ValueError for what it refuses. The string below a field
    says what it means.

    Raises:
        ConfigError: a value is of another type or out of bounds.
    """

    def __post_init__(self) -> None:
        errors: list[str] = []
        for name, kind in fields_of(type(self)).items():
            given = getattr(self, name)
            value = _read_value(kind, given, name, errors)
            if not errors and value is not given:  # one that stands for a list of itself
                msgspec.structs.force_setattr(self, name, value)
        if errors:
            raise ConfigError(f"{type(self).__name__}{listed(errors)}")

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The same keys, those that change a value of the layer below with the value they make.

        Args:
            layer: keys of a file or of an override.
            below: keys of the layers below.
            where: what to name in messages.

        Raises:
            ConfigError: they do not fit what lies below.
        """
        return dict(layer)

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys with what they name by path read in, or the paths made absolute.

        Args:
            layer: keys of a file or of an override, checked; those with a plus sign, too.
            directory: paths among the values are relative to it.
            where: what to name in messages.

        Raises:
            ConfigError, FeatureError: what they name cannot be read.
        """
        return dict(layer)

    def replace(self, **changes: Any) -> Self:  # noqa: ANN401  (values of any field)
        """The same section but for some of its keys.

        Raises:
            ConfigError: a value is of another type or out of bounds.
        """
        return msgspec.structs.replace(self, **changes)

    def to_data(self) -> dict[str, Any]:
        """Plain data that JSON and YAML can hold, keys in the order of the schema."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def dump(self) -> str:
        """The configuration as YAML that is read again."""
        from victor.config import plain_yaml  # models hold JSON

        return plain_yaml.dump(self.to_data())


AnySection = TypeVar("AnySection", bound=Section)


def from_data(schema: type[AnySection], data: object, where: str) -> AnySection:
    """A section of plain data.

    Args:
        schema: the section.
        data: what YAML or JSON held.
        where: what to name in messages.

    Raises:
        ConfigError: the data do not fit the schema; it names every wrong key.
    """
    errors: list[str] = []
    section = _read_section(schema, data, "", errors, schema)
    if section is None or errors:
        raise ConfigError(f"{where}{listed(errors)}")
    return section


@lru_cache(maxsize=256)
def fields_of(schema: type[Section]) -> dict[str, Any]:
    """Name to type of the keys of a section."""
    return {field.name: field.type for field in msgspec.structs.fields(schema)}


def inner_section(schema: type[Section], key: object) -> type[Section] | None:
    """The section that a key leads to; None if there is no such key or it holds a value."""
    kind = _bare(fields_of(schema).get(str(key)))
    return kind if is_section(kind) else None


def is_table(schema: type[Section], key: object) -> bool:
    """Does a key hold a table whose keys are free, such as one of columns."""
    return get_origin(_bare(fields_of(schema).get(str(key)))) is Mapping


def default_list(schema: type[Section], key: object) -> tuple[Any, ...] | None:
    """What a key that holds a list has by default; None for any other key."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(schema)}
    default = defaults.get(str(key))
    return default if isinstance(default, tuple) else None


def is_section(kind: object) -> TypeGuard[type[Section]]:
    """Is a type a section."""
    return isinstance(kind, type) and issubclass(kind, Section)


def listed(lines: Sequence[str]) -> str:
    """One error after a colon, more below each other."""
    return f": {lines[0]}" if len(lines) == 1 else "".join(f"\n  {line}" for line in lines)


def _read_section(
    schema: type[AnySection], data: object, path: str, errors: list[str], top: type[Section]
) -> AnySection | None:
    """The section, or None and lines about what is wrong; `path` ends in a dot or is empty."""
    if not isinstance(data, Mapping):
        name = path.rstrip(".")
        errors.append(f"{name}: should be a table of keys, got {shortened(data)}")
        return None
    values = {}
    fields = fields_of(schema)
    before = len(errors)
    for key, value in data.items():
        inner = inner_section(schema, key)
        if key not in fields:
            errors.append(f"{path}{key}: unknown key{_hint_for_key(top, schema, str(key))}")
        elif inner is not None:
            values[key] = _read_section(inner, value, f"{path}{key}.", errors, top)
        else:
            values[key] = _read_value(fields[key], value, f"{path}{key}", errors)
    if len(errors) > before:
        return None
    try:
        return schema(**values)
    except ValueError as error:  # of a check over several keys
        errors.append(f"{path.rstrip('.')}: {error}")
        return None


def _read_value(kind: Any, value: object, path: str, errors: list[str]) -> Any:  # noqa: ANN401
    """The value as its type has it; what is wrong becomes a line."""
    if get_origin(_bare(kind)) is Mapping and isinstance(value, Mapping):
        entry = get_args(_bare(kind))[1]
        return {
            key: _read_value(entry, item, f"{path}.{key}", errors) for key, item in value.items()
        }
    if get_origin(_bare(kind)) is Literal and value not in get_args(_bare(kind)):
        choices = " or ".join(map(repr, get_args(_bare(kind))))
        errors.append(f"{path}: should be {choices}, got {shortened(value)}")
        return None
    try:
        for read in _readers(kind):
            value = read(value)
        if isinstance(value, float):
            value = float(value)  # msgspec refuses subclasses, such as the numbers of NumPy
            if not math.isfinite(value):
                raise ValueError(f"should be a finite number, got {value}")
        return value if isinstance(value, Section) else msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        wanted = _range(kind, value) or _in_words(str(error))
        item = re.sub(r"\[(\d+)\]", r".\1", _item(error))
        errors.append(f"{path}{item}: should be {wanted}, got {shortened(value)}")
    except ValueError as error:
        errors.append(f"{path}: {error}")
    return None


def _readers(kind: object) -> list[Callable[[object], object]]:
    """The functions that stand beside a type."""
    return [note for note in getattr(kind, "__metadata__", ()) if callable(note)]


def _bare(kind: object) -> object:
    """A type without what is noted beside it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _item(error: msgspec.ValidationError) -> str:
    """Where in a value msgspec says that something is wrong, as it writes it."""
    return str(error).partition(" - at `$")[2].removesuffix("`")


_WORDS: Final = {
    "`object`": "a table",
    "`array`": "a list",
    "`float`": "a number",
    "`int`": "a whole number",
    "`bool`": "true or false",
    "`str`": "text",
    "| null`": "or null",
}


def _in_words(message: str) -> str:
    """What msgspec says of a value, without the names of types.

    >>> _in_words("Expected `float` >= 0.0 - at `$.c2`")
    'a number >= 0.0'
    """
    message = message.partition(" - at `")[0].partition(", got `")[0]
    for name, words in _WORDS.items():
        message = message.replace(name, words).replace(f"{name[:-1]} | null`", f"{words} or null")
    return message.removeprefix("Expected ")


def _range(kind: object, value: object) -> str:
    """What a number should be that has a least and a largest value; empty for other types."""
    for note in getattr(kind, "__metadata__", ()):
        both = isinstance(note, msgspec.Meta) and note.ge is not None and note.le is not None
        if both and isinstance(value, int | float) and not isinstance(value, bool):
            return f"from {note.ge} to {note.le}"
    return ""


def _hint_for_key(top: type[Section], schema: type[Section], key: str) -> str:
    """The path of a key of that name elsewhere, else the nearest key of the same section."""
    name, plus, _ = key.partition("+")
    if plus and name in fields_of(schema):
        return f": {name} is no list; {name} alone changes it"
    elsewhere = [path for path in _paths(top) if path.split(".")[-1] == name]
    if elsewhere:
        return f", did you mean {elsewhere[0]}{plus}?"
    known = [
        name for name in fields_of(schema) if not plus or default_list(schema, name) is not None
    ]
    return hint(key, [*(name + plus for name in known), *(["base"] if schema is top else [])])


def _paths(schema: type[Section]) -> list[str]:
    """Dotted paths of all keys."""
    inner = {name: inner_section(schema, name) for name in fields_of(schema)}
    below = [
        f"{name}.{key}" for name, section in inner.items() if section for key in fields_of(section)
    ]
    return [*inner, *below]
