"""Bag-of-words precision, recall and F of a page, as WCXB counts them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    r"""Lower-cased runs of ``\w``, the words that WCXB counts."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1; a ratio of nothing is 0."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class WordScore(Score):
    """Overlap of the bags of words of one page."""


def word_score(predicted: str, gold: str) -> WordScore:
    """Bag-of-words score of one page, as WCXB's ``evaluate.py`` computes it.

    Empty gold scores 1 for an empty prediction and 0 for any other.

    Source: Foley (2026), WCXB.
    """
    found, wanted = words(predicted), words(gold)
    if not wanted:
        value = float(not found)
        return WordScore(value, value, value)
    overlap = (Counter(found) & Counter(wanted)).total()
    return WordScore(*ratios(overlap, len(found), len(wanted)))


def ratios(overlap: int, found: int, wanted: int) -> tuple[float, float, float]:
    """Precision, recall and F from counts; a ratio of nothing is 0."""
    precision = overlap / found if found else 0.0
    recall = overlap / wanted if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
