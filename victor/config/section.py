"""Sections: tables of keys with types and bounds, which msgspec reads and checks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Literal, Self, TypeGuard, TypeVar, get_args, get_origin

import msgspec

from victor.base.errors import ConfigError, hint
from victor.config import plain_yaml

Count = Annotated[int, msgspec.Meta(ge=0)]
PositiveInt = Annotated[int, msgspec.Meta(ge=1)]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Numbers with their bounds."""


class _WrongValueError(ConfigError, ValueError):
    """A wrong value; msgspec adds the path of a ValueError."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all schemas and their parts have in common: immutable, and checked when made.

    A field says its type and bounds as ``Annotated[int, Meta(ge=1)]``; a function beside the type
    raises ValueError for what it refuses. The string below a field says what it means.

    Raises:
        ConfigError: a value is of another type or out of bounds.
    """

    def __post_init__(self) -> None:
        for name, kind in fields_of(type(self)).items():
            given = getattr(self, name)
            try:
                if isinstance(given, float) and not math.isfinite(given):
                    raise ValueError(f"should be a finite number, got {given}")
                value = msgspec.convert(_value(type(self), name, given, ""), kind)
                for check in getattr(kind, "__metadata__", ()):
                    if callable(check):
                        check(value)
            except _WrongValueError:
                raise
            except (msgspec.ValidationError, ValueError) as error:
                raise _WrongValueError(f"{name}: {error}") from None
            if value is not given:
                msgspec.structs.force_setattr(self, name, value)

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The keys of a file or override, what changes values below as the values it makes."""
        return dict(layer)

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The keys with what they name by path read in; paths are relative to a directory."""
        return dict(layer)

    def replace(self, **changes: Any) -> Self:  # noqa: ANN401  (values of any field)
        """The same section but for some of its keys; raises as the section itself."""
        return msgspec.structs.replace(self, **changes)

    def to_data(self) -> dict[str, Any]:
        """Plain data that JSON and YAML can hold, keys in the order of the schema."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def dump(self) -> str:
        """The configuration as YAML that is read again."""
        return plain_yaml.dump(self.to_data())


class Flat(Section, frozen=True):
    """A schema in one table, whose keys users may write with dots or as tables.

    What each key means stands beside its default in the shipped YAML file.
    """

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The keys, parts of their names joined by underscores."""
        return dict(_joined(layer, "", fields_of(cls)))

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """As `written_out`, for keys whose lists are added to."""
        return cls.written_out(layer, {}, where)


def _joined(
    layer: Mapping[str, Any], above: str, known: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for key, value in layer.items():
        name = above + str(key).replace(".", "_")
        if isinstance(value, Mapping) and name not in known:
            yield from _joined(value, f"{name}_", known)
        else:
            yield name, value


AnySection = TypeVar("AnySection", bound=Section)


def from_data(schema: type[AnySection], data: object, where: str) -> AnySection:
    """A section of plain data; one text may stand for a list of itself.

    Args:
        schema: the section.
        data: what YAML or JSON held.
        where: what to name in messages.

    Raises:
        ConfigError: the data do not fit the schema; it says where, and what may be meant.
    """
    try:
        return msgspec.convert(_read(schema, data, "", schema), schema)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        path = f"{path.strip('.`')}: " if path else ""
        raise ConfigError(f"{where}: {path}{message}") from None
    except _WrongValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _read(schema: type[Section], data: object, path: str, top: type[Section]) -> object:
    """The data as msgspec takes them, their keys and choices checked."""
    if not isinstance(data, Mapping):
        return data
    read = {}
    for key, value in data.items():
        inner = inner_section(schema, key)
        if key not in fields_of(schema):
            guess = _guess(top, schema, str(key))
            raise _WrongValueError(f"{path}{key}: unknown key{guess}")
        if inner is not None:
            read[key] = _read(inner, value, f"{path}{key}.", top)
        else:
            read[key] = _value(schema, key, value, path)
    return read


def _value(schema: type[Section], key: object, value: object, path: str) -> object:
    """A value as msgspec takes it, one of the choices; one text may stand for a list of itself."""
    kind = _bare(schema, key)
    if isinstance(value, str) and get_origin(kind) is tuple:
        return [value]
    if get_origin(kind) is Literal and value not in get_args(kind):
        choices = " or ".join(map(repr, get_args(kind)))
        raise _WrongValueError(f"{path}{key}: should be {choices}, got {shortened(value)}")
    return _plain(value)


def _bare(schema: type[Section], key: object) -> object:
    """The type of a key without what is noted beside it; None if there is no such key."""
    kind = fields_of(schema).get(str(key))
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _plain(value: object) -> object:
    """A number without the type that NumPy gives it, which msgspec refuses."""
    return float(value) if isinstance(value, float) else value


def _guess(top: type[Section], schema: type[Section], key: str) -> str:
    """The path of a key of that name elsewhere, else the nearest key of the same section."""
    name, plus, _ = key.partition("+")
    if plus and name in fields_of(schema):
        return f": {name} is no list; {name} alone changes it"
    inner = {name: inner_section(top, name) for name in fields_of(top)}
    for above, section in inner.items():
        if section is not None and section is not schema and name in fields_of(section):
            return f", did you mean {above}.{name}{plus}?"
    if name in inner and schema is not top:
        return f", did you mean {name}{plus}?"
    known = [n for n in fields_of(schema) if not plus or default_list(schema, n) is not None]
    return hint(key, [*(n + plus for n in known), *(["base"] if schema is top else [])])


@lru_cache(maxsize=256)
def fields_of(schema: type[Section]) -> dict[str, Any]:
    """Name to type of the keys of a section."""
    return {field.name: field.type for field in msgspec.structs.fields(schema)}


def inner_section(schema: type[Section], key: object) -> type[Section] | None:
    """The section that a key leads to; None if there is no such key or it holds a value."""
    kind = fields_of(schema).get(str(key))
    return kind if is_section(kind) else None


def is_section(kind: object) -> TypeGuard[type[Section]]:
    """Is a type a section."""
    return isinstance(kind, type) and issubclass(kind, Section)


def is_table(schema: type[Section], key: object) -> bool:
    """Does a key hold a table whose keys are free, such as one of columns."""
    return get_origin(_bare(schema, key)) is Mapping


def default_list(schema: type[Section], key: object) -> tuple[Any, ...] | None:
    """What a key that holds a list has by default; None for any other key."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(schema)}
    default = defaults.get(str(key))
    return default if isinstance(default, tuple) else None
