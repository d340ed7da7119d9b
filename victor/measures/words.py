"""Bag-of-words precision, recall and F of a page, as WCXB counts them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from victor.arrays import Floats
from victor.measures.aggregates import PageScore, ratios

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    r"""Lower-cased runs of ``\w``, the words that WCXB counts."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Score(PageScore):
    """Precision, recall and their harmonic mean, each in 0..1; a ratio of nothing is 0."""

    MEASURES: ClassVar = ("precision", "recall", "f1")

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class WordScore(Score):
    """Overlap of the bags of words of one page.

    Attributes:
        overlap: words in both texts, as multisets.
        found: words of the prediction.
        wanted: words of the gold text.
    """

    POOLED: ClassVar = Score.MEASURES

    overlap: int
    found: int
    wanted: int

    def addends(self) -> tuple[float, ...]:
        """The page's measures and 1 for each, then its three counts."""
        return (*Score.addends(self), self.overlap, self.found, self.wanted)

    @classmethod
    def pooled(cls, sums: Floats) -> Floats:
        """Score of all words of all pages as one bag per page, every word weighing the same."""
        return ratios(sums[..., -3], sums[..., -2], sums[..., -1])


def word_score(predicted: str, gold: str) -> WordScore:
    """Bag-of-words score of one page, as WCXB's ``evaluate.py`` computes it.

    Empty gold scores 1 for an empty prediction and 0 for any other.

    Source: Foley (2026), WCXB.
    """
    found, wanted = words(predicted), words(gold)
    if not wanted:
        value = float(not found)
        return WordScore(value, value, value, 0, len(found), 0)
    overlap = (Counter(found) & Counter(wanted)).total()
    return WordScore(*prf(overlap, len(found), len(wanted)), overlap, len(found), len(wanted))


def prf(overlap: int, found: int, wanted: int) -> tuple[float, float, float]:
    """Precision, recall and F from counts; a ratio of nothing is 0."""
    precision = overlap / found if found else 0.0
    recall = overlap / wanted if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
