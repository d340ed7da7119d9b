"""Scorers for scikit-learn's searches: metrics of labels, taken over all blocks of all pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.training.targets import Targets, label_codes

Scorer = Callable[[Any, Sequence[Any], Targets], float]
"""Estimator, pages and labels to a score."""


def block_scorer(metric: Callable[..., float], **options: Any) -> Scorer:  # noqa: ANN401
    """A scorer of a metric of two lists of labels, such as ``accuracy_score``.

    Metrics of scikit-learn compare one label for each sample, and a sample is a page with many.
    This takes the blocks of all pages together, but for those without a label.

    >>> from sklearn.metrics import f1_score  # doctest: +SKIP
    >>> cross_val_score(estimator, X, y, scoring=block_scorer(f1_score, average="macro"))
    ... # doctest: +SKIP

    Args:
        metric: called with (n,) gold names and (n,) predicted names of labels, and the options.
        options: of the metric.

    Returns:
        What ``scoring=`` takes, alone or in a dictionary of several. It raises CorpusError for
        labels that do not fit the pages, and what the metric raises.
    """
    return partial(_score, metric=metric, options=options)


def _score(
    estimator: Any,  # noqa: ANN401  (a pipeline or a search as well)
    pages: Sequence[Any],
    targets: Targets,
    *,
    metric: Callable[..., float],
    options: Mapping[str, Any],
) -> float:
    predicted = estimator.predict(pages)
    lengths = [len(labels) for labels in predicted]
    gold, given = label_codes(targets, lengths), label_codes(predicted, lengths)
    labelled, names = gold != UNLABELLED, np.array(LABEL_NAMES)
    return float(metric(names[gold[labelled]], names[given[labelled]], **options))
