"""Labels and confidence that a labeler suggests for the blocks an annotator sees.

An annotator labels blocks between block-level tags (`split: block`). A labeler may cut a page
otherwise; what it says goes through the segments that both ways of cutting have in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.annotate.store.label_letters import letters
from victor.corpus.pages import block_labels, segment_places
from victor.errors import PageError
from victor.labelers import Labeler
from victor.labels import Label
from victor.page.blocks import BlockTable
from victor.page.decode import utf8
from victor.page.events import record
from victor.page.segment import segment

_WORDLESS: Final = 0.5
"""Words that a block without any counts as."""


@dataclass(frozen=True, eq=False)
class Suggestion:
    """What a labeler suggests for the n blocks of a page.

    Attributes:
        labeler: its name.
        labels: one letter per block; never that of blocks which are unlabelled.
        confidence: (n,) uint8; probability of the suggested label in per cent.
        marginals: (n, 3) float64 probability of every label, columns in the order of `Label`.
        words: (n,) float64 words per block; a block without any counts as half a word.
    """

    labeler: str
    labels: str
    confidence: NDArray[np.uint8]
    marginals: NDArray[np.float64]
    words: NDArray[np.float64]


def suggest(labeler: Labeler, html: bytes, *, name: str | None = None) -> Suggestion:
    """Label the blocks of a page cut at block-level tags.

    Args:
        labeler: any system.
        html: the bytes of the page.
        name: of the system for people; None takes the labeler's own.

    Raises:
        PageError: the page is beyond the limits of the labeler.
    """
    limits = labeler.limits
    if len(html) > limits.bytes:
        raise PageError("too-many-bytes", f"the page has more than {limits.bytes} bytes")
    markup = utf8(html)
    table = labeler.table([markup])
    if len(table) > limits.blocks:
        raise PageError("too-many-blocks", f"the page has more than {limits.blocks} blocks")
    shown = segment(record([markup]), "block")
    verdict = labeler.label(table)
    block = table.block_of_segment[_common_segments(table, shown, canonical=labeler.canonical)]
    labels = block_labels(verdict.labels[block], shown)
    marginals = _mean_of_segments(verdict.marginals[block], shown)
    sure = marginals[np.arange(len(shown)), labels]
    return Suggestion(
        labeler=name or labeler.name,
        labels=letters(labels),
        confidence=np.rint(100 * np.clip(sure, 0.0, 1.0)).astype(np.uint8),
        marginals=marginals,
        words=np.maximum(shown.words, _WORDLESS),
    )


def _common_segments(table: BlockTable, shown: BlockTable, *, canonical: bool) -> NDArray[np.int64]:
    """(S,) segment of the labeler's table that every segment of the shown table begins in.

    All visible characters but alternative texts stand in both in the same order.
    """
    n_shown, n_own = len(shown.segments), len(table.segments)
    if canonical or not n_shown or not n_own:
        return np.arange(n_shown)
    visible, added = segment_places(table)
    ends = np.cumsum(np.where(added > 0, 0, visible))
    own = segment_places(shown)[0]
    found = np.searchsorted(ends, np.cumsum(own) - own, side="right")
    return np.asarray(np.minimum(found, n_own - 1))


def _mean_of_segments(marginals: NDArray[np.float64], shown: BlockTable) -> NDArray[np.float64]:
    """(n, 3) mean over the words of each block, from (S, 3); over its segments if it has none."""
    owner, n = shown.block_of_segment, len(shown)
    weight = np.where(shown.words[owner] > 0, shown.segment_words, 1).astype(np.float64)
    total = np.bincount(owner, weight, n)
    sums = [np.bincount(owner, weight * marginals[:, label], n) for label in Label]
    mean: NDArray[np.float64] = np.stack(sums, axis=1) / np.maximum(total, 1.0)[:, None]
    return mean
