"""What a labeler suggests for the blocks of an annotator, and how that orders pages.

Annotators label the blocks between block-level tags (`split: block`). A labeler may split a page
differently. Its labels are carried over by the segments that both ways have in common.

The guidelines keep the headline and leave out comments of readers, and so does the scope `article`:
what is suggested is what a labeler keeps in that scope.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from victor.api import CleanerSpec
from victor.base.arrays import Codes, Floats, Ints
from victor.base.labels import Label
from victor.config.schema import Scope
from victor.corpus.pages import block_labels, from_letters, segment_places, to_letters
from victor.kinds.scope import finish
from victor.labelers.labeler import Labeler
from victor.page.allowance import check_blocks, check_bytes
from victor.page.decoding.decode import utf8
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict

GIVEN: Final = "given"
UNCERTAINTY: Final = "uncertainty"
DISAGREEMENT: Final = "disagreement"
ORDERS: Final = (GIVEN, UNCERTAINTY, DISAGREEMENT)
"""Names of the orders, the default first; each needs one more suggester than the last."""
_LOADED: Final = 3
"""Labelers that a process keeps: two that suggest, and one that was trained meanwhile."""
_WORDLESS: Final = 0.5
"""Words that a block without words counts as."""
_GUIDELINES: Final = Scope(name="article")
"""The scope that keeps what the guidelines keep (annotations/GUIDELINES.md)."""
_BY_RULE: Final = 0.86
"""Probability of a label that the scope changed: 138 of 161 were right in annotations/ and
kinds-dev."""


@dataclass(frozen=True, eq=False)
class Suggestion:
    """Suggestion of a labeler for the n blocks of a page.

    Attributes:
        labels: one letter per block; none is unlabelled.
        confidence: (n,) uint8 probability of the suggested label in per cent.
        marginals: (n, 3) float64 probability of every label, columns in the order of `Label`.
        words: (n,) float64 words per block; a block without words counts as half a word.
    """

    labels: str
    confidence: Codes
    marginals: Floats
    words: Floats


class LabelerFile(NamedTuple):
    """A labeler as another process loads it: by name or path, and anew if its file has changed."""

    source: str
    version: str
    trust_code: bool = False


@lru_cache(maxsize=_LOADED)
def _labeler(chosen: LabelerFile) -> Labeler:
    spec = CleanerSpec.named(chosen.source)
    return replace(spec, trust_code=chosen.trust_code).build()


def check_labeler(chosen: LabelerFile) -> None:
    """Load a labeler in another process; what is wrong with it is raised there."""
    _labeler(chosen)


def suggest_as(chosen: LabelerFile, html: bytes) -> Suggestion:
    """`suggest` as a job of another process, which loads the labeler once."""
    return suggest(_labeler(chosen), html)


def suggest(labeler: Labeler, html: bytes) -> Suggestion:
    """Suggest labels for the blocks of a page split at block-level tags.

    Raises:
        PageError: the page is beyond the limits of the labeler.
    """
    limits = labeler.limits
    check_bytes(len(html), limits.bytes)
    markup = utf8(html)
    table = labeler.table([markup])
    check_blocks(len(table), limits.blocks)
    blocks = read_pages([markup])
    verdict = finish(labeler.label(table), [markup], _GUIDELINES)
    rows = table.block_of_segment[_common_segments(table, blocks, canonical=labeler.canonical)]
    labels = block_labels(verdict.labels[rows], blocks)
    marginals = _mean_of_segments(_marginals(verdict)[rows], blocks)
    probability = marginals[np.arange(len(blocks)), labels]
    return Suggestion(
        labels=to_letters(labels),
        confidence=np.rint(100 * np.clip(probability, 0.0, 1.0)).astype(np.uint8),
        marginals=marginals,
        words=np.maximum(blocks.words, _WORDLESS),
    )


def _marginals(verdict: Verdict) -> Floats:
    """(n, 3) the labeler's marginals, and `_BY_RULE` where the scope has changed its label."""
    if verdict.by_scope is None or not verdict.by_scope.any():
        return verdict.marginals
    by_rule = np.full((len(Label), len(Label)), (1 - _BY_RULE) / (len(Label) - 1))
    np.fill_diagonal(by_rule, _BY_RULE)
    changed = verdict.by_scope[:, None]
    return np.asarray(np.where(changed, by_rule[verdict.labels], verdict.marginals))


def _common_segments(table: BlockTable, blocks: BlockTable, *, canonical: bool) -> Ints:
    """(S,) segment of the labeler's table in which every segment of `blocks` begins.

    Both have the same visible characters in the same order, except for alternative texts.
    """
    if canonical or not len(blocks.segments) or not len(table.segments):
        return np.arange(len(blocks.segments))
    visible, added = segment_places(table)
    ends = np.cumsum(np.where(added > 0, 0, visible))
    lengths = segment_places(blocks)[0]
    segments = np.searchsorted(ends, np.cumsum(lengths) - lengths, side="right")
    return np.asarray(np.minimum(segments, len(table.segments) - 1))


def _mean_of_segments(marginals: Floats, blocks: BlockTable) -> Floats:
    """(n, 3) mean over the words of each block, from (S, 3); over its segments if it has none."""
    owner, n = blocks.block_of_segment, len(blocks)
    weight = np.where(blocks.words[owner] > 0, blocks.segment_words, 1).astype(np.float64)
    total = np.bincount(owner, weight, n)
    sums = [np.bincount(owner, weight * marginals[:, label], n) for label in Label]
    return np.asarray(np.stack(sums, axis=1) / np.maximum(total, 1.0)[:, None])


def uncertainty(suggestion: Suggestion) -> float:
    """The share of a page that its labeler expects to be labelled wrong, 0..1.

    It is the mean over all words of 1 - p, where p is the probability of the label suggested for
    the block of the word: the least-confidence score of a sequence (Settles and Craven 2008,
    section 3.1), word by word. It is a mean and not a sum because a page of twice the words takes
    about twice the time to label. A page without blocks has 0.
    """
    if not len(suggestion.words):
        return 0.0
    chosen = from_letters(suggestion.labels)
    confidence = suggestion.marginals[np.arange(len(chosen)), chosen]
    return float(np.average(1.0 - np.clip(confidence, 0.0, 1.0), weights=suggestion.words))


def disagreement(first: str, second: str, words: Floats) -> float:
    """Share of the words of a page that one labeler keeps and the other drops, 0..1.

    Header and text count as one, because many labelers only tell kept from dropped.

    Args:
        first: labels of the n blocks, a letter each.
        second: those of the other labeler.
        words: (n,) words per block.
    """
    if not len(words):
        return 0.0
    kept = [from_letters(letters) != Label.OTHER for letters in (first, second)]
    return float(np.average(kept[0] != kept[1], weights=words))
