"""The page head of a model: has a page content, and of which type is it.

No block can know alone whether a page has content: every threshold on marginals that empties menus,
forms and error pages empties forums and lists, too. The head is two logistic regressions over
measures of the whole page (`victor.model.page_measures`), the marginals of its blocks among them.
`victor.training.page_head` fits it on marginals of models that did not see the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.model import archive
from victor.model.page_measures import measure_names, page_measures
from victor.page.table.blocks import BlockTable
from victor.page.verdict.page_judgements import PageJudgements


@dataclass(frozen=True, eq=False)
class PageHead:
    """Weights of T page types and of having no content over K measures of a page.

    Attributes:
        types: (T,) names of the types.
        measures: (K,) names of the measures that it reads.
        weights: (K + 1, T + 1) float64, the last row the intercepts, the last column those of
            having no content.

    Raises:
        ValueError: they do not fit each other, or this version has no measure of such a name.
    """

    types: tuple[str, ...]
    measures: tuple[str, ...]
    weights: Floats

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.measures) + 1, len(self.types) + 1) or not self.types:
            raise ValueError("the weights of the page head do not fit its types and measures")
        unknown = {*self.measures} - {*measure_names()}
        if unknown:
            raise ValueError(f"the page head reads {min(unknown)}, which is no measure")

    def __call__(self, table: BlockTable, marginals: Floats) -> PageJudgements:
        """Judge the P pages of a table.

        Args:
            table: the pages.
            marginals: (n, 3) float64 of their blocks.
        """
        return self.of_measures(page_measures(table, marginals))

    def of_measures(self, measures: Floats) -> PageJudgements:
        """The same, given (P, M) measures of the pages."""
        read = measures[:, self._rows]
        # Page by page: a product of matrices may round otherwise in a batch of another size.
        scores = np.array([row @ self.weights[:-1] for row in read]).reshape(len(read), -1)
        scores += self.weights[-1]
        types = np.exp(scores[:, :-1] - scores[:, :-1].max(axis=1, initial=0.0, keepdims=True))
        return PageJudgements(
            p_no_content=0.5 + 0.5 * np.tanh(scores[:, -1] / 2),
            p_type=types / types.sum(axis=1, keepdims=True),
            types=self.types,
        )

    @cached_property
    def _rows(self) -> Ints:
        """(K,) columns of the measures that it reads."""
        column = {name: number for number, name in enumerate(measure_names())}
        return np.array([column[name] for name in self.measures], dtype=np.int64)

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays; `from_arrays` reads them."""
        document = {"types": [*self.types], "measures": [*self.measures]}
        return document, {"page_head": self.weights.astype(np.float64)}

    @classmethod
    def from_arrays(
        cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> PageHead:
        """The head that `to_arrays` gave.

        Raises:
            LookupError, TypeError, ValueError: it is something else.
        """
        types, measures = (tuple(map(str, document[name])) for name in ("types", "measures"))
        weights = archive.weights(arrays["page_head"], len(types) + 1)
        return cls(types, measures, weights.astype(np.float64))
