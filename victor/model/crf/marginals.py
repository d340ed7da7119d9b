"""Exact marginals and best paths in linear chains, for a whole batch of pages at once.

What a page gets depends on nothing but the page: pages are cut at fixed places, and every sum has
its order. Exponentials are computed here, too: those of libraries depend on the processor in their
last bits. So the same numbers come out alone and in any batch, on every machine, here and compiled.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import Floats, Ints, Labels
from victor.base.cached import cached_property
from victor.base.labels import Label

LOWEST: Final = -708.0
"""Below this the result is 0: it would hardly be a normal number."""

_TERMS: Final = 14
_COEFFICIENTS: Final = tuple(1.0 / math.factorial(term) for term in reversed(range(_TERMS)))
"""Of the highest power first."""
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471803691238
"""The first 33 bits of the logarithm of 2: a product with a small integer is exact."""
_LN2_LOW: Final = 1.9082149292705877e-10
_NEAREST: Final = 1.5 * 2.0**52
"""Added to a number below 2**51 it leaves no bits for a fraction."""
_EXPONENT_BIAS: Final = 1023
_EXPONENT_SHIFT: Final = 52


def exponentials(values: Floats) -> Floats:
    """Exponentials of an array of finite numbers up to 0, right but for the last bits.

    They are a few additions and multiplications of double precision in a fixed order. Twin:
    ``exponential`` in ``core/model/chain.c``.

    Source: Cody and Waite (1980), Software manual for the elementary functions, chapter 6
    (reduction of the argument); the polynomial is the Taylor series.
    """
    bounded = np.maximum(values, LOWEST)
    power = bounded * _LOG2_E
    power += _NEAREST
    power -= _NEAREST
    rest = bounded - power * _LN2_HIGH
    rest -= power * _LN2_LOW
    result = np.full_like(rest, _COEFFICIENTS[0])
    for coefficient in _COEFFICIENTS[1:]:
        result *= rest
        result += coefficient
    scale = (power.astype(np.int64) + _EXPONENT_BIAS) << _EXPONENT_SHIFT
    result *= scale.view(np.float64)
    result[values < LOWEST] = 0.0
    return result


MAX_RANGE: Final = 300.0
"""Transition weights further than this below the highest act as if they were this far below it."""

_HEADROOM: Final = 300.0
"""How far, in natural logarithms, running products may drift before they are scaled back to 1."""

CHUNK: Final = 32
"""Blocks of a chunk. A page takes two steps for each of them, and one for every chunk."""


class Factors(Struct, frozen=True, eq=False, dict=True):
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

    Forward-backward as a blocked scan: pages are cut into chunks, all chunks of a page advance
    together, one step at a time; products of step matrices carry the state from chunk to chunk.
    The backward pass is the forward pass over the reversed page and runs in the same steps.

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
        return _normalized(potentials).T
    before, behind = _messages(potentials, factors, kinds, page_starts)
    return _normalized(before * behind * potentials).T


def _compiled_marginals(scores: Floats, factors: Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """The same, by the compiled core."""
    memory = core.compiled.chain_marginals(
        scores=np.ascontiguousarray(scores),
        factors=factors.values,
        kinds=np.ascontiguousarray(kinds, dtype=np.int64),
        page_starts=np.ascontiguousarray(page_starts, dtype=np.int64),
        chunk=CHUNK,
        period=0 if factors.are_free else factors.period,
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
    return np.log(both).transpose(0, 2, 1)


def _messages(potentials: Floats, factors: Factors, kinds: Ints, page_starts: Ints) -> Floats:
    """(2, L, n) messages from before and from behind, the largest of each block 1."""
    both = np.ones((2, *potentials.shape))
    for start, end in pairwise(np.asarray(page_starts).tolist()):
        if start < end:
            values = potentials[:, start:end]
            there_and_back = np.stack([values, values[:, ::-1]])
            moves = _moves(factors.values, kinds[start:end])
            before, behind = _scanned(there_and_back, moves, factors.period)
            both[0, :, start:end], both[1, :, start:end] = before, behind[:, ::-1]
    both /= both.max(axis=1, keepdims=True)
    return both


def _potentials(scores: Floats) -> Floats:
    """(L, n) exponentials, the largest of each block 1."""
    by_label = np.ascontiguousarray(scores.T)
    return exponentials(by_label - by_label.max(axis=0, initial=-np.inf))


def _normalized(values: Floats) -> Floats:
    """Columns divided by their sum, which is added up from the first to the last label."""
    total = values[0].copy()
    for row in values[1:]:
        total += row
    return np.asarray(values / total)


def _moves(edges: Floats, kinds: Ints) -> Floats:
    """(2, L, L, m) matrices that lead to every block of a page from the one before it.

    The first L is the label there, the second that of the block before; first in page order, then
    in reversed page order. An edge is known by the later of its two blocks, which in reversed order
    is the one that the step leaves. What leads to a first block is not read.
    """
    later = np.append(0, kinds[:0:-1])
    return np.stack([edges[kinds].transpose(2, 1, 0), edges[later].transpose(1, 2, 0)])


def _scanned(values: Floats, moves: Floats, period: int) -> Floats:
    """(2, L, m) message to each block of a page from those before it in either order, unscaled.

    Args:
        values: (2, L, m) potentials in page order, and reversed.
        moves: (2, L, L, m) see `_moves`.
        period: after how many steps of a chunk running products are scaled back.
    """
    length = values.shape[-1]
    values, moves = _chunks(values), _chunks(moves)
    result = np.empty_like(values)
    result[0] = _first_messages(values, moves, period)
    for step in range(1, len(result)):
        state = result[step - 1] * values[step - 1]
        if step % period == 0:
            state /= state.max(axis=1, keepdims=True)
        result[step] = _moved(moves[step], state)
    chunk_by_chunk = np.moveaxis(result, 0, -1)
    return np.asarray(chunk_by_chunk.reshape(*chunk_by_chunk.shape[:2], -1)[..., :length])


def _chunks(columns: Floats) -> Floats:
    """(..., m) columns in K chunks of S steps, (S, ..., K); steps behind the last block hold 1."""
    length = columns.shape[-1]
    size = min(CHUNK, length)
    padded = np.ones((*columns.shape[:-1], -(-length // size) * size))
    padded[..., :length] = columns
    return np.ascontiguousarray(np.moveaxis(padded.reshape(*columns.shape[:-1], -1, size), -1, 0))


def _first_messages(values: Floats, moves: Floats, period: int) -> Floats:
    """(2, L, K) message to the first block of every chunk; that of the page gets ones."""
    result: Floats = np.ones_like(values[0])
    products = _products(values[..., :-1], moves[..., :-1], period)
    # The first step of the page does not depend on what is before it: any label will do.
    state = np.zeros(result.shape[:2])
    state[:, 0] = 1.0
    for chunk in range(products.shape[-1]):
        state = _moved(products[..., chunk], state)
        state /= state.max(axis=1, keepdims=True)
        result[..., chunk + 1] = _moved(moves[0, ..., chunk + 1], state)
    return result


def _products(values: Floats, moves: Floats, period: int) -> Floats:
    """Products of the steps of the chunks that are not the last of the page.

    Returns:
        (2, L, L, K - 1): order, label after, label before, chunk. The first step of the page
        does not depend on the state before: its matrix is all ones, and the columns of the product
        are what `_scanned` has for the state behind the chunk.
    """
    start = moves[0].copy()
    start[..., :1] = 1.0
    products: Floats = start * values[0][:, :, None]
    for step in range(1, len(values)):
        if step % period == 0:
            products /= products.max(axis=(1, 2), keepdims=True)
        products = _moved(moves[step][:, :, :, None], products) * values[step][:, :, None]
    return products


def _moved(moves: Floats, states: Floats) -> Floats:
    """States after a step: sums over the label before, from the first to the last.

    Args:
        moves: (2, L, L, ...) matrices, the label before on the third axis.
        states: (2, L, ...).
    """
    total: Floats = moves[:, :, 0] * states[:, None, 0]
    for label in range(1, states.shape[1]):
        total += moves[:, :, label] * states[:, None, label]
    return total


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
        scores=np.ascontiguousarray(scores, dtype=np.float64),
        edges=np.ascontiguousarray(factors.edges, dtype=np.float64),
        kinds=np.ascontiguousarray(kinds, dtype=np.int64),
        page_starts=np.ascontiguousarray(page_starts, dtype=np.int64),
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
