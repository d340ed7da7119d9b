"""The model in scikit-learn's manner: clone, fit, predict, cross-validate like any classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from victor.analysis import Analyzer, batches
from victor.columns import ColumnValues
from victor.config import Config, load
from victor.crf.model import Model
from victor.dataset import Selection, concatenate
from victor.decide import Decision, decide
from victor.decode import decode
from victor.errors import CorpusError
from victor.evaluate import block_scores
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.training import fit

Pages = Sequence[bytes | str]
"""Markup of pages."""


class VictorCRF(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  (untyped base)
    """A CRF over the text blocks of pages.

    Every sample is a page, every target the sequence of the labels of its blocks: names
    (``header``, ``text``, ``other``), `Label` values, or None for blocks nobody could label.
    `blocks` tells which blocks a page has under the configuration. Split pages by site:
    ``GroupKFold().split(pages, labels, groups=sites)``.

    Parameters:
        config: name or path of a configuration, or a `victor.config.Config`.
        overrides: ``key=value`` changes of it, e.g. ``("crf.c2=1",)``.
        threshold: keep a block while p(other) is below it; None decides as configured.

    Attributes:
        model_: the fitted `victor.crf.model.Model`.
        classes_: label names in the order of the columns of `predict_proba`.
    """

    def __init__(
        self,
        config: str | Config = "default",
        *,
        overrides: Sequence[str] = (),
        threshold: float | None = None,
    ) -> None:
        self.config = config
        self.overrides = overrides
        self.threshold = threshold

    def fit(
        self, X: Pages, y: Sequence[Sequence[Any]], groups: Sequence[str] | None = None  # noqa: N803
    ) -> VictorCRF:
        """Train.

        Args:
            X: pages.
            y: labels of the blocks of each page.
            groups: site of each page, which rare name tokens are counted by; None takes every
                page for a site of its own.

        Raises:
            CorpusError: labels and blocks do not fit together.
        """
        analyzer = self._analyzer()
        columns, starts = self._analyze(analyzer, X)
        labels = _labels(y, np.diff(starts))
        sites = list(groups) if groups is not None else [str(page) for page in range(len(X))]
        selection = Selection(columns, starts, labels, sites, np.arange(len(labels)))
        self.model_: Model = fit(selection, analyzer.config, kinds=analyzer.kinds)
        self.classes_ = np.array(LABEL_NAMES)
        return self

    def predict(self, X: Pages) -> list[list[str]]:  # noqa: N803
        """Label names of the blocks of each page."""
        marginals, starts, words = self._marginals(X)
        best = None
        decision = self._decision()
        if decision.method == "viterbi":
            columns, _ = self._analyze(self._analyzer(), X)
            best = self.model_.viterbi(columns, starts)
        labels = decide(marginals, starts, words, decision, viterbi_labels=best)
        names = [LABEL_NAMES[label] for label in labels.tolist()]
        return [names[a:b] for a, b in zip(starts[:-1], starts[1:], strict=True)]

    def predict_proba(self, X: Pages) -> list[NDArray[np.float64]]:  # noqa: N803
        """(n_blocks, 3) probabilities for each page, columns in the order of `classes_`."""
        marginals, starts, _ = self._marginals(X)
        return np.split(marginals, starts[1:-1])

    def score(self, X: Pages, y: Sequence[Sequence[Any]], sample_weight: None = None) -> float:  # noqa: N803
        """F-measure of keeping blocks, over all blocks of the pages."""
        predicted = self.predict(X)
        gold = _labels(y, np.array([len(page) for page in predicted]))
        found = _labels(predicted, np.array([len(page) for page in predicted]))
        return block_scores(gold, found).kept.f1

    def blocks(self, X: Pages) -> list[list[str]]:  # noqa: N803
        """Texts of the blocks of each page, in the order that labels refer to."""
        analyzer = self._analyzer()
        return [analyzer.table([_markup(page)]).texts() for page in X]

    def _analyzer(self) -> Analyzer:
        if isinstance(self.config, Config):
            return Analyzer(self.config)
        return Analyzer(load(self.config, self.overrides))

    def _decision(self) -> Decision:
        if self.threshold is not None:
            return Decision("threshold", self.threshold)
        own = self.model_.config.decide
        return Decision(own.method, own.threshold, own.temperature)

    def _analyze(
        self, analyzer: Analyzer, X: Pages  # noqa: N803
    ) -> tuple[dict[str, ColumnValues], NDArray[np.int64]]:
        """Columns of all blocks and the first block of each page."""
        parts, lengths = [], [np.zeros(1, dtype=np.int64)]
        for batch in batches((None, _markup(page)) for page in X):
            table = analyzer.table([markup for _, markup in batch])
            parts.append(analyzer.columns(table))
            lengths.append(np.diff(table.page_starts))
        if not parts:
            raise CorpusError("there are no pages; give at least one")
        columns = {name: concatenate([part[name] for part in parts]) for name in parts[0]}
        return columns, np.cumsum(np.concatenate(lengths))

    def _marginals(
        self, X: Pages  # noqa: N803
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Marginals, page starts and words of all blocks."""
        check_is_fitted(self, "model_")
        analyzer = Analyzer(self.model_.config)
        marginals, words, lengths = [], [], [np.zeros(1, dtype=np.int64)]
        for batch in batches((None, _markup(page)) for page in X):
            table = analyzer.table([markup for _, markup in batch])
            columns = analyzer.columns(table)
            marginals.append(self.model_.marginals(columns, table.page_starts))
            words.append(table.words)
            lengths.append(np.diff(table.page_starts))
        empty = np.zeros((0, len(Label)))
        return (
            np.concatenate([empty, *marginals]),
            np.cumsum(np.concatenate(lengths)),
            np.concatenate([np.zeros(0, dtype=np.int64), *words]),
        )


def _markup(page: bytes | str) -> bytes:
    return decode(page).text.encode()


def _labels(y: Sequence[Sequence[Any] | ArrayLike], lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """All labels as one array, checked against the number of blocks of each page."""
    if len(y) != len(lengths):
        raise CorpusError(f"there are labels for {len(y)} pages but {len(lengths)} pages")
    for page, (labels, blocks) in enumerate(zip(y, lengths.tolist(), strict=True)):
        if len(labels) != blocks:  # type: ignore[arg-type]
            raise CorpusError(
                f"page {page} has {blocks} blocks but {len(labels)} labels; "  # type: ignore[arg-type]
                "`blocks` shows how it is cut"
            )
    values = [_label(label) for labels in y for label in labels]  # type: ignore[union-attr]
    return np.array(values, dtype=np.uint8)


def _label(label: object) -> int:
    if label is None:
        return UNLABELLED
    if isinstance(label, str) and label in LABEL_NAMES:
        return LABEL_NAMES.index(label)
    if isinstance(label, int | np.integer) and (int(label) in [*Label] or label == UNLABELLED):
        return int(label)
    raise CorpusError(f"{label!r} is not a label; use {', '.join(LABEL_NAMES)} or None")
