"""Language identification by trigram probabilities of words, after Beesley 1988.

K. R. Beesley, "Language Identifier: A computer program for automatic natural-language
identification of on-line text", ATA 1988: every language gives every word a probability, the
product of its n-gram probabilities; a word's probabilities are compared between languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.language.profiles import (
    UNDETERMINED,
    Alphabet,
    Identifier,
    LanguageProfile,
    Words,
    read_words,
    word_trigrams,
)

_SMOOTHING: Final = 20.0
"""Weight, in observations, of the shorter history when a longer one was seen rarely."""

_SLIP: Final = 1 / 3000
"""Probability of any letter anywhere: a name or a foreign letter costs a word 8 nats, no more."""

_NO_LANGUAGE: Final = float(np.log(1 / 20))
"""Log-probability per letter of a text in none of the languages.

A known language gives the letters of its own texts 1/7 to 1/10 on average, the language that is
nearest to Hungarian gives Hungarian letters 1/37. Against 1/30 this value costs known languages
one text of 40 characters in a thousand and refuses a third more of the Hungarian ones.
"""


class BeesleyIdentifier(Identifier):
    """Naive Bayes over words, each a chain of letters that depend on the two letters before.

    The alternatives are the profiles' languages and "none of them", equally likely beforehand;
    so the scores of a text add up to at most 1, and a text in a language without a profile scores
    low everywhere unless it resembles a known one, as Dutch does German. A text without words
    scores 0 everywhere.

    Attributes:
        languages: codes of the profiles' languages.
    """

    def __init__(self, profiles: Iterable[LanguageProfile]) -> None:
        profiles = tuple(profiles)
        super().__init__(profile.language for profile in profiles)
        self._alphabet = Alphabet(
            letter for p in profiles for gram in p.trigrams for letter in gram
        )
        self._chain = _Chain(profiles, self._alphabet)

    def identify(self, text: str) -> list[tuple[str, float]]:
        """All languages with their probabilities in [0, 1], the most probable first."""
        probabilities, likelihoods = self._probabilities([text])
        return self._ranked(probabilities[0], likelihoods[0])

    def best(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        """The most probable language of each of n texts, and its probability in [0, 1].

        ``und`` and 0 for a text without words.
        """
        scores, _ = self._probabilities(texts)
        rows = zip(scores.argmax(axis=1).tolist(), scores.max(axis=1).tolist(), strict=True)
        return [(self.languages[i], score) if score else (UNDETERMINED, 0.0) for i, score in rows]

    def scores(self, texts: Sequence[str], language: str) -> Floats:
        """Probability in [0, 1] that each of n texts is in `language`: (n,) float64.

        Raises:
            ConfigError: no profile of that language.
        """
        column = self._index(language)
        return self._probabilities(texts)[0][:, column]

    def _probabilities(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """(n, languages) probabilities, 0 for texts without words, and log-likelihoods."""
        words = read_words(texts)
        likelihoods = self._text_likelihoods(words)
        odds = np.exp(likelihoods - likelihoods.max(axis=1, keepdims=True))
        probabilities = odds / odds.sum(axis=1, keepdims=True)
        probabilities[np.bincount(words.text_of_word(), minlength=len(texts)) == 0] = 0.0
        return probabilities[:, :-1], likelihoods[:, :-1]

    def _text_likelihoods(self, words: Words) -> Floats:
        """(texts, languages + 1) float64: log-likelihoods of texts; no language comes last."""
        text, n_texts = words.text[:-1], words.n_texts
        digits = self._alphabet.digits(words.letters)
        trigrams, which = np.unique(
            word_trigrams(digits, base=self._alphabet.base), return_inverse=True
        )
        logs = self._chain.log_probabilities(trigrams)
        sums = [np.bincount(text, logs[which, i], minlength=n_texts) for i in range(logs.shape[1])]
        n_letters = np.bincount(text, minlength=n_texts)
        return np.stack([*sums, n_letters * _NO_LANGUAGE], axis=1)


class _Chain:
    """P(letter | two letters before) of several languages, smoothed with shorter histories."""

    def __init__(self, profiles: Sequence[LanguageProfile], alphabet: Alphabet) -> None:
        self._base = base = alphabet.base
        self._trigram = _Table.of(profiles, alphabet)
        self._bigram = self._trigram.regrouped(self._trigram.keys % base**2)
        self._letter = self._bigram.regrouped(self._bigram.keys % base)
        self._after_two = self._trigram.regrouped(self._trigram.keys // base)
        self._after_one = self._bigram.regrouped(self._bigram.keys // base)
        self._total = self._letter.counts.sum(axis=0)

    def log_probabilities(self, trigrams: Ints) -> Floats:
        """(k, languages) float64: natural logarithms for k trigrams."""
        base = self._base
        letter = self._letter(trigrams % base) / self._total
        after_one = _smooth(
            self._bigram(trigrams % base**2), self._after_one(trigrams // base % base), letter
        )
        after_two = _smooth(self._trigram(trigrams), self._after_two(trigrams // base), after_one)
        logs: Floats = np.log(after_two + _SLIP)
        return logs


class _Table:
    """Counts of n-grams in several languages; what is not in the table was seen 0 times."""

    def __init__(self, keys: Ints, counts: Floats) -> None:
        self.keys = keys
        self.counts = counts

    @classmethod
    def of(cls, profiles: Sequence[LanguageProfile], alphabet: Alphabet) -> _Table:
        numbers = [alphabet.pack(list(profile.trigrams)) for profile in profiles]
        keys = np.unique(np.concatenate(numbers))
        counts = np.zeros((len(keys) + 1, len(profiles)))
        for i, profile in enumerate(profiles):
            counts[np.searchsorted(keys, numbers[i]), i] = list(profile.trigrams.values())
        return cls(keys, counts)

    def regrouped(self, new_keys: Ints) -> _Table:
        """The same counts added up under other keys."""
        keys, group = np.unique(new_keys, return_inverse=True)
        counts = np.zeros((len(keys) + 1, self.counts.shape[1]))
        np.add.at(counts, group, self.counts[:-1])
        return _Table(keys, counts)

    def __call__(self, keys: Ints) -> Floats:
        """(k, languages) float64: counts of k keys."""
        rows = np.searchsorted(self.keys, keys)
        is_known = self.keys[np.minimum(rows, len(self.keys) - 1)] == keys
        # The last row, all zero, serves the keys that are not there.
        return self.counts[np.where(is_known, rows, len(self.keys))]


def _smooth(seen: Floats, history: Floats, shorter: Floats) -> Floats:
    return (seen + _SMOOTHING * shorter) / (history + _SMOOTHING)


# --- Languages of paragraphs ----------------------------------------------------------------------

LEAST_WORDS: Final = 10
LEAST_PROBABILITY: Final = 0.99
"""With ten words and this probability 1 held-out sentence in 1,000 is told to be of another
language, of Czech ones none of 337, and 98 % are told to be of their own; with eight words it is
1 of 61 Czech ones, with a probability of 0.9 one of 112
(benchmarks/paragraph_language.py@38ceb48)."""
_WORD: Final = re.compile(r"[^\W\d_]+")


def sure_languages(identifier: BeesleyIdentifier, texts: Sequence[str]) -> list[str | None]:
    """The language of each of n texts, None where it is not sure.

    Args:
        identifier: gives probabilities.
        texts: paragraphs; numbers in them are no words.
    """
    long = [index for index, text in enumerate(texts) if len(_WORD.findall(text)) >= LEAST_WORDS]
    languages: list[str | None] = [None] * len(texts)
    for index, (language, score) in zip(
        long, identifier.best([texts[index] for index in long]), strict=True
    ):
        languages[index] = language if score >= LEAST_PROBABILITY else None
    return languages
