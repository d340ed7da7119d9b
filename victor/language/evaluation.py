"""What a language identifier is, and how often it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from victor.errors import ConfigError, CorpusError

UNDETERMINED: Final = "und"
"""ISO 639-2 code of a text whose language cannot be told: no language scores above 0."""


class Identifier(Protocol):
    """Tells the language of texts; scores lie in [0, 1], higher means more like the language."""

    languages: tuple[str, ...]

    def identify(self, text: str) -> list[tuple[str, float]]:
        """All languages with their scores, best first."""
        ...

    def score(self, text: str, language: str) -> float:
        """How much a text looks like one language."""
        ...

    def scores(self, texts: Sequence[str], language: str) -> NDArray[np.float64]:
        """`score` of n texts: (n,) float64."""
        ...


def checked_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """The languages of an identifier's profiles, in their order.

    Raises:
        ConfigError: there are none, or one occurs twice.
    """
    given = tuple(languages)
    if not given or len(set(given)) < len(given):
        raise ConfigError(f"an identifier needs one profile per language, not {list(given)}")
    return given


def language_index(languages: Sequence[str], language: str) -> int:
    """Position of a language among an identifier's languages.

    Raises:
        ConfigError: the language is not among them.
    """
    if language not in languages:
        raise ConfigError(
            f"no profile of language {language!r}, only of {', '.join(languages)}; "
            "train one from plain text"
        )
    return languages.index(language)


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
    counts: NDArray[np.int64]

    @property
    def accuracy(self) -> float:
        """Share of all lines that were identified rightly, in [0, 1]."""
        return sum(self._right(language) for language in self.true) / int(self.counts.sum())

    def accuracy_of(self, language: str) -> float:
        """Share of one language's lines that were identified rightly, in [0, 1]."""
        row = self.counts[self.true.index(language)]
        return self._right(language) / int(row.sum())

    def mistakes(self) -> list[tuple[str, str, int]]:
        """True language, predicted language, number of lines: the most frequent first."""
        found = [
            (self.true[i], self.predicted[j], int(self.counts[i, j]))
            for i, j in np.argwhere(self.counts).tolist()
            if self.true[i] != self.predicted[j]
        ]
        return sorted(found, key=lambda mistake: -mistake[2])

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
