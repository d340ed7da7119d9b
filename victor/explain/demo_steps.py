"""What is kept of a page, and its text, at every position of the threshold slider.

A position is a threshold. The last one is the decision that the page was cleaned with. Verdicts are
made as `victor.api.Cleaner` makes them, so that the text at a position is what `victor clean
--threshold` gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints, Labels
from victor.base.labels import Label
from victor.config.schema import Decision, Scope
from victor.kinds.finish import finish
from victor.labelers.labeler import Labeler
from victor.model.decide import decide
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text, ranges

_FINE: Final = 100
_COARSE: Final = 20
"""Parts of the range of log-odds, before those that round to the same threshold are joined."""
_FARTHEST: Final = 6.9  # log-odds of 0.001 and 0.999, the outermost thresholds but for 0 and 1
_MANY: Final = 4_000  # blocks of a page for which the slider has the coarse positions
NOTHING: Final = -1

Runs = list[int]
"""The positions at which values of a block hold, flat: first, last, the value or values; ..."""


@dataclass(frozen=True, eq=False)
class Cleaned:
    """A page, and how it was cleaned.

    Attributes:
        markup: UTF-8 bytes.
        url: of the page, for labelers that know sites.
        labeler: what labelled it.
        decision: how labels were chosen; None for how the labeler is configured.
        scope: which parts were kept.
    """

    markup: bytes
    url: str | None
    labeler: Labeler
    decision: Decision | None
    scope: Scope

    @property
    def threshold(self) -> float | None:
        """What p(other) of the kept blocks is below; None if another rule chose the labels."""
        decision = self.decision or self.labeler.decision
        return decision.threshold if decision.method == "threshold" else None

    def labelled(self) -> Verdict:
        """The verdict of the labeler on this page alone."""
        table = self.labeler.table([self.markup])
        return self.labeler.label(table, self.decision)

    def finished(self, verdict: Verdict) -> Verdict:
        """As it is written."""
        ((finished, *_),) = finish(verdict, [self.markup], self.scope)
        return finished


@dataclass(frozen=True, eq=False)
class Steps:
    """The S thresholds of the slider and what is kept of the n blocks there and at position S.

    Attributes:
        thresholds: (S,) rising from 0 to 1; empty if the labeler says only yes and no.
        presets: position of each named threshold.
        verdict: at position S, which is how the page was cleaned.
        nearest: the threshold whose kept words differ least from those at S.
        words: (S + 1,) words kept.
        blocks: (S + 1,) blocks kept.
        labels: (n,) runs of the label of each block; blocks are *other* elsewhere.
        pieces: (n,) runs of what each block gives to the text: the numbers of two texts, what
            stands before it since the piece before, and its own.
        ends: runs of the text after the last piece.
    """

    thresholds: list[float]
    presets: dict[str, int]
    verdict: Verdict
    nearest: int
    words: list[int]
    blocks: list[int]
    labels: list[Runs]
    pieces: list[Runs]
    ends: Runs


def steps_of(cleaned: Cleaned, texts: Texts) -> Steps:
    """What is kept of a page at every position; its pieces are added to some texts."""
    labelled = cleaned.labelled()
    as_cleaned = cleaned.finished(labelled)
    thresholds = _thresholds(labelled, cleaned)
    rows = [_Row.of(verdict, texts) for verdict in _verdicts(cleaned, labelled, thresholds)]
    rows.append(_Row.of(as_cleaned, texts))
    labels = np.array([row.labels for row in rows]).T
    gaps, pieces = (np.array([getattr(row, name) for row in rows]).T for name in ("gap", "piece"))
    words = labelled.table.words
    kept = labels != Label.OTHER
    presets = cleaned.labeler.presets.items() if thresholds else ()
    return Steps(
        thresholds=thresholds,
        presets={name: thresholds.index(value) for name, value in presets},
        verdict=as_cleaned,
        nearest=_nearest(thresholds, cleaned, words, kept),
        words=(words @ kept).tolist(),
        blocks=kept.sum(axis=0).tolist(),
        labels=runs(labels, nothing=Label.OTHER),
        pieces=runs(gaps, pieces),
        ends=runs(np.array([[row.end for row in rows]]))[0],
    )


def runs(*values: NDArray[np.integer], nothing: int = NOTHING) -> list[Runs]:
    """The runs of every row of k arrays, (n, S + 1) each, but for those of `nothing`.

    >>> runs(np.array([[-1, -1, 4, 4, 7], [0, 0, 0, 0, 0]]))
    [[2, 3, 4, 4, 4, 7], [0, 4, 0]]
    """
    first = values[-1]
    begins = np.ones(first.shape, dtype=bool)
    begins[:, 1:] = np.any([array[:, 1:] != array[:, :-1] for array in values], axis=0)
    row, start = np.nonzero(begins)
    stop = np.append(start, 0)[1:]
    stop[stop == 0] = first.shape[1]
    columns = np.stack([start, stop - 1, *(array[row, start] for array in values)], axis=1)
    is_something = columns[:, -1] != nothing
    flat: Runs = columns[is_something].ravel().tolist()
    counts = np.bincount(row[is_something], minlength=len(first)) * columns.shape[1]
    bounds = [0, *np.cumsum(counts).tolist()]
    return [flat[a:b] for a, b in pairwise(bounds)]


def _thresholds(verdict: Verdict, cleaned: Cleaned) -> list[float]:
    """Equally far apart in log-odds, with 0, 1, the presets and the threshold of the page.

    Models are sure of most blocks: on a linear scale nearly all of them change at its two ends.
    """
    other = verdict.marginals[:, Label.OTHER]
    if ((other == 0) | (other == 1)).all():
        return []
    parts = _FINE if len(other) <= _MANY else _COARSE
    thresholds = [*cleaned.labeler.presets.values()]
    if cleaned.threshold is not None:
        thresholds.append(cleaned.threshold)
    odds = np.exp(np.linspace(-_FARTHEST, _FARTHEST, parts + 1))
    return sorted({0.0, 1.0, *(odds / (1 + odds)).round(3).tolist(), *thresholds})


def _nearest(thresholds: list[float], cleaned: Cleaned, words: Ints, kept: Bools) -> int:
    """Position of the threshold that the page was cleaned with, or of one that keeps nearly that.

    The lowest one of several, as it is nearest to the least sure block that is kept: `explain`
    names that. Words are (n,), `kept` is (n, S + 1).
    """
    if not thresholds:
        return 0
    if cleaned.threshold is not None:
        return thresholds.index(cleaned.threshold)
    differs = words @ (kept[:, :-1] != kept[:, -1:])
    return int(differs.argmin())


def _verdicts(cleaned: Cleaned, labelled: Verdict, thresholds: list[float]) -> Iterator[Verdict]:
    """The finished verdict at every threshold; marginals do not depend on it."""
    labels, verdict = None, labelled
    p_error = None if labelled.pages is None else labelled.pages.p_error
    for threshold in thresholds:
        decision = Decision(threshold=threshold)
        decided = decide(labelled.marginals, labelled.table, decision, p_error=p_error)
        if labels is None or not np.array_equal(decided, labels):
            labels = decided
            verdict = cleaned.finished(labelled.with_labels(decided, decision.method))
        yield verdict


class Texts:
    """Numbers texts; equal ones have one number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """That of a text."""
        return self.numbers.setdefault(text, len(self.numbers))


@dataclass(frozen=True, eq=False)
class _Row:
    """A page at one position: (n,) labels, and numbers of texts, as `Steps` has them."""

    labels: Labels
    gap: list[int]
    piece: list[int]
    end: int

    @classmethod
    def of(cls, verdict: Verdict, texts: Texts) -> _Row:
        n = len(verdict.table)
        gap, piece = [NOTHING] * n, [NOTHING] * n
        text, at = plain_text(verdict, 0), 0
        for block, span in enumerate(ranges(verdict, 0)):
            # Some blocks have the range of a paragraph that others before them have, too.
            if span is not None and span[0] >= at:
                gap[block] = texts.number(text[at : span[0]])
                piece[block] = texts.number(text[span[0] : span[1]])
                at = span[1]
        return cls(verdict.labels, gap, piece, texts.number(text[at:]))
