"""Labelled blocks against gold labels: confusion, accuracy, precision, recall and F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victor.base.arrays import Floats
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.measures.averages import Numbers, PageScore, ratio, ratios
from victor.measures.words import Score

_LABELS: Final = len(Label)


@dataclass(frozen=True, slots=True, eq=False)
class BlockScores(PageScore):
    """Counts of labelled blocks.

    Averages are those of all blocks of all pages together, as in the literature. ``precision``,
    ``recall`` and ``f1`` are those of keeping a block.

    Attributes:
        confusion: (3, 3) int64, rows are gold labels, columns predicted ones, in the order of
            `Label`. Blocks without a gold label are not in it.
    """

    MEASURES: ClassVar = (
        *("accuracy", "unlabelled_accuracy", "precision", "recall", "f1"),
        *(f"f1_{name}" for name in LABEL_NAMES),
    )

    confusion: NDArray[np.int64]

    def addends(self) -> tuple[float, ...]:
        """The nine counts, row by row."""
        return tuple(self.confusion.ravel().tolist())

    @classmethod
    def averages(cls, sums: Floats) -> Floats:
        """Every measure from counts summed over pages."""
        confusion = sums.reshape(*sums.shape[:-1], _LABELS, _LABELS)
        kept = _kept_or_not(confusion)
        accuracies = [_accuracies(confusion), _accuracies(kept)]
        scores = _label_scores(kept)[..., 0, :]
        return np.concatenate(
            [np.stack(accuracies, axis=-1), scores, _label_scores(confusion)[..., 2]], axis=-1
        )

    @property
    def kept(self) -> Score:
        """Score of keeping: header or text against other."""
        return Score(*_label_scores(_kept_or_not(self.confusion))[0].tolist())


def block_scores(gold: ArrayLike, predicted: ArrayLike) -> BlockScores:
    """Count blocks by gold and predicted label.

    Args:
        gold: (n,) labels; blocks marked `UNLABELLED` are left out.
        predicted: (n,) labels 0..2; anything for the blocks that are left out.
    """
    rows, columns = np.asarray(gold, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    is_labelled = rows != UNLABELLED
    cells = rows[is_labelled] * _LABELS + columns[is_labelled]
    counts = np.bincount(cells, minlength=_LABELS * _LABELS)
    return BlockScores(counts.reshape(_LABELS, _LABELS))


def _kept_or_not(confusion: Numbers) -> Numbers:
    """(..., 2, 2) confusion with header and text merged into the first row and column."""
    edges = [Label.HEADER, Label.OTHER]
    return np.add.reduceat(np.add.reduceat(confusion, edges, axis=-2), edges, axis=-1)


def _accuracies(confusion: Numbers) -> Floats:
    """Share of the diagonal, nan without blocks."""
    return ratio(confusion.trace(axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1)))


def _label_scores(confusion: Numbers) -> Floats:
    """(..., labels, 3): precision, recall and F of each row and column."""
    right = confusion.diagonal(axis1=-2, axis2=-1)
    return ratios(right, confusion.sum(axis=-2), confusion.sum(axis=-1))
