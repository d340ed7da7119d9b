"""Gradient tree boosting inside the chain: trees and edges that raise its likelihood.

Each tree fits the gradient of the word-weighted likelihood of the whole chain
(`victor.model.crf.likelihood`), with the edges as they are by then; every few trees the edges are
fitted again. Every tree learns from one part of the pages.

Sources: Dietterich, Hao and Ashenfelter (2008), Gradient tree boosting for training conditional
random fields; Chen, Singh, Taskar and Guestrin (2015), Efficient second-order gradient boosting
for conditional random fields; Friedman (2002), Stochastic gradient boosting.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from victor import optional
from victor.arrays import Codes, Floats, Floats32, Ints, Labels
from victor.config import Trees as TreeOptions
from victor.errors import CorpusError
from victor.labels import Label
from victor.model.crf.likelihood import Chains, Gradient
from victor.model.discretize import Codebook
from victor.model.discretize import Edges as Bins
from victor.model.oblivious import Path, Settings, grow_path, leaves_of
from victor.model.trees import OUTSIDE, Input, Trees

_PARTS: Final = 3
"""Parts of the pages; each tree learns from the next one."""
_PIECE: Final = 200
"""Blocks of a chain while learning; what a block's label says to another so far away is nothing."""
_SAMPLE: Final = 60_000
"""Blocks that the questions of a tree are chosen on."""
_HEADER_EVERY: Final = 5
"""Every so many trees one tells header from text; the others what is kept."""
_HEADER_DEPTH: Final = 6
_FIRST_EDGES: Final = 30
_EDGES_EVERY: Final = 20
"""Edges are fitted after so many trees and then as often; before, there is nothing to connect."""
_EDGE_STEPS: Final = 3
_EDGE_L2: Final = 1e-4
_DAMPING: Final = 0.6
"""Edges are fitted where the trees know the labels too well; as fitted they would say too much."""
_LEAST_CURVATURE: Final = 1e-3


class Examples(NamedTuple):
    """Training blocks, page after page.

    Attributes:
        codes: (I, n) code of every input (`victor.model.trees.input_codes`).
        labels: (n,) labels.
        weights: (n,) what each block weighs; blocks of weight 0 only connect their neighbours.
        page_starts: (P + 1,) first block of each page.
        kinds: (n,) kind of the edge to the block before.
        n_kinds: how many kinds there are.
    """

    codes: Codes
    labels: Labels
    weights: Floats
    page_starts: Ints
    kinds: Ints
    n_kinds: int


def grow(
    examples: Examples,
    *,
    codebook: Codebook,
    inputs: Sequence[Input],
    options: TreeOptions,
    connected: bool = True,
) -> tuple[Trees, Floats]:
    """Learn trees and edges together; the same input always gives the same bytes.

    Args:
        examples: the training blocks.
        codebook: fitted discretisers of the columns that the inputs read.
        inputs: columns and offsets.
        options: how.
        connected: whether there are edges at all.

    Returns:
        The trees and the (K, 3, 3) log potentials of the edges.

    Raises:
        CorpusError: the blocks are all kept or all dropped, or all alike.
    """
    weighed = examples.weights > 0
    kept = (examples.labels != Label.OTHER)[weighed]
    if kept.all() or not kept.any():
        raise CorpusError("growing trees needs kept and dropped blocks: label more pages")
    if (examples.codes[:, weighed] == examples.codes[:, weighed][:, :1]).all():
        raise CorpusError("all training blocks look alike to the trees: set another template")
    booster = _Booster.begin(examples, options)
    for number in range(options.count):
        booster.add_tree(number, connected=connected)
    trees = _trees(booster, codebook, tuple(inputs))
    return narrowed(trees), booster.edges


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the pages, laid out as chains.

    Attributes:
        chains: m blocks.
        rows: (m,) which of the examples they are.
        labels, weights: (m,) in the order of the chains.
        weighed: those whose weight is above 0.
        codes: (I, weighed) their codes.
    """

    chains: Chains
    rows: Ints
    labels: Labels
    weights: Floats
    weighed: Ints
    codes: Codes

    @classmethod
    def of(cls, examples: Examples, codes: Codes, pages: Ints) -> _Part:
        """Lay some pages out."""
        lengths = np.diff(examples.page_starts)[pages]
        starts = np.append(0, np.cumsum(lengths))
        rows = np.arange(starts[-1]) + np.repeat(
            examples.page_starts[:-1][pages] - starts[:-1], lengths
        )
        chains = Chains.of(starts, examples.kinds[rows], _PIECE)
        rows = rows[chains.order]
        weights = examples.weights[rows]
        weighed = np.flatnonzero(weights > 0)
        labels = np.where(weights > 0, examples.labels[rows], Label.OTHER)
        return cls(chains, rows, labels, weights, weighed, codes[:, rows[weighed]])


class _Tree(NamedTuple):
    """A grown tree."""

    path: Path
    values: Floats
    cover: Floats
    is_header: bool


class _Booster:
    """What has been learnt so far.

    Attributes:
        potentials: (2, n) of text over other, and of header over text.
        bias: what they began with.
        edges: (K, 3, 3) log potentials.
        grown: the trees.
    """

    def __init__(self, examples: Examples, options: TreeOptions, codes: Codes, bins: int) -> None:
        self._options = options
        self._random = np.random.default_rng(options.seed)
        self._codes = codes
        self._bins = bins
        self._weights = examples.weights
        part = self._random.permutation(np.arange(len(examples.page_starts) - 1) % _PARTS)
        parts = [np.flatnonzero(part == number) for number in range(_PARTS)]
        self._parts = [
            _Part.of(examples, codes, pages)
            for pages in parts
            if examples.weights[_rows(examples.page_starts, pages)].any()
        ]
        self.bias = _bias(examples)
        self.potentials = np.repeat(np.array(self.bias)[:, None], codes.shape[1], axis=1)
        self.edges = np.zeros((examples.n_kinds, len(Label), len(Label)))
        self.grown: list[_Tree] = []

    @classmethod
    def begin(cls, examples: Examples, options: TreeOptions) -> _Booster:
        """Nothing learnt but how frequent the labels are."""
        outside = examples.codes == OUTSIDE
        last = int(examples.codes[~outside].max()) + 1
        codes = np.where(outside, np.uint8(last), examples.codes)
        return cls(examples, options, codes, last + 1)

    def add_tree(self, number: int, *, connected: bool) -> None:
        """Grow one more tree on the next part of the pages."""
        part = self._parts[number % len(self._parts)]
        if connected and number >= _FIRST_EDGES and (number - _FIRST_EDGES) % _EDGES_EVERY == 0:
            self.edges = self._fitted_edges(part)
        gradient = self._gradient(part, self.edges)
        is_header = number % _HEADER_EVERY == _HEADER_EVERY - 1
        slope, share = gradient.nodes[Label.HEADER], gradient.marginals[Label.HEADER]
        if not is_header:
            slope = slope + gradient.nodes[Label.TEXT]
            share = share + gradient.marginals[Label.TEXT]
        curvature = np.maximum(share * (1 - share), _LEAST_CURVATURE) * part.weights
        self._grow(part, slope[part.weighed], curvature[part.weighed], is_header=is_header)

    def _grow(self, part: _Part, slope: Floats, curvature: Floats, *, is_header: bool) -> None:
        """Grow a tree and add it to the potentials of all blocks."""
        l2 = self._options.l2 / len(self._parts)
        depth = min(_HEADER_DEPTH, self._options.depth) if is_header else self._options.depth
        settings = Settings(depth, self._options.share, l2, _SAMPLE)
        weights = part.weights[part.weighed]
        path = grow_path(part.codes, slope, weights, self._bins, settings, self._random)
        if not path:
            return
        leaf, size = leaves_of(part.codes, path), 1 << len(path)
        step = np.bincount(leaf, slope, size) / (np.bincount(leaf, curvature, size) + l2)
        values = self._options.learning_rate * step
        leaf = leaves_of(self._codes, path)
        self.potentials[int(is_header)] += values[leaf]
        cover = np.bincount(leaf, self._weights, size).astype(np.float64)
        self.grown.append(_Tree(path, values, cover, is_header))

    def _gradient(self, part: _Part, edges: Floats) -> Gradient:
        text, header = self.potentials[:, part.rows]
        nodes = np.zeros((len(Label), len(text)))
        nodes[Label.TEXT], nodes[Label.HEADER] = text, text + header
        return part.chains.gradient(nodes, edges, part.labels, part.weights)

    def _fitted_edges(self, part: _Part) -> Floats:
        """A few steps up the likelihood of a part, and a part of the way back."""
        optimize = optional.load("scipy.optimize", extra="train", task="growing trees")
        total = part.weights.sum()

        def loss(flat: Floats) -> tuple[float, Floats]:
            gradient = self._gradient(part, flat.reshape(self.edges.shape))
            value = -gradient.value / total + _EDGE_L2 * flat @ flat
            return value, -gradient.edges.ravel() / total + 2 * _EDGE_L2 * flat

        result = optimize.minimize(
            loss, self.edges.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _EDGE_STEPS}
        )
        return np.asarray(_DAMPING * result.x.reshape(self.edges.shape))


def _rows(page_starts: Ints, pages: Ints) -> Ints:
    """The blocks of some pages."""
    chosen = np.zeros(len(page_starts) - 1, dtype=bool)
    chosen[pages] = True
    return np.flatnonzero(np.repeat(chosen, np.diff(page_starts)))


def _bias(examples: Examples) -> tuple[float, float]:
    """Log-odds of being kept, and of header where text is kept, by weight."""
    sums = np.bincount(
        np.minimum(examples.labels, len(Label)), examples.weights, len(Label) + 1
    )[: len(Label)] + 1.0  # fmt: skip
    kept = sums[Label.HEADER] + sums[Label.TEXT]
    return float(np.log(kept / sums[Label.OTHER])), float(
        np.log(sums[Label.HEADER] / sums[Label.TEXT])
    )


def _trees(booster: _Booster, codebook: Codebook, inputs: tuple[Input, ...]) -> Trees:
    """The grown trees, those of text first; inputs that no tree asks about are left out."""
    grown = sorted(booster.grown, key=lambda tree: tree.is_header)
    if not grown:
        raise CorpusError("the training pages give no tree: raise trees.share or label more pages")
    depth = max(len(tree.path) for tree in grown)
    asked = sorted({question for tree in grown for question in tree.path})
    number = {question: index for index, question in enumerate(asked)}
    used = sorted({feature for feature, _ in asked})
    cover = np.stack([_wide(tree.cover, depth) for tree in grown])
    share = cover / np.maximum(cover.sum(axis=1, keepdims=True), 1e-12)
    return Trees(
        codebook=codebook,
        inputs=tuple(inputs[feature] for feature in used),
        asked=np.array([used.index(feature) for feature, _ in asked], dtype=np.int64),
        border=np.array([border for _, border in asked], dtype=np.uint8),
        questions=np.array([_deep([number[q] for q in tree.path], depth) for tree in grown]),
        leaves=np.stack([_wide(tree.values, depth) for tree in grown]),
        cover=share.astype(np.float16).astype(np.float32),  # as exact as a model file has it
        n_text=sum(not tree.is_header for tree in grown),
        bias=booster.bias,
    )


def narrowed(trees: Trees) -> Trees:
    """The same trees with a codebook of nothing but the edges that some question is about.

    Discretising costs as much as there are edges, and most of the bins that trees were grown
    from are never told apart.
    """
    edges: dict[str, set[int]] = {name: set() for name, _ in trees.inputs}
    for asked, border in zip(trees.asked.tolist(), trees.border.tolist(), strict=True):
        edges[trees.inputs[asked][0]].add(border)
    read = {name: trees.codebook.discretizers[name] for name in edges}
    kept = {
        name: [code for code in sorted(edges[name]) if code < len(discretizer.edges)]
        for name, discretizer in read.items()
        if isinstance(discretizer, Bins)
    }
    border = [
        # Beyond the last edge only places outside the page answer with yes.
        bisect_left(kept[name], code) if name in kept else code
        for name, code in (
            (trees.inputs[asked][0], code)
            for asked, code in zip(trees.asked.tolist(), trees.border.tolist(), strict=True)
        )
    ]
    discretizers = {
        name: Bins(tuple(discretizer.edges[code] for code in kept[name]))
        if isinstance(discretizer, Bins)
        else discretizer
        for name, discretizer in read.items()
    }
    return replace(trees, codebook=Codebook(discretizers), border=np.array(border, dtype=np.uint8))


def _deep(path: Sequence[int], depth: int) -> list[int]:
    """Questions in the order they were grown in, so that the first one is asked at the root.

    A tree with fewer levels asks its first question again, which leaves half of the leaves below
    out of reach.
    """
    return [*path, *[path[0]] * (depth - len(path))]


def _wide(values: Floats, depth: int) -> Floats32:
    """Leaves of a tree, as often as its repeated question asks for."""
    return values.astype(np.float32).repeat(2**depth // len(values))
