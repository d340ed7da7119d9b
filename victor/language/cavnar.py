"""Language identification by rank order of n-grams, after Cavnar and Trenkle 1994.

W. B. Cavnar and J. M. Trenkle, "N-Gram-Based Text Categorization", SDAIR-94: a text's n-grams
of 1 to 5 characters in order of frequency are compared with each language's by how far out of
place they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError
from victor.language.profiles import (
    LONGEST,
    Alphabet,
    Identifier,
    LanguageProfile,
    gram_keys,
    ngrams,
    read_words,
)

_MAX_BASE: Final = 4000  # five digits and the length must fit a signed 64-bit number


class CavnarIdentifier(Identifier):
    """Out-of-place distance between a text's and a language's most frequent n-grams.

    Two points differ from the paper. A word is followed by one blank, not by as many as make
    the n-gram full: the repeated ends of words drown the rest of a short text (40 characters,
    Czech or Slovak: 86 % right with them, 91 % without). And n-grams of the same frequency share
    their mean rank, so that no accidental order counts.

    Attributes:
        languages: codes of the profiles' languages.
        size: length of the ranked lists; 300 and 400 are the paper's best.
    """

    def __init__(self, profiles: Iterable[LanguageProfile], *, size: int = 400) -> None:
        if size < 1:
            raise ConfigError(f"the size of a rank list is at least 1, not {size}")
        profiles = tuple(profiles)
        super().__init__(profile.language for profile in profiles)
        self.size = size
        tops = [dict(list(profile.ranked.items())[:size]) for profile in profiles]
        self._alphabet = Alphabet(letter for top in tops for gram in top for letter in gram)
        if self._alphabet.base > _MAX_BASE:
            raise ConfigError("these profiles use too many letters together; load fewer languages")
        self._ranks = [_ranks_of_language(top, self._alphabet) for top in tops]

    def identify(self, text: str) -> list[tuple[str, float]]:
        """All languages with their scores in [0, 1], the nearest first."""
        ranked = self._rank([text])
        distances = [self._compare(ranked, i)[0] for i in range(len(self.languages))]
        return self._ranked(1 - np.array(distances), -np.array(distances))

    def scores(self, texts: Sequence[str], language: str) -> Floats:
        """1 - distance of each of n texts to a language, in [0, 1]: (n,) float64.

        The distance is the mean number of places by which a text's n-grams are out of place, over
        `size`; an n-gram that the language's list lacks is `size` places out. The mean over the
        text's own n-grams makes short and long texts comparable. That of a text without words is 1.

        Raises:
            ConfigError: no profile of that language.
        """
        return 1 - self._compare(self._rank(texts), self._index(language))

    def _compare(self, ranked: _Ranked, language: int) -> Floats:
        keys, ranks = self._ranks[language]
        index = np.minimum(np.searchsorted(keys, ranked.gram), len(keys) - 1)
        out = np.minimum(np.abs(ranks[index] - ranked.rank), self.size)
        out = np.where(keys[index] == ranked.gram, out, self.size)
        n_grams = np.bincount(ranked.text, minlength=ranked.n_texts)
        sums = np.bincount(ranked.text, out, minlength=ranked.n_texts)
        return np.where(n_grams > 0, sums / np.maximum(n_grams, 1) / self.size, 1.0)

    def _rank(self, texts: Sequence[str]) -> _Ranked:
        words = read_words(texts)
        digits = self._alphabet.digits(words.letters)
        by_length = [ngrams(digits, n, base=self._alphabet.base) for n in range(1, LONGEST + 1)]
        grams = np.concatenate(
            [gram_keys(numbers, n) for n, (numbers, _) in enumerate(by_length, start=1)]
        )
        text = words.text[np.concatenate([starts for _, starts in by_length])]
        text, grams, counts = _count_pairs(text, grams)
        # Stable: equally frequent n-grams stay in key order, as in the profiles.
        order = np.argsort(text * (counts.max(initial=0) + 1) - counts, kind="stable")
        return _top(text[order], grams[order], counts[order], n_texts=words.n_texts, size=self.size)


class _Ranked(NamedTuple):
    """N-grams of several texts, text by text, the most frequent first."""

    gram: Ints
    text: Ints
    rank: Floats
    n_texts: int


def _count_pairs(text: Ints, grams: Ints) -> tuple[Ints, Ints, Ints]:
    """The distinct pairs of text and n-gram in their order, and how often each occurs."""
    names, grams = np.unique(grams, return_inverse=True)  # so that a pair fits 64 bits
    pairs, counts = np.unique(text * len(names) + grams, return_counts=True)
    text, grams = np.divmod(pairs, max(len(names), 1))
    return text, names[grams], counts


def _top(text: Ints, grams: Ints, counts: Ints, *, n_texts: int, size: int) -> _Ranked:
    """Cut every text's list, most frequent first, after `size` n-grams and rank what remains."""
    start = np.searchsorted(text, np.arange(n_texts))
    rank = np.arange(len(text)) - start[text]
    kept = rank < size
    ranks = _mean_ranks(rank[kept], counts[kept])
    return _Ranked(grams[kept], text[kept], ranks, n_texts)


def _mean_ranks(rank: Ints, counts: Ints) -> Floats:
    """Ranks in lists laid end to end; neighbours of one list with equal counts share theirs."""
    if not len(rank):
        return np.empty(0)
    is_first = np.ones(len(rank), dtype=bool)
    is_first[1:] = (rank[1:] == 0) | (counts[1:] != counts[:-1])
    tie = np.cumsum(is_first) - 1
    ranks: Floats = (np.bincount(tie, rank) / np.bincount(tie))[tie]
    return ranks


def _ranks_of_language(top: Mapping[str, int], alphabet: Alphabet) -> tuple[Ints, Floats]:
    """Sorted keys of a language's n-grams and their ranks."""
    grams = list(top)
    lengths = np.array([len(gram) for gram in grams])
    keys = np.empty(len(grams), dtype=np.int64)
    for n in range(1, LONGEST + 1):
        same = np.flatnonzero(lengths == n)
        keys[same] = gram_keys(alphabet.pack([grams[i] for i in same.tolist()]), n)
    ranks = _mean_ranks(np.arange(len(grams)), np.array(list(top.values())))
    order = np.argsort(keys)
    return keys[order], ranks[order]
