"""Precision, recall and F of runs of words, counted as in Scrapinghub's article benchmark."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from victor.base.arrays import Floats
from victor.measures.aggregates import PageScore, harmonic, ratio

_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ShingleScore(PageScore):
    """Shingles of one page: runs of words, as multisets.

    The benchmark divides the three counts by their sum, which changes no ratio of them.

    Attributes:
        true_positive: shingles in both texts.
        false_positive: shingles of the prediction alone.
        false_negative: shingles of the gold text alone.
        exact: are the words of both texts the same, in the same order?
    """

    MEASURES: ClassVar = ("precision", "recall", "f1", "exact")

    true_positive: int
    false_positive: int
    false_negative: int
    exact: bool

    def addends(self) -> tuple[float, ...]:
        """Precision, is it defined, recall, is it defined, exact, 1."""
        right, predicted = self.true_positive, self.true_positive + self.false_positive
        gold = self.true_positive + self.false_negative
        precision = (right / predicted, 1.0) if predicted else (0.0, 0.0)
        recall = (right / gold, 1.0) if gold else (0.0, 0.0)
        return (*precision, *recall, float(self.exact), 1.0)

    @classmethod
    def averages(cls, sums: Floats) -> Floats:
        """Means of precision and recall over the pages where defined, their F, share of exact."""
        precision, recall, exact = np.moveaxis(ratio(sums[..., 0::2], sums[..., 1::2]), -1, 0)
        f1 = harmonic(np.nan_to_num(precision), np.nan_to_num(recall))
        f1 = np.where(np.isnan(precision) & np.isnan(recall), np.nan, f1)
        return np.stack([precision, recall, f1, exact], axis=-1)


def shingle_score(predicted: str, gold: str, n: int = 4) -> ShingleScore:
    r"""Count the shingles of `n` words of one page; a shorter text is one shingle.

    Words are runs of ``\w`` with their case.

    Source: Scrapinghub (2020), article-extraction-benchmark, ``evaluate.py``.
    """
    predicted_tokens, gold_tokens = _TOKEN.findall(predicted), _TOKEN.findall(gold)
    shingles, gold_shingles = _shingles(predicted_tokens, n), _shingles(gold_tokens, n)
    right = (shingles & gold_shingles).total()
    return ShingleScore(
        true_positive=right,
        false_positive=shingles.total() - right,
        false_negative=gold_shingles.total() - right,
        exact=predicted_tokens == gold_tokens,
    )


def _shingles(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    """Multiset of the runs of `n` tokens."""
    if len(tokens) <= n:
        return Counter([tuple(tokens)] if tokens else [])
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
