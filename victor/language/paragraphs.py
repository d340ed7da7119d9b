"""The language of paragraphs, told only of those that are long enough for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from victor.language.beesley import BeesleyIdentifier

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
