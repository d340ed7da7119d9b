"""Fit the page head of a model on predictions of pages that the model did not see, and score it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from victor.base import optional
from victor.base.arrays import Bools, Floats, Ints, window_sums
from victor.base.labels import UNLABELLED, Label
from victor.config import Decision
from victor.corpus.page_types import TYPES
from victor.corpus.splits import folds
from victor.evaluation.predictions import Predictions
from victor.measures.summaries import aligned
from victor.model.page_head import PageHead
from victor.model.page_measures import measure_names
from victor.page.verdict.page_judgements import PageJudgements

_FEWEST: Final = 10
"""Pages without content, of other pages and of each type: from fewer nothing is learnt."""
_UNDECIDED: Final = 25
"""Words that nobody could label: a page of so many may have content."""
_FOLDS: Final = 5
_STRENGTH: Final = {"types": 0.02, "content": 0.01}
"""C of the regressions, the best of 0.003 to 0.08 by cross-validation."""
_STEPS: Final = 300
_LEAST_SPREAD: Final = 1e-3
"""Is added to standard deviations: what is the same on all pages says nothing."""


@dataclass(frozen=True, eq=False)
class Examples:
    """What P annotated pages teach a page head.

    Attributes:
        measures: (P, M) float64 as `victor.model.page_measures.measure_names`.
        types: (P,) type of each page, "" for none.
        is_empty: (P,) bool; has the page no content.
        sites: (P,) site of each page.
    """

    measures: Floats
    types: tuple[str, ...]
    is_empty: Bools
    sites: list[str]

    @classmethod
    def of(cls, predictions: Predictions) -> Examples:
        """The examples in predictions."""
        labels, starts = predictions.labels, predictions.page_starts
        is_kept = (labels != Label.OTHER) & (labels != UNLABELLED)
        n_open = window_sums(np.where(labels == UNLABELLED, predictions.words, 0), starts)
        has_text = [bool((page.gold or "").strip()) for page in predictions.pages]
        has_content = np.array(has_text) | (window_sums(is_kept, starts) > 0)
        return cls(
            measures=predictions.page_measures,
            types=tuple(page.page_type for page in predictions.pages),
            is_empty=~has_content & (n_open < _UNDECIDED),
            sites=predictions.sites,
        )

    def select(self, rows: Ints) -> Examples:
        """Some of the pages."""
        return Examples(
            self.measures[rows],
            tuple(self.types[row] for row in rows.tolist()),
            self.is_empty[rows],
            [self.sites[row] for row in rows.tolist()],
        )

    @property
    def is_typed(self) -> Bools:
        """(P,) has the page a type to learn, which needs content."""
        return np.array([bool(name) for name in self.types]) & ~self.is_empty

    @property
    def learnt_types(self) -> tuple[str, ...]:
        """The types of enough pages."""
        typed = np.array(self.types)[self.is_typed].tolist()
        return tuple(name for name in TYPES if typed.count(name) >= _FEWEST)

    @property
    def are_enough(self) -> bool:
        """Are there pages enough of every sort."""
        n_rarer = min(int(self.is_empty.sum()), int((~self.is_empty).sum()))
        return n_rarer >= _FEWEST and len(self.learnt_types) > 1


def fit(examples: Examples) -> PageHead:
    """The page head that examples teach.

    Two logistic regressions over standardised measures, with L2 regularisation.

    Raises:
        ConfigError: scikit-learn is not installed.
    """
    types, names = examples.learnt_types, np.array(examples.types)
    typed = np.flatnonzero(examples.is_typed & np.isin(names, types))
    numbers = np.array([types.index(names[page]) for page in typed.tolist()])
    of_types = _regression(examples.measures[typed], numbers, _STRENGTH["types"])
    if len(types) == 2:
        of_types = np.concatenate([np.zeros_like(of_types), of_types], axis=1)
    is_empty = examples.is_empty.astype(np.int64)
    of_content = _regression(examples.measures, is_empty, _STRENGTH["content"])
    return PageHead(types, measure_names(), np.concatenate([of_types, of_content], axis=1))


def _regression(measures: Floats, classes: Ints, strength: float) -> Floats:
    """(M + 1, k) weights and intercepts of k classes, of the second class if there are two."""
    linear = optional.load("sklearn.linear_model", extra="train", task="fitting a page head")
    mean, spread = measures.mean(axis=0), measures.std(axis=0) + _LEAST_SPREAD
    model = linear.LogisticRegression(C=strength, max_iter=_STEPS)
    model.fit((measures - mean) / spread, classes)
    weights = model.coef_ / spread
    intercepts = model.intercept_ - weights @ mean
    return np.concatenate([weights, intercepts[:, None]], axis=1).T


@dataclass(frozen=True, eq=False)
class HeadScores:
    """What a head says of pages of sites that it was not fitted on.

    Attributes:
        examples: the pages.
        judgements: what heads say of them, each fitted on other sites.
        decision: says when a page gives nothing.
    """

    examples: Examples
    judgements: PageJudgements
    decision: Decision

    @classmethod
    def cross_validated(cls, examples: Examples, decision: Decision) -> HeadScores:
        """Fit on four fifths of the sites and judge the others, five times."""
        fold_of_page = folds(examples.sites, min(_FOLDS, len({*examples.sites})))
        types = examples.learnt_types
        p_no_content = np.zeros(len(fold_of_page))
        p_type = np.zeros((len(fold_of_page), len(types)))
        for fold in np.unique(fold_of_page):
            held_out = np.flatnonzero(fold_of_page == fold)
            head = fit(examples.select(np.flatnonzero(fold_of_page != fold)))
            judged = head.of_measures(examples.measures[held_out])
            p_no_content[held_out] = judged.p_no_content
            for number, name in enumerate(head.types):  # some types may lack pages without a fold
                if name in types:
                    p_type[held_out, types.index(name)] = judged.p_type[:, number]
        return cls(examples, PageJudgements(p_no_content, p_type, types), decision)

    @cached_property
    def gives_nothing(self) -> Bools:
        """(P,) is the page taken for one without content."""
        return np.asarray(self.judgements.p_no_content > self.decision.no_content)

    @property
    def empty_found(self) -> tuple[int, int]:
        """Pages without content that give nothing, and all of them."""
        rows = self.examples.is_empty
        return int(self.gives_nothing[rows].sum()), int(rows.sum())

    @property
    def content_lost(self) -> tuple[int, int]:
        """Pages with content that give nothing, and all of them."""
        rows = ~self.examples.is_empty
        return int(self.gives_nothing[rows].sum()), int(rows.sum())

    @property
    def accuracy(self) -> float:
        """Share of the pages of a known type whose type is right."""
        confusion = self.confusion
        return float(np.trace(confusion) / max(confusion.sum(), 1))

    @cached_property
    def confusion(self) -> Ints:
        """(T, T) pages by their type (rows) and the one that the head says."""
        types = self.judgements.types
        rows = np.flatnonzero(self.examples.is_typed & np.isin(self.examples.types, types))
        gold = np.array([types.index(self.examples.types[page]) for page in rows.tolist()])
        said = self.judgements.p_type[rows].argmax(axis=1)
        cells = np.bincount(gold * len(types) + said, minlength=len(types) ** 2)
        return cells.reshape(len(types), -1)

    def to_json(self) -> dict[str, object]:
        """As the card of a model shows them."""
        return {
            "protocol": f"{_FOLDS} folds by site",
            "empty pages that give nothing": [*self.empty_found],
            "other pages that give nothing": [*self.content_lost],
            "page types right": round(self.accuracy, 4),
        }

    def lines(self) -> Iterator[str]:
        """As a terminal shows them."""
        yield (
            "page head, 5 folds by site: gives nothing on {} of {} pages without content".format(
                *self.empty_found
            )
            + ", on {} of {} others; page types right: {:.4f}".format(
                *self.content_lost, self.accuracy
            )
        )
        types = self.judgements.types
        rows = [["type \\ said", *types]]
        counts = self.confusion.tolist()
        rows += [[name, *map(str, row)] for name, row in zip(types, counts, strict=True)]
        yield from aligned(rows).split("\n")
