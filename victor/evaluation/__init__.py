"""Evaluation: cross-validated marginals, scores, curves, ablation and the report.

The names load when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor.base import lazy_names

if TYPE_CHECKING:
    from victor.evaluation.evaluation import (
        Outcome,
        by_folds,
        by_labeler,
        by_training,
        evaluate,
        held_out,
    )

__all__ = ["Outcome", "by_folds", "by_labeler", "by_training", "evaluate", "held_out"]

__getattr__, __dir__ = lazy_names.loader(
    __name__,
    {"victor.evaluation.evaluation": "Outcome by_folds by_labeler by_training evaluate held_out"},
)
