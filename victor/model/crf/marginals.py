"""Exact marginals and best paths in linear chains, for a whole batch of pages at once.

What a page gets depends on nothing but the page: pages are cut at fixed places, and every sum has
its order. So the same numbers come out alone and in any batch, here and compiled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Floats, Ints, Labels
from victor.base.labels import Label
from victor.model.crf.exponentials import exponentials

MAX_RANGE: Final = 300.0
"""Transition weights further than this below the highest act as if they were this far below it."""

_HEADROOM: Final = 300.0
"""How far, in natural logarithms, running products may drift before they are scaled back to 1."""

_CHUNK: Final = 32
"""Blocks of a chunk. A batch takes two steps for each of them, and one for every chunk of its
longest page."""


@dataclass(frozen=True, eq=False)
class Factors:
    """What the labels of neighbours are worth to each other, as factors of a product.

    Attributes:
        edges: (K, L, L) finite log potentials by kind of edge, of a label (row) being followed by
            another (column).
    """

    edges: Floats

    @cached_property
    def are_free(self) -> bool:
        """Whether the labels of neighbours do not depend on each other."""
        return bool((np.ptp(self.edges, axis=(1, 2)) == 0).all())

    @cached_property
    def values(self) -> Floats:
        """(K, L, L) exponentials, the largest of each kind 1."""
        return exponentials(self._spread)

    @cached_property
    def period(self) -> int:
        """After how many steps running products are scaled back."""
        drift = max(-float(self._spread.min()), math.log(self.edges.shape[1]))
        return max(1, int(_HEADROOM / drift))

    @cached_property
    def _spread(self) -> Floats:
        highest = self.edges.max(axis=(1, 2), keepdims=True)
        return np.asarray(np.maximum(self.edges - highest, -MAX_RANGE))


def marginals(scores: Floats, edges: Floats | Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """Probability of every label of every block, each page being a chain of its own.

    Forward-backward as a blocked scan: pages are cut into chunks, all chunks of the batch advance
    together, one step at a time; products of step matrices carry the state from chunk to chunk.
    The backward pass is the forward pass over the reversed pages and runs in the same steps.

    Args:
        scores: (n, L) finite log potentials of the labels of each block.
        edges: (K, L, L) by kind of edge, log potentials of a label (row) being followed by another
            (column), or the factors made of them.
        kinds: (n,) kind of the edge that leads to each block; that of a page's first is not read.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n, L) float64; each row sums to 1.
    """
    factors = edges if isinstance(edges, Factors) else Factors(edges)
    if core.compiled is not None and scores.shape[1] == len(Label):
        return _compiled_marginals(scores, factors, kinds, page_starts)
    potentials = _potentials(scores)
    if factors.are_free or not len(scores):
        return _normalized(potentials[:, :-1]).T
    both = _messages(potentials, factors, kinds, page_starts)
    both[0] *= both[1]
    both[0] *= potentials
    return _normalized(both[0, :, :-1]).T


def _compiled_marginals(scores: Floats, factors: Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """The same, by the compiled core."""
    memory = core.compiled.chain_marginals(
        np.ascontiguousarray(scores),
        factors.values,
        np.ascontiguousarray(kinds, dtype=np.int64),
        np.ascontiguousarray(page_starts, dtype=np.int64),
        _CHUNK,
        0 if factors.are_free else factors.period,
    )
    return core.array(memory, np.float64).reshape(scores.shape)


def messages(scores: Floats, edges: Floats, kinds: Ints, page_starts: Ints) -> Floats:
    """Messages to every block from the blocks before it on its page and from those after it.

    Scores and both messages add up to the logarithms of the marginals, but for a number that is
    the same for all labels of a block.

    Args:
        scores: (n, L) as for `marginals`.
        edges: (K, L, L) as there.
        kinds: (n,) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (2, n, L) float64 log potentials; those of a page's first block from before, and of its
        last from behind, are 0.
    """
    factors = Factors(edges)
    if factors.are_free or not len(scores):
        return np.zeros((2, *scores.shape))
    both = _messages(_potentials(scores), factors, kinds, page_starts)
    return np.log(both[..., :-1]).transpose(0, 2, 1)


def _messages(potentials: Floats, factors: Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """(2, L, n + 1) messages from before and from behind, the largest of each block 1."""
    layout = _Layout.plan(np.asarray(page_starts))
    moves = layout.moves(factors.values, kinds)
    scan = _Scan(layout.spread(potentials), moves, layout.active, factors.period)
    both = layout.collect(scan.messages())
    both /= both.max(axis=1, keepdims=True)
    return both


def _potentials(scores: Floats) -> Floats:
    """(L, n + 1) exponentials, the largest of each block 1; ones at the end for idle slots."""
    by_label = np.ascontiguousarray(scores.T)
    potentials = np.zeros((by_label.shape[0], by_label.shape[1] + 1))
    np.subtract(by_label, by_label.max(axis=0, initial=-np.inf), out=potentials[:, :-1])
    return exponentials(potentials)


def _normalized(values: Floats) -> Floats:
    """Columns divided by their sum, in place."""
    values /= _sum(list(values))
    return values


def _sum(terms: Sequence[Floats]) -> Floats:
    """The sum of arrays, from the first to the last."""
    total = terms[0].copy()
    for term in terms[1:]:
        total += term
    return total


@dataclass(frozen=True, eq=False)
class _Layout:
    """Pages cut into K chunks of S slots, so that page starts are chunk starts.

    Pages are taken longest first. Chunks are ordered by their rank in the page and then by page,
    but the last chunk of every page comes after all others.

    Attributes:
        forward, backward: (S, K) the block in each slot, in page order and in reversed page
            order; idle slots hold n.
        active: number of pages with more than 0, 1, 2, ... chunks; the last number is 0.
        n_blocks: n.
    """

    forward: Ints
    backward: Ints
    active: list[int]
    n_blocks: int

    @classmethod
    def plan(cls, page_starts: Ints) -> _Layout:
        """Lay the pages out."""
        lengths = np.diff(page_starts)
        order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
        starts, lengths = page_starts[:-1][order], lengths[order]
        last_rank = (lengths - 1) // _CHUNK
        ranks = np.arange(last_rank[0] + 2)
        active = len(order) - np.searchsorted(last_rank[::-1], ranks)
        rank = np.append(np.repeat(ranks[:-1], active[1:]), last_rank)
        first_of_rank = np.cumsum(active[1:]) - active[1:]
        inner = len(rank) - len(order)
        page = np.arange(len(rank))
        page[:inner] -= first_of_rank[rank[:inner]]
        page[inner:] -= inner
        slots = min(_CHUNK, int(lengths[0]))
        position = rank * _CHUNK + np.arange(slots)[:, None]
        idle = position >= lengths[page]
        forward = np.where(idle, page_starts[-1], starts[page] + position)
        backward = np.where(idle, page_starts[-1], (starts + lengths - 1)[page] - position)
        return cls(forward, backward, active.tolist(), int(page_starts[-1]))

    def spread(self, potentials: Floats) -> Floats:
        """(L, n + 1) potentials to their slots, (S, 2, L, K): in page order, then reversed."""
        slots, n_chunks = self.forward.shape
        values = np.empty((slots, 2, len(potentials), n_chunks))
        for label, row in enumerate(potentials):
            values[:, 0, label] = row[self.forward]
            values[:, 1, label] = row[self.backward]
        return values

    def moves(self, edges: Floats, kinds: Ints) -> Floats:
        """(S, 2, L, L, K) matrices that lead to every slot from the one before it in its order.

        The first L is the label there, the second that of the slot before. An edge is known by the
        later of its two blocks, which in reversed page order is the one that the step leaves.
        """
        at = np.append(kinds, 0)
        left = np.minimum(self.backward + 1, self.n_blocks)
        by_kind = np.ascontiguousarray(edges.transpose(1, 2, 0))
        forward = by_kind.transpose(1, 0, 2)[:, :, at[self.forward]]
        backward = by_kind[:, :, at[left]]
        return np.ascontiguousarray(np.stack([forward, backward]).transpose(3, 0, 1, 2, 4))

    def collect(self, messages: Floats) -> Floats:
        """(S, 2, L, K) messages back to blocks, (2, L, n + 1): from before and from behind."""
        both = np.ones((2, messages.shape[2], self.n_blocks + 1))
        for label in range(messages.shape[2]):
            both[0, label][self.forward] = messages[:, 0, label]
            both[1, label][self.backward] = messages[:, 1, label]
        both[..., -1] = 1.0
        return both


@dataclass(frozen=True, eq=False)
class _Scan:
    """The recursion over the chunks of a layout.

    Attributes:
        values: (S, 2, L, K) potentials in the slots.
        moves: (S, 2, L, L, K) see `_Layout.moves`.
        active: see `_Layout`.
        period: after how many steps of a chunk running products are scaled back.
    """

    values: Floats
    moves: Floats
    active: list[int]
    period: int

    def messages(self) -> Floats:
        """(S, 2, L, K) message to each block from those before it in either order, unscaled."""
        result = np.empty_like(self.values)
        result[0] = self.first_messages()
        state, work = np.empty_like(self.values[0]), np.empty_like(self.values[0])
        for step in range(1, len(result)):
            np.multiply(result[step - 1], self.values[step - 1], out=state)
            if step % self.period == 0:
                state /= state.max(axis=1, keepdims=True)
            _move(self.moves[step], state, result[step], work)
        return result

    def first_messages(self) -> Floats:
        """(2, L, K) message to the first block of every chunk; that of a page gets ones."""
        n_chunks = self.values.shape[3]
        inner = sum(self.active[1:])
        if not inner:
            return np.ones_like(self.values[0])
        products = self.products(inner)
        states = np.zeros(self.values.shape[1:])
        states[:, 0, : self.active[1]] = 1.0
        state = states[..., : self.active[1]]
        start = 0
        for pages, more in zip(self.active[1:], self.active[2:], strict=False):
            end = start + pages
            state = _sum(
                [
                    products[:, :, label, start:end] * state[:, None, label, :pages]
                    for label in range(state.shape[1])
                ]
            )
            state /= state.max(axis=1, keepdims=True)
            states[..., end : end + more] = state[..., :more]
            states[..., inner + more : inner + pages] = state[..., more:]
            start = end
        result = np.empty_like(states)
        _move(self.moves[0], states, result, np.empty_like(states))
        result[..., : self.active[1]] = 1.0
        result[..., inner + self.active[1] : n_chunks] = 1.0
        return result

    def products(self, inner: int) -> Floats:
        """Products of the steps of the chunks that are not the last of their page.

        Returns:
            (2, L, L, inner): order, label after, label before, chunk. The first step of a page
            does not depend on the state before: its matrix is all ones, and the columns of the
            product are what `messages` has for the state behind the chunk.
        """
        values = self.values[..., :inner]
        moves = self.moves[..., :inner]
        first = moves[0].copy()
        first[..., : self.active[1]] = 1.0
        products: Floats = first * values[0][:, :, None]
        moved, work = np.empty_like(products), np.empty_like(products)
        for step in range(1, len(values)):
            if step % self.period == 0:
                products /= products.max(axis=(1, 2), keepdims=True)
            _move(moves[step][:, :, :, None], products, moved, work)
            np.multiply(moved, values[step][:, :, None], out=products)
        return products


def _move(moves: Floats, states: Floats, out: Floats, work: Floats) -> None:
    """States after a step: sums over the label before, from the first to the last.

    Args:
        moves: (2, L, L, ..., K) matrices, the label before on the third axis.
        states: (2, L, ..., K).
        out: (2, L, ..., K) what to fill.
        work: of the same shape, overwritten.
    """
    np.multiply(moves[:, :, 0], states[:, None, 0], out=out)
    for label in range(1, states.shape[1]):
        np.multiply(moves[:, :, label], states[:, None, label], out=work)
        out += work


def viterbi(scores: Floats, edges: Floats | Factors, kinds: Ints, page_starts: Ints) -> Labels:
    """The most probable label sequence of every page; among equals the lower label wins.

    Args:
        scores: (n, 3) finite log potentials of the labels of each block.
        edges: (K, 3, 3) or the factors made of them, as for `marginals`.
        kinds: (n,) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (n,) uint8 labels.
    """
    factors = edges if isinstance(edges, Factors) else Factors(edges)
    if factors.are_free:
        labels: Labels = scores.argmax(axis=1).astype(np.uint8)
        return labels
    if core.compiled is not None:
        return _compiled_viterbi(scores, factors, kinds, page_starts)
    rows, of_kind = scores.tolist(), factors.edges.tolist()
    steps = [of_kind[kind] for kind in kinds.tolist()]
    bounds = np.asarray(page_starts).tolist()
    best = [path for a, b in pairwise(bounds) for path in _best_scores(rows[a:b], steps[a:b])]
    reached = np.array(best).reshape(-1, 3)[:-1, :, None] + factors.edges[kinds[1:]]
    before = [[0, 0, 0], *reached.argmax(axis=1).tolist()]
    paths: list[int] = []
    for a, b in pairwise(bounds):
        path = []
        label = best[b - 1].index(max(best[b - 1])) if a < b else 0
        for block in range(b - 1, a - 1, -1):
            path.append(label)
            label = before[block][label]
        paths += reversed(path)
    return np.array(paths, dtype=np.uint8)


def _compiled_viterbi(scores: Floats, factors: Factors, kinds: Ints, page_starts: Ints) -> Labels:
    """The same, by the compiled core."""
    memory = core.compiled.chain_viterbi(
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(factors.edges, dtype=np.float64),
        np.ascontiguousarray(kinds, dtype=np.int64),
        np.ascontiguousarray(page_starts, dtype=np.int64),
    )
    return core.array(memory, np.uint8)


def _best_scores(rows: list[list[float]], steps: list[list[list[float]]]) -> list[list[float]]:
    """The score of the best path of one page up to each block and label.

    Plain floats, unrolled for three labels: array operations per block would take 10 times as long.
    """
    paths = rows[:1]
    for (x, y, z), step in zip(rows[1:], steps[1:], strict=True):
        (t00, t01, t02), (t10, t11, t12), (t20, t21, t22) = step
        a, b, c = paths[-1]
        paths.append(
            [
                max(a + t00, b + t10, c + t20) + x,
                max(a + t01, b + t11, c + t21) + y,
                max(a + t02, b + t12, c + t22) + z,
            ]
        )
    return paths
