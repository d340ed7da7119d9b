"""The page head of a model: has a page content, and of which type is it.

No block can know alone whether a page has content: every threshold on marginals that empties menus,
forms and error pages empties forums and lists, too. The head is logistic regressions over measures
of the whole page (`victor.model.page_measures`), the marginals of its blocks among them, and over
what it says (`victor.model.wall_measures`). `victor.evaluation.page_heads` fits it on marginals of
models that did not see the pages, `benchmarks/train_walls.py` what tells servers and walls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.lazy import cached_property
from victor.model import archive
from victor.model.crf.marginals import exponentials
from victor.model.decide import Decision, in_doubt
from victor.model.page_measures import N_JUDGEMENTS, measure_names, name_measures, page_rows
from victor.model.wall_measures import MEASURES
from victor.page.table.blocks import BlockTable

_ERROR_PAGE, _NO_CONTENT = "error-page", "no-content"


class Regression(Struct, frozen=True, eq=False, dict=True):
    """Linear scores of k classes over K measures of a page.

    Attributes:
        measures: (K,) names of the measures that it reads.
        weights: (K + 1, k) float64, the last row the intercepts.

    Raises:
        ValueError: they do not fit each other, or this version has no measure of such a name.
    """

    measures: tuple[str, ...]
    weights: Floats

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.measures) + 1:
            raise ValueError("the weights of the page head do not fit its measures")
        unknown = {*self.measures} - {*measure_names(), *MEASURES}
        if unknown:
            raise ValueError(f"the page head reads {min(unknown)}, which is no measure")

    def __call__(self, measures: Floats) -> Floats:
        """(P, k) scores, given (P, M) measures, or the first of them where it reads no others."""
        # Page by page, each in one piece: a product of matrices may round otherwise in a batch of
        # another size, or where the numbers of a row lie apart.
        rows = [row @ self.weights[:-1] for row in measures.take(self.columns, axis=1)]
        scores = np.array(rows, dtype=np.float64).reshape(len(rows), self.weights.shape[1])
        return np.asarray(scores + self.weights[-1])

    @cached_property
    def columns(self) -> Ints:
        """(K,) columns of the measures that it reads."""
        column = {name: number for number, name in enumerate(measure_names())}
        first = len(measure_names(quick=True))  # those of walls stand there where they are read
        column |= {name: first + number for number, name in enumerate(MEASURES)}
        return np.array([column[name] for name in self.measures], dtype=np.int64)


class PageHead(Struct, frozen=True, eq=False, dict=True):
    """Says of pages whether they have content, and which of T types they are of.

    Attributes:
        types: (T,) names of the types.
        of_type: scores of the types.
        of_nothing: one score, that a page has no content; over quick measures only.
        of_error: one score, that a server or a wall speaks on a page; over quick measures and
            those of walls. None if nothing was learnt of them.

    Raises:
        ValueError: there are other scores than these.
    """

    types: tuple[str, ...]
    of_type: Regression
    of_nothing: Regression
    of_error: Regression | None = None

    def __post_init__(self) -> None:
        widths = self.of_type.weights.shape[1], self.of_nothing.weights.shape[1]
        if not self.types or widths != (len(self.types), 1):
            raise ValueError("the weights of the page head do not fit its types")
        quick, of_error = measure_names(quick=True), self.of_error
        if not {*self.of_nothing.measures} <= {*quick}:
            raise ValueError("the page head reads names of elements to tell pages without content")
        if of_error and not (
            {*of_error.measures} <= {*quick, *MEASURES} and of_error.weights.shape[1] == 1
        ):
            raise ValueError("the page head cannot tell error pages by these weights")

    def __call__(self, table: BlockTable, marginals: Floats, told: str | None = None) -> Judgements:
        """Judge the P pages of a table.

        Args:
            table: the pages.
            marginals: (n, 3) float64 of their blocks.
            told: the type of all of them, if the user knows it.
        """
        return Judgements(self, table, marginals, told)

    def p_no_content(self, measures: Floats) -> Floats:
        """(P,) probability that each page has no content, given (P, M) or quick measures."""
        return _logistic(self.of_nothing(measures))

    @cached_property
    def weights(self) -> Floats:
        """(2 (Q + W + 1),) weights and intercept of pages without content, then of error pages."""
        n_measures = len(measure_names(quick=True)) + len(MEASURES)
        weights = np.zeros((2, n_measures + 1))
        weights[1, -1] = -np.inf  # where nothing was learnt of error pages
        for row, regression in zip(weights, (self.of_nothing, self.of_error), strict=True):
            if regression:
                row[[*regression.columns, -1]] = regression.weights[:, 0]
        return weights.ravel()

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays; `from_arrays` reads them."""
        document = {
            "types": [*self.types],
            "measures": [*self.of_type.measures],
            "measures of nothing": [*self.of_nothing.measures],
        }
        if self.of_error is not None:
            document["measures of errors"] = [*self.of_error.measures]
        weights = {
            "page_types": self.of_type.weights.astype(np.float64),
            "page_nothing": self.of_nothing.weights.astype(np.float64),
        }
        if self.of_error is not None:
            weights["page_error"] = self.of_error.weights.astype(np.float64)
        return document, weights

    @classmethod
    def from_arrays(
        cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> PageHead:
        """The head that `to_arrays` gave.

        Raises:
            LookupError, TypeError, ValueError: it is something else.
        """

        def regression(measures: str, weights: str, columns: int) -> Regression:
            checked = archive.weights(arrays[weights], columns)
            return Regression(tuple(map(str, document[measures])), checked.astype(np.float64))

        types = tuple(map(str, document["types"]))
        return cls(
            types,
            regression("measures", "page_types", len(types)),
            regression("measures of nothing", "page_nothing", 1),
            regression("measures of errors", "page_error", 1) if "page_error" in arrays else None,
        )


class Judgements(Struct, frozen=True, eq=False, dict=True):
    """What a head says of the P pages of a batch.

    Attributes:
        head: the head.
        table: the pages.
        marginals: (n, 3) float64 of their blocks.
        told: the type of all pages as the user knows it; None leaves it to the head.
    """

    head: PageHead
    table: BlockTable
    marginals: Floats
    told: str | None = None

    @cached_property
    def p_no_content(self) -> Floats:
        """(P,) float64 probability that the page has no content, for whatever reason."""
        return np.asarray(self._rows[:, -N_JUDGEMENTS:-1].max(axis=1))

    @property
    def p_error(self) -> Floats:
        """(P,) that a server or a wall speaks on a page; 0 where no phrase of theirs is."""
        return self._rows[:, -2]

    def asked(self, decision: Decision) -> tuple[Floats | None, Floats | None]:
        """What `decide` asks: (P,) that a page has no content, and that it is an error page.

        To measure a page takes a while, and most surely have content.
        """
        if decision.method != "expected-f":
            is_asked = decision.method == "threshold" and decision.no_content < 1
            return None, self.p_error if is_asked else None
        (pages,) = in_doubt(self.marginals, self.table).nonzero()
        return self.of_doubtful(pages) if len(pages) else (None, None)

    def of_doubtful(self, pages: Ints) -> tuple[Floats, Floats]:
        """The same, given the pages that are in doubt; NaN for the others."""
        rows = self._judged(pages)[:, -N_JUDGEMENTS:]
        self._known.update(zip(pages.tolist(), rows, strict=True))
        p_no_content, p_error = answers = np.full((2, self.table.n_pages), np.nan)
        answers[:, pages] = rows[:, :-1].T
        return p_no_content, p_error

    @cached_property
    def _known(self) -> dict[int, Floats]:
        """Judgements of pages that were asked for."""
        return {}

    def why_nothing(self, page: int) -> str:
        """Why a page gives nothing: it is an ``error-page``, or has ``no-content``."""
        known = self._known.get(page)
        row = self._judged(np.array([page]))[0] if known is None else known
        return _ERROR_PAGE if row[-1] else _NO_CONTENT

    def type_of(self, page: int) -> str:
        """The type of a page: the one that the user told, else the most probable."""
        return self.told or self.head.types[int(self._type_scores[page].argmax())]

    def _judged(self, pages: Ints | None = None) -> Floats:
        return page_rows(self.table, self.marginals, pages, self.head.weights)

    @cached_property
    def _rows(self) -> Floats:
        """(P, Q + W + 3) measures and judgements of all pages."""
        return self._judged()

    @cached_property
    def _type_scores(self) -> Floats:
        """(P, T) made when somebody asks: names of elements take as long as all else."""
        quick = self._rows[:, : len(measure_names(quick=True))]
        return self.head.of_type(np.concatenate([quick, name_measures(self.table)], axis=1))


def _logistic(scores: Floats) -> Floats:
    """(P,) probabilities of (P, 1) scores, as the core has them."""
    odds = exponentials(-np.abs(scores[:, 0]))
    return np.asarray(np.where(scores[:, 0] > 0, 1.0, odds) / (1.0 + odds))
