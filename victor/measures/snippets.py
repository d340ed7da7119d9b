"""Rates of required and of forbidden snippets in a cleaned page, as in WCXB."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from victor.measures.aggregates import PageScore


@dataclass(frozen=True, slots=True)
class SnippetScore(PageScore):
    """Snippets in the prediction of one page.

    Means are over the pages that have such snippets. WCXB's ``evaluate.py`` counts a page without
    them as 1.0 in both rates, so its means are higher.

    Attributes:
        found: share of the must-have snippets that occur; nan if there are none. Higher is better.
        leaked: share of the must-not-have snippets that occur; nan if there are none. Lower is
            better.
    """

    MEASURES: ClassVar = ("found", "leaked")

    found: float
    leaked: float


def snippet_score(predicted: str, with_: Sequence[str], without: Sequence[str]) -> SnippetScore:
    """Rates of the snippets that occur in a prediction, literally and in any case.

    Args:
        predicted: text of the page.
        with_: snippets of the main content.
        without: snippets of the boilerplate.

    Source: Foley (2026), WCXB.
    """
    text = predicted.lower()
    return SnippetScore(_rate(text, with_), _rate(text, without))


def _rate(text: str, snippets: Sequence[str]) -> float:
    """Share of the snippets in a lower-case text."""
    if not snippets:
        return math.nan
    return sum(snippet.lower() in text for snippet in snippets) / len(snippets)
