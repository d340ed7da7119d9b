"""Orders of pages: as given, least certain first, or most disputed first."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.annotate.assist.suggest import Suggestion
from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.corpus.pages import from_letters

GIVEN: Final = "given"
UNCERTAINTY: Final = "uncertainty"
DISAGREEMENT: Final = "disagreement"
ORDERS: Final = (GIVEN, UNCERTAINTY, DISAGREEMENT)
"""Names of the orders, the default first; each needs one more suggester than the last."""


def uncertainty(suggestion: Suggestion) -> float:
    """The share of a page that its labeler expects to be labelled wrong, 0..1.

    It is the mean over all words of 1 - p, where p is the probability of the label suggested for
    the block of the word: the least-confidence score of a sequence (Settles and Craven 2008,
    section 3.1), word by word. It is a mean and not a sum because a page of twice the words takes
    about twice the time to label. A page without blocks has 0.
    """
    if not len(suggestion.words):
        return 0.0
    chosen = from_letters(suggestion.labels)
    confidence = suggestion.marginals[np.arange(len(chosen)), chosen]
    return float(np.average(1.0 - np.clip(confidence, 0.0, 1.0), weights=suggestion.words))


def disagreement(first: str, second: str, words: Floats) -> float:
    """Share of the words of a page that one labeler keeps and the other drops, 0..1.

    Header and text count as one, because many labelers only tell kept from dropped.

    Args:
        first: labels of the n blocks, a letter each.
        second: those of the other labeler.
        words: (n,) words per block.

    Raises:
        ValueError: the labels are those of different pages.
    """
    if len(first) != len(second):
        raise ValueError("the suggestions have different numbers of blocks")
    if not len(words):
        return 0.0
    kept = [from_letters(letters) != Label.OTHER for letters in (first, second)]
    return float(np.average(kept[0] != kept[1], weights=words))
