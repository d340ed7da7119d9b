"""Victor turns web pages into clean corpora.

>>> import victor
>>> page = "<nav><a href='/'>Home</a></nav><h1>On bees</h1><p>Bees live in colonies.</p>"
>>> result = victor.clean(page)  # doctest: +SKIP
>>> print(result.text)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from victor import moved

if TYPE_CHECKING:
    from victor.api import Block, Cleaner, Result, clean, clean_many
    from victor.errors import (
        ConfigError,
        CorpusError,
        FeatureError,
        ModelError,
        PageError,
        TemplateError,
        VictorError,
    )
    from victor.evaluation.curve import curve as sweep
    from victor.evaluation.evaluation import evaluate
    from victor.labelers.load import load_model, model_names
    from victor.labels import Label
    from victor.page.source import Source
    from victor.training.estimator import VictorCRF
    from victor.training.training import train

    __version__: str

_MODULES: Final = {
    "victor.api": "Block Cleaner Result clean clean_many",
    "victor.errors": "ConfigError CorpusError FeatureError ModelError PageError TemplateError "
    "VictorError",
    "victor.evaluation.curve": "sweep",
    "victor.evaluation.evaluation": "evaluate",
    "victor.labelers.load": "load_model model_names",
    "victor.labels": "Label",
    "victor.page.source": "Source",
    "victor.training.estimator": "VictorCRF",
    "victor.training.training": "train",
}
"""Module to the names that it offers here; each loads when one of its names is first used."""
_HOMES: Final = {name: module for module, names in _MODULES.items() for name in names.split()}
_OTHER_NAMES: Final = {"sweep": "curve"}
"""What a name here is called in its module."""

__all__ = [
    "Block",
    "Cleaner",
    "ConfigError",
    "CorpusError",
    "FeatureError",
    "Label",
    "ModelError",
    "PageError",
    "Result",
    "Source",
    "TemplateError",
    "VictorCRF",
    "VictorError",
    "__version__",
    "clean",
    "clean_many",
    "evaluate",
    "load_model",
    "model_names",
    "sweep",
    "train",
]


moved.install()


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
    if name == "__version__":
        from importlib.metadata import version  # slow to load

        value: Any = version("victor")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), _OTHER_NAMES.get(name, name))
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value
