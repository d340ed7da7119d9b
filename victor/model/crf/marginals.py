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


def marginals(scores: Floats, edges: Floats, kinds: Ints, page_starts: Ints) -> Floats:
    """Probability of every label of every block, each page being a chain of its own.

    Forward-backward as a blocked scan: pages are cut into chunks, all chunks of the batch advance
    together, one step at a time; products of step matrices carry the state from chunk to chunk.
    The backward pass is the forward pass over the reversed pages and runs in the same steps.

    Args:
        scores: (n, L) finite log potentials of the labels of each block.
        edges: (K, L, L) by kind of edge, log potentials of a label (row) being followed by another
            (column).
        kinds: (n,) kind of the edge that leads to each block; that of a page's first is not read.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n, L) float64; each row sums to 1.
    """
    potentials = _potentials(scores)
    if _free(edges) or not len(scores):
        return _normalized(potentials[:, :-1]).T
    both = _messages(potentials, edges, kinds, page_starts)
    both[0] *= both[1]
    both[0] *= potentials
    return _normalized(both[0, :, :-1]).T


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
    if _free(edges) or not len(scores):
        return np.zeros((2, *scores.shape))
    both = _messages(_potentials(scores), edges, kinds, page_starts)
    return np.log(both[..., :-1]).transpose(0, 2, 1)


def _free(edges: Floats) -> bool:
    """Whether the labels of neighbours do not depend on each other."""
    return bool((np.ptp(edges, axis=(1, 2)) == 0).all())


def _messages(potentials: Floats, edges: Floats, kinds: Ints, page_starts: Ints) -> Floats:
    """(2, L, n + 1) messages from before and from behind, the largest of each block 1."""
    spread = np.maximum(edges - edges.max(axis=(1, 2), keepdims=True), -MAX_RANGE)
    period = max(1, int(_HEADROOM / max(-spread.min(), math.log(edges.shape[1]))))
    layout = _Layout.plan(np.asarray(page_starts))
    moves = layout.moves(np.exp(spread), kinds)
    scan = _Scan(layout.spread(potentials), moves, layout.active, period)
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
        moves: (S, 2, L, L, K) see `_Layout.moves`.
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
            _moved(self.moves[step], state, out=result[step])
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
        result = _moved(self.moves[0], states.reshape(width, n_chunks), out=np.empty_like(states))
        result = result.reshape(width, n_chunks)
        result[:, : self.active[1]] = 1.0
        result[:, inner + self.active[1] :] = 1.0
        return result

    def products(self, inner: int) -> Floats:
        """Products of the steps of the chunks that are not the last of their page.

        Returns:
            (2, L, L, inner): order, label after, label before, chunk; the largest of each is 1.
            The first step of a page does not depend on the state before: its matrix is all ones.
        """
        half = self.moves.shape[2]
        values = self.values[..., :inner].reshape(len(self.values), 2, half, 1, inner)
        products = self.moves[0][..., :inner].copy()
        products[..., : self.active[1]] = 1.0
        products *= values[0]
        for step in range(1, len(values)):
            products = np.einsum("dijk,djlk->dilk", self.moves[step][..., :inner], products)
            products *= values[step]
            if step % self.period == 0:
                products /= products.max(axis=(1, 2), keepdims=True)
        return np.asarray(products / products.max(axis=(1, 2), keepdims=True))


def _moved(moves: Floats, states: Floats, out: Floats) -> Floats:
    """(2L, K) or (2, L, K) states after a step, given its (2, L, L, K) matrices."""
    half = moves.shape[1]
    np.einsum("dijk,djk->dik", moves, states.reshape(2, half, -1), out=out.reshape(2, half, -1))
    return out


def _largest(states: Floats) -> Floats:
    """The largest value in each chunk of (2L, ..., K) states, the two orders apart; broadcasts."""
    width, n_chunks = len(states), states.shape[-1]
    largest = states.reshape(2, -1, n_chunks).max(axis=1)
    shape = (width,) + (1,) * (states.ndim - 2) + (n_chunks,)
    return np.repeat(largest, width // 2, axis=0).reshape(shape)


def viterbi(scores: Floats, edges: Floats, kinds: Ints, page_starts: Ints) -> Labels:
    """The most probable label sequence of every page; among equals the lower label wins.

    Args:
        scores: (n, 3) finite log potentials of the labels of each block.
        edges: (K, 3, 3) as for `marginals`.
        kinds: (n,) as there.
        page_starts: (P + 1,) as there.

    Returns:
        (n,) uint8 labels.
    """
    if _free(edges):
        labels: Labels = scores.argmax(axis=1).astype(np.uint8)
        return labels
    rows, of_kind = scores.tolist(), edges.tolist()
    steps = [of_kind[kind] for kind in kinds.tolist()]
    bounds = np.asarray(page_starts).tolist()
    best = [path for a, b in pairwise(bounds) for path in _best_scores(rows[a:b], steps[a:b])]
    reached = np.array(best).reshape(-1, 3)[:-1, :, None] + edges[kinds[1:]]
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
