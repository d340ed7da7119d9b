"""Fit the page head of a model on predictions of pages that the model did not see, and score it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base import lazy
from victor.base.arrays import Bools, Floats, Ints, window_sums
from victor.base.labels import UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.config.schema import Decision
from victor.corpus.pages import folds
from victor.evaluation.predictions import Predictions
from victor.model.page_head import PageHead, Regression, measure_names, measured
from victor.model.trees import TYPES
from victor.training.dataset import LabelledPages, PageInfo
from victor.training.training import class_scores, of_both

_FEWEST: Final = 10
"""Pages without content, of other pages and of each type: from fewer nothing is learnt."""
_UNDECIDED: Final = 25  # words that nobody could label: a page of so many may have content
_FOLDS: Final = 5
_STRENGTH_OF_TYPES: Final = 0.02
_STRENGTH_OF_NOTHING: Final = 0.01
"""C of the regressions, the best of 0.005 to 0.08 by cross-validation."""
_TASK: Final = "fitting a page head"


@dataclass(frozen=True, eq=False)
class Examples:
    """What P annotated pages teach a page head.

    Attributes:
        measures: (P, M) float64 as `victor.model.page_head.measure_names`.
        types: (P,) type of each page, "" for none.
        is_empty: (P,) bool; has the page no content.
        sites: (P,) site of each page.
    """

    measures: Floats
    types: tuple[str, ...]
    is_empty: Bools
    sites: list[str]

    @classmethod
    def of(
        cls, pages: Sequence[PageInfo], blocks: Predictions | LabelledPages, measures: Floats
    ) -> Examples:
        """The examples of annotated pages with these blocks and (P, M) measures."""
        labels, starts = blocks.labels, blocks.page_starts
        is_kept = (labels != Label.OTHER) & (labels != UNLABELLED)
        n_open = window_sums(np.where(labels == UNLABELLED, blocks.words, 0), starts)
        has_text = [bool((page.gold or "").strip()) for page in pages]
        has_content = np.array(has_text) | (window_sums(is_kept, starts) > 0)
        return cls(
            measures=measures,
            types=tuple(page.page_type for page in pages),
            is_empty=~has_content & (n_open < _UNDECIDED),
            sites=[page.site for page in pages],
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
    """The page head that examples teach: two logistic regressions with L2 regularisation.

    Raises:
        ConfigError: scikit-learn is not installed.
    """
    types, names = examples.learnt_types, np.array(examples.types)
    typed = np.flatnonzero(examples.is_typed & np.isin(names, types))
    numbers = np.array([types.index(names[page]) for page in typed.tolist()])
    of_type = of_both(class_scores(examples.measures[typed], numbers, _STRENGTH_OF_TYPES, _TASK))
    quick = measure_names(quick=True)
    measures, is_empty = examples.measures[:, : len(quick)], examples.is_empty.astype(np.int64)
    of_nothing = class_scores(measures, is_empty, _STRENGTH_OF_NOTHING, _TASK)
    return PageHead(types, Regression(measure_names(), of_type), Regression(quick, of_nothing))


def cross_judged(pages: LabelledPages, marginals: Floats, decision: Decision) -> Floats | None:
    """(P,) probability that a page has no content, said by heads fitted on other sites.

    None if the decision does not ask, the pages are too few, or scikit-learn is not installed.
    The (n, 3) marginals of blocks are of models that did not see the pages.
    """
    if decision.method != "expected-f" or not lazy.is_installed("sklearn"):
        return None
    examples = Examples.of(pages.infos, pages, measured(pages.tables, marginals))
    if not examples.are_enough:
        return None
    return HeadScores.cross_validated(examples, decision).p_no_content


@dataclass(frozen=True, eq=False)
class HeadScores:
    """What a head says of pages of sites that it was not fitted on.

    Attributes:
        examples: the pages.
        p_no_content: (P,) float64 as heads say that were fitted on other sites; NaN where the
            other sites teach nothing.
        said: (P,) str, type that the heads say, "" for none.
        decision: says when a page gives nothing.
    """

    examples: Examples
    p_no_content: Floats
    said: NDArray[np.str_]
    decision: Decision

    @classmethod
    def cross_validated(cls, examples: Examples, decision: Decision) -> HeadScores:
        """Fit on four fifths of the sites and judge the others, five times."""
        fold_of_page = folds(examples.sites, min(_FOLDS, len({*examples.sites})))
        p_no_content = np.full(len(fold_of_page), np.nan)
        said = np.full(len(fold_of_page), "", dtype=object)
        for fold in np.unique(fold_of_page):
            held_out = np.flatnonzero(fold_of_page == fold)
            others = examples.select(np.flatnonzero(fold_of_page != fold))
            if not others.are_enough:
                continue
            head = fit(others)
            p_no_content[held_out] = head.p_no_content(examples.measures[held_out])
            best = head.of_type(examples.measures[held_out]).argmax(axis=1)
            said[held_out] = np.array(head.types)[best]
        return cls(examples, p_no_content, said.astype(np.str_), decision)

    @cached_property
    def gives_nothing(self) -> Bools:
        """(P,) is the page taken for one without content."""
        return np.asarray(self.p_no_content > self.decision.no_content)

    @property
    def empty_found(self) -> tuple[int, int]:
        """Pages without content that give nothing, and all of them."""
        return self._given_nothing(self.examples.is_empty)

    @property
    def content_lost(self) -> tuple[int, int]:
        """Pages with content that give nothing, and all of them."""
        return self._given_nothing(~self.examples.is_empty)

    def _given_nothing(self, rows: Bools) -> tuple[int, int]:
        return int(self.gives_nothing[rows].sum()), int(rows.sum())

    @property
    def accuracy(self) -> float:
        """Share of the pages of a known type whose type is right."""
        learnt, types = self.examples.learnt_types, np.array(self.examples.types)
        rows = self.examples.is_typed & np.isin(types, learnt) & (self.said != "")
        return float(np.sum(self.said[rows] == types[rows]) / max(rows.sum(), 1))

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
        (found, n_empty), (lost, n_others) = self.empty_found, self.content_lost
        yield (
            f"page head, 5 folds by site: gives nothing on {found} of {n_empty} pages without "
            f"content, on {lost} of {n_others} others; page types right: {self.accuracy:.4f}"
        )
