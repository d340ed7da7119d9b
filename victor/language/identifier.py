"""What the language identifiers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Floats
from victor.base.errors import ConfigError

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
