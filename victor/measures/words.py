"""Bag-of-words precision, recall and F of a page, counted as in WCXB.

Scripts without spaces are the exception: WCXB's words would be what stands between two marks there.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import ClassVar, Final

from msgspec import Struct

from victor.base.arrays import Floats
from victor.measures.aggregates import PageScore, ratios
from victor.page.parsing.patterns import pattern

_UNSPACED: Final = (range(0x0E00, 0x10A0), range(0x1780, 0x1800), range(0xA9E0, 0xAA00),
                    range(0xAA60, 0xAA80))  # fmt: skip
"""Thai, Lao, Tibetan, Burmese; Khmer; Burmese, extended."""
_TSHEGS: Final = "\u0f0b\u0f0c"
_LETTERS_PER_WORD: Final = 4


def _unspaced(*categories: str) -> str:
    """Characters of scripts without spaces that are of some categories of Unicode."""
    characters = (chr(code) for block in _UNSPACED for code in block)
    return "".join(c for c in characters if unicodedata.category(c) in categories)


_LETTERS: Final = _unspaced("Lo", "Lm")
_MARKS: Final = _unspaced("Mn", "Mc") + _TSHEGS
_SPACED_WORD: Final = re.compile(r"\w+")
_LETTER: Final = pattern(f"[{_LETTERS}]")
_WORD: Final = pattern(rf"(?:[{_LETTERS}][{_MARKS}]*){{1,{_LETTERS_PER_WORD}}}|[^\W{_LETTERS}]+")


def words(text: str) -> list[str]:
    r"""Lower-cased runs of ``\w``, the words that WCXB counts.

    Thai, Lao, Khmer, Burmese and Tibetan letters are taken by four, with their marks, from where
    a run of them begins: words there are as long as that, and have no limits that are written.

    >>> words("In 1782, Bangkok"), words("กรุงเทพมหานคร 2325")
    (['in', '1782', 'bangkok'], ['กรุงเ', 'ทพมห', 'านคร', '2325'])
    """
    return _pattern(text).findall(text.lower())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each of the words of a text begins and ends."""
    return [match.span() for match in _pattern(text).finditer(text)]


def _pattern(text: str) -> re.Pattern[str]:
    """What a word is; texts without letters of scripts without spaces are searched faster."""
    return _SPACED_WORD if text.isascii() or not _LETTER.search(text) else _WORD


class Score(PageScore, Struct, frozen=True):
    """Precision, recall and their harmonic mean, each in 0..1; a ratio of nothing is 0."""

    MEASURES: ClassVar = ("precision", "recall", "f1")

    precision: float
    recall: float
    f1: float


class WordScore(Score, frozen=True):
    """Overlap of the bags of words of one page.

    Attributes:
        overlap: words in both texts, as multisets.
        predicted: words of the prediction.
        gold: words of the gold text.
    """

    POOLED: ClassVar = Score.MEASURES

    overlap: int
    predicted: int
    gold: int

    def addends(self) -> tuple[float, ...]:
        """The page's measures and 1 for each, then its three counts."""
        return (*Score.addends(self), self.overlap, self.predicted, self.gold)

    @classmethod
    def pooled(cls, sums: Floats) -> Floats:
        """Score of the words of all pages, every word with the same weight."""
        return ratios(sums[..., -3], sums[..., -2], sums[..., -1])


def word_score(predicted: str, gold: str) -> WordScore:
    """Bag-of-words score of one page, as WCXB's ``evaluate.py`` computes it.

    Empty gold scores 1 for an empty prediction and 0 for any other.

    Source: Foley (2026), WCXB.
    """
    bag, gold_bag = Counter(words(predicted)), Counter(words(gold))
    n_predicted, n_gold = bag.total(), gold_bag.total()
    if not n_gold:
        value = float(not n_predicted)
        return WordScore(value, value, value, 0, n_predicted, 0)
    overlap = (bag & gold_bag).total()
    return WordScore(*prf(overlap, n_predicted, n_gold), overlap, n_predicted, n_gold)


def prf(overlap: int, predicted: int, gold: int) -> tuple[float, float, float]:
    """Precision, recall and F from counts; a ratio of nothing is 0."""
    precision = overlap / predicted if predicted else 0.0
    recall = overlap / gold if gold else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
