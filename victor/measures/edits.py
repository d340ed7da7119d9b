"""Agreement of a page with its gold text in words and their order, as in CleanEval."""

from __future__ import annotations

from dataclasses import dataclass

from victor.errors import ConfigError
from victor.measures.words import words


@dataclass(frozen=True, slots=True)
class EditScore:
    """Agreement of one page in words and their order, each in 0..1.

    Attributes:
        lcs: 2 * longest common subsequence / (predicted + gold words).
        levenshtein: 1 - edit distance / words of the longer text.
    """

    lcs: float
    levenshtein: float


def edit_score(predicted: str, gold: str) -> EditScore:
    """Word-edit score of one page in both forms that the CleanEval literature reports.

    Two empty texts score 1.

    Raises:
        ConfigError: the optional package rapidfuzz is not installed.

    Source: Baroni et al. (2008), CleanEval; Evert's ``cleaneval.py`` for the LCS form.
    """
    try:
        from rapidfuzz.distance import LCSseq, Levenshtein  # noqa: PLC0415  (optional package)
    except ImportError as error:
        raise ConfigError(
            "the word-edit score needs the package rapidfuzz: run 'pip install rapidfuzz'"
        ) from error
    numbers: dict[str, int] = {}
    found, wanted = (
        [numbers.setdefault(word, len(numbers)) for word in words(text)]
        for text in (predicted, gold)
    )
    total = len(found) + len(wanted)
    if not total:
        return EditScore(1.0, 1.0)
    lcs = 2 * LCSseq.similarity(found, wanted) / total
    return EditScore(lcs, Levenshtein.normalized_similarity(found, wanted))
