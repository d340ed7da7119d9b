"""Gradient tree boosting inside the chain: trees and edges that raise its likelihood.

Each tree fits the gradient of the word-weighted likelihood of the chain
(`victor.model.likelihood`). What neighbours say to a block changes slowly, so it is found anew
for one part of the pages before each tree; what a block says itself is always up to date. Every few
trees the edges are fitted again. Experts ask the same questions, chosen for all of them together,
and every expert learns leaves of its own on its pages.

All nodes of a level of a tree ask the same question: the one that, over all of them, explains most
of the gradient. The first level may have several nodes, one for the blocks of each expert. The
measures are codes of few bins, so a level is one histogram for every input.

Sources: Dietterich, Hao and Ashenfelter (2008), Gradient tree boosting for training conditional
random fields; Chen, Singh, Taskar and Guestrin (2015), Efficient second-order gradient boosting
for conditional random fields; Prokhorenkova et al. (2018), CatBoost (oblivious trees); Ibragimov
and Gusev (2019), Minimal variance sampling in stochastic gradient boosting.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.base import lazy
from victor.base.arrays import Codes, Floats, Floats32, Ints, Labels, span_indices
from victor.base.errors import CorpusError
from victor.base.labels import Label
from victor.config.schema import Trees as TreeOptions
from victor.model.chain import EdgeTables
from victor.model.discretize import Codebook
from victor.model.discretize import Edges as Bins
from victor.model.likelihood import PIECE, Chains
from victor.model.trees import OUTSIDE, Gate, Input, Trees

_PARTS: Final = 6
"""Parts of the pages; before each tree the messages of the next part are found anew."""
_SAMPLE: Final = 60_000
"""Blocks that the questions of a tree are chosen on, those with large gradients most often."""
_HEADER_EVERY: Final = 5  # every so many trees one tells header from text; the others what is kept
_HEADER_DEPTH: Final = 6
_FIRST_EDGES: Final = 30
_EDGES_EVERY: Final = 20
"""Edges are fitted after so many trees and then as often; before, there is nothing to connect."""
_EDGE_STEPS: Final = 3
_EDGE_L2: Final = 1e-4
_DAMPING: Final = 0.3
"""Edges are fitted where the trees know the labels too well; as fitted they would say too much."""
_LEAST_CURVATURE: Final = 1e-3
_TINY: Final = 1e-300
Path = tuple[tuple[int, int], ...]
"""For every level the input that is asked about, and the highest code that is answered with no."""

_STEPS: Final = 1023
"""Gradients and weights become whole numbers of so many steps: sums are exact in any order."""
_SHIFT: Final = 2.0**26
"""One float64 holds a sum of gradients above, and a sum of weights below this."""
_MOST: Final = 65_000
"""Blocks whose sums of steps stay below `_SHIFT`, and both sums together below 2^53."""
_LEAST_GAIN: Final = 1e-9
_AT_ONCE: Final = 8
"""Inputs whose histograms are made at once; those of many do not fit into the cache."""


class Examples(NamedTuple):
    """Training blocks, page after page."""

    codes: Codes  # (I, n) code of every input (`victor.model.trees.input_codes`)
    labels: Labels  # (n,) labels
    weights: Floats  # (n,) what each block weighs; blocks of weight 0 only connect their neighbours
    page_starts: Ints  # (P + 1,) first block of each page
    kinds: Ints  # (n,) kind of the edge to the block before
    layout: EdgeTables  # how the tables of the edges make up the kinds
    experts: Ints  # (n,) number of the expert that learns from each block
    names: tuple[str, ...] = ("all",)  # (E,) of the experts


def grow(
    examples: Examples,
    *,
    codebook: Codebook,
    inputs: Sequence[Input],
    options: TreeOptions,
    connected: bool = True,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[Trees, Floats]:
    """Learn trees and edges together; the same input always gives the same bytes.

    Args:
        examples: the training blocks.
        codebook: fitted discretisers of the columns that the inputs read.
        inputs: columns and offsets.
        options: how.
        connected: whether there are edges at all.
        progress: called with 1 after every tree.

    Returns:
        The trees, whose gate weighs all experts alike, and the (R, 3, 3) stacked tables of the
        edges (`victor.model.chain`).

    Raises:
        CorpusError: the blocks are all kept or all dropped, or all alike.
    """
    weighed = examples.weights > 0
    kept = (examples.labels != Label.OTHER)[weighed]
    if kept.all() or not kept.any():
        raise CorpusError("growing trees needs kept and dropped blocks: label more pages")
    if all((codes == codes[0]).all() for codes in (row[weighed] for row in examples.codes)):
        raise CorpusError("all training blocks look alike to the trees: set another template")
    booster = _Booster(examples, options)
    del examples  # whose codes the booster has in another form
    for tree in range(options.count):
        if connected:
            booster.connect(tree)
        booster.add_tree(is_header=tree % _HEADER_EVERY == _HEADER_EVERY - 1)
        progress(1)
    trees = _trees(booster, codebook, tuple(inputs))
    return narrowed(trees), booster.tables


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the pages, laid out as chains of m blocks.

    Attributes:
        chains: the chains.
        rows: (m,) which of the examples the blocks are.
        labels, weights: (m,) of the blocks.
        weighed: the blocks whose weight is above 0.
        numbers: (weighed,) their numbers among all examples of a weight above 0.
    """

    chains: Chains
    rows: Ints
    labels: Labels
    weights: Floats
    weighed: Ints
    numbers: Ints

    @classmethod
    def of(cls, examples: Examples, pages: Ints) -> _Part:
        """Lay some pages out."""
        lengths = np.diff(examples.page_starts)[pages]
        rows = span_indices(examples.page_starts[:-1][pages], lengths)
        starts = np.append(0, np.cumsum(lengths))
        chains = Chains.of(starts, examples.kinds[rows], PIECE)
        rows = rows[chains.order]
        weights = examples.weights[rows]
        weighed = np.flatnonzero(weights > 0)
        numbers = np.cumsum(examples.weights > 0)[rows[weighed]] - 1
        labels = np.where(weights > 0, examples.labels[rows], np.uint8(Label.OTHER))
        return cls(chains, rows, labels, weights, weighed, numbers)


class _Tree(NamedTuple):
    """A grown tree: its questions, and of each expert (E, L) values and weights of the leaves."""

    path: Path
    values: Floats
    cover: Floats
    is_header: bool


class _Booster:
    """What has been learnt so far from n blocks, m of them of a weight above 0.

    Attributes:
        bias: what the potentials begin with.
        tables: (R, 3, 3) stacked tables of the edges.
        grown: the trees.
    """

    def __init__(self, examples: Examples, options: TreeOptions) -> None:
        self._options = options
        self._random = np.random.default_rng(options.seed)
        self._codes, self._bins = _without_outside(examples.codes)
        self._weighed = np.flatnonzero(examples.weights > 0)
        self._weighed_codes = self._codes.take(self._weighed, axis=1)
        self._weights = examples.weights[self._weighed]
        self._labels = examples.labels[self._weighed]
        self._experts = examples.experts
        self.names = examples.names
        self._voices = _voices(examples.experts[self._weighed], self._weights)
        part = self._random.permutation(np.arange(len(examples.page_starts) - 1) % _PARTS)
        parts = [_Part.of(examples, np.flatnonzero(part == number)) for number in range(_PARTS)]
        self._parts = [part for part in parts if len(part.weighed)]
        self.bias = _bias(self._labels, self._weights)
        # Of text over other, and of header over text.
        self._potentials = np.repeat(np.array(self.bias)[:, None], len(examples.labels), axis=1)
        self._messages = np.zeros((len(Label), len(self._weighed)))
        self._handed_on = np.zeros((len(Label), len(self._weighed)))
        self._layout = examples.layout
        self.tables = np.zeros((self._layout.n_rows, len(Label), len(Label)))
        self.grown: list[_Tree] = []

    def connect(self, tree: int) -> None:
        """Find the messages of one part of the pages anew, now and then the edges, too."""
        if tree < _FIRST_EDGES:
            return
        part = self._parts[tree % len(self._parts)]
        nodes = _nodes(self._potentials[:, part.rows])
        if (tree - _FIRST_EDGES) % _EDGES_EVERY == 0:
            self.tables = _fitted(self.tables, self._layout, part, nodes)
        edges = self._layout.spread(self.tables)
        gradient = part.chains.gradient(nodes, edges, part.labels, part.weights)
        marginals, weighed = gradient.marginals[:, part.weighed], part.weighed
        self._messages[:, part.numbers] = np.log(np.maximum(marginals, _TINY)) - nodes[:, weighed]
        lacking = _lacking(marginals, part.labels[weighed], part.weights[weighed])
        self._handed_on[:, part.numbers] = gradient.nodes[:, weighed] - lacking

    def add_tree(self, *, is_header: bool) -> None:
        """Grow one more tree for one of the two potentials."""
        marginals = _softmax(_nodes(self._potentials[:, self._weighed]) + self._messages)
        slopes = _lacking(marginals, self._labels, self._weights) + self._handed_on
        slope, share = slopes[Label.HEADER], marginals[Label.HEADER]
        if not is_header:
            slope, share = slope + slopes[Label.TEXT], share + marginals[Label.TEXT]
        curvature = np.maximum(share * (1 - share), _LEAST_CURVATURE) * self._weights
        depth = min(_HEADER_DEPTH, self._options.depth) if is_header else self._options.depth
        settings = Settings(depth, self._options.share, self._options.l2, self._bins, _SAMPLE)
        path = grow_path(
            self._weighed_codes, slope * self._voices, self._weights * self._voices,
            self._experts[self._weighed], settings, self._random,
        )  # fmt: skip
        if path:
            self._add(path, slope, curvature, is_header=is_header)

    def _add(self, path: Path, slope: Floats, curvature: Floats, *, is_header: bool) -> None:
        """Give the leaves their values, each a step of Newton's method, and add them."""
        leaf = leaves_of(self._codes, path) + (self._experts << len(path))
        slope_sums, curvature_sums, cover = (
            np.bincount(leaf[self._weighed], of_blocks, len(self.names) << len(path)).astype(float)
            for of_blocks in (slope, curvature, self._weights)
        )
        values = self._options.learning_rate * slope_sums / (curvature_sums + self._options.l2)
        self._potentials[int(is_header)] += values[leaf]
        shape = len(self.names), -1
        self.grown.append(_Tree(path, values.reshape(shape), cover.reshape(shape), is_header))


def _voices(experts: Ints, weights: Floats) -> Floats:
    """(m,) what blocks count beside their weights when questions are chosen.

    An expert of few pages would have no say: each counts as the root of what its blocks weigh.
    """
    of_expert = np.bincount(experts, weights)
    return np.asarray(np.sqrt(of_expert.max() / np.maximum(of_expert, _TINY))[experts])


def _without_outside(codes: Codes) -> tuple[Codes, int]:
    """Codes with the one above all others in place of `OUTSIDE`, and how many there are."""
    beyond = max(int(row.max(initial=0, where=row != OUTSIDE)) for row in codes) + 1
    codes = codes.copy()
    for row in codes:
        row[row == OUTSIDE] = beyond
    return codes, beyond + 1


def _nodes(potentials: Floats) -> Floats:
    """(3, n) log potentials of the labels, given those of text, and of header over text."""
    text, header = potentials
    nodes = np.zeros((len(Label), len(text)))
    nodes[Label.TEXT], nodes[Label.HEADER] = text, text + header
    return nodes


def _softmax(logs: Floats) -> Floats:
    """(3, n) probabilities."""
    shares = np.exp(logs - logs.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0))


def _lacking(marginals: Floats, labels: Labels, weights: Floats) -> Floats:
    """(3, n) weights times what the marginals lack of the labels."""
    lacking = -weights * marginals
    lacking[labels, np.arange(len(labels))] += weights
    return lacking


def _fitted(tables: Floats, layout: EdgeTables, part: _Part, nodes: Floats) -> Floats:
    """A few steps up the likelihood of a part, and some of the way back."""
    optimize = lazy.load("scipy.optimize", extra="train", task="growing trees")
    total = part.weights.sum()

    def loss(flat: Floats) -> tuple[float, Floats]:
        edges = layout.spread(flat.reshape(tables.shape))
        gradient = part.chains.gradient(nodes, edges, part.labels, part.weights)
        value = -gradient.value / total + _EDGE_L2 * flat @ flat
        return value, -layout.gathered(gradient.edges).ravel() / total + 2 * _EDGE_L2 * flat

    fitted = optimize.minimize(
        loss, tables.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _EDGE_STEPS}
    )
    return np.asarray(_DAMPING * fitted.x.reshape(tables.shape))


def _bias(labels: Labels, weights: Floats) -> tuple[float, float]:
    """Log-odds of being kept, and of header where text is kept, by weight."""
    header, text, other = (np.bincount(labels, weights, len(Label)) + 1.0).tolist()
    return math.log((header + text) / other), math.log(header / text)


def _trees(booster: _Booster, codebook: Codebook, inputs: tuple[Input, ...]) -> Trees:
    """The grown trees, those of text first; inputs that no tree asks about are left out."""
    grown = sorted(booster.grown, key=lambda tree: tree.is_header)
    if not grown:
        raise CorpusError("the training pages give no tree: raise trees.share or label more pages")
    depth = max(len(tree.path) for tree in grown)
    asked = sorted({question for tree in grown for question in tree.path})
    number = {question: index for index, question in enumerate(asked)}
    used = sorted({feature for feature, _ in asked})
    cover = np.stack([_wide(tree.cover, depth) for tree in grown], axis=1)
    share = cover / np.maximum(cover.sum(axis=(0, 2), keepdims=True), 1e-12)
    return Trees(
        codebook=codebook,
        inputs=tuple(inputs[feature] for feature in used),
        asked=np.array([used.index(feature) for feature, _ in asked], dtype=np.int64),
        border=np.array([border for _, border in asked], dtype=np.uint8),
        questions=np.array([_deep([number[q] for q in tree.path], depth) for tree in grown]),
        leaves=np.stack([_wide(tree.values, depth) for tree in grown], axis=1),
        cover=share.astype(np.float16).astype(np.float32),  # as exact as a model file has it
        n_text=sum(not tree.is_header for tree in grown),
        bias=booster.bias,
        gate=Gate.even(booster.names, len(codebook.names)),
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
    return replace(
        trees,
        codebook=Codebook(discretizers),
        border=np.array(border, dtype=np.uint8),
        gate=None if trees.gate is None else Gate.even(trees.gate.experts, len(discretizers)),
    )


def narrow_codes(wide: Codebook, narrow: Codebook, codes: Codes) -> Codes:
    """(C', n) codes by a narrowed codebook, given the (C, n) codes by the one that it is of."""
    rows = []
    for name in narrow.names:
        row = codes[wide.names.index(name)]
        few, many = narrow.discretizers[name], wide.discretizers[name]
        if isinstance(few, Bins) and isinstance(many, Bins):
            n_below = np.searchsorted(few.edges, many.edges, side="right")
            row = np.append(0, n_below).astype(np.uint8)[row]
        rows.append(row)
    return np.array(rows)


def _deep(path: Sequence[int], depth: int) -> list[int]:
    """Questions in the order they were grown in, so that the first one is asked at the root.

    A tree with fewer levels asks its first question again, which leaves half of the leaves below
    out of reach.
    """
    return [*path, *[path[0]] * (depth - len(path))]


def _wide(values: Floats, depth: int) -> Floats32:
    """(E, 2**depth) leaves of a tree, as often as its repeated question asks for."""
    return values.astype(np.float32).repeat(2**depth // values.shape[1], axis=1)


# --- One tree -------------------------------------------------------------------------------------


class Settings(NamedTuple):
    """How a tree grows."""

    depth: int
    """Levels at most."""
    share: float
    """Inputs that a level may ask about, at random."""
    l2: float
    """Added to the weight of every leaf."""
    bins: int
    """Number of codes."""
    sample: int
    """Blocks that questions are chosen on; those with large gradients are drawn most."""


def grow_path(
    codes: Codes,
    gradients: Floats,
    weights: Floats,
    nodes: Ints,
    settings: Settings,
    random: np.random.Generator,
) -> Path:
    """The questions of a tree.

    Args:
        codes: (I, n) codes below `settings.bins`.
        gradients: (n,) what the output of each block should grow by.
        weights: (n,) above 0.
        nodes: (n,) node of each block before the first question, from 0.
        settings: how.
        random: draws inputs and blocks.

    Returns:
        At most `settings.depth` questions, fewer if no other one explains anything.
    """
    drawn, scale = _sample(gradients, weights, min(settings.sample, _MOST), random)
    bins = settings.bins
    histograms = _Histograms.of(gradients[drawn] * scale, weights[drawn] * scale, bins)
    codes = codes.take(drawn, axis=1)
    leaf, n_nodes = nodes[drawn].astype(np.int64), int(nodes.max(initial=0)) + 1
    count = max(1, round(settings.share * len(codes)))
    path: list[tuple[int, int]] = []
    for level in range(settings.depth):
        inputs = np.sort(random.permutation(len(codes))[:count])
        gains = histograms.gains(codes, inputs, leaf, n_nodes << level, settings.l2)
        best, border = divmod(int(gains.argmax()), bins - 1)
        if gains[best, border] <= _LEAST_GAIN:
            break
        path.append((int(inputs[best]), border))
        leaf = 2 * leaf + (codes[inputs[best]] > border)
    return tuple(path)


def leaves_of(codes: Codes, path: Path) -> Codes:
    """(n,) leaf of every block, given (I, n) codes; the first answer is the highest bit."""
    leaf = np.zeros(codes.shape[1], dtype=np.uint8)
    for feature, border in path:
        leaf += leaf
        leaf |= codes[feature] > border
    return leaf


def _sample(
    gradients: Floats, weights: Floats, count: int, random: np.random.Generator
) -> tuple[Ints, Floats]:
    """About `count` blocks, and what each of them stands for; all if there are no more."""
    if len(gradients) <= count:
        return np.arange(len(gradients)), np.ones(len(gradients))
    # A block that is right already still says where not to cut.
    size = np.sqrt(gradients**2 + (0.1 * weights) ** 2)
    share = np.minimum(1.0, size / _threshold(size, count))
    drawn = np.flatnonzero(random.random(len(share)) < share)
    return drawn, 1.0 / share[drawn]


def _threshold(size: Floats, count: int) -> float:
    """The number t for which ``sum(min(1, size / t))`` is `count`."""
    threshold, n_above = float(size.sum()) / count, 0
    while n_above < (n_now := int((size > threshold).sum())) < count:
        n_above = n_now  # these are all drawn; the others share what is left
        threshold = float(size[size <= threshold].sum()) / (count - n_above)
    return threshold


class _Histograms(NamedTuple):
    """Gradients and weights as whole numbers, packed."""

    packed: Floats
    gradient_unit: float
    weight_unit: float
    bins: int

    @classmethod
    def of(cls, gradients: Floats, weights: Floats, bins: int) -> _Histograms:
        """Round (m,) gradients and weights to steps."""
        gradient_unit = max(float(np.abs(gradients).max()), 1e-300) / _STEPS
        weight_unit = max(float(weights.max()), 1e-300) / _STEPS
        packed = np.rint(gradients / gradient_unit) * _SHIFT
        packed += np.maximum(np.rint(weights / weight_unit), 1.0)
        return cls(packed, gradient_unit, weight_unit, bins)

    def gains(self, codes: Codes, inputs: Ints, leaf: Ints, n_leaves: int, l2: float) -> Floats:
        """(inputs, bins - 1) what every question would explain beyond its level.

        The score of leaves with gradients G and weights W is ``sum G^2 / (W + l2)``.
        """
        is_present = np.bincount(leaf, minlength=n_leaves) > 0
        leaf = (np.cumsum(is_present) - 1)[leaf]
        of_leaves = np.zeros((len(inputs), n_leaves))  # as wide as that: sums depend on the order
        parts = [inputs[first : first + _AT_ONCE] for first in range(0, len(inputs), _AT_ONCE)]
        scores = [self._scores(codes[part], leaf, int(is_present.sum()), l2) for part in parts]
        below, of_leaves[:, is_present] = map(np.concatenate, zip(*scores, strict=True))
        return np.asarray(below - of_leaves.sum(axis=1, keepdims=True))

    def _scores(self, codes: Codes, leaf: Ints, n_leaves: int, l2: float) -> tuple[Floats, Floats]:
        """Scores of the level below every question of some inputs, and of each leaf as it is."""
        base, size = leaf * self.bins, n_leaves * self.bins
        sums = np.stack([np.bincount(base + row, self.packed, size) for row in codes])
        sums = sums.reshape(-1, n_leaves, self.bins)
        weight = np.mod(sums, _SHIFT)
        gradient = np.cumsum((sums - weight) * (self.gradient_unit / _SHIFT), axis=2)
        weight = np.cumsum(weight * self.weight_unit, axis=2)
        all_gradient, all_weight = gradient[..., -1:], weight[..., -1:]
        low, high = gradient[..., :-1], all_gradient - gradient[..., :-1]
        score = low**2 / (weight[..., :-1] + l2) + high**2 / (all_weight - weight[..., :-1] + l2)
        return score.sum(axis=1), (all_gradient**2 / (all_weight + l2))[..., 0]
