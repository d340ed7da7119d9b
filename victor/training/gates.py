"""Learn which expert each page is for, and the gate that says so of pages of an unknown type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base import optional
from victor.base.arrays import Codes, Floats, Ints
from victor.model.gate import EXPERTS, Gate, expert_of, page_means

_FEWEST: Final = 20
"""Pages of a type; an expert of fewer knows too little."""
_STRENGTH: Final = 0.06
"""C of the regression; from 0.02 to 0.1 nothing changes."""
_STEPS: Final = 300
_LEAST_SPREAD: Final = 1e-3
"""Is added to standard deviations: what is the same on all pages says nothing."""


def assigned(codes: Codes, page_starts: Ints, types: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The experts that pages can teach, and the expert of every page.

    Args:
        codes: (C, n) codes of the blocks.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        types: (P,) type of each page, "" for an unknown one.

    Returns:
        Names of E experts, and (P,) int64 numbers of theirs. Pages of an unknown type go to the
        expert that a gate of the others gives most weight. There is one expert for all where
        fewer than two have enough pages.
    """
    known = np.array([expert_of(name) if name else "" for name in types], dtype=object)
    names = tuple(name for name in EXPERTS if (known == name).sum() >= _FEWEST)
    if len(names) < 2:
        return ("all",), np.zeros(len(types), dtype=np.int64)
    experts = np.array([names.index(name) if name in names else -1 for name in known.tolist()])
    measures, is_known = page_means(codes, page_starts), experts >= 0
    weights = _regression(measures[is_known], experts[is_known])
    said = (measures @ weights[:-1] + weights[-1]).argmax(axis=1)
    return names, np.where(is_known, experts, said)


def fitted(names: tuple[str, ...], codes: Codes, page_starts: Ints, experts: Ints) -> Gate:
    """The gate that weighs these experts, given (C, n) codes and the (P,) experts of pages."""
    return Gate(names, _regression(page_means(codes, page_starts), experts))


def _regression(measures: Floats, classes: Ints) -> Floats:
    """(M + 1, E) scores of the classes over (P, M) measures, with L2 regularisation."""
    linear = optional.load("sklearn.linear_model", extra="train", task="fitting a gate")
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + _LEAST_SPREAD
    model = linear.LogisticRegression(C=_STRENGTH, max_iter=_STEPS)
    model.fit((measures - mean) / spread, classes)
    weights, intercepts = model.coef_, model.intercept_
    if len(weights) == 1:  # one score stands for two classes
        weights, intercepts = np.vstack([0 * weights, weights]), np.append(0.0, intercepts)
    weights = weights / spread
    return np.concatenate([weights, (intercepts - weights @ mean)[:, None]], axis=1).T
