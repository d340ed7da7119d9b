"""Train linear potentials together with edges that read the input, by an exact gradient.

The objective is the likelihood of every labelled block by itself, ``sum_i v_i log p_i(y_i)``, with
the marginals p_i of the chain (`victor.model.crf.likelihood`) and weights v_i of blocks whose mean
is 1, less ``c1 |w| + c2 w^2`` over all that is learnt. Blocks without a label have no term of their
own and still connect their neighbours. L-BFGS goes up this hill; with c1 every weight is the
difference of two that are not negative, whose sum has a slope everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from victor.base import optional
from victor.base.arrays import Floats, Labels
from victor.base.errors import ConfigError
from victor.base.labels import UNLABELLED, Label
from victor.config import Crf
from victor.model.crf.attributes import n_values
from victor.model.crf.edges import Edges
from victor.model.crf.likelihood import PIECE, Chains
from victor.model.crf.sequences import Attributes, Pages, Sequences
from victor.model.crf.weights import UNTRAINED, Weights

_MEMORY: Final = 6
"""Steps that L-BFGS remembers."""

Progress = Callable[[int, float], None]
"""Called after every iteration of the optimiser with its number and the loss."""


def ascend(
    sequences: Sequences, edges: Edges, options: Crf, progress: Progress = lambda *_: None
) -> tuple[Weights, Edges]:
    """Learn weights of attributes and tables of edges; the same input gives the same weights.

    Args:
        sequences: labelled pages, and what the attributes of their blocks are.
        edges: untrained; what they read gave the kinds of the pages.
        options: how to train.
        progress: see `Progress`.

    Raises:
        ConfigError: the optimiser is another one than lbfgs.
    """
    if options.algorithm != "lbfgs":
        raise ConfigError(
            f"crf.algorithm: {options.algorithm} learns no edges that read the input; set lbfgs, "
            "or take the edge entries out of the template"
        )
    attributes = sequences.attributes
    hill = _Hill.of(sequences.pages, attributes, edges, options.c2)
    learnt = _maximum(hill, options, progress)
    weights, tables = hill.parted(learnt)
    return _folded(attributes, weights, hill.bias), replace(edges, tables=tables)


@dataclass(frozen=True, eq=False)
class _Hill:
    """The objective of n blocks and F attributes.

    Attributes:
        matrix: (n, F) sparse float32 value of the attributes of the blocks, in chain order; the
            last attribute is the bias.
        chains: the blocks as chains.
        labels, weights: (n,) in chain order; a block without a label weighs nothing.
        bias: (L,) added to all blocks; it rules out labels that no block has.
        edges: what the tables belong to.
        c2: strength of L2 regularisation.
    """

    matrix: Any
    chains: Chains
    labels: Labels
    weights: Floats
    bias: Floats
    edges: Edges
    c2: float

    @classmethod
    def of(cls, pages: Pages, attributes: Attributes, edges: Edges, c2: float) -> _Hill:
        """Lay out the training pages."""
        chains = Chains.of(pages.page_starts, pages.kinds, PIECE)
        is_labelled = pages.labels != UNLABELLED
        labels = np.where(is_labelled, pages.labels, np.uint8(Label.OTHER))
        weights = np.where(is_labelled, pages.weights, 0.0)
        is_seen = np.bincount(pages.labels[is_labelled], minlength=len(Label)) > 0
        return cls(
            matrix=_matrix(pages, attributes)[chains.order],
            chains=chains,
            labels=labels[chains.order],
            weights=(weights / weights[is_labelled].mean())[chains.order],
            bias=np.where(is_seen, 0.0, UNTRAINED),
            edges=edges,
            c2=c2,
        )

    @property
    def n_weights(self) -> int:
        """How many numbers are learnt."""
        return int(self.matrix.shape[1]) * len(Label) + self.edges.tables.size

    def parted(self, learnt: Floats) -> tuple[Floats, Floats]:
        """The (F, L) weights of attributes and the (R, L, L) tables of edges."""
        n_attributes = self.matrix.shape[1] * len(Label)
        weights = learnt[:n_attributes].reshape(-1, len(Label))
        return weights, learnt[n_attributes:].reshape(self.edges.tables.shape)

    def depth(self, learnt: Floats) -> tuple[float, Floats]:
        """How far below its top the hill is, and the slope of that."""
        weights, tables = self.parted(learnt)
        layout = self.edges.layout
        nodes = (self.matrix @ weights.astype(np.float32)).T.astype(np.float64, order="C")
        nodes += self.bias[:, None]
        gradient = self.chains.gradient(nodes, layout.spread(tables), self.labels, self.weights)
        slopes = np.ascontiguousarray(gradient.nodes.T, dtype=np.float32)
        of_weights = (self.matrix.T @ slopes).astype(np.float64)
        slope = -np.concatenate([of_weights.ravel(), layout.gathered(gradient.edges).ravel()])
        return float(self.c2 * learnt @ learnt) - gradient.value, slope + 2 * self.c2 * learnt


def _maximum(hill: _Hill, options: Crf, progress: Progress) -> Floats:
    """The numbers at the top of the hill, or as far up as the iterations lead."""
    optimize = optional.load("scipy.optimize", extra="train")
    iterations = count(1)

    def split_depth(halves: Floats) -> tuple[float, Floats]:
        depth, slope = hill.depth(halves[: hill.n_weights] - halves[hill.n_weights :])
        return depth + options.c1 * halves.sum(), np.concatenate([slope, -slope]) + options.c1

    depth, n = (split_depth, 2 * hill.n_weights) if options.c1 else (hill.depth, hill.n_weights)
    result = optimize.minimize(
        depth,
        np.zeros(n),
        jac=True,
        method="L-BFGS-B",
        bounds=optimize.Bounds(0.0, np.inf) if options.c1 else None,
        callback=lambda intermediate_result: progress(next(iterations), intermediate_result.fun),
        options={"maxiter": options.max_iterations, "maxcor": _MEMORY, "maxfun": 10**6},
    )
    learnt: Floats = result.x
    return learnt[: hill.n_weights] - learnt[hill.n_weights :] if options.c1 else learnt


def _matrix(pages: Pages, attributes: Attributes) -> Any:  # noqa: ANN401  (an untyped library's class)
    """(n, F) sparse values of the attributes of all blocks: entries, the bias.

    It is made batch by batch: before values of 0 are left out, all of it would not fit into memory.
    """
    sparse = optional.load("scipy.sparse", extra="train")
    rows = [_batch_matrix(batch, attributes, sparse) for batch in pages.batches()]
    return sparse.vstack(rows, format="csr")


def _batch_matrix(pages: Pages, attributes: Attributes, sparse: Any) -> Any:  # noqa: ANN401  (as above)
    bias = sparse.csr_matrix(np.ones((len(pages.labels), 1), dtype=np.float32))
    return sparse.hstack([_of_entries(pages, attributes, sparse), bias], format="csr")


def _of_entries(pages: Pages, attributes: Attributes, sparse: Any) -> Any:  # noqa: ANN401  (as above)
    """(n, V) sparse values of the attributes of entries; their references give none."""
    n, column = len(pages.labels), 0
    indices = np.empty((n, len(attributes.entries)), dtype=np.int32)
    values = np.empty(indices.shape, dtype=np.float32)
    for row, entry in enumerate(attributes.entries):
        entry_value = pages.values(entry, attributes.template, attributes.sizes)
        indices[:, row] = entry_value + column
        values[:, row] = attributes.value_of(entry)
        if attributes.references is not None:
            values[entry_value == attributes.references[row], row] = 0.0
        column += n_values(entry, attributes.template, attributes.sizes)
    offsets = np.arange(n + 1) * indices.shape[1]
    matrix = sparse.csr_matrix((values.ravel(), indices.ravel(), offsets), shape=(n, column))
    matrix.eliminate_zeros()
    return matrix


def _folded(attributes: Attributes, weights: Floats, bias: Floats) -> Weights:
    """The (F, L) weights of attributes as those of entries and the bias."""
    sizes = [n_values(entry, attributes.template, attributes.sizes) for entry in attributes.entries]
    *tables, of_bias = np.split(weights, np.cumsum(sizes))
    return attributes.weights(tables, of_bias[0] + bias)
