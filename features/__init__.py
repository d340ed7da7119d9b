"""Load feature modules; each has a `build` that returns a `Feature`.

No module here imports another one; a configuration names them, or the path of a user's own. What
a configuration or a model names by path is code, which runs only where the call names that file,
too: models and configurations may come from anybody.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from victor.errors import ConfigError, FeatureError, hint
from victor.features.base import Feature, FeatureSet

NAMES: Final = (
    "ancestors",
    "center",
    "characters",
    "class_groups",
    "containers",
    "declared",
    "document",
    "duplicates",
    "freetext",
    "groups",
    "headings",
    "landmarks",
    "langid",
    "lexicon",
    "links",
    "page",
    "paths",
    "records",
    "regexps",
    "regions",
    "relations",
    "sections",
    "sentences",
    "shape",
    "splits",
    "surroundings",
    "title",
    "tokens",
    "words",
)
"""The modules that ship, sorted."""


def load(name: str, **params: object) -> Feature:
    """The feature that a module builds.

    Args:
        name: a shipped module (`NAMES`), or the path of a Python file with a `build` function; a
            path ends in ``.py`` and starts at the working directory. The file is run.
        params: keyword arguments of the module's `build`.

    Raises:
        FeatureError: the module does not exist, or it is not a feature module.
        ConfigError: the module refuses the parameters.

    >>> [column.name for column in load("splits").columns][:2]
    ['split.p', 'split.br']
    >>> load("split")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    victor.errors.FeatureError: no feature module split, did you mean splits? (paths look ...
    """
    build = _build_of(name)
    try:
        feature = build(**params)
    except TypeError:
        _check_parameters(name, build, params)
        raise
    if not (callable(feature) and hasattr(feature, "columns")):  # a tenth of the protocol's time
        raise FeatureError(f"{name}: build() has to return a victor.features.base.Feature")
    return cast(Feature, feature)


def _check_parameters(
    name: str, build: Callable[..., object], params: Mapping[str, object]
) -> None:
    """Refuse parameters that a function does not take."""
    signature = inspect.signature(build)
    try:
        signature.bind(**params)
    except TypeError as error:
        known = ", ".join(map(str, signature.parameters.values())) or "none"
        raise ConfigError(f"features: {name}: {error}; its parameters are: {known}") from None


def from_config(entries: Iterable[object], feature_files: Sequence[str | Path] = ()) -> FeatureSet:
    """The features that a configuration lists, in its order.

    Args:
        entries: names or paths (`load`), each alone or as ``{name: {parameter: value}}``.
        feature_files: Python files that may be run if an entry names them; no other one is.

    Raises:
        ConfigError: an entry has another form, or a module refuses its parameters.
        FeatureError: a module does not exist, two give the same column, or an entry names a file
            that may not be run; then no file has been run.

    >>> columns = from_config(["document", {"duplicates": {"text": "words"}}]).columns
    >>> [column.name for column in columns][-2:]
    ['first-duplicate', 'duplicate-count']
    """
    if isinstance(entries, str | Mapping):
        raise ConfigError(f"features is a list of modules, got {entries!r}")
    pairs = [_pair(entry) for entry in entries]
    _check_files([name for name, _ in pairs if _is_path(name)], feature_files)
    return FeatureSet([load(name, **params) for name, params in pairs])


def _check_files(named: Sequence[str], allowed: Sequence[str | Path]) -> None:
    """Refuse files that the call does not name, however their paths are written."""
    resolved = {Path(file).resolve() for file in allowed}
    for name in named:
        if "\0" in name or Path(name).resolve() not in resolved:
            raise FeatureError(
                f"{name!r} is a file of Python code, which the model or configuration wants to be "
                "run; nothing was run. If you know what it does, name it in this call: "
                "--feature-file FILE, or feature_files=[FILE] in Python"
            )


def _is_path(name: str) -> bool:
    return name.endswith(".py")


def _pair(entry: object) -> tuple[str, Mapping[str, object]]:
    """Name and parameters of one entry."""
    if isinstance(entry, str):
        return entry, {}
    if isinstance(entry, Mapping) and len(entry) == 1:
        name, params = next(iter(entry.items()))
        if isinstance(name, str) and (params is None or isinstance(params, Mapping)):
            return name, {str(key): value for key, value in (params or {}).items()}
    raise ConfigError(f"features: want NAME or NAME: {{parameter: value}}, got {entry!r}")


def _build_of(name: str) -> Callable[..., object]:
    """The `build` function of a module."""
    module = _from_file(Path(name)) if _is_path(name) else _shipped(name)
    build = getattr(module, "build", None)
    if not callable(build):
        raise FeatureError(f"{name}: a feature module needs a function build(**params)")
    checked: Callable[..., object] = build
    return checked


def _shipped(name: str) -> ModuleType:
    if name in NAMES:
        return import_module(f"victor.features.{name}")
    path = "paths look like ./my_feature.py"
    raise FeatureError(f"no feature module {name}{hint(name, NAMES)} ({path})")


def _from_file(path: Path) -> ModuleType:
    """Run a user's module; it stays out of `sys.modules`, so two of one name do not collide."""
    if not path.is_file():
        raise FeatureError(f"no feature module at {path}: paths start at the working directory")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None, "the path ends in .py"
    assert spec.loader is not None, "a file has a loader"
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a user's module raises, the message has to name it
        raise FeatureError(f"{path} cannot be imported: {error!r}") from error
    return module
