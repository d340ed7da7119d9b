"""Templates and configurations by name or path, and the entries of templates."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final

from victor.base.errors import ConfigError, hint
from victor.base.files import package_folder

CONFIGS: Final = "victor.configs"
TEMPLATES: Final = "victor.templates"
"""Packages of the shipped files."""


def read_template(value: object) -> str | tuple[Any, ...]:
    """A name, a path or the entries themselves; `victor.model.template` checks the entries."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        raise ValueError("should be the name of a template, a path or a list of entries")
    for entry in value:
        if not isinstance(entry, Mapping | list):
            raise ValueError(f"wants entries such as {{column: NAME}}, got {shortened(entry)}")
    return tuple(value)


def template_entries(
    template: str | tuple[Any, ...], base_dir: Path, where: str, *, above: tuple[Path, ...] = ()
) -> list[Any]:
    """Entries, those of other templates in the place of ``{template: NAME or path}``.

    Args:
        template: the entries, or the name or path of a template.
        base_dir: directory that a path is relative to.
        where: what to name in messages.
        above: the files that lead here.
    """
    if not isinstance(template, str):
        entries: list[Any] = []
        for entry in template:
            included = entry.get("template") if isinstance(entry, Mapping) else None
            if included is None:
                entries.append(entry)
            elif len(entry) > 1 or not isinstance(included, str):
                raise ConfigError(f"{where}: want {{template: NAME or path}}, got {entry}")
            else:
                entries += template_entries(included, base_dir, where, above=above)
        return entries
    path = locate(template, TEMPLATES, base_dir, where)
    if path.resolve() in above:
        raise ConfigError(f"{path}: leads back to itself; remove the entry `template`")
    from victor.config import plain_yaml  # models hold the entries

    entries = plain_yaml.read(path)
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: a template is a list of entries, got {shortened(entries)}")
    try:
        content = read_template(entries)
    except ValueError as error:
        raise ConfigError(f"{path}: template: {error}") from None
    return template_entries(content, path.parent, str(path), above=(*above, path.resolve()))


def shipped(package: str) -> tuple[str, ...]:
    """Names of the YAML files of a package, sorted."""
    return tuple(sorted(file.stem for file in package_folder(package).glob("*.yaml")))


def locate(source: object, package: str, directory: Path, where: str) -> Path:
    """The file of a shipped name, or of a path relative to a directory."""
    if not isinstance(source, str | Path):
        raise ConfigError(f"{where}: should be a shipped name or a path, got {shortened(source)}")
    names = shipped(package)
    if source in names:
        return package_folder(package) / f"{source}.yaml"
    path = directory / source
    if not path.is_file():
        raise ConfigError(f"{where}: there is no file {path}{hint(str(source), names)}")
    return path
