"""The list of feature modules of a configuration, and modules that are files.

What a layer writes changes the list of the layer below: ``features+: [tokens]`` adds or switches
on, ``features-: [links]`` switches off, and a table says either:
``features: {links: off, tokens: on, regexps: {url: []}}``. What no longer counts stays in the list
as ``{'off': links}``: what reads its columns goes with it, and a layer above that switches the
module on gives the configuration back as it was. The key ``added`` names what layers added.

A configuration that names a file holds its source from then on. So the path starts where it is
written, what is measured with is what is stored, and neither a model nor a worker process needs the
file. A model file has a text for each, and its SHA-256 in the document. Nothing here runs the
source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final, Self

from msgspec import Struct, ValidationError, convert, field
from msgspec.structs import replace

from victor.base.errors import ConfigError, FeatureError, ModelError, hint

TRUST: Final = "--trust-code, or trust_code=True in Python"  # how a call allows what can run code
OFF: Final = "off"  # key of an entry that keeps a module without using it
_LIST, _ADDED = "features", "added"
_MORE, _LESS = f"{_LIST}+", f"{_LIST}-"  # keys of a layer
_SUFFIX: Final = ".py"
_MOST_BYTES: Final = 1_000_000  # of a file; ours have a hundredth
_FOLDER: Final = "features/"  # of the members of a model file that hold sources
_HASH: Final = "sha256"


class OwnModule(Struct, frozen=True, forbid_unknown_fields=True):
    """A feature module with its source."""

    name: str = field(name="module")
    """Of its file, without the folder."""
    source: str
    parameters: Mapping[str, Any] = {}
    """Keyword arguments of its `build`."""

    @classmethod
    def of(cls, entry: object) -> Self | None:
        """The module that an entry holds, None without one; ValueError if it is malformed."""
        if not (isinstance(entry, Mapping) and "source" in entry):
            return None
        try:
            module = convert(entry, cls)
        except ValidationError:
            raise ValueError(
                "wants {module: NAME.py, source: PYTHON, parameters: {parameter: value}}"
            ) from None
        _check_name(module.name)
        return module

    def entry(self) -> dict[str, Any]:
        """The entry of `features` that `of` reads."""
        more = {"parameters": dict(self.parameters)} if self.parameters else {}
        return {"module": self.name, "source": self.source, **more}

    @property
    def sha256(self) -> str:
        """SHA-256 of the source in UTF-8, in hexadecimal digits."""
        from hashlib import sha256  # slow to load, and few models bring modules

        return sha256(self.source.encode()).hexdigest()


def _check_name(name: str) -> None:
    """Refuse what is no plain name of a Python file, for a member of a model bears it."""
    plain = name.isprintable() and not {*name} & {*'/\\:*?"<>|'} and not name.startswith(".")
    if not (plain and name.endswith(_SUFFIX) and len(name) <= 100):
        raise ValueError(
            f"{name!r} is no name for a feature module; call the file e.g. shouting.py"
        )


# --- Entries --------------------------------------------------------------------------------------


def in_use(entries: Sequence[object]) -> list[object]:
    """The modules that are on."""
    return [entry for entry in entries if not _is_off(entry)]


def switched_off(entries: Sequence[object]) -> list[object]:
    """The modules that are off, and those that are on with other parameters."""
    return [_bare(entry) for entry in entries if _is_off(entry)]


def _is_off(entry: object) -> bool:
    return isinstance(entry, Mapping) and [*entry] == [OFF]


def _bare(entry: Any) -> Any:  # noqa: ANN401  (of YAML)
    """An entry as it is when its module is on."""
    while _is_off(entry):
        entry = entry[OFF]
    return entry


def path_in(entry: object) -> tuple[str, Mapping[str, Any]] | None:
    """The path of a file that an entry names, and parameters; None for others."""
    name, parameters = entry, None
    if isinstance(entry, Mapping) and len(entry) == 1:
        ((name, parameters),) = entry.items()
    if isinstance(name, str) and name.endswith(_SUFFIX) and isinstance(parameters, Mapping | None):
        return name, parameters or {}
    return None


def names(entries: Iterable[object]) -> list[str]:
    """Names of the files of code among some entries, with their source or without."""
    files = (entry for entry in entries if OwnModule.of(entry) or path_in(entry))
    return [*dict.fromkeys(map(module_name, files))]


def module_name(entry: object) -> str:
    """Name of the module of an entry of `features`; of a file that without its folder.

    >>> module_name("words"), module_name({"regexps": {"url": []}}), module_name("./my/shouting.py")
    ('words', 'regexps', 'shouting.py')
    """
    module, path = OwnModule.of(entry), path_in(entry)
    if module is not None:
        return module.name
    if path is not None:
        return Path(path[0]).name
    return str(next(iter(entry)) if isinstance(entry, Mapping) else entry)


def check(entries: Sequence[object]) -> None:
    """Raise ValueError unless entries are NAME or NAME: {parameter: value}, or have a source."""
    sources: dict[str, str] = {}
    for entry in map(_bare, entries):
        if module := OwnModule.of(entry):
            if sources.setdefault(module.name, module.source) != module.source:
                raise ValueError(f"two different files are named {module.name}; rename one of them")
            continue
        pairs = [*entry.items()] if isinstance(entry, Mapping) else [(entry, None)]
        if len(pairs) != 1 or not isinstance(pairs[0][0], str):
            raise ValueError(f"wants NAME or NAME: {{parameter: value}}, got {shortened(entry)}")
        if not isinstance(pairs[0][1], Mapping | None):
            raise ValueError(f"wants parameters as {{parameter: value}}, got {shortened(entry)}")


# --- What a layer changes -------------------------------------------------------------------------


def changed(layer: Mapping[str, Any], below: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The keys of a layer with the whole list in the place of what changes the list below.

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
    listed = [*map(_name, entries)]
    is_listed = entry in listed if isinstance(entry, str) else entry in map(_bare, entries)
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
    module, listed = module_name(name), [*map(_name, entries)]
    if module in listed:
        entries = _switched(entries, module, is_on)
        return entries if parameters is None else _with_parameters(entries, module, parameters)
    if not is_on:
        raise ConfigError(f"{where}: {module} is not listed{hint(module, listed)}")
    if path_in(name):
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
    return [
        entry if row not in rows else entry[OFF] if is_on else {OFF: entry}
        for row, entry in enumerate(entries)
    ]


def _with_parameters(entries: list[Any], module: str, parameters: Mapping[str, Any]) -> list[Any]:
    """The list with other parameters of a module that is on.

    The entry is kept, off, for what reads columns that it gives no longer goes with these.
    """
    rows = [row for row, e in enumerate(entries) if _name(e) == module and not _is_off(e)]
    file = OwnModule.of(entries[rows[-1]])
    entry = replace(file, parameters=parameters).entry() if file else {module: parameters}
    kept = [{OFF: old} if row in rows else old for row, old in enumerate(entries)]
    return [*kept[: rows[-1] + 1], entry, *kept[rows[-1] + 1 :]]


def _name(entry: object) -> str:
    """The name of a module; empty for what is none."""
    try:
        return module_name(_bare(entry))
    except (ValueError, StopIteration):
        return ""


def as_list(value: object) -> list[Any]:
    """A list; one entry alone stands for itself."""
    return [*value] if isinstance(value, list | tuple) else [value]


# --- Sources --------------------------------------------------------------------------------------


def with_sources(entries: Iterable[object], directory: Path) -> list[Any]:
    """The entries, those that name files, by paths from a directory, with their source.

    Raises:
        FeatureError: a file is missing or is no text.
    """
    return [_with_source(entry, directory) for entry in entries]


def _with_source(entry: Any, directory: Path) -> Any:  # noqa: ANN401  (of YAML)
    if _is_off(entry):
        return {OFF: _with_source(entry[OFF], directory)}
    path_and_parameters = path_in(entry)
    if path_and_parameters is None:
        return entry
    path, parameters = path_and_parameters
    return OwnModule(Path(path).name, read_source(directory / path), parameters).entry()


def read_source(path: Path) -> str:
    """The text of a Python file, decoded as Python does; lines end as they do in the file.

    Raises:
        FeatureError: it is missing, is no Python source, or has a name that a model cannot store.
    """
    from tokenize import detect_encoding  # few configurations have files

    try:
        _check_name(path.name)
        if not path.is_file():  # a pipe would let us wait
            raise FeatureError(
                f"no feature module at {path}: a path starts at the folder of the configuration "
                "that names it, that of --set at the working directory"
            )
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} bytes, which no feature module has")
        encoding, _ = detect_encoding(BytesIO(data).readline)
        return data.decode(encoding)
    except (OSError, ValueError, SyntaxError) as error:
        raise FeatureError(f"{path} cannot be read as a feature module: {error}") from None


def parted(config: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A configuration as plain data with hashes in the place of sources, and these by member."""
    entries, sources = [], {}
    for entry in config["features"]:
        module = OwnModule.of(entry)
        if module is not None:
            sources[_FOLDER + module.name] = module.source
            kept = {key: value for key, value in module.entry().items() if key != "source"}
            entries.append({**kept, _HASH: module.sha256})
        else:
            entries.append(entry)
    return {**config, "features": entries}, sources


def joined(path: Path, config: object, read: Callable[[Path, str], str]) -> object:
    """What `parted` made, with the sources that `read` gives of a model file.

    Raises:
        ModelError: a source is missing or is another one than was stored.
    """
    if not isinstance(config, Mapping) or not isinstance(config.get("features"), list):
        return config
    try:
        features = [_joined(path, entry, read) for entry in config["features"]]
    except ValueError as error:
        raise ModelError(f"{path} is damaged: features: {error}; restore it") from None
    return {**config, "features": features}


def _joined(path: Path, entry: object, read: Callable[[Path, str], str]) -> object:
    """One entry with its source, if it has one."""
    if not isinstance(entry, Mapping) or _HASH not in entry:
        for name in names([entry]):
            raise ModelError(
                f"{path} names the feature module {name} and does not hold its source: train again"
            )
        return entry
    name = str(entry.get("module"))
    _check_name(name)
    source = read(path, _FOLDER + name)
    if OwnModule(name, source).sha256 != entry[_HASH]:
        raise ModelError(
            f"{path}: the source of the feature module {name} is not the one that the model was "
            "trained with (its SHA-256 is another one); get the model again"
        )
    kept = {key: value for key, value in entry.items() if key != _HASH}
    return {**kept, "source": source}
