"""Words of a page against those of its gold text: as bags, counted as in WCXB, and in their order.

Scripts without spaces are the exception: WCXB's words would be what stands between two marks there.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Final

import numpy as np
from msgspec import Struct

from victor.base import lazy
from victor.base.arrays import Ints
from victor.base.lazy import pattern
from victor.measures.averages import PageScore

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


def word_score(predicted: str, gold: str) -> Score:
    """Bag-of-words score of one page, as WCXB's ``evaluate.py`` computes it.

    Empty gold scores 1 for an empty prediction and 0 for any other.

    Source: Foley (2026), WCXB.
    """
    bag, gold_bag = Counter(words(predicted)), Counter(words(gold))
    n_predicted, n_gold = bag.total(), gold_bag.total()
    if not n_gold:
        value = float(not n_predicted)
        return Score(value, value, value)
    overlap = (bag & gold_bag).total()
    precision = overlap / n_predicted if n_predicted else 0.0
    recall, both = overlap / n_gold, n_predicted + n_gold
    return Score(precision, recall, 2 * overlap / both)


# --- Words in their order -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EditScore(PageScore):
    """Agreement of one page in words and their order, each in 0..1.

    `lcs` is 2 * words of the longest common subsequence / words of both texts,
    `levenshtein` is 1 - edit distance / words of the longer text.
    """

    MEASURES: ClassVar = ("lcs", "levenshtein")

    lcs: float
    levenshtein: float


def edit_score(predicted: str, gold: str) -> EditScore:
    """Word-edit score of one page in both forms that the CleanEval literature reports.

    Two empty texts score 1.

    Source: Baroni et al. (2008), CleanEval; Evert's ``cleaneval.py`` for the LCS form.
    """
    distance = lazy.load("rapidfuzz.distance", extra="train")
    numbers: dict[str, int] = {}
    predicted_words, gold_words = (
        [numbers.setdefault(word, len(numbers)) for word in words(text)]
        for text in (predicted, gold)
    )
    total = len(predicted_words) + len(gold_words)
    if not total:
        return EditScore(1.0, 1.0)
    common = int(distance.LCSseq.similarity(predicted_words, gold_words))
    levenshtein = float(distance.Levenshtein.normalized_similarity(predicted_words, gold_words))
    return EditScore(2 * common / total, levenshtein)


# --- Words of many choices ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WordBags:
    """Words of b blocks on P pages and of the pages' gold texts.

    A number stands for one word on one page, so words of two pages never share one. The blocks
    have K words; blocks and gold texts together have D numbers.

    Attributes:
        word, block: (K,) int64 number of each word of the blocks, and its block.
        sizes: (b,) int64 words of each block.
        gold_counts: (D,) int64 how often each number occurs in the gold text of its page.
        gold_sizes: (P,) int64 words of each gold text.
    """

    word: Ints
    block: Ints
    sizes: Ints
    gold_counts: Ints
    gold_sizes: Ints


def word_bags(pages: Iterable[tuple[Sequence[str], str]]) -> WordBags:
    """Number the words of pages, each given as the texts of its blocks and its gold text."""
    next_number = count()
    word, gold_word = array("q"), array("q")
    sizes: list[int] = []
    gold_sizes: list[int] = []
    n_numbers = 0
    for texts, gold in pages:
        # A fresh table with a common counter: words of two pages never share a number.
        numbers: defaultdict[str, int] = defaultdict(next_number.__next__)
        for text in texts:
            block_words = words(text)
            word.extend(map(numbers.__getitem__, block_words))
            sizes.append(len(block_words))
        gold_words = words(gold)
        gold_word.extend(map(numbers.__getitem__, gold_words))
        gold_sizes.append(len(gold_words))
        n_numbers += len(numbers)
    return WordBags(
        word=_ints(word),
        block=np.repeat(np.arange(len(sizes)), sizes),
        sizes=_ints(sizes),
        gold_counts=np.bincount(_ints(gold_word), minlength=n_numbers),
        gold_sizes=_ints(gold_sizes),
    )


def _ints(values: Sequence[int] | array[int]) -> Ints:
    return np.array(values, dtype=np.int64)
