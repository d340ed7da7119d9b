"""Training: annotated pages to models.

The names load when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor.base import lazy_names

if TYPE_CHECKING:
    from victor.training.corpora import load_corpus, train
    from victor.training.estimator import block_scorer
    from victor.training.training import block_weights, cross_validate, describe, fit, trainable

__all__ = [
    "block_scorer",
    "block_weights",
    "cross_validate",
    "describe",
    "fit",
    "load_corpus",
    "train",
    "trainable",
]

__getattr__, __dir__ = lazy_names.loader(
    __name__,
    {
        "victor.training.corpora": "load_corpus train",
        "victor.training.estimator": "block_scorer",
        "victor.training.training": "block_weights cross_validate describe fit trainable",
    },
)
