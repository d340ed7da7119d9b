"""Load feature modules; each has a `build` that returns a `Feature`.

No module here imports another one; a configuration names them, or the path of a user's own. What
a configuration or a model brings of its own is code, which runs only where the call says that it is
trusted: models and configurations may come from anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from victor.base.errors import ConfigError, FeatureError, hint
from victor.config import modules
from victor.config.modules import TRUST, OwnModule
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
    "groups",
    "headings",
    "langid",
    "links",
    "paths",
    "regexps",
    "regions",
    "relations",
    "sentences",
    "splits",
    "surroundings",
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
        FeatureError: the module does not exist, it is not a feature module, or it fails.
        ConfigError: the module refuses the parameters.

    >>> [column.name for column in load("splits").columns][:2]
    ['split.p', 'split.br']
    >>> load("split")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    victor.base.errors.FeatureError: no feature module split, did you mean splits? (paths look ...
    """
    if modules.path_in(name):
        source = modules.read_source(Path(name))
        return _own(OwnModule(Path(name).name, source, params))
    if name not in NAMES:
        path = "paths look like ./my_feature.py"
        raise FeatureError(f"no feature module {name}{hint(name, NAMES)} ({path})")
    build = import_module(f"victor.features.{name}").build
    try:
        return cast(Feature, build(**params))
    except TypeError:
        from victor.features.own_features import check_parameters  # only where something is wrong

        check_parameters(name, build, params)
        raise


def from_config(entries: Iterable[object], trust_code: bool = False) -> FeatureSet:
    """The features that a configuration lists, in its order.

    Args:
        entries: names or paths (`load`), each alone or as ``{name: {parameter: value}}``, and
            modules with their source as `victor.config.layers.load` reads them.
        trust_code: run the entries that are code of a user. Otherwise nothing is run if there is
            one.

    Raises:
        ConfigError: an entry has another form, or a module refuses its parameters.
        FeatureError: a module does not exist or fails, two give the same column, or an entry is
            code that may not run; then no code has been run.

    >>> columns = from_config(["document", {"duplicates": {"text": "words"}}]).columns
    >>> [column.name for column in columns][-2:]
    ['first-duplicate', 'duplicate-count']
    """
    if isinstance(entries, str | Mapping):
        raise ConfigError(f"features is a list of modules, got {entries!r}")
    listed = [*entries]
    names = modules.names(listed)
    if names and not trust_code:
        files = ", ".join(map(repr, names))
        raise FeatureError(
            f"{files}: a feature module that the model or configuration brings is Python code; "
            f"nothing was run. If you trust where it comes from, say so in this call: {TRUST} "
            "(`victor models --config MODEL` shows the code of a model)"
        )
    return FeatureSet([_feature(entry) for entry in modules.with_sources(listed, Path())])


def _feature(entry: object) -> Feature:
    """The feature of an entry that may run."""
    module = OwnModule.of(entry)
    if module is not None:
        return _own(module)
    name, params = _pair(entry)
    return load(name, **params)


def _own(module: OwnModule) -> Feature:
    from victor.features.own_features import built  # few configurations have modules of their own

    return built(module)


def _pair(entry: object) -> tuple[str, Mapping[str, object]]:
    """Name and parameters of one entry."""
    if isinstance(entry, str):
        return entry, {}
    if isinstance(entry, Mapping) and len(entry) == 1:
        name, params = next(iter(entry.items()))
        if isinstance(name, str) and (params is None or isinstance(params, Mapping)):
            return name, {str(key): value for key, value in (params or {}).items()}
    raise ConfigError(f"features: want NAME or NAME: {{parameter: value}}, got {entry!r}")
