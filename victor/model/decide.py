"""Marginals to labels: which blocks of a page are kept, and which of these are headers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.errors import ConfigError
from victor.base.labels import HEADER, OTHER, TEXT
from victor.config import METHODS, Decision, Method
from victor.page.verdict.expected_words import SCALE

__all__ = [
    "METHODS", "Blocks", "Decision", "Method", "OfPages", "decide",
]  # fmt: skip


_FEWEST_WORDS: Final = 25
"""Words that a page has to be expected to keep, unless a block is probable enough."""
_PROBABLE: Final = 0.3
"""Probability of being kept of such a block."""
SURELY_CONTENT: Final = 100
"""A page that is expected to keep so many words has content, whatever a page head says."""
_SNIPPET: Final = 10
"""Blocks with words from which something is a page; heads are fitted on whole pages, and take
snippets, which have nothing around their text, for pages of which only the frame is left."""
_SURELY_OTHER: Final = 0.8
"""Blocks of a snippet that are other with such a probability are dropped: what somebody cut out of
a page is text but for a button or two."""


class Blocks(Protocol):
    """What decisions read of the n blocks of P pages beside marginals."""

    @property
    def page_starts(self) -> Ints:
        """(P + 1,) int64; page p owns blocks ``page_starts[p]:page_starts[p + 1]``."""
        ...

    @property
    def words(self) -> Ints:
        """(n,) int64 words of each block."""
        ...


class OfPages(Protocol):
    """A number of each page, which may be made when it is asked for, as an array or like one."""

    def __getitem__(self, pages: Ints, /) -> Floats: ...


def decide(
    marginals: Floats,
    blocks: Blocks,
    decision: Decision,
    *,
    viterbi_labels: Labels | None = None,
    p_no_content: OfPages | None = None,
    p_error: Callable[[Ints], Floats] | None = None,
) -> Labels:
    """Label every block of a batch.

    Args:
        marginals: (n, 3) float64, columns in the order of `victor.base.labels.Label`.
        blocks: the same blocks: a table, labelled pages or predictions.
        decision: how to choose.
        viterbi_labels: (n,) labels of the most probable sequence, for ``viterbi`` only.
        p_no_content: (P,) probability that a page has no content, for ``expected-f`` only; read of
            pages of which fewer than 100 words are expected to be kept. Where it is NaN, or None
            for all, and of snippets, marginals decide; of snippets all is kept that is not surely
            other.
        p_error: gives the probabilities that a server or a wall speaks on some pages, and that
            nothing is to be kept of them, snippets included; for ``threshold``, too.

    Returns:
        (n,) uint8 labels.

    Raises:
        ConfigError: ``viterbi`` is asked of something that gives marginals only.
    """
    if decision.method == "viterbi":
        if viterbi_labels is None:
            raise ConfigError(
                "decision method viterbi needs a sequence model; choose threshold or expected-f"
            )
        return viterbi_labels.astype(np.uint8)
    if decision.method == "threshold":
        labels = _labels(marginals, marginals[:, OTHER] < decision.threshold)
        if p_error is not None and decision.no_content < 1:
            n_blocks = np.diff(blocks.page_starts)
            is_error = p_error(np.arange(len(n_blocks))) > decision.no_content
            labels[np.repeat(is_error, n_blocks)] = OTHER
        return labels
    labels, sums = _expected_f(marginals, blocks, decision.temperature)
    pages, starts = np.flatnonzero(sums[:, 0] < SURELY_CONTENT * SCALE), blocks.page_starts
    if len(pages) and len(pages := pages[starts[pages] < starts[pages + 1]]):  # few are in doubt
        p_empty = np.full(len(pages), np.nan) if p_no_content is None else p_no_content[pages]
        errors = np.zeros(len(pages)) if p_error is None else p_error(pages)
        for page, p, error in zip(pages.tolist(), p_empty.tolist(), errors.tolist(), strict=True):
            rows = slice(*starts[page : page + 2].tolist())
            page_sums = _Sums(*sums[page].tolist())
            _doubt(labels[rows], marginals[rows], page_sums, p, decision.no_content)
            if error > decision.no_content:
                labels[rows] = OTHER
    return labels


class _Sums(NamedTuple):
    """What the marginals of a page add up to, as integers.

    Attributes:
        words: that are expected to be kept, in units of ``1 / SCALE``.
        n_probable: blocks with words that are kept with a probability of 0.3 or more.
        n_possible: blocks with words that are not surely other.
        n_filled: blocks with words.
    """

    words: int
    n_probable: int
    n_possible: int
    n_filled: int


def _doubt(
    labels: Labels, marginals: Floats, sums: _Sums, p_no_content: float, most: float
) -> None:
    """Drop all of a page that seems to have no content, and little of a snippet; edits its labels.

    On the word of marginals alone these are pages of which fewer than 25 words are expected to be
    kept, unless a block with words is kept with a probability of 0.3 or more. A snippet has fewer
    than ten blocks with words, one of them not surely other.
    """
    is_empty = False
    if math.isnan(p_no_content):
        is_empty = (sums.words < _FEWEST_WORDS * SCALE and not sums.n_probable) > most
    elif sums.n_filled >= _SNIPPET or not sums.n_possible:
        is_empty = p_no_content > most
    else:
        whole = marginals[:, OTHER] < _SURELY_OTHER
        labels[whole] = _labels(marginals, whole)[whole]
    if is_empty:
        labels[:] = OTHER


def _labels(marginals: Floats, kept: Bools) -> Labels:
    """(n,) uint8 labels of blocks that are kept or not."""
    header = marginals[:, HEADER] > marginals[:, TEXT]
    return np.where(kept, np.where(header, HEADER, TEXT), OTHER).astype(np.uint8)


def _expected_f(marginals: Floats, blocks: Blocks, temperature: float) -> tuple[Labels, Ints]:
    """(n,) uint8 labels that maximise the expected F of each page, and (P, 4) its `_Sums`.

    With the blocks of a page by falling probability p, and w their words, the first k are kept
    where ``2 sum_{i<=k} p_i w_i / (sum_{i<=k} w_i + sum_all p_i w_i)`` is largest, k >= 1. No
    other set of blocks does better under this measure. A block without words changes nothing in
    it: it is kept if it is as probable as the last block kept, or above 0.5 on a page that has no
    words at all.
    """
    labels, sums = core.compiled.expected_f(
        marginals=np.ascontiguousarray(marginals, dtype=np.float64),
        words=np.ascontiguousarray(blocks.words, dtype=np.int64),
        page_starts=np.ascontiguousarray(blocks.page_starts, dtype=np.int64),
        keep=None if temperature == 1.0 else _soften(marginals, temperature),
        probable=_PROBABLE,
        likely=_SURELY_OTHER,
    )
    # Callers may change labels.
    return core.array(labels, np.uint8).copy(), core.array(sums, np.int64).reshape(-1, 4)


def _soften(marginals: Floats, temperature: float) -> Floats:
    """(n,) probability of being kept, its log-odds divided by the temperature."""
    keep: Floats = marginals[:, HEADER] + marginals[:, TEXT]
    if temperature == 1.0:
        return keep
    with np.errstate(divide="ignore"):
        log_odds = np.log(keep) - np.log(marginals[:, OTHER])
    return np.asarray(0.5 + 0.5 * np.tanh(log_odds / (2 * temperature)))
