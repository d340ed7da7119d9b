"""Labelled blocks against gold labels: confusion, accuracy, precision, recall and F."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victor.errors import ConfigError
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.measures.groups import members_of, same_length
from victor.measures.words import Score, ratios

_LABELS: Final = len(Label)


@dataclass(frozen=True, slots=True, eq=False)
class BlockScores:
    """Counts of labelled blocks; add two to pool their pages.

    Attributes:
        confusion: (3, 3) int64, rows are gold labels, columns predicted ones, in the order of
            `Label`. Blocks without a gold label are not in it.
    """

    confusion: NDArray[np.int64]

    def __add__(self, other: BlockScores) -> BlockScores:
        return BlockScores(self.confusion + other.confusion)

    @property
    def blocks(self) -> int:
        """Number of scored blocks."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of blocks with the right one of three labels; nan without blocks."""
        return _share(int(np.trace(self.confusion)), self.blocks)

    @property
    def unlabelled_accuracy(self) -> float:
        """Share of blocks rightly kept or dropped, header and text being one; nan without any."""
        return _share(int(np.trace(self._kept_or_not())), self.blocks)

    @property
    def kept(self) -> Score:
        """Score of keeping: header or text against other."""
        return _label_score(self._kept_or_not(), 0)

    def of(self, label: Label) -> Score:
        """Score of one label."""
        return _label_score(self.confusion, label)

    def _kept_or_not(self) -> NDArray[np.int64]:
        """(2, 2) confusion with header and text merged into the first row and column."""
        edges = [Label.HEADER, Label.OTHER]
        rows = np.add.reduceat(self.confusion, edges, axis=0)
        return np.asarray(np.add.reduceat(rows, edges, axis=1), dtype=np.int64)


def block_scores(gold: ArrayLike, predicted: ArrayLike) -> BlockScores:
    """Count blocks by gold and predicted label.

    Args:
        gold: (n,) labels; blocks marked `UNLABELLED` are left out.
        predicted: (n,) labels 0..2, anything at the places that are left out.

    Raises:
        ConfigError: the arrays differ in length or hold something that is not a label.
    """
    wanted, found = np.asarray(gold, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if wanted.shape != found.shape:
        raise ConfigError(
            f"gold has shape {wanted.shape} but the prediction {found.shape}: "
            "give both labels for the same blocks"
        )
    scored = wanted != UNLABELLED
    wanted, found = wanted[scored], found[scored]
    for name, labels in (("gold", wanted), ("predicted", found)):
        if labels.size and not 0 <= labels.min() <= labels.max() < _LABELS:
            raise ConfigError(f"{name} labels must be 0..{_LABELS - 1} ({', '.join(LABEL_NAMES)})")
    counts = np.bincount(wanted * _LABELS + found, minlength=_LABELS * _LABELS)
    return BlockScores(counts.astype(np.int64).reshape(_LABELS, _LABELS))


def pool(scores: Iterable[BlockScores], groups: Iterable[str]) -> dict[str, BlockScores]:
    """Block counts summed per group of pages (page type, language), and over ``"all"`` first.

    Raises:
        ConfigError: not exactly one group per page.
    """
    pages, names = list(scores), list(groups)
    same_length(pages, names)
    start = BlockScores(np.zeros((_LABELS, _LABELS), dtype=np.int64))
    return {
        group: sum((pages[position] for position in members), start)
        for group, members in members_of(names).items()
    }


def _label_score(confusion: NDArray[np.int64], label: int) -> Score:
    """Score of one row and column of a square confusion matrix."""
    hits, found, wanted = confusion[label, label], confusion[:, label].sum(), confusion[label].sum()
    return Score(*ratios(int(hits), int(found), int(wanted)))


def _share(part: int, whole: int) -> float:
    """Ratio of two counts, nan for an empty whole."""
    return part / whole if whole else math.nan
