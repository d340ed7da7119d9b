"""A system's decision beside the gold standard, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools
from victor.base.cached import cached_property
from victor.base.labels import UNLABELLED, Label
from victor.evaluation.predictions import Predictions, page_slices
from victor.measures.words import WordScore, word_score
from victor.model.decide import decide


class BlockOutcome(IntEnum):
    """Gold label and decision of a block together; header and text are one."""

    KEPT = 0
    DROPPED = 1
    LOST = 2
    WRONGLY_KEPT = 3
    UNLABELLED = 4


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """A system's decision beside the gold standard: n blocks on P pages."""

    predictions: Predictions

    @cached_property
    def labels(self) -> NDArray[np.uint8]:
        """(n,) labels as the system is configured to decide, as far as marginals determine it."""
        predictions = self.predictions
        return decide(
            predictions.marginals,
            predictions,
            predictions.decision.on_marginals,
            p_no_content=predictions.p_no_content,
        )

    @cached_property
    def kept(self) -> Bools:
        """(n,) blocks that the system keeps."""
        return np.asarray(self.labels != Label.OTHER)

    @cached_property
    def outcomes(self) -> NDArray[np.uint8]:
        """(n,) `BlockOutcome` of each block."""
        gold = self.predictions.labels
        content = np.where(self.kept, BlockOutcome.KEPT, BlockOutcome.LOST)
        other = np.where(self.kept, BlockOutcome.WRONGLY_KEPT, BlockOutcome.DROPPED)
        outcomes = np.where(gold == Label.OTHER, other, content)
        return np.where(gold == UNLABELLED, BlockOutcome.UNLABELLED, outcomes).astype(np.uint8)

    @cached_property
    def gold_texts(self) -> list[str]:
        """(P) gold texts; for a page that has none, the text of its blocks with a gold label."""
        pages = zip(self.predictions.pages, self._texts(self._is_gold), strict=True)
        return [text if page.gold is None else page.gold for page, text in pages]

    @cached_property
    def scores(self) -> list[WordScore]:
        """(P) word score of the kept blocks; unlabelled blocks count as dropped."""
        return self._scores(self.kept & (self.predictions.labels != UNLABELLED))

    @cached_property
    def reachable(self) -> list[WordScore]:
        """(P) word score that keeping by the gold labels would give."""
        return self._scores(self._is_gold)

    @property
    def _is_gold(self) -> Bools:
        return np.isin(self.predictions.labels, (Label.HEADER, Label.TEXT))

    def _scores(self, kept: Bools) -> list[WordScore]:
        texts = zip(self._texts(kept), self.gold_texts, strict=True)
        return [word_score(text, gold) for text, gold in texts]

    def _texts(self, kept: Bools) -> list[str]:
        """Text of the given blocks, page by page."""
        texts = self.predictions.texts
        return [
            "\n".join([texts[page.start + row] for row in np.flatnonzero(kept[page]).tolist()])
            for page in page_slices(self.predictions.page_starts)
        ]
