"""Blocks of one template path are judged alike: their log-odds go towards their mean.

The posts of a thread and the cards of a listing are written by one template, so the blocks at one
place of it are content or are not, all of them. The chain knows only neighbours, and the next block
of the same path may be far away. A path counts only where it repeats under several parents: the
paragraphs of one element share theirs whether they are the article or what follows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats, Ints
from victor.base.errors import FeatureError
from victor.base.labels import Label
from victor.features.base import ColumnValues

COLUMNS: Final = ("path-class.first", "word.count")
"""What is read: which blocks share a path, and how many words they have."""

_FEWEST: Final = 3
"""Blocks of a path that is a template."""
_LONG: Final = 8
"""Mean words of these blocks: names, dates and buttons repeat in content and around it alike."""
_LARGEST: Final = 4.0
"""Log-odds beyond this count as this: one sure block does not decide for all."""


class Pooling(Struct, frozen=True):
    """How far the log-odds of the blocks of a path go towards their mean.

    Attributes:
        strength: share of the way, 0 to 1; 0 leaves all blocks as they are.
    """

    strength: float

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return COLUMNS if self.strength else ()

    def __call__(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n, 3) log potentials, given those of each block by itself.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return scores
        return shifted(scores, self.shift(scores, columns, page_starts))

    def shift(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n,) what the log-odds of being kept gain, in natural logarithms.

        The odds of a block are those of the better of header and text; words weigh blocks.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return np.zeros(len(scores))
        first, words = (_integers(columns, name) for name in COLUMNS)
        odds = np.maximum(scores[:, Label.HEADER], scores[:, Label.TEXT]) - scores[:, Label.OTHER]
        odds = np.minimum(np.maximum(odds, -_LARGEST), _LARGEST)
        path = np.repeat(page_starts[:-1], np.diff(page_starts)) + first
        n_blocks, n_words = np.bincount(path)[path], np.bincount(path, words)[path]
        is_pooled = (n_blocks >= _FEWEST) & (n_words >= _LONG * n_blocks)
        mean = np.bincount(path, words * odds)[path] / np.maximum(n_words, 1)
        return np.where(is_pooled, self.strength * (mean - odds), 0.0)


def shifted(scores: Floats, shift: Floats) -> Floats:
    """(n, 3) log potentials whose log-odds of being kept gain (n,) so much."""
    is_kept = np.arange(len(Label)) != Label.OTHER
    return np.asarray(scores + shift[:, None] * is_kept)


def _integers(columns: Mapping[str, ColumnValues], name: str) -> Ints:
    if name not in columns:
        raise FeatureError(f"pooling needs column {name}: switch its feature on, or retrain")
    return np.asarray(columns[name]).astype(np.int64)
