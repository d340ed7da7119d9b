"""The order in which pages are shown: as given, least certain first, most disputed first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.annotate.assist.suggest import Suggestion
from victor.annotate.store.label_letters import label_values
from victor.labels import Label

GIVEN: Final = "given"
UNCERTAINTY: Final = "uncertainty"
DISAGREEMENT: Final = "disagreement"
ORDERS: Final = (GIVEN, UNCERTAINTY, DISAGREEMENT)
"""Names of the orders, the first is the default."""


def uncertainty(suggestion: Suggestion) -> float:
    """How much of a page its labeler expects to have labelled wrong, 0..1.

    The expected share of words with a wrong label: the mean over all words of 1 - p, p the
    probability of the label suggested for the block of the word. It is the least-confidence score
    of a sequence (Settles and Craven 2008, section 3.1) taken word by word; the mean rather than
    the sum, because a page of twice the words takes about twice the time to label. A page
    without blocks has 0.
    """
    if not len(suggestion.words):
        return 0.0
    chosen = label_values(suggestion.labels)
    sure = suggestion.marginals[np.arange(len(chosen)), chosen]
    return float(np.average(1.0 - np.clip(sure, 0.0, 1.0), weights=suggestion.words))


def disagreement(first: Suggestion, second: Suggestion) -> float:
    """Share of the words of a page that one labeler keeps and the other drops, 0..1.

    Header and text count as one: many labelers know no more than kept and dropped.

    Raises:
        ValueError: the suggestions are for different pages.
    """
    if len(first.labels) != len(second.labels):
        raise ValueError("the suggestions have different numbers of blocks")
    if not len(first.words):
        return 0.0
    kept = [label_values(found.labels) != Label.OTHER for found in (first, second)]
    return float(np.average(kept[0] != kept[1], weights=first.words))


def by_score(scores: Sequence[float | None]) -> list[int]:
    """Positions of pages by falling score, equal ones as given; those without a score are last."""
    return sorted(range(len(scores)), key=lambda page: _key(scores[page]))


def _key(score: float | None) -> tuple[bool, float]:
    return (score is None, -(score or 0.0))
