"""Grow one oblivious tree on gradients, by histograms.

All nodes of a level ask the same question: the one that, over all of them, explains most of the
gradient. The first level may have several nodes, one for the blocks of each expert. The measures
are codes of few bins, so a level is one histogram for every input.

Sources: Prokhorenkova et al. (2018), CatBoost (oblivious trees); Ibragimov and Gusev (2019),
Minimal variance sampling in stochastic gradient boosting.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Codes, Floats, Ints

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
