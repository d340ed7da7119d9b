"""Labels of blocks as people write them, a sequence for each page, and scorers that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.errors import CorpusError
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label

Targets = Sequence[Sequence[Any]] | NDArray[Any]
"""Labels of the blocks of each page."""


def label_codes(targets: Targets, lengths: Sequence[int]) -> NDArray[np.uint8]:
    """All labels as one array, checked against the number of blocks of each page.

    Args:
        targets: (P,) labels of each page: names, `Label` values, or None.
        lengths: (P,) blocks of each page.

    Returns:
        (n,) `Label` values and UNLABELLED.

    Raises:
        CorpusError: they are not labels, or not those of so many blocks.
    """
    if targets is None or isinstance(targets, str | bytes):
        raise CorpusError("y is a list with the labels of the blocks of each page")
    if len(targets) != len(lengths):
        raise CorpusError(f"there are labels for {len(targets)} pages but {len(lengths)} pages")
    for page, (labels, blocks) in enumerate(zip(targets, lengths, strict=True)):
        _check_page(page, labels, blocks)
    return np.array([_code(label) for labels in targets for label in labels], dtype=np.uint8)


def _check_page(page: int, labels: object, blocks: int) -> None:
    if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
        raise CorpusError(f"page {page} has {labels!r} for labels; give a list, one for each block")
    if len(labels) != blocks:
        raise CorpusError(
            f"page {page} has {blocks} blocks but {len(labels)} labels; "
            "`blocks` shows how it is split"
        )


def _code(label: object) -> int:
    if label is None:
        return UNLABELLED
    if isinstance(label, str) and label in LABEL_NAMES:
        return LABEL_NAMES.index(label)
    if isinstance(label, int | np.integer) and (int(label) in [*Label] or label == UNLABELLED):
        return int(label)
    raise CorpusError(f"{label!r} is not a label; use {', '.join(LABEL_NAMES)} or None")


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
