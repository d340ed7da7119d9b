"""Adapt a model to labelled pages: steps of Newton's method in the leaves of its trees.

The trees keep their questions, so blocks that reach the same leaves still count as alike, and what
a few pages teach about one block moves all blocks that the model takes for similar. Its edges go up
the same gradient. Nothing that a page costs changes: the adapted model has as many trees, columns
and edges.

Sources: Friedman (2001), Greedy function approximation, section 4.4 (a step for every leaf);
Davies and Ghahramani (2014), The random forest kernel and other kernels for big data (trees as a
measure of likeness); the gradient is that of the chain (`victor.model.likelihood`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError
from victor.base.labels import Label
from victor.model.likelihood import PIECE, Chains
from victor.model.model import Model
from victor.model.trees import Trees
from victor.training.dataset import Selection
from victor.training.training import block_weights

_L2: Final = 1.0  # added to the curvature of every leaf, in blocks of mean weight
_LEAST_CURVATURE: Final = 1e-3
_EDGE_RATE: Final = 2.0  # step of the edges along the gradient of the mean likelihood of a block
_TURNS: Final = 4
"""A step moves every fourth tree: each of them is as good a measure of likeness as all."""
_MOST_BLOCKS: Final = 200  # blocks of a page to learn from; of longer pages so many are drawn


def check(model: Model) -> Trees:
    """The trees of a model; a `ConfigError` if it has none."""
    if not isinstance(model.potentials, Trees):
        raise ConfigError(
            "only a model of trees, such as default, can be adapted: "
            "train a linear one again with `victor train`"
        )
    return model.potentials


def steps(model: Model, selection: Selection) -> Iterator[Model]:
    """The model after one step towards the labels of some pages, after two, and so on.

    Args:
        model: has trees.
        selection: P annotated pages with the columns that the model reads.
    """
    fit = _Fit(model, check(model), selection)
    for step in count():
        fit.move(step % _TURNS)
        edges = replace(model.edges, tables=fit.tables)
        yield replace(model, potentials=fit.trees, edges=edges)


class _Half(NamedTuple):
    """The trees that speak for one of the two potentials: of text, or of header over text.

    Attributes:
        rows: (t,) which trees.
        leaf: (t, n) leaf of every block, counted over all trees of the half and their experts.
    """

    rows: Ints
    leaf: Ints


class _Fit:
    """Leaves on their way to the labels of n blocks; each page moves those of its first expert.

    Attributes:
        leaves: (T, E, L) what the leaves add now.
        tables: (R, 3, 3) stacked tables of the edges now.
    """

    def __init__(self, model: Model, trees: Trees, selection: Selection) -> None:
        self._trees = trees
        self.leaves = trees.leaves.astype(np.float64).transpose(1, 0, 2).copy()
        self._layout, self.tables = model.edges.layout, model.edges.tables
        starts = selection.page_starts
        kinds = model.edges.kinds(selection.columns, starts)
        self._chains = Chains.of(starts, kinds, PIECE)
        order = self._chains.order
        self._weights = block_weights(selection, _MOST_BLOCKS)[order]
        is_connected = model.config.crf.transitions
        self._edge_rate = _EDGE_RATE / self._weights.sum() if is_connected else 0.0
        labels = selection.labels[order]
        self._labels = np.where(self._weights > 0, labels, np.uint8(Label.OTHER))
        self._potentials = model.potentials(selection.columns, starts).T[:, order]
        codes = trees.codebook.codes(selection.columns).T
        weights = trees.weights(codes, starts).repeat(np.diff(starts), axis=0)[order]
        self._shares = weights.max(axis=1).astype(np.float64)
        n_experts, _, n_leaves = trees.leaves.shape
        leaf = trees.leaves_of(selection.columns, starts)[:, order]
        leaf = leaf + weights.argmax(axis=1) * n_leaves

        def half(rows: Ints) -> _Half:
            return _Half(rows, leaf[rows] + np.arange(len(rows))[:, None] * n_experts * n_leaves)

        ends = ((0, trees.n_text), (trees.n_text, len(trees.questions)))
        self._halves = [
            [half(np.arange(first + turn, end, _TURNS)) for turn in range(_TURNS)]
            for first, end in ends
        ]

    @property
    def trees(self) -> Trees:
        leaves = np.ascontiguousarray(self.leaves.transpose(1, 0, 2), dtype=np.float32)
        return replace(self._trees, leaves=leaves)

    def move(self, turn: int) -> None:
        """Move the edges, and the leaves of the trees whose turn it is."""
        edges = self._layout.spread(self.tables)
        gradient = self._chains.gradient(self._potentials, edges, self._labels, self._weights)
        self.tables = self.tables + self._edge_rate * self._layout.gathered(gradient.edges)
        slopes, marginals = gradient.nodes, gradient.marginals
        kept = [Label.TEXT, Label.HEADER]
        for half, labels in zip(self._halves, (kept, [Label.HEADER]), strict=True):
            share = marginals[labels].sum(axis=0)
            curvature = np.maximum(share * (1 - share), _LEAST_CURVATURE) * self._weights
            added = self._add(half[turn], slopes[labels].sum(axis=0), curvature)
            self._potentials[labels] += added

    def _add(self, half: _Half, slope: Floats, curvature: Floats) -> Floats:
        """(n,) what a step adds to the potentials of the blocks."""
        shape = len(half.rows), *self.leaves.shape[1:]
        if not shape[0]:
            return np.zeros(len(slope))
        slopes, curvatures = (
            np.bincount(half.leaf.ravel(), np.tile(values, shape[0]), math.prod(shape))
            for values in (slope * self._shares, curvature * self._shares**2)
        )
        values = slopes / (curvatures + _L2) / shape[0]
        self.leaves[half.rows] += values.reshape(shape)
        return np.asarray(values[half.leaf].sum(axis=0) * self._shares)
