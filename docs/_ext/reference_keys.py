"""The reference of configuration keys as Markdown, made from the schemas."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from plain_text import escaped

from victor.config.schema import Section, fields_of, inner_section


def markdown(schema: type[Section], heading: str = "##") -> list[str]:
    """Lines with a table of the keys of a schema, then a part for every section in it."""
    return [*_section(schema, "", heading)]


def paths(schema: type[Section], prefix: str = "") -> list[str]:
    """Dotted paths of all keys that hold a value."""
    keys = []
    for name in fields_of(schema):
        inner = inner_section(schema, name)
        keys += paths(inner, f"{prefix}{name}.") if inner else [prefix + name]
    return keys


def fields(struct: type[msgspec.Struct]) -> list[tuple[str, str]]:
    """Names of the fields of a struct, and their types in words."""
    return [(field.name, _kind(field.type)) for field in msgspec.structs.fields(struct)]


def _section(schema: type[Section], prefix: str, heading: str) -> Iterator[str]:
    if prefix:
        yield from (
            f"{heading} {prefix.rstrip('.')}",
            "",
            escaped(inspect.getdoc(schema) or ""),
            "",
        )
    meanings = _meanings(schema)
    yield from ("| key | type | default | meaning |", "|---|---|---|---|")
    for field in msgspec.structs.fields(schema):
        if inner_section(schema, field.name) is None:
            cells = [_kind(field.type), _default(field), meanings[field.name]]
            yield f"| `{prefix}{field.name}` | {' | '.join(map(escaped, cells))} |"
    yield ""
    for field in msgspec.structs.fields(schema):
        inner = inner_section(schema, field.name)
        if inner is not None:
            yield from _section(inner, f"{prefix}{field.name}.", heading)


def _meanings(schema: type[Section]) -> dict[str, str]:
    """Key to the string that stands below it in the source."""
    (body,) = ast.parse(inspect.getsource(schema)).body
    assert isinstance(body, ast.ClassDef)
    meanings = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(below, ast.Expr), f"{schema.__name__}.{field.target.id}: no meaning"
            assert isinstance(below.value, ast.Constant), field.target.id
            meanings[field.target.id] = " ".join(str(below.value.value).split())
    return meanings


_NAMES = {
    int: "whole number",
    float: "number",
    bool: "true, false",
    str: "text",
    type(None): "null",
}
_BOUNDS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


def _kind(kind: object) -> str:
    """A type in words, with bounds."""
    if get_origin(kind) is Annotated:
        bare, *notes = get_args(kind)
        bounds = [
            f"{sign} {value:g}"
            for note in notes
            if isinstance(note, msgspec.Meta)
            for name, sign in _BOUNDS.items()
            if (value := getattr(note, name)) is not None
        ]
        return " ".join([_kind(bare), ", ".join(bounds)]).strip()
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    if get_origin(kind) is Mapping:
        return f"table of {_kind(get_args(kind)[1])}"
    if get_origin(kind) in (tuple, list):
        return f"list of {_kind(get_args(kind)[0])}"
    if get_args(kind):
        return " or ".join(_kind(part) for part in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"{{{', '.join(kind.__struct_fields__)}}}"
    return "entry" if kind is Any or not isinstance(kind, type) else _NAMES[kind]


def _default(field: msgspec.structs.FieldInfo) -> str:
    value = field.default
    if value is msgspec.NODEFAULT:
        value = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None
    return f"`{msgspec.json.encode(value).decode()}`"
