"""Linear scores of classes, learnt by logistic regression over measures of unlike sizes."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import optional
from victor.base.arrays import Floats, Ints

_STEPS: Final = 300
_LEAST_SPREAD: Final = 1e-3
"""Is added to standard deviations: what is the same on all examples says nothing."""


def class_scores(measures: Floats, classes: Ints, strength: float, task: str) -> Floats:
    """Fit a logistic regression with L2 regularisation to standardised measures.

    Args:
        measures: (P, M) float64.
        classes: (P,) number of the class of each example, from 0.
        strength: C of the regression.
        task: what for, in the message if scikit-learn is not installed.

    Returns:
        (M + 1, k) weights of the measures as they are, the last row the intercepts, for k classes;
        (M + 1, 1), of the second class, if there are two.

    Raises:
        ConfigError: scikit-learn is not installed.
    """
    linear = optional.load("sklearn.linear_model", extra="train", task=task)
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + _LEAST_SPREAD
    model = linear.LogisticRegression(C=strength, max_iter=_STEPS)
    model.fit((measures - mean) / spread, classes)
    weights = model.coef_ / spread
    intercepts = model.intercept_ - weights @ mean
    return np.concatenate([weights, intercepts[:, None]], axis=1).T


def of_both(scores: Floats) -> Floats:
    """(M + 1, k) the same with a column for each class, where one score stands for two."""
    return scores if scores.shape[1] > 1 else scores * np.array([0.0, 1.0])
