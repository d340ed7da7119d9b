"""Configurations from files: layers over layers, and ``a.b=c`` over all of them.

A layer is put over the one below it as RFC 7386 (JSON merge patch) says: tables merge key by key,
lists and values replace, and null takes a key back to the default of the schema. ``KEY+`` adds to
the list below; that of feature modules has more (`victor.config.modules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from victor.base.errors import ConfigError
from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.config.modules import as_list
from victor.config.plain_yaml import CONFIGS, locate, shipped
from victor.config.schema import (
    AnySection,
    Config,
    Section,
    default_list,
    fields_of,
    from_data,
    inner_section,
    is_table,
)


def names() -> tuple[str, ...]:
    """Names of the shipped configurations of models, sorted; those of other labelers left out."""
    folder = package_folder(CONFIGS)
    files = {name: plain_yaml.read(folder / f"{name}.yaml") for name in shipped(CONFIGS)}
    return tuple(name for name, data in files.items() if "labeler" not in data)


def load(source: str | Path | None, overrides: Sequence[str] = ()) -> Config:
    """Load a configuration and resolve its template.

    Args:
        source: name of a shipped configuration (`names`) or path of a YAML file, which may say
            ``base: NAME or path`` (relative to the file) to change another one, and e.g.
            ``features+`` to add to its list; None for the defaults of the schema, which have
            neither features nor a template.
        overrides: ``key=value``, the value in YAML, e.g. ``"crf.c2=5"`` or
            ``"discretize.char.alpha-rel={scale: 10}"``; later ones win.

    Raises:
        ConfigError: a file is missing or malformed, or a key or value is wrong; it names every
            wrong key of the file or of the overrides.
        FeatureError: a feature module that it names by path is missing or is no text. It is read,
            and not run.

    >>> load(None, ["crf.c2=5"]).crf.c2
    5.0
    """
    return load_as(Config, source, overrides)


def load_as(
    schema: type[AnySection], source: str | Path | None, overrides: Sequence[str] = ()
) -> AnySection:
    """Load what another schema describes, by the rules of `load`."""
    return from_data(schema, load_data(schema, source, overrides), "--set")


def load_data(
    schema: type[Section], source: str | Path | None, overrides: Sequence[str] = ()
) -> dict[str, Any]:
    """The keys that a source and overrides name, checked; put over others, they change these."""
    data: dict[str, Any] = {}
    if source is not None:
        data = _read_layers(schema, source, Path(), where="configuration")
    layers = [_parsed_override(schema, override) for override in overrides]
    return _put_over(schema, data, layers, Path(), "--set")


def _read_layers(
    schema: type[Section],
    source: object,
    directory: Path,
    *,
    where: str,
    seen: tuple[Path, ...] = (),
) -> dict[str, Any]:
    """Keys of a file over those of its base; `where` is the place that names the file.

    Every layer is checked before the next is put over it, so whatever is wrong is wrong in the
    uppermost one, which the message names.
    """
    path = locate(source, CONFIGS, directory, where)
    if path.resolve() in seen:
        raise ConfigError(f"{path}: its `base` leads back to itself; remove the key")
    content = plain_yaml.read(path)
    data = {} if content is None else content
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: a configuration is a table of keys, got {shortened(data)}")
    layer = {key: value for key, value in data.items() if key != "base"}
    base = data.get("base")
    below = {}
    if base is not None:
        seen = (*seen, path.resolve())
        below = _read_layers(schema, base, path.parent, where=f"{path}: base", seen=seen)
    return _put_over(schema, below, [layer], path.parent, str(path))


def _put_over(
    schema: type[Section],
    below: dict[str, Any],
    layers: Sequence[Mapping[str, Any]],
    directory: Path,
    where: str,
) -> dict[str, Any]:
    """Layers over what lies below, each over the one before, their paths from a directory."""

    def merged(above: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        data = below
        for layer in above:
            data = _merge(schema, data, schema.written_out(layer, data, where), where)
        return data

    from_data(schema, merged(layers), where)
    return merged(schema.read_in(layer, directory, where) for layer in layers)


def _merge(schema: type[Section] | None, old: Any, new: Any, where: str) -> Any:  # noqa: ANN401
    """Put `new` over `old`, YAML values, key by key as far as the schema has tables."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    merged = dict(old)
    for key, value in new.items():
        name = str(key).removesuffix("+")
        default = default_list(schema, name) if schema is not None and name != key else None
        if default is not None:
            if name in new:
                raise ConfigError(f"{where}: {name} and {key} stand in one layer: write one list")
            merged[name] = [*as_list(merged.get(name, default)), *as_list(value)]
        elif value is None and (schema is None or key in fields_of(schema)):
            merged.pop(key, None)
        elif schema is not None and (inner_section(schema, key) or is_table(schema, key)):
            merged[key] = _merge(inner_section(schema, key), merged.get(key, {}), value, where)
        else:
            merged[key] = value
    return merged


def _parsed_override(top: type[Section], override: str) -> dict[str, Any]:
    """``a.b=c`` as the tables it stands for; below a table of columns, dots belong to the name."""
    path, equals, text = override.partition("=")
    if not (path and equals):
        raise ConfigError(f"--set {override}: want KEY=VALUE, e.g. --set crf.c2=5")
    value = plain_yaml.parse(text, f"--set {override}")
    keys: list[str] = []
    schema: type[Section] | None = top
    while schema is not None and "." in path:
        key, _, path = path.partition(".")
        schema = inner_section(schema, key)
        keys.append(key)
    for key in (path, *reversed(keys)):
        value = {key: value}
    return dict(value)
