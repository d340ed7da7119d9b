"""What a model says of blocks when it knows nothing of one feature module.

The model runs again on the whole page: node potentials without the columns of the module, then
pooling and the chain as they are. So a block loses what its neighbours made of the module, too.

A tree that asks about deleted columns cannot know the answers. It takes the mean of its leaves over
all of them, weighted by how many training blocks gave such answers (Janzing, Minorics and Bloebaum
2020, Feature relevance quantification in explainable AI: the interventional expectation). Linear
potentials lose the weights of the columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Bools, Floats, Floats32
from victor.base.cached import cached_property
from victor.base.labels import Label
from victor.explain.contributions import Explanation
from victor.explain.linear_terms import LinearTerms
from victor.explain.terms import TreeTerms
from victor.model.crf.marginals import marginals
from victor.model.crf.pooling import shifted
from victor.model.trees import Trees

_TRACE: Final = 1e-12
"""Least weight of a leaf and least probability, so that neither mean nor logarithm fails."""


@dataclass(frozen=True, eq=False)
class Deletions:
    """The log-odds of being kept of the n blocks of a table, and what each deletion changes.

    Attributes:
        explanation: of the blocks.
    """

    explanation: Explanation

    def of_module(self, module: str) -> tuple[Floats, Floats]:
        """What the columns of a feature module add to the log-odds of being kept.

        Returns:
            Two of (n,) float64: to those of the node alone, and to those of the whole model.
        """
        features = self.explanation.features
        columns = {name for name, owner in features.by_column.items() if owner == module}
        scores = self._scores_without(columns)
        return self._nodes - _node_odds(scores), self._odds - self._chain_odds(scores)

    def of_neighbours(self) -> Floats:
        """(n,) what the labels of the blocks before and after add, as the edges carry them."""
        pooled = shifted(self._scores, self.explanation.pooled)
        alone = np.exp(pooled - pooled.max(axis=1, keepdims=True))
        return self._odds - self._keep_odds(alone / alone.sum(axis=1, keepdims=True))

    def modules(self) -> Iterator[str]:
        """The modules of the columns that the node potentials read."""
        explanation = self.explanation
        by_column = explanation.features.by_column
        yield from {by_column[name]: None for name in explanation.model.potentials.columns}

    @cached_property
    def _scores(self) -> Floats:
        return self.explanation.nodes.potentials

    @cached_property
    def _nodes(self) -> Floats:
        return _node_odds(self._scores)

    @cached_property
    def _odds(self) -> Floats:
        return self._chain_odds(self._scores)

    def _chain_odds(self, scores: Floats) -> Floats:
        """(n,) log-odds of being kept, given (n, 3) log potentials of the nodes."""
        explanation = self.explanation
        model, starts = explanation.model, explanation.table.page_starts
        pooled = model.pooling(scores, explanation.columns, starts)
        kinds = explanation.neighbours.kinds
        return self._keep_odds(marginals(pooled, model.edges.factors, kinds, starts))

    def _keep_odds(self, probabilities: Floats) -> Floats:
        """(n,) log-odds of being kept, given (n, 3) marginals of the chain."""
        other = self.explanation.model.calibrated(probabilities)[:, Label.OTHER]
        other = np.clip(other, _TRACE, 1 - _TRACE)
        return np.asarray(np.log1p(-other) - np.log(other))

    def _scores_without(self, columns: Collection[str]) -> Floats:
        """(n, 3) log potentials of the nodes without some columns."""
        nodes, starts = self.explanation.nodes, self.explanation.table.page_starts
        if isinstance(nodes, TreeTerms):
            trees = trees_without(nodes.trees, columns)
            return trees(self.explanation.columns, starts)
        assert isinstance(nodes, LinearTerms), "potentials are trees or linear"
        return nodes.potentials_without(columns)


def trees_without(trees: Trees, columns: Collection[str]) -> Trees:
    """The trees with leaves in which the answers about some columns make no difference."""
    is_deleted = np.array([name in columns for name, _ in trees.inputs], dtype=bool)
    deleted = is_deleted[trees.asked][trees.questions]  # (T, D)
    cover = np.maximum(trees.cover.astype(np.float64), _TRACE)
    weights = _summed(cover, ~deleted)  # of the deleted answers, whatever the others are
    sums, totals = (_summed(array, deleted) for array in (trees.leaves * weights, weights))
    leaves: Floats32 = (sums / totals).astype(np.float32)
    return replace(trees, leaves=leaves)


def _summed(values: Floats, levels: Bools) -> Floats:
    """(T, 2**D) values of leaves, each the sum over both answers at some of (T, D) levels."""
    sums, depth = values.copy(), levels.shape[1]
    for level in range(depth):
        rows = np.flatnonzero(levels[:, level])
        shape = (len(rows), 2**level, 2, 2 ** (depth - level - 1))
        both = sums[rows].reshape(shape).sum(axis=2, keepdims=True)
        sums[rows] = np.broadcast_to(both, shape).reshape(len(rows), 2**depth)
    return sums


def _node_odds(scores: Floats) -> Floats:
    """(n,) log-odds of being kept, given (n, 3) log potentials."""
    keep = np.logaddexp(scores[:, Label.HEADER], scores[:, Label.TEXT])
    return np.asarray(keep - scores[:, Label.OTHER])
