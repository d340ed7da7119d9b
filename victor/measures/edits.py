"""Agreement of a page with its gold text in words and their order, as in CleanEval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from victor.base import optional
from victor.base.arrays import Floats
from victor.measures.aggregates import PageScore, ratio
from victor.measures.words import words


@dataclass(frozen=True, slots=True)
class EditScore(PageScore):
    """Agreement of one page in words and their order, each in 0..1.

    Attributes:
        lcs: 2 * longest common subsequence / (predicted + gold words).
        levenshtein: 1 - edit distance / words of the longer text.
        common: words of the longest common subsequence.
        total: predicted and gold words together.
    """

    MEASURES: ClassVar = ("lcs", "levenshtein")
    POOLED: ClassVar = ("lcs",)

    lcs: float
    levenshtein: float
    common: int
    total: int

    def addends(self) -> tuple[float, ...]:
        """The page's measures and 1 for each, then its two counts."""
        return (*PageScore.addends(self), self.common, self.total)

    @classmethod
    def pooled(cls, sums: Floats) -> Floats:
        """The LCS form from counts summed over pages."""
        return ratio(2 * sums[..., -2:-1], sums[..., -1:])


def edit_score(predicted: str, gold: str) -> EditScore:
    """Word-edit score of one page in both forms that the CleanEval literature reports.

    Two empty texts score 1.

    Source: Baroni et al. (2008), CleanEval; Evert's ``cleaneval.py`` for the LCS form.
    """
    distance = optional.load("rapidfuzz.distance", extra="train")
    numbers: dict[str, int] = {}
    predicted_words, gold_words = (
        [numbers.setdefault(word, len(numbers)) for word in words(text)]
        for text in (predicted, gold)
    )
    total = len(predicted_words) + len(gold_words)
    if not total:
        return EditScore(1.0, 1.0, 0, 0)
    common = int(distance.LCSseq.similarity(predicted_words, gold_words))
    levenshtein = float(distance.Levenshtein.normalized_similarity(predicted_words, gold_words))
    return EditScore(2 * common / total, levenshtein, common, total)
