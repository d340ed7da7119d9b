"""Exact marginals and best paths in linear chains, for a whole batch of pages at once.

What a page gets depends on nothing but the page: pages are cut at fixed places, and every sum has
its order. Exponentials are computed here, too: those of libraries depend on the processor in their
last bits. So the same numbers come out alone and in any batch, on every machine.

Before their neighbours, the blocks of one template path say something to each other: their log-odds
go towards their mean. The posts of a thread and the cards of a listing are written by one template,
so the blocks at one place of it are content or are not, all of them. The chain knows only
neighbours, and the next block of the same path may be far away. A path counts only where it repeats
under several parents: the paragraphs of one element share theirs whether they are the article or
what follows it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import Floats, Ints, Labels
from victor.base.errors import FeatureError
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues

LOWEST: Final = -708.0  # below this the result is 0: it would hardly be a normal number

_TERMS: Final = 14
_COEFFICIENTS: Final = tuple(1.0 / math.factorial(term) for term in reversed(range(_TERMS)))
"""Of the highest power first."""
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471803691238
"""The first 33 bits of the logarithm of 2: a product with a small integer is exact."""
_LN2_LOW: Final = 1.9082149292705877e-10
_NEAREST: Final = 1.5 * 2.0**52  # added to a number below 2**51 it leaves no bits for a fraction
_EXPONENT_BIAS: Final = 1023
_EXPONENT_SHIFT: Final = 52


def exponentials(values: Floats) -> Floats:
    """Exponentials of an array of finite numbers up to 0, right but for the last bits.

    They are a few additions and multiplications of double precision in a fixed order, those of
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

COLUMNS: Final = ("path-class.first", "word.count")
"""What is read: which blocks share a path, and how many words they have."""

_FEWEST: Final = 3  # blocks of a path that is a template
_LONG: Final = 8
"""Mean words of these blocks: names, dates and buttons repeat in content and around it alike."""
_LARGEST: Final = 4.0  # log-odds beyond this count as this: one sure block does not decide for all


class Factors(Struct, frozen=True, eq=False, dict=True):
    """What the labels of neighbours are worth to each other, as factors of a product."""

    edges: Floats
    """(K, L, L) finite log potentials by kind of edge, of a label (row) being followed by
    another (column)."""

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
        scores: (n, 3) finite float64 log potentials of the labels of each block.
        edges: (K, 3, 3) by kind of edge, log potentials of a label (row) being followed by another
            (column), or the factors made of them.
        kinds: (n,) kind of the edge that leads to each block; that of a page's first is not read.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

    Returns:
        (n, 3) float64; each row sums to 1.
    """
    factors = edges if isinstance(edges, Factors) else Factors(edges)
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
        (2, n, L) float64 log potentials, the largest of each block 0.
    """
    both = np.zeros((2, *scores.shape))
    before, behind = both
    for start, end in pairwise(page_starts.tolist()):
        for block in range(start + 1, end):
            last = before[block - 1] + scores[block - 1]
            before[block] = np.logaddexp.reduce(last[:, None] + edges[kinds[block]], axis=0)
        for block in range(end - 2, start - 1, -1):
            following = behind[block + 1] + scores[block + 1]
            behind[block] = np.logaddexp.reduce(edges[kinds[block + 1]] + following, axis=1)
    return np.asarray(both - both.max(axis=2, keepdims=True))


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
    memory = core.compiled.chain_viterbi(
        scores=np.ascontiguousarray(scores, dtype=np.float64),
        edges=np.ascontiguousarray(factors.edges, dtype=np.float64),
        kinds=np.ascontiguousarray(kinds, dtype=np.int64),
        page_starts=np.ascontiguousarray(page_starts, dtype=np.int64),
    )
    return core.array(memory, np.uint8)


# --- Blocks of one template path ------------------------------------------------------------------


class Pooling(Struct, frozen=True):
    """How far the log-odds of the blocks of a path go towards their mean."""

    strength: float  # share of the way, 0 to 1; 0 leaves all blocks as they are

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return COLUMNS if self.strength else ()

    def __call__(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n, 3) log potentials, given those of each block by itself.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return scores
        return shifted(scores, self.shift(scores, columns, page_starts))

    def shift(
        self, scores: Floats, columns: Mapping[str, ColumnValues], page_starts: Ints
    ) -> Floats:
        """(n,) what the log-odds of being kept gain, in natural logarithms.

        The odds of a block are those of the better of header and text; words weigh blocks.

        Raises:
            FeatureError: a column is missing.
        """
        if not self.strength:
            return np.zeros(len(scores))
        first, words = (_integers(columns, name) for name in COLUMNS)
        odds = np.maximum(scores[:, Label.HEADER], scores[:, Label.TEXT]) - scores[:, Label.OTHER]
        odds = np.minimum(np.maximum(odds, -_LARGEST), _LARGEST)
        path = np.repeat(page_starts[:-1], np.diff(page_starts)) + first
        n_blocks, n_words = np.bincount(path)[path], np.bincount(path, words)[path]
        is_pooled = (n_blocks >= _FEWEST) & (n_words >= _LONG * n_blocks)
        mean = np.bincount(path, words * odds)[path] / np.maximum(n_words, 1)
        return np.where(is_pooled, self.strength * (mean - odds), 0.0)


def shifted(scores: Floats, shift: Floats) -> Floats:
    """(n, 3) log potentials whose log-odds of being kept gain (n,) so much."""
    is_kept = np.arange(len(Label)) != Label.OTHER
    return np.asarray(scores + shift[:, None] * is_kept)


def _integers(columns: Mapping[str, ColumnValues], name: str) -> Ints:
    if name not in columns:
        raise FeatureError(f"pooling needs column {name}: switch its feature on, or retrain")
    return np.asarray(columns[name]).astype(np.int64)
