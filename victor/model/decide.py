"""Marginals to labels: which blocks of a page are kept, and which of these are headers."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels
from victor.base.errors import ConfigError
from victor.base.labels import HEADER, OTHER, TEXT
from victor.config.schema import METHODS, Decision, Method

__all__ = ["METHODS", "Blocks", "Decision", "Method", "decide", "in_doubt"]


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


def decide(
    marginals: Floats,
    blocks: Blocks,
    decision: Decision,
    *,
    viterbi_labels: Labels | None = None,
    p_no_content: Floats | None = None,
    p_error: Floats | None = None,
) -> Labels:
    """Label every block of a batch.

    Args:
        marginals: (n, 3) float64, columns in the order of `victor.base.labels.Label`.
        blocks: the same blocks: a table, labelled pages or predictions.
        decision: how to choose.
        viterbi_labels: (n,) labels of the most probable sequence, for ``viterbi`` only.
        p_no_content: (P,) probability that a page has no content, for ``expected-f`` only; read of
            pages `in_doubt`. Where it is NaN, or None for all, and of snippets, marginals decide;
            of snippets all is kept that is not surely other.
        p_error: (P,) probability that a server or a wall speaks on a page, and that nothing is to
            be kept of it, be it a snippet; for ``threshold``, too.

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
        if p_error is not None:
            is_error = p_error > decision.no_content
            labels[np.repeat(is_error, np.diff(blocks.page_starts))] = OTHER
        return labels
    return _expected_f(marginals, blocks, decision, p_no_content, p_error)


def in_doubt(marginals: Floats, blocks: Blocks) -> Bools:
    """(P,) is a page with blocks expected to keep fewer than 100 words, so that heads are asked."""
    memory = core.compiled.in_doubt(*_arrays(marginals, blocks))
    return core.array(memory, np.bool_)


def _arrays(marginals: Floats, blocks: Blocks) -> tuple[Floats, Ints, Ints]:
    """What the core reads."""
    return (
        np.ascontiguousarray(marginals, dtype=np.float64),
        np.ascontiguousarray(blocks.words, dtype=np.int64),
        np.ascontiguousarray(blocks.page_starts, dtype=np.int64),
    )


def _labels(marginals: Floats, kept: Bools) -> Labels:
    """(n,) uint8 labels of blocks that are kept or not."""
    header = marginals[:, HEADER] > marginals[:, TEXT]
    return np.where(kept, np.where(header, HEADER, TEXT), OTHER).astype(np.uint8)


def _expected_f(
    marginals: Floats,
    blocks: Blocks,
    decision: Decision,
    p_no_content: Floats | None,
    p_error: Floats | None,
) -> Labels:
    """(n,) uint8 labels that maximise the expected F of each page, or give nothing of it.

    With the blocks of a page by falling probability p, and w their words, the first k are kept
    where ``2 sum_{i<=k} p_i w_i / (sum_{i<=k} w_i + sum_all p_i w_i)`` is largest, k >= 1. No
    other set of blocks does better under this measure. A block without words changes nothing in
    it: it is kept if it is as probable as the last block kept, or above 0.5 on a page that has no
    words at all.

    On the word of marginals alone pages give nothing of which fewer than 25 words are expected to
    be kept, unless a block with words is kept with a probability of 0.3 or more. A snippet has
    fewer than ten blocks with words, one of them not surely other.
    """
    temperature = decision.temperature
    memory = core.compiled.expected_f(
        *_arrays(marginals, blocks),
        keep=None if temperature == 1.0 else _soften(marginals, temperature),
        p_no_content=_of_pages(p_no_content),
        p_error=_of_pages(p_error),
        no_content=decision.no_content,
    )
    return core.array(memory, np.uint8).copy()  # callers may change labels


def _of_pages(probabilities: Floats | None) -> Floats | None:
    return None if probabilities is None else np.ascontiguousarray(probabilities, np.float64)


def _soften(marginals: Floats, temperature: float) -> Floats:
    """(n,) probability of being kept, its log-odds divided by the temperature."""
    keep: Floats = marginals[:, HEADER] + marginals[:, TEXT]
    with np.errstate(divide="ignore"):
        log_odds = np.log(keep) - np.log(marginals[:, OTHER])
    return np.asarray(0.5 + 0.5 * np.tanh(log_odds / (2 * temperature)))
