"""The list of feature modules: what a layer writes to change that of the layer below.

``features+: [tokens]`` adds or switches on, ``features-: [links]`` switches off, and a table says
either: ``features: {links: off, tokens: on, regexps: {url: []}}``. What no longer counts stays in
the list as ``{'off': links}``: what reads its columns goes with it, and a layer above that switches
the module on gives the configuration back as it was. The key ``added`` names what layers added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final

from msgspec.structs import replace

from victor.base.errors import ConfigError, hint
from victor.config import own_modules
from victor.config.own_modules import OwnModule, module_name

OFF: Final = "off"
"""Key of an entry that keeps a module without using it."""
_LIST, _ADDED = "features", "added"
_MORE, _LESS = f"{_LIST}+", f"{_LIST}-"
"""Keys of a layer."""


def in_use(entries: Sequence[object]) -> list[object]:
    """The modules that are on."""
    return [entry for entry in entries if not _is_off(entry)]


def switched_off(entries: Sequence[object]) -> list[object]:
    """The modules that are off, and those that are on with other parameters."""
    return [bare(entry) for entry in entries if _is_off(entry)]


def bare(entry: object) -> Any:  # noqa: ANN401  (of YAML)
    """An entry as it is when its module is on."""
    while _is_off(entry):
        entry = _without_off(entry)
    return entry


def with_sources(entries: Sequence[object], directory: Path) -> list[Any]:
    """As `victor.config.own_modules.with_sources`, for modules that are off, too."""
    return [
        {OFF: with_sources([_without_off(entry)], directory)[0]}
        if _is_off(entry)
        else own_modules.with_sources([entry], directory)[0]
        for entry in entries
    ]


def changed(layer: Mapping[str, Any], below: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A layer with the whole list in the place of what changes the list below.

    Args:
        layer: keys of a configuration.
        below: keys of the layers below.
        where: what to name in messages.

    Raises:
        ConfigError: the layer writes a list and changes one, or switches off what is not listed.
    """
    keys = [key for key in (_LIST, _MORE, _LESS) if key in layer]
    if _LIST in keys and len(keys) > 1:
        raise ConfigError(f"{where}: {_LIST} and {keys[1]} stand in one layer: write one list")
    if not keys:
        return dict(layer)
    if keys == [_LIST] and not isinstance(layer[_LIST], Mapping):
        return {_ADDED: [], **layer} if _ADDED in below else dict(layer)
    listed = as_list(below.get(_LIST, []))
    entries = listed
    for entry in as_list(layer.get(_MORE, [])):
        entries = _with(entries, entry)
    for name in as_list(layer.get(_LESS, [])):
        entries = _set(entries, name, OFF, f"{where}: {_LESS}")
    for name, value in layer.get(_LIST, {}).items():
        entries = _set(entries, name, value, f"{where}: {_LIST}.{name}")
    new = Counter(map(_name, entries)) - Counter(map(_name, listed))
    added = [*dict.fromkeys([*as_list(below.get(_ADDED, [])), *new])]
    rest = {key: value for key, value in layer.items() if key not in keys}
    return {_LIST: entries, **({_ADDED: added} if added else {}), **rest}


def _with(entries: list[Any], entry: object) -> list[Any]:
    """The list with an entry added, or its module switched on if it is listed.

    A name alone stands for the module with whatever parameters it is listed with.
    """
    names = [*map(_name, entries)]
    is_listed = entry in names if isinstance(entry, str) else entry in map(bare, entries)
    return _switched(entries, _name(entry), True) if is_listed else [*entries, entry]


def _set(entries: list[Any], name: object, value: object, where: str) -> list[Any]:
    """The list with a module off, on, or on with other parameters."""
    if not isinstance(name, str):
        raise ConfigError(f"{where}: wants names of feature modules, got {shortened(name)}")
    parameters = value if isinstance(value, Mapping) else None
    if parameters is None and value not in (True, False, "on", OFF):
        raise ConfigError(
            f"{where}: should be on, off or {{parameter: value}}, got {shortened(value)}"
        )
    is_on = parameters is not None or value in (True, "on")
    module, names = module_name(name), [*map(_name, entries)]
    if module in names:
        entries = _switched(entries, module, is_on)
        return entries if parameters is None else _with_parameters(entries, module, parameters)
    if not is_on:
        raise ConfigError(f"{where}: {module} is not listed{hint(module, names)}")
    if own_modules.path_in(name):
        raise ConfigError(f"{where}: {module} is not listed; `{_MORE}: [PATH]` adds a file")
    return [*entries, name if parameters is None else {name: parameters}]


def _switched(entries: list[Any], module: str, is_on: bool) -> list[Any]:
    """The list with a module on or off; switching off and on again gives the same list.

    An entry whose parameters were changed is off while its module is on, so it is off twice while
    the module is off.
    """
    rows = {row for row, entry in enumerate(entries) if _name(entry) == module}
    if is_on == any(not _is_off(entries[row]) for row in rows):
        return entries
    change = _without_off if is_on else _off
    return [change(entry) if row in rows else entry for row, entry in enumerate(entries)]


def _with_parameters(entries: list[Any], module: str, parameters: Mapping[str, Any]) -> list[Any]:
    """The list with other parameters of a module that is on.

    The entry is kept, off, for what reads columns that it gives no longer goes with these.
    """
    rows = [
        row for row, entry in enumerate(entries) if _name(entry) == module and not _is_off(entry)
    ]
    file = OwnModule.of(entries[rows[-1]])
    entry = replace(file, parameters=parameters).entry() if file else {module: parameters}
    kept = [_off(old) if row in rows else old for row, old in enumerate(entries)]
    return [*kept[: rows[-1] + 1], entry, *kept[rows[-1] + 1 :]]


def _off(entry: object) -> dict[str, Any]:
    return {OFF: entry}


def _without_off(entry: Any) -> Any:  # noqa: ANN401  (of YAML)
    return entry[OFF]


def _name(entry: object) -> str:
    """Name of the module of an entry; empty for what is none."""
    try:
        return module_name(bare(entry))
    except (ValueError, StopIteration):
        return ""


def _is_off(entry: object) -> bool:
    return isinstance(entry, Mapping) and [*entry] == [OFF]


def as_list(value: object) -> list[Any]:
    """A list; one entry alone stands for itself."""
    return [*value] if isinstance(value, list | tuple) else [value]
