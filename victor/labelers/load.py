"""Load models by name or path, and make labelers of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from victor.base.errors import ModelError, hint
from victor.base.files import package_folder, version
from victor.config.schema import Config, Scope
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import Labeler
from victor.model.model import Model

_MODELS: Final = "victor.models"


def load_model(name: str | Path = "default") -> Model:
    """Load a shipped model by name, or any model by path.

    Raises:
        ModelError: it is missing, damaged or of another format.
    """
    if isinstance(name, str) and name in model_names():
        return Model.load(model_file(name))
    if isinstance(name, str) and not Path(name).exists():
        raise ModelError(f"no file and no model {name!r}{hint(name, model_names())}")
    return Model.load(Path(name))


def model_names() -> list[str]:
    """Names of the models that are shipped with the package."""
    return sorted(file.stem for file in package_folder(_MODELS).glob("*.victor"))


def model_file(name: str) -> Path:
    """Path of a shipped model."""
    return package_folder(_MODELS) / f"{name}.victor"


def configuration(labeler: Labeler) -> Config:
    """The configuration of a labeler's model; the defaults for a labeler without one."""
    return labeler.model.config if isinstance(labeler, CrfLabeler) else Config()


def scope_of(labeler: Labeler) -> Scope:
    """Which parts of pages a labeler is configured to keep."""
    own: Scope | None = getattr(labeler, "scope", None)  # of rules
    return own or configuration(labeler).scope


def model_labeler(
    model: str | Path | Model, trust_code: bool = False, page_type: str | None = None
) -> Labeler:
    """The labeler of a model; the last few stay loaded.

    Args:
        model: a shipped model's name, the path of a model file, or a loaded model.
        trust_code: run the code that the model brings: feature modules that are files.
        page_type: as of `CrfLabeler`.

    Raises:
        ConfigError: there is no such type, or the model has no expert for it.
        ModelError: the model is missing, damaged or of another format.
        FeatureError: it names a feature module that is missing, or brings code that may not be run.
    """
    of = version(model) if isinstance(model, str | Path) else ()
    return _cached_labeler(model, of, trust_code, page_type)


@lru_cache(maxsize=4)
def _cached_labeler(
    model: str | Path | Model, version: tuple[int, ...], trust_code: bool, page_type: str | None
) -> Labeler:
    """A labeler per model and version of its file: a model that is trained again is another one."""
    loaded = load_model(model) if isinstance(model, str | Path) else model
    return CrfLabeler(loaded, trust_code=trust_code, page_type=page_type)
