"""The model as a scikit-learn classifier: clone, fit, predict and cross-validate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor import optional
from victor.config import Config, load
from victor.errors import CorpusError
from victor.labelers.crf import CrfLabeler
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.measures.blocks import block_scores
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor, batches
from victor.model.model import Model
from victor.page.decode import utf8
from victor.page.texts import block_texts
from victor.page.verdict import Verdict
from victor.training.dataset import Selection, concatenate
from victor.training.training import fit

_SKLEARN: Any = optional.load("sklearn.base", extra="train")

Pages = Sequence[bytes | str]
"""Markup of pages."""
Targets = Sequence[Sequence[Any]]
"""Labels of the blocks of each page."""


class VictorCRF(_SKLEARN.ClassifierMixin, _SKLEARN.BaseEstimator):  # type: ignore[misc]  # the bases have no types
    """A CRF over the text blocks of pages.

    Every sample is a page, every target the sequence of the labels of its blocks: names
    (``header``, ``text``, ``other``), `Label` values, or None for blocks that nobody could label.
    `blocks` gives the blocks of a page under the configuration. Split pages by site:
    ``GroupKFold().split(pages, labels, groups=sites)``.

    scikit-learn's ``check_estimator`` does not apply: it fits estimators to matrices of numbers
    and one target per sample, while samples here are pages and a target is a sequence.

    Parameters:
        config: name or path of a configuration, or a `victor.config.Config`.
        overrides: ``key=value`` changes of a named configuration, e.g. ``("crf.c2=1",)``.
        threshold: keep a block while p(other) is below it; None decides as configured.
        feature_files: Python files that are run if the configuration names them as feature modules.

    Attributes:
        model_: the fitted `victor.model.model.Model`.
        classes_: label names in the order of the columns of `predict_proba`.
    """

    def __init__(
        self,
        config: str | Config = "crf",
        *,
        overrides: Sequence[str] = (),
        threshold: float | None = None,
        feature_files: Sequence[str | Path] = (),
    ) -> None:
        self.config = config
        self.overrides = overrides
        self.threshold = threshold
        self.feature_files = feature_files

    def fit(self, X: Pages, y: Targets, groups: Sequence[str] | None = None) -> VictorCRF:  # noqa: N803
        """Train.

        Args:
            X: pages.
            y: labels of the blocks of each page.
            groups: site of each page, by which rare name tokens are counted; None treats every
                page as a site of its own.

        Raises:
            CorpusError: labels and blocks do not match.
        """
        extractor = self._extractor()
        selection = _selection(extractor, X, y, groups)
        self.model_: Model = fit(selection, extractor.config, kinds=extractor.kinds)
        self.classes_ = np.array(LABEL_NAMES)
        return self

    def predict(self, X: Pages) -> list[list[str]]:  # noqa: N803
        """Label names of the blocks of each page."""
        decision = None if self.threshold is None else Decision("threshold", self.threshold)
        return [
            [LABEL_NAMES[label] for label in verdict.labels[verdict.page(page)].tolist()]
            for verdict in self._verdicts(X, decision)
            for page in range(verdict.table.n_pages)
        ]

    def predict_proba(self, X: Pages) -> list[NDArray[np.float64]]:  # noqa: N803
        """(n_blocks, 3) probabilities for each page, columns in the order of `classes_`."""
        return [
            verdict.marginals[verdict.page(page)]
            for verdict in self._verdicts(X, Decision())
            for page in range(verdict.table.n_pages)
        ]

    def score(self, X: Pages, y: Targets, sample_weight: None = None) -> float:  # noqa: N803
        """F-measure of keeping blocks, over all blocks of the pages.

        Raises:
            CorpusError: labels and blocks do not match.
        """
        predicted = self.predict(X)
        lengths = [len(labels) for labels in predicted]
        return block_scores(_labels(y, lengths), _labels(predicted, lengths)).kept.f1

    def blocks(self, X: Pages) -> list[list[str]]:  # noqa: N803
        """Texts of the blocks of each page, in the order that labels refer to."""
        extractor = self._extractor()
        return [block_texts(extractor.table([utf8(page)])) for page in X]

    def _extractor(self) -> FeatureExtractor:
        config = self.config
        loaded = config if isinstance(config, Config) else load(config, self.overrides)
        return FeatureExtractor(loaded, feature_files=self.feature_files)

    def _verdicts(self, X: Pages, decision: Decision | None) -> Iterator[Verdict]:  # noqa: N803
        """Labels and marginals, batch by batch."""
        optional.load("sklearn.utils.validation", extra="train").check_is_fitted(self, "model_")
        labeler = CrfLabeler(self.model_, feature_files=self.feature_files)
        for batch in batches((None, utf8(page)) for page in X):
            yield labeler.label(labeler.table([markup for _, markup in batch]), decision)


def _selection(
    extractor: FeatureExtractor, pages: Pages, targets: Targets, groups: Sequence[str] | None
) -> Selection:
    """Columns and labels of the blocks of all pages."""
    parts, lengths, words = [], [], [np.zeros(0, dtype=np.int64)]
    for batch in batches((None, utf8(page)) for page in pages):
        table = extractor.table([markup for _, markup in batch])
        parts.append(extractor.columns(table))
        lengths += np.diff(table.page_starts).tolist()
        words.append(table.words)
    if not parts:
        raise CorpusError("there are no pages; give at least one")
    sites = [str(page) for page in range(len(pages))] if groups is None else list(groups)
    if len(sites) != len(pages):
        raise CorpusError(f"there are {len(sites)} groups for {len(pages)} pages; give one each")
    labels = _labels(targets, lengths)
    return Selection(
        columns={name: concatenate([part[name] for part in parts]) for name in parts[0]},
        page_starts=np.cumsum([0, *lengths], dtype=np.int64),
        labels=labels,
        words=np.concatenate(words),
        sites=sites,
        rows=np.arange(len(labels)),
    )


def _labels(targets: Targets, lengths: Sequence[int]) -> NDArray[np.uint8]:
    """All labels as one array, checked against the number of blocks of each page."""
    if len(targets) != len(lengths):
        raise CorpusError(f"there are labels for {len(targets)} pages but {len(lengths)} pages")
    for page, (labels, blocks) in enumerate(zip(targets, lengths, strict=True)):
        if len(labels) != blocks:
            raise CorpusError(
                f"page {page} has {blocks} blocks but {len(labels)} labels; "
                "`blocks` shows how it is split"
            )
    return np.array([_label(label) for labels in targets for label in labels], dtype=np.uint8)


def _label(label: object) -> int:
    if label is None:
        return UNLABELLED
    if isinstance(label, str) and label in LABEL_NAMES:
        return LABEL_NAMES.index(label)
    if isinstance(label, int | np.integer) and (int(label) in [*Label] or label == UNLABELLED):
        return int(label)
    raise CorpusError(f"{label!r} is not a label; use {', '.join(LABEL_NAMES)} or None")
