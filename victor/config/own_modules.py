"""Feature modules that are files: a configuration that names one holds its source from then on.

So the path starts where it is written, what is measured with is what is stored, and neither a model
nor a worker process needs the file. A model file has a text for each, and its SHA-256 in the
document. Nothing here runs the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct, field

from victor.base.errors import FeatureError, ModelError

TRUST: Final = "--trust-code, or trust_code=True in Python"
"""How a call allows what can run code."""
SUFFIX: Final = ".py"
_MOST_BYTES: Final = 1_000_000
"""Of a file; ours have a hundredth."""
_KEYS: Final = frozenset(("module", "source", "parameters"))


class OwnModule(Struct, frozen=True):
    """A feature module with its source.

    Attributes:
        name: of its file, without the folder.
        source: Python.
        parameters: keyword arguments of its `build`.
    """

    name: str
    source: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, entry: object) -> Self | None:
        """The module that an entry of `features` holds; None for any other entry.

        Raises:
            ValueError: it is such an entry and malformed.
        """
        if not (isinstance(entry, Mapping) and "source" in entry):
            return None
        name, source = entry.get("module"), entry["source"]
        parameters = entry.get("parameters", {})
        if not (
            entry.keys() <= _KEYS
            and isinstance(name, str)
            and isinstance(source, str)
            and isinstance(parameters, Mapping)
        ):
            raise ValueError(
                "wants {module: NAME.py, source: PYTHON, parameters: {parameter: value}}"
            )
        check_name(name)
        return cls(name, source, parameters)

    def entry(self) -> dict[str, Any]:
        """The entry of `features` that `of` reads."""
        more = {"parameters": dict(self.parameters)} if self.parameters else {}
        return {"module": self.name, "source": self.source, **more}

    @property
    def sha256(self) -> str:
        """SHA-256 of the source in UTF-8, in hexadecimal digits."""
        from hashlib import sha256  # slow to load, and few models bring modules

        return sha256(self.source.encode()).hexdigest()


def check_name(name: str) -> None:
    """Refuse what is no plain name of a Python file, for a member of a model bears it.

    Raises:
        ValueError: it is none.
    """
    plain = name.isprintable() and not {*name} & {*'/\\:*?"<>|'} and not name.startswith(".")
    if not (plain and name.endswith(SUFFIX) and len(name) <= 100):
        raise ValueError(
            f"{name!r} is no name for a feature module; call the file e.g. shouting.py"
        )


def path_in(entry: object) -> tuple[str, Mapping[str, Any]] | None:
    """The path of a file that an entry of `features` names, and parameters; None for others."""
    name, parameters = entry, None
    if isinstance(entry, Mapping) and len(entry) == 1:
        ((name, parameters),) = entry.items()
    if isinstance(name, str) and name.endswith(SUFFIX) and isinstance(parameters, Mapping | None):
        return name, parameters or {}
    return None


def names(entries: Iterable[object]) -> list[str]:
    """Names of the files of code among some entries, whether their source has been read or not."""
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


def with_sources(entries: Iterable[object], directory: Path) -> list[Any]:
    """The same entries of `features`, those that name files with their source.

    Args:
        entries: of a configuration.
        directory: paths are relative to it.

    Raises:
        FeatureError: a file is missing or is no text.
    """
    return [_with_source(entry, directory) for entry in entries]


def _with_source(entry: object, directory: Path) -> object:
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
        check_name(path.name)
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


_FOLDER: Final = "features/"
"""Of the members that hold sources."""
_HASH: Final = "sha256"


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
    """The configuration with the sources in the place of their hashes.

    Args:
        path: the model file.
        config: what `parted` made; whatever else it is is given back as it is.
        read: reads a member of the file.

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
    """One entry with its source, if it has one.

    Raises:
        ValueError: its name is none.
    """
    if not isinstance(entry, Mapping) or _HASH not in entry:
        for name in names([entry]):
            raise ModelError(
                f"{path} names the feature module {name} and does not hold its source: train again"
            )
        return entry
    name = str(entry.get("module"))
    check_name(name)
    source = read(path, _FOLDER + name)
    if OwnModule(name, source).sha256 != entry[_HASH]:
        raise ModelError(
            f"{path}: the source of the feature module {name} is not the one that the model was "
            "trained with (its SHA-256 is another one); get the model again"
        )
    kept = {key: value for key, value in entry.items() if key != _HASH}
    return {**kept, "source": source}
