"""Victor turns web pages into clean corpora.

>>> import victor
>>> page = "<nav><a href='/'>Home</a></nav><h1>On bees</h1><p>Bees live in colonies.</p>"
>>> result = victor.clean(page)  # doctest: +SKIP
>>> print(result.text)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from victor.api import (
    Block,
    Cleaner,
    Result,
    clean,
    clean_many,
)
from victor.errors import (
    ConfigError,
    CorpusError,
    FeatureError,
    ModelError,
    PageError,
    TemplateError,
    VictorError,
)
from victor.labels import Label
from victor.page.source import Source

if TYPE_CHECKING:
    from victor.evaluation.curve import curve as sweep
    from victor.evaluation.evaluation import evaluate
    from victor.labelers.load import load_model, model_names
    from victor.training.estimator import VictorCRF
    from victor.training.training import train

__version__ = version("victor")

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

_LAZY = {
    "VictorCRF": ("victor.training.estimator", "VictorCRF"),
    "evaluate": ("victor.evaluation.evaluation", "evaluate"),
    "load_model": ("victor.labelers.load", "load_model"),
    "model_names": ("victor.labelers.load", "model_names"),
    "sweep": ("victor.evaluation.curve", "curve"),
    "train": ("victor.training.training", "train"),
}
"""Names whose modules need more than numpy and lxml; they load when first used."""


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
    if name in _LAZY:
        module, attribute = _LAZY[name]
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
