"""Exact marginals and best paths in linear chains, for a whole batch of pages at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from victor.arrays import Floats, Ints, Labels

MAX_RANGE = 300.0
"""Transition weights further than this below the highest act as if they were this far below it."""

_HEADROOM = 300.0
"""How far, in natural logarithms, running products may drift before they are scaled back to 1."""

_ONE_CHUNK = 64
"""Batches of shorter pages are not worth cutting into chunks."""


def marginals(scores: Floats, transitions: Floats, page_starts: Ints) -> Floats:
    """Probability of every label of every block, each page being a chain of its own.

    Forward-backward as a blocked scan: pages are cut into chunks, all chunks of the batch advance
    together, one step at a time; products of step matrices carry the state from chunk to chunk.
    The backward pass is the forward pass over the reversed pages and runs in the same steps.

    Args:
        scores: (n, L) finite log potentials of the labels of each block.
        transitions: (L, L) log potentials of a label (row) being followed by another (column).
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n, L) float64; each row sums to 1.
    """
    potentials = _potentials(scores)
    if np.ptp(transitions) == 0 or not len(scores):
        return _normalized(potentials[:, :-1]).T
    both = _messages(potentials, transitions, page_starts)
    both[0] *= both[1]
    both[0] *= potentials
    return _normalized(both[0, :, :-1]).T


def messages(scores: Floats, transitions: Floats, page_starts: Ints) -> Floats:
    """Messages to every block from the blocks before it on its page and from those after it.

    Scores and both messages add up to the logarithms of the marginals, but for a number that is
    the same for all labels of a block.

    Args:
        scores: (n, L) as for `marginals`.
        transitions: (L, L) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (2, n, L) float64 log potentials; those of a page's first block from before, and of its
        last from behind, are 0.
    """
    if np.ptp(transitions) == 0 or not len(scores):
        return np.zeros((2, *scores.shape))
    both = _messages(_potentials(scores), transitions, page_starts)
    return np.log(both[..., :-1]).transpose(0, 2, 1)


def _messages(potentials: Floats, transitions: Floats, page_starts: Ints) -> Floats:
    """(2, L, n + 1) messages from before and from behind, the largest of each block 1."""
    spread = np.maximum(transitions - transitions.max(), -MAX_RANGE)
    period = max(1, int(_HEADROOM / max(-spread.min(), math.log(len(transitions)))))
    layout = _Layout.plan(np.asarray(page_starts))
    scan = _Scan(layout.spread(potentials), _both_ways(np.exp(spread)), layout.active, period)
    both = layout.collect(scan.messages())
    both /= both.max(axis=1, keepdims=True)
    return both


def _potentials(scores: Floats) -> Floats:
    """(L, n + 1) exponentials, the largest of each block 1; ones at the end for idle slots."""
    by_label = np.ascontiguousarray(scores.T)
    potentials = np.zeros((by_label.shape[0], by_label.shape[1] + 1))
    np.subtract(by_label, by_label.max(axis=0, initial=-np.inf), out=potentials[:, :-1])
    return np.exp(potentials, out=potentials)


def _normalized(values: Floats) -> Floats:
    """Columns divided by their sum, in place."""
    values /= values.sum(axis=0)
    return values


def _both_ways(transitions: Floats) -> Floats:
    """(2L, 2L) matrix that moves a column of forward and backward states by one step."""
    n_labels = len(transitions)
    moves = np.zeros((2 * n_labels, 2 * n_labels))
    moves[:n_labels, :n_labels] = transitions.T
    moves[n_labels:, n_labels:] = transitions
    return moves


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
        """Choose the chunk length and lay the pages out."""
        lengths = np.diff(page_starts)
        order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
        starts, lengths = page_starts[:-1][order], lengths[order]
        size = _chunk_length(lengths)
        last_rank = (lengths - 1) // size
        ranks = np.arange(last_rank[0] + 2)
        active = len(order) - np.searchsorted(last_rank[::-1], ranks)
        rank = np.append(np.repeat(ranks[:-1], active[1:]), last_rank)
        first_of_rank = np.cumsum(active[1:]) - active[1:]
        inner = len(rank) - len(order)
        page = np.arange(len(rank))
        page[:inner] -= first_of_rank[rank[:inner]]
        page[inner:] -= inner
        position = rank * size + np.arange(size)[:, None]
        idle = position >= lengths[page]
        forward = np.where(idle, page_starts[-1], starts[page] + position)
        backward = np.where(idle, page_starts[-1], (starts + lengths - 1)[page] - position)
        return cls(forward, backward, active.tolist(), int(page_starts[-1]))

    def spread(self, potentials: Floats) -> Floats:
        """(L, n + 1) potentials to their slots, (S, 2L, K): in page order, then reversed."""
        n_labels, (size, n_chunks) = len(potentials), self.forward.shape
        values = np.empty((size, 2 * n_labels, n_chunks))
        for label, row in enumerate(potentials):
            values[:, label] = row[self.forward]
            values[:, n_labels + label] = row[self.backward]
        return values

    def collect(self, messages: Floats) -> Floats:
        """(S, 2L, K) messages back to blocks, (2, L, n + 1): from before and from behind."""
        n_labels = messages.shape[1] // 2
        both = np.ones((2, n_labels, self.n_blocks + 1))
        for label in range(n_labels):
            both[0, label][self.forward] = messages[:, label]
            both[1, label][self.backward] = messages[:, n_labels + label]
        both[..., -1] = 1.0
        return both


def _chunk_length(lengths: Ints) -> int:
    """The chunk length with the least work, given that the lengths come longest first.

    A step costs about as much as carrying the state over one chunk boundary, whatever the number
    of chunks, plus a little for every chunk.
    """
    longest = int(lengths[0])
    if longest <= _ONE_CHUNK:
        return longest
    return math.ceil(math.sqrt(longest / (1 + 0.002 * len(lengths))))


@dataclass(frozen=True, eq=False)
class _Scan:
    """The recursion over the chunks of a layout.

    Attributes:
        values: (S, 2L, K) potentials in the slots.
        moves: (2L, 2L) see `_both_ways`.
        active: see `_Layout`.
        period: after how many steps running products are scaled back.
    """

    values: Floats
    moves: Floats
    active: list[int]
    period: int

    def messages(self) -> Floats:
        """(S, 2L, K) message to each block from those before it in either order, unscaled."""
        result = np.empty_like(self.values)
        result[0] = self.first_messages()
        state = np.empty_like(self.values[0])
        for step in range(1, len(result)):
            np.multiply(result[step - 1], self.values[step - 1], out=state)
            if step % self.period == 0:
                state /= _largest(state)
            np.dot(self.moves, state, out=result[step])
        return result

    def first_messages(self) -> Floats:
        """(2L, K) message to the first block of every chunk; that of a page gets ones."""
        width, n_chunks = self.values.shape[1:]
        inner = sum(self.active[1:])
        if not inner:
            return np.ones((width, n_chunks))
        products = self.products(inner)
        states = np.ones((2, width // 2, n_chunks))
        state = states[..., : self.active[1]]
        start = 0
        for rank, (pages, more) in enumerate(zip(self.active[1:], self.active[2:], strict=False)):
            end = start + pages
            state = np.einsum("dijk,djk->dik", products[..., start:end], state[..., :pages])
            if rank % self.period == 0:
                state /= state.max(axis=1, keepdims=True)
            states[..., end : end + more] = state[..., :more]
            states[..., inner + more : inner + pages] = state[..., more:]
            start = end
        result = self.moves @ states.reshape(width, n_chunks)
        result[:, : self.active[1]] = 1.0
        result[:, inner + self.active[1] :] = 1.0
        return result

    def products(self, inner: int) -> Floats:
        """Products of the steps of the chunks that are not the last of their page.

        Returns:
            (2, L, L, inner): order, label after, label before, chunk; the largest of each is 1.
            The first step of a page does not depend on the state before: its matrix is all ones.
        """
        values = self.values[..., :inner]
        width, half = len(self.moves), len(self.moves) // 2
        moves = np.concatenate([self.moves[:half, :half], self.moves[half:, half:]])
        products = np.repeat(moves[..., None], inner, axis=2)
        products[..., : self.active[1]] = 1.0
        products *= values[0][:, None]
        flat = products.reshape(width, -1)
        moved = np.empty_like(products)
        for step in range(1, len(values)):
            np.dot(self.moves, flat, out=moved.reshape(width, -1))
            np.multiply(moved, values[step][:, None], out=products)
            if step % self.period == 0:
                products /= _largest(products)
        return (products / _largest(products)).reshape(2, half, half, inner)


def _largest(states: Floats) -> Floats:
    """The largest value in each chunk of (2L, ..., K) states, the two orders apart; broadcasts."""
    width, n_chunks = len(states), states.shape[-1]
    largest = states.reshape(2, -1, n_chunks).max(axis=1)
    shape = (width,) + (1,) * (states.ndim - 2) + (n_chunks,)
    return np.repeat(largest, width // 2, axis=0).reshape(shape)


def viterbi(scores: Floats, transitions: Floats, page_starts: Ints) -> Labels:
    """The most probable label sequence of every page; among equals the lower label wins.

    Args:
        scores: (n, 3) finite log potentials of the labels of each block.
        transitions: (3, 3) log potentials of a label (row) being followed by another (column).
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n,) uint8 labels.
    """
    if np.ptp(transitions) == 0:
        labels: Labels = scores.argmax(axis=1).astype(np.uint8)
        return labels
    rows = scores.tolist()
    bounds = np.asarray(page_starts).tolist()
    best = [path for a, b in pairwise(bounds) for path in _best_scores(rows[a:b], transitions)]
    reached = np.array(best).reshape(-1, 3)[:-1, :, None] + transitions
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


def _best_scores(rows: list[list[float]], transitions: Floats) -> list[list[float]]:
    """The score of the best path of one page up to each block and label.

    Plain floats, unrolled for three labels: array operations per block would take 10 times as long.
    """
    (t00, t01, t02), (t10, t11, t12), (t20, t21, t22) = transitions.tolist()
    paths = rows[:1]
    for x, y, z in rows[1:]:
        a, b, c = paths[-1]
        paths.append(
            [
                max(a + t00, b + t10, c + t20) + x,
                max(a + t01, b + t11, c + t21) + y,
                max(a + t02, b + t12, c + t22) + z,
            ]
        )
    return paths
