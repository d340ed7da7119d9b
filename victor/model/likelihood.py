"""The word-weighted likelihood of labelled chains, and its exact gradient.

The likelihood is ``sum_i w_i log p_i(y_i)`` over the blocks i: p_i is the marginal of the chain,
y_i the label and w_i the weight of a block. What a block lacks, ``d_i(a) = w_i ([a = y_i] -
p_i(a))``, is its part of the gradient; the chain hands it on to the blocks on either side through
the conditional probabilities of neighbouring labels, so the gradient of all node potentials takes
one pass forward and one backward.

Source: Kakade, Teh and Roweis (2002), An alternate objective function for Markovian fields; the
recursions are derived in docs/develop/architecture.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Floats, Ints, Labels

_TINY: Final = 1e-300
PIECE: Final = 200
"""Blocks of a chain while learning; what a block's label says to another so far away is nothing."""


class Gradient(NamedTuple):
    """The likelihood and what it grows by."""

    value: float  # the likelihood, at most 0
    marginals: Floats  # (L, n) probability of every label
    nodes: Floats  # (L, n) derivatives by the log potentials of the blocks
    edges: Floats  # (K, L, L) derivatives by those of the edges


@dataclass(frozen=True, eq=False)
class Chains:
    """Chains of n blocks, step by step: first the first blocks of all chains, the longest first.

    So the chains that reach a step are the first ones of the step before, and a step is a slice.
    """

    order: Ints  # (n,) which block stands where
    bounds: Ints  # (S + 1,) step s is ``bounds[s]:bounds[s + 1]``
    kind: Ints  # (n,) kind of the edge that leads to each block; 0 where a chain begins

    @classmethod
    def of(cls, starts: Ints, kind: Ints, most: int) -> Chains:
        """Lay chains out; longer ones are cut into pieces of at most so many blocks.

        Args:
            starts: (P + 1,) chain p has the blocks ``starts[p]:starts[p + 1]``.
            kind: (n,) kind of the edge to the block before.
            most: blocks of a chain.
        """
        position = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
        begins = np.flatnonzero(position % most == 0)
        lengths = np.diff(begins, append=starts[-1])
        step = np.arange(starts[-1]) - np.repeat(begins, lengths)
        by_length = np.argsort(-lengths, kind="stable")
        rank = np.empty(len(lengths), dtype=np.int64)
        rank[by_length] = np.arange(len(lengths))
        order = np.lexsort((np.repeat(rank, lengths), step))
        bounds = np.append(0, np.cumsum(np.bincount(step)))
        return cls(order, bounds, np.where(step > 0, kind, 0)[order])

    def __len__(self) -> int:
        return len(self.order)

    @property
    def steps(self) -> Iterator[tuple[slice, slice]]:
        """The blocks of every step but the first, and those just before them."""
        for start, middle, end in zip(
            self.bounds[:-2].tolist(), self.bounds[1:-1].tolist(), self.bounds[2:].tolist(),
            strict=True,
        ):  # fmt: skip
            yield slice(middle, end), slice(start, start + end - middle)

    def gradient(self, nodes: Floats, edges: Floats, labels: Labels, weights: Floats) -> Gradient:
        """The likelihood of labels.

        Args:
            nodes: (L, n) log potentials of the blocks in this order (`order`).
            edges: (K, L, L) log potentials of a label (row) being followed by another.
            labels: (n,) in this order; any label where the weight is 0.
            weights: (n,) 0 or more, in this order.
        """
        potentials = np.exp(nodes - nodes.max(axis=0))
        moves = np.exp(edges - edges.max(axis=(1, 2), keepdims=True)).transpose(1, 2, 0)
        moves = np.ascontiguousarray(moves)[:, :, self.kind]
        before, behind = self._before(potentials, moves), self._behind(potentials, moves)
        marginals = before * behind
        marginals /= marginals.sum(axis=0)
        rows = np.arange(len(self))
        lacking = -weights * marginals
        lacking[labels, rows] += weights
        forward, backward = self._conditionals(potentials, moves, before, behind)
        from_left, from_right = self._handed_on(lacking, forward, backward)
        value = float(weights @ np.log(np.maximum(marginals[labels, rows], _TINY)))
        by_edge = self._by_edge(from_left + lacking, from_right + lacking, forward, backward)
        by_kind = np.stack([by_edge[..., self.kind[self.bounds[1] :] == kind].sum(axis=-1)
                            for kind in range(len(edges))])  # fmt: skip
        return Gradient(value, marginals, lacking + from_left + from_right, by_kind)

    def _before(self, potentials: Floats, moves: Floats) -> Floats:
        """(L, n) probability of a block's label given it and all blocks before it."""
        states: Floats = potentials / potentials.sum(axis=0)
        for here, last in self.steps:
            state = np.einsum("an,abn->bn", states[:, last], moves[:, :, here])
            state *= potentials[:, here]
            state /= state.sum(axis=0)
            states[:, here] = state
        return states

    def _behind(self, potentials: Floats, moves: Floats) -> Floats:
        """(L, n) likelihood of all blocks behind a block given its label, up to a factor."""
        states = np.ones_like(potentials)
        for here, last in reversed([*self.steps]):
            state = states[:, here] * potentials[:, here]
            state = np.einsum("bn,abn->an", state, moves[:, :, here])
            state /= state.sum(axis=0)
            states[:, last] = state
        return states

    def _conditionals(
        self, potentials: Floats, moves: Floats, before: Floats, behind: Floats
    ) -> tuple[Floats, Floats]:
        """(L, L, n - chains) twice: a label given the one before it, and the other way round.

        The first axis is the label of the earlier block, the second that of the later one.
        """
        later = slice(self.bounds[1], None)
        earlier = self._earlier
        forward = moves[:, :, later] * (potentials * behind)[:, later]
        forward /= forward.sum(axis=1)[:, None]
        backward = moves[:, :, later] * before[:, None, earlier]
        backward /= backward.sum(axis=0)
        return forward, backward

    @property
    def _earlier(self) -> Ints:
        """(n - chains,) the block before each block that has one."""
        parts = [np.arange(last.start, last.stop) for _, last in self.steps]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    def _handed_on(
        self, lacking: Floats, forward: Floats, backward: Floats
    ) -> tuple[Floats, Floats]:
        """(L, n) twice: what the blocks before and behind each block lack, as it comes here."""
        from_left, from_right = np.zeros_like(lacking), np.zeros_like(lacking)
        n_chains = int(self.bounds[1])
        steps = [
            (here, last, slice(here.start - n_chains, here.stop - n_chains))
            for here, last in self.steps
        ]
        for here, last, row in steps:
            handed = from_left[:, last] + lacking[:, last]
            from_left[:, here] = np.einsum("an,abn->bn", handed, forward[:, :, row])
        for here, last, row in reversed(steps):
            handed = from_right[:, here] + lacking[:, here]
            from_right[:, last] = np.einsum("bn,abn->an", handed, backward[:, :, row])
        return from_left, from_right

    def _by_edge(
        self, from_left: Floats, from_right: Floats, forward: Floats, backward: Floats
    ) -> Floats:
        """(L, L, n - chains) derivatives by the potentials of every single edge."""
        later = slice(self.bounds[1], None)
        return np.asarray(
            from_left[:, None, self._earlier] * forward + from_right[:, later] * backward
        )
