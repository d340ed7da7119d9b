"""Victor turns web pages into clean corpora.

>>> import victor
>>> page = "<nav><a href='/'>Home</a></nav><h1>On bees</h1><p>Bees live in colonies.</p>"
>>> result = victor.clean(page)  # doctest: +SKIP
>>> print(result.text)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from victor.base import lazy

if TYPE_CHECKING:
    from victor.api import Block, Cleaner, Result, clean, clean_many, fetch
    from victor.base.labels import Label
    from victor.errors import (
        ConfigError,
        CorpusError,
        FeatureError,
        ModelError,
        PageError,
        TemplateError,
        VictorError,
    )
    from victor.evaluation.adapting import adapt
    from victor.evaluation.evaluation import evaluate
    from victor.evaluation.thresholds import curve as sweep
    from victor.labelers.crf import load_model, model_names
    from victor.page.source import Source
    from victor.training.corpora import load_corpus, train
    from victor.training.estimator import VictorCRF

__version__: Final = "2.0.0"

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
    "adapt",
    "clean",
    "clean_many",
    "evaluate",
    "fetch",
    "load_corpus",
    "load_model",
    "model_names",
    "sweep",
    "train",
]

__getattr__, __dir__ = lazy.loader(
    __name__,
    {
        "victor.api": "Block Cleaner Result clean clean_many fetch",
        "victor.errors": "ConfigError CorpusError FeatureError ModelError PageError TemplateError "
        "VictorError",
        "victor.evaluation.adapting": "adapt",
        "victor.evaluation.thresholds": "curve=sweep",
        "victor.evaluation.evaluation": "evaluate",
        "victor.labelers.crf": "load_model model_names",
        "victor.base.labels": "Label",
        "victor.page.source": "Source",
        "victor.training.corpora": "load_corpus train",
        "victor.training.estimator": "VictorCRF",
    },
    needs={"VictorCRF": "sklearn"},
)
