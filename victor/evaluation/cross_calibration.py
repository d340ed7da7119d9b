"""Calibration of stored predictions, fitted on all sites or on sites other than those scored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import UNLABELLED, Label
from victor.corpus.splits import folds
from victor.evaluation.predictions import Predictions
from victor.model.calibration import Calibration, Reliability, reliability


def fitted(predictions: Predictions) -> Calibration:
    """The calibration of a model, from predictions of pages that it did not see.

    Raises:
        CorpusError: no block has a label.
    """
    return _fit(predictions, np.ones(len(predictions.labels), dtype=bool))


def cross_calibrated(predictions: Predictions, k: int = 5) -> Predictions:
    """The predictions with marginals calibrated on other sites than their own.

    Args:
        predictions: of models that did not see the pages.
        k: folds; the pages of a site stay together.

    Raises:
        ConfigError: k is below 2 or above the number of sites.
        CorpusError: no block of the other folds has a label.
    """
    fold = np.repeat(folds(predictions.sites, k), np.diff(predictions.page_starts))
    marginals = predictions.marginals.copy()
    for number in range(k):
        held_out = fold == number
        calibration = _fit(predictions, ~held_out)
        marginals[held_out] = calibration(predictions.marginals[held_out])
    return replace(predictions, marginals=marginals)


def reliabilities(predictions: Predictions) -> dict[str, Reliability]:
    """Reliability of labelled blocks, each weighing the same and each weighing its words."""
    known = predictions.labels != UNLABELLED
    keep, gold = predictions.keep[known], predictions.labels[known] != Label.OTHER
    return {
        "blocks": reliability(keep, gold),
        "words": reliability(keep, gold, predictions.words[known]),
    }


def _fit(predictions: Predictions, chosen: NDArray[np.bool_]) -> Calibration:
    """Fit on some blocks, those without label left out."""
    rows = chosen & (predictions.labels != UNLABELLED)
    return Calibration.fit(predictions.keep[rows], predictions.labels[rows] != Label.OTHER)
