"""Templates and configurations by name or path, and names with alternatives in braces."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final

from victor.base.errors import ConfigError, hint, nearest
from victor.base.files import package_folder
from victor.config import plain_yaml

CONFIGS: Final = "victor.configs"
TEMPLATES: Final = "victor.templates"
"""Packages of the shipped files."""
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


def check_entries(entries: Iterable[object]) -> None:
    """Raise ValueError unless entries are tables or lists; `victor.model.template` checks them."""
    for entry in () if isinstance(entries, str) else entries:
        if not isinstance(entry, Mapping | list):
            raise ValueError(f"wants entries such as {{column: NAME}}, got {shortened(entry)}")


def template_entries(
    template: str | tuple[Any, ...], base_dir: Path, where: str, *, above: tuple[Path, ...] = ()
) -> list[Any]:
    """Entries, those of other templates in the place of ``{template: NAME or path}``.

    Paths are relative to a directory; `where` is named in messages, `above` are the files that lead
    here.
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
    entries = plain_yaml.read(path)
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: a template is a list of entries, got {shortened(entries)}")
    try:
        check_entries(entries)
    except ValueError as error:
        raise ConfigError(f"{path}: template: {error}") from None
    return template_entries(tuple(entries), path.parent, str(path), above=(*above, path.resolve()))


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


# --- Braces ---------------------------------------------------------------------------------------


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
    part = text[start:end]
    if "{" in part or "}" in part:
        raise ConfigError(f"unbalanced or nested braces in {shortened(text)}")
    return part


def _choices(part: str, text: str) -> Iterable[str]:
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
        guesses = [f"{name}{nearest(name, columns)}" for name in unknown[:_MOST_NAMED]]
        more = len(unknown) - len(guesses)
        named = "; ".join(guesses) + (f"; and {more} more" if more else "")
        raise ConfigError(f"discretize: no feature gives {named}; {REMEDY}")
    return expanded
