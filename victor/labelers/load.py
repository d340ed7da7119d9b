"""Labelers and models by name."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from victor.errors import ConfigError, ModelError
from victor.labelers import LABELERS, Labeler, build_labeler
from victor.labelers.crf import CrfLabeler
from victor.model.model import Model


def load_model(name: str | Path = "default") -> Model:
    """Load a shipped model by name, or any model by path.

    Raises:
        ModelError: it is missing, damaged or of another format.
    """
    if isinstance(name, str) and name in model_names():
        with resources.as_file(resources.files("victor.models") / f"{name}.victor") as path:
            return Model.load(path)
    if isinstance(name, str) and not Path(name).exists():
        shipped = ", ".join(model_names()) or "none"
        raise ModelError(f"no model {name!r}: give a path, or one of the shipped: {shipped}")
    return Model.load(Path(name))


def model_names() -> list[str]:
    """Names of the models that are shipped with the package."""
    files = resources.files("victor.models").iterdir()
    return sorted(Path(f.name).stem for f in files if f.name.endswith(".victor"))


def load_labeler(
    model: str | Path | None = None, labeler: str | None = None, source: str | Path | None = None
) -> Labeler:
    """The one system that is named: a labeler that needs no model, else a model.

    Args:
        model: a shipped model's name or the path of a model file; None for the default one.
        labeler: one of `victor.labelers.LABELERS`, instead of a model.
        source: configuration of that labeler; None for the shipped one of its name.

    Raises:
        ConfigError: a model is named beside a labeler or has a configuration beside its own, there
            is no such labeler, or its configuration is wrong.
        ModelError: the model is missing, damaged or of another format.
    """
    if labeler is None:
        if source is not None:
            raise ConfigError("a model has its own configuration; name a --labeler with --config")
        return model_labeler(model or "default")
    if model is not None:
        raise ConfigError("--labeler and --model are two systems; leave one out")
    return build_labeler(labeler, source)


def labeler_of(name: str) -> Labeler:
    """The system of one name: a labeler that needs no model, a shipped model or a model file.

    Raises:
        ModelError: there is none.
    """
    return load_labeler(labeler=name) if name in LABELERS else load_labeler(name)


def model_labeler(model: str | Path | Model) -> Labeler:
    """The labeler of a model; the last few stay loaded.

    Raises:
        ModelError: the model is missing, damaged or of another format.
    """
    return _labeler(model, _changed(model))


@lru_cache(maxsize=4)
def _labeler(model: str | Path | Model, changed: int) -> Labeler:
    """A labeler per model: loading takes longer than cleaning a page."""
    return CrfLabeler(load_model(model) if isinstance(model, str | Path) else model)


def _changed(model: str | Path | Model) -> int:
    """When a model file was written last: one that was trained again is another model."""
    if isinstance(model, str | Path) and Path(model).is_file():
        return Path(model).stat().st_mtime_ns
    return 0
