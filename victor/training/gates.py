"""Learn which expert each page is for, and the gate that says so of pages of an unknown type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base import lazy
from victor.base.arrays import Codes, Floats, Ints
from victor.model.trees import EXPERTS, Gate, expert_of

_FEWEST: Final = 20
"""Pages of a type; an expert of fewer knows too little."""
_STRENGTH: Final = 0.06
"""C of the regression; from 0.02 to 0.1 nothing changes."""
_STEPS: Final = 300
_LEAST_SPREAD: Final = 1e-3
"""Is added to standard deviations: what is the same on all examples says nothing."""


def assigned(codes: Codes, page_starts: Ints, types: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Names of the E experts that pages can teach, and the (P,) int64 expert of every page.

    Pages of an unknown type, "", go to the expert that a gate of the others gives most weight.
    There is one expert for all where fewer than two have enough pages. Codes are (C, n).
    """
    known = np.array([expert_of(name) if name else "" for name in types], dtype=object)
    names = tuple(name for name in EXPERTS if (known == name).sum() >= _FEWEST)
    if len(names) < 2:
        return ("all",), np.zeros(len(types), dtype=np.int64)
    experts = np.array([names.index(name) if name in names else -1 for name in known.tolist()])
    measures, is_known = page_means(codes, page_starts), experts >= 0
    weights = _scores(measures[is_known], experts[is_known])
    said = (measures @ weights[:-1] + weights[-1]).argmax(axis=1)
    return names, np.where(is_known, experts, said)


def fitted(names: tuple[str, ...], codes: Codes, page_starts: Ints, experts: Ints) -> Gate:
    """The gate that weighs these experts, given (C, n) codes and the (P,) experts of pages."""
    return Gate(names, _scores(page_means(codes, page_starts), experts))


def page_means(codes: Codes, page_starts: Ints) -> Floats:
    """(P, 2 C) float64 means of the codes of C columns on each page, and of their squares.

    All are 0 for a page without blocks.
    """
    n_blocks = np.diff(page_starts)
    filled = np.flatnonzero(n_blocks)
    means = np.zeros((len(n_blocks), 2 * len(codes)))
    if len(filled):
        starts, parts = page_starts[filled], (codes, np.square(codes, dtype=np.uint16))
        sums = [np.add.reduceat(part, starts, axis=1, dtype=np.uint64) for part in parts]
        means[filled] = np.concatenate(sums).T / n_blocks[filled, None]
    return means


def _scores(measures: Floats, experts: Ints) -> Floats:
    """(M + 1, E) scores of the experts over (P, M) measures, given the (P,) experts of pages."""
    return of_both(class_scores(measures, experts, _STRENGTH, task="fitting a gate"))


def class_scores(measures: Floats, classes: Ints, strength: float, task: str) -> Floats:
    """Fit a logistic regression with L2 regularisation to standardised measures.

    Given are (P, M) measures, the (P,) number of the class of each example, C of the regression,
    and what it is for, in the message of the ConfigError if scikit-learn is not installed. Returns
    (M + 1, k) weights of the measures as they are for k classes, the last row the intercepts;
    (M + 1, 1), of the second class, if there are two.
    """
    linear = lazy.load("sklearn.linear_model", extra="train", task=task)
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + _LEAST_SPREAD
    model = linear.LogisticRegression(C=strength, max_iter=_STEPS)
    model.fit((measures - mean) / spread, classes)
    weights = model.coef_ / spread
    intercepts = model.intercept_ - weights @ mean
    return np.concatenate([weights, intercepts[:, None]], axis=1).T


def of_both(scores: Floats) -> Floats:
    """(M + 1, k) the same with a column for each class, where one score stands for two."""
    return scores if scores.shape[1] > 1 else scores * np.array([0.0, 1.0])
