"""Marginals to labels: which blocks of a page are kept, and which of these are headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from victor.config import Decide
from victor.errors import ConfigError
from victor.labels import Label

Method = Literal["threshold", "viterbi", "expected-f"]
METHODS: Final[tuple[str, ...]] = get_args(Method)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Labels = NDArray[np.uint8]

_UNIT: Final = 2.0**32
"""Probabilities are summed as integers of this unit: sums are exact, so that a page decides alike
alone and in any batch. A batch may hold 2**31 words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How labels are chosen.

    Attributes:
        method: ``threshold`` keeps a block while p(other) is below the threshold (the paper);
            ``viterbi`` takes the most probable sequence of labels; ``expected-f`` keeps, page by
            page, what maximises the expected word F-measure.
        threshold: for ``threshold``, 0 to 1; 0 keeps nothing, 1 all that is not surely other.
        temperature: for ``expected-f``, above 0; log-odds are divided by it first, so more than 1
            softens the marginals and keeps more.
        nothing_below: for ``expected-f``, 0 to 1; a page gives nothing unless some block with
            words is at least as probable as this to be kept.

    Raises:
        ConfigError: an unknown method or a number out of range.
    """

    method: Method = "threshold"
    threshold: float = 0.5
    temperature: float = 1.0
    nothing_below: float = 0.0

    @classmethod
    def of(cls, configured: Decide) -> Decision:
        """The decision that a configuration asks for."""
        return cls(
            configured.method,
            configured.threshold,
            configured.temperature,
            configured.nothing_below,
        )

    @classmethod
    def at(cls, threshold: float | str, presets: Mapping[str, float]) -> Decision:
        """The plain threshold, given as a number or by the name of a preset.

        Raises:
            ConfigError: there is no such preset, or the number is out of range.
        """
        if isinstance(threshold, str):
            if threshold not in presets:
                known = ", ".join(presets) or "none: `victor sweep --store` adds them"
                raise ConfigError(f"no preset {threshold!r}; the model's presets are {known}")
            threshold = presets[threshold]
        return cls("threshold", threshold)

    @property
    def on_marginals(self) -> Decision:
        """The same decision; the plain threshold for one that needs more than marginals."""
        return replace(self, method="threshold") if self.method == "viterbi" else self

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ConfigError(f"no decision method {self.method!r}; choose {', '.join(METHODS)}")
        if not 0 <= self.threshold <= 1:
            raise ConfigError(f"decision threshold {self.threshold} is not between 0 and 1")
        if not 0 < self.temperature < float("inf"):
            raise ConfigError(f"decision temperature {self.temperature} is not a positive number")
        if not 0 <= self.nothing_below <= 1:
            raise ConfigError(f"nothing_below {self.nothing_below} is not between 0 and 1")


def decide(
    marginals: Floats,
    page_starts: Ints,
    words: Ints,
    decision: Decision,
    *,
    viterbi_labels: Labels | None = None,
) -> Labels:
    """Label every block of a batch.

    Args:
        marginals: (n, 3) float64, columns in the order of `victor.labels.Label`.
        page_starts: (P + 1,) int64; page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        words: (n,) int64 words of each block.
        decision: how to choose.
        viterbi_labels: (n,) labels of the most probable sequence, for ``viterbi`` only.

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
        kept = marginals[:, Label.OTHER] < decision.threshold
    else:
        keep = _soften(marginals, decision.temperature)
        kept = expected_f_prefix(keep, page_starts, words)
        if decision.nothing_below > 0:
            kept &= _promising(marginals, page_starts, words, decision.nothing_below)
    header = marginals[:, Label.HEADER] > marginals[:, Label.TEXT]
    return np.where(kept, np.where(header, Label.HEADER, Label.TEXT), Label.OTHER).astype(np.uint8)


def _soften(marginals: Floats, temperature: float) -> Floats:
    """(n,) probability of being kept, its log-odds divided by the temperature."""
    keep: Floats = marginals[:, Label.HEADER] + marginals[:, Label.TEXT]
    if temperature == 1.0:
        return keep
    with np.errstate(divide="ignore"):
        log_odds = np.log(keep) - np.log(marginals[:, Label.OTHER])
    return np.asarray(0.5 + 0.5 * np.tanh(log_odds / (2 * temperature)))


def _promising(marginals: Floats, page_starts: Ints, words: Ints, least: float) -> Bools:
    """(n,) is some block with words of the same page kept with at least this probability."""
    page = np.repeat(np.arange(len(page_starts) - 1), np.diff(page_starts))
    found = np.zeros(len(page_starts) - 1, dtype=bool)
    found[page[(words > 0) & (marginals[:, Label.OTHER] <= 1 - least)]] = True
    return found[page]


def expected_f_prefix(keep: Floats, page_starts: Ints, words: Ints) -> Bools:
    """Keep on each page the blocks that maximise the approximate expected F-measure of words.

    With the blocks of a page by falling probability p, and w their words, the first k are kept
    where ``2 sum_{i<=k} p_i w_i / (sum_{i<=k} w_i + sum_all p_i w_i)`` is largest, k >= 1. No
    other set of blocks does better under this measure. A block without words changes nothing in
    it: it is kept if it is as probable as the last block kept, or above 0.5 on a page that has no
    words at all.

    Args:
        keep: (n,) float64 probability of being kept.
        page_starts: (P + 1,) int64 first block of each page.
        words: (n,) int64 words of each block.

    Returns:
        (n,) bool.
    """
    page = np.repeat(np.arange(len(page_starts) - 1), np.diff(page_starts))
    ranked = np.lexsort((-keep, page))
    ranked = ranked[words[ranked] > 0]
    kept = np.zeros(len(keep), dtype=bool)
    cut = np.full(len(page_starts) - 1, np.nextafter(0.5, 1.0))
    if len(ranked):
        starts = np.flatnonzero(np.diff(page[ranked], prepend=-1))
        gain = np.rint(np.clip(keep[ranked], 0.0, 1.0) * _UNIT).astype(np.int64) * words[ranked]
        last = starts + _best_prefix(gain, words[ranked], starts)
        chosen = np.arange(len(ranked)) <= np.repeat(last, np.diff(starts, append=len(ranked)))
        kept[ranked[chosen]] = True
        cut[page[ranked[last]]] = keep[ranked[last]]
    kept |= (words <= 0) & (keep >= cut[page])
    return kept


def _best_prefix(gain: Ints, words: Ints, starts: Ints) -> Ints:
    """Position in its window of the element that ends the best prefix; the first if equal.

    Windows begin at `starts` and none is empty; `gain` is in units of probability times words.
    """
    lengths = np.diff(starts, append=len(gain))
    total = np.repeat(np.add.reduceat(gain, starts), lengths)
    size = _running(words, starts, lengths) * _UNIT + total
    value = 2.0 * _running(gain, starts, lengths) / size
    is_best = value == np.repeat(np.maximum.reduceat(value, starts), lengths)
    position = np.arange(len(gain)) - np.repeat(starts, lengths)
    return np.minimum.reduceat(np.where(is_best, position, len(gain)), starts)


def _running(values: Ints, starts: Ints, lengths: Ints) -> Ints:
    """Running sums that begin anew at every start."""
    total = np.cumsum(values)
    return np.asarray(total - np.repeat(total[starts] - values[starts], lengths))
