"""What the language identifiers share, and how accurate they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, CorpusError

UNDETERMINED: Final = "und"
"""ISO 639-2 code for a text of unknown language: no language scores above 0."""


class Identifier(ABC):
    """Identifies the language of texts by comparing them with language profiles.

    Scores are in [0, 1]; a higher one is more like the language.

    Args:
        languages: codes of the profiles' languages, in their order.

    Raises:
        ConfigError: there are none, or one occurs twice.
    """

    def __init__(self, languages: Iterable[str]) -> None:
        self.languages = tuple(languages)
        if not self.languages or len(set(self.languages)) < len(self.languages):
            codes = list(self.languages)
            raise ConfigError(f"an identifier needs one profile per language, not {codes}")

    @abstractmethod
    def identify(self, text: str) -> list[tuple[str, float]]:
        """All languages with their scores, best first."""

    @abstractmethod
    def scores(self, texts: Sequence[str], language: str) -> Floats:
        """`score` of n texts: (n,) float64.

        Raises:
            ConfigError: no profile of that language.
        """

    def score(self, text: str, language: str) -> float:
        """How much a text looks like `language`, in [0, 1]; 0 for a text without words.

        Raises:
            ConfigError: no profile of that language.
        """
        return float(self.scores([text], language)[0])

    def _index(self, language: str) -> int:
        """Position of a language among the profiles.

        Raises:
            ConfigError: no profile of that language.
        """
        if language not in self.languages:
            raise ConfigError(
                f"no profile of language {language!r}, only of {', '.join(self.languages)}; "
                "train one from plain text"
            )
        return self.languages.index(language)

    def _ranked(self, scores: Floats, order: Floats) -> list[tuple[str, float]]:
        """Languages with their scores, those of the highest `order` first."""
        best_first = np.argsort(-order, kind="stable").tolist()
        return [(self.languages[i], float(scores[i])) for i in best_first]


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often lines of a language were taken for each language.

    Attributes:
        true: the languages of the lines.
        predicted: the languages that the identifier may name, and ``und``.
        counts: (true, predicted) int64, number of lines.
    """

    true: tuple[str, ...]
    predicted: tuple[str, ...]
    counts: Ints

    @property
    def accuracy(self) -> float:
        """Share of all lines that were identified correctly, in [0, 1]."""
        return sum(self._right(language) for language in self.true) / int(self.counts.sum())

    def accuracy_of(self, language: str) -> float:
        """Share of one language's lines that were identified correctly, in [0, 1]."""
        row = self.counts[self.true.index(language)]
        return self._right(language) / int(row.sum())

    def mistakes(self) -> list[tuple[str, str, int]]:
        """True language, predicted language, number of lines: the most frequent first."""
        confused = [
            (self.true[i], self.predicted[j], int(self.counts[i, j]))
            for i, j in np.argwhere(self.counts).tolist()
            if self.true[i] != self.predicted[j]
        ]
        return sorted(confused, key=lambda mistake: -mistake[2])

    def _right(self, language: str) -> int:
        if language not in self.predicted:
            return 0
        return int(self.counts[self.true.index(language), self.predicted.index(language)])


def evaluate(identifier: Identifier, lines: Mapping[str, Iterable[str]]) -> Confusion:
    """Identify lines of known languages; a language that has no profile is never right.

    Raises:
        CorpusError: a language has no lines.
    """
    predicted = (*identifier.languages, UNDETERMINED)
    counts = np.zeros((len(lines), len(predicted)), dtype=np.int64)
    for row, (language, texts) in enumerate(lines.items()):
        named = Counter(_best(identifier, text) for text in texts)
        if not named:
            raise CorpusError(f"no lines of language {language!r} to evaluate on")
        counts[row] = [named[name] for name in predicted]
    if not len(counts):
        raise CorpusError("no languages to evaluate on; give lines of at least one")
    return Confusion(tuple(lines), predicted, counts)


def _best(identifier: Identifier, text: str) -> str:
    language, score = identifier.identify(text)[0]
    return language if score > 0 else UNDETERMINED
