"""What a system made of each block, and where it goes wrong, by place and by type of page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.base.cached import cached_property
from victor.base.labels import UNLABELLED, Label
from victor.evaluation.predictions import Predictions, page_slices
from victor.measures.words import WordScore, word_score
from victor.model.decide import decide


class BlockOutcome(IntEnum):
    """Gold label and decision of a block together; header and text are one."""

    KEPT = 0
    DROPPED = 1
    LOST = 2
    WRONGLY_KEPT = 3
    UNLABELLED = 4


def block_outcomes(labels: NDArray[np.uint8], kept: Bools) -> NDArray[np.uint8]:
    """The outcome of each block.

    Args:
        labels: (n,) gold labels, or `victor.base.labels.UNLABELLED`.
        kept: (n,) what a system keeps.

    Returns:
        (n,) uint8 values of `BlockOutcome`.
    """
    content = np.where(kept, BlockOutcome.KEPT, BlockOutcome.LOST)
    other = np.where(kept, BlockOutcome.WRONGLY_KEPT, BlockOutcome.DROPPED)
    outcomes = np.where(labels == Label.OTHER, other, content)
    return np.where(labels == UNLABELLED, BlockOutcome.UNLABELLED, outcomes).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """A system's decision beside the gold standard: n blocks on P pages."""

    predictions: Predictions

    @cached_property
    def labels(self) -> NDArray[np.uint8]:
        """(n,) labels as the system is configured to decide, as far as marginals determine it."""
        predictions = self.predictions
        return decide(
            predictions.marginals,
            predictions,
            predictions.decision.on_marginals,
            p_no_content=predictions.p_no_content,
        )

    @cached_property
    def kept(self) -> Bools:
        """(n,) blocks that the system keeps."""
        return np.asarray(self.labels != Label.OTHER)

    @cached_property
    def outcomes(self) -> NDArray[np.uint8]:
        """(n,) `BlockOutcome` of each block."""
        return block_outcomes(self.predictions.labels, self.kept)

    @cached_property
    def gold_texts(self) -> list[str]:
        """(P) gold texts; for a page that has none, the text of its blocks with a gold label."""
        pages = zip(self.predictions.pages, self._texts(self._is_gold), strict=True)
        return [text if page.gold is None else page.gold for page, text in pages]

    @cached_property
    def scores(self) -> list[WordScore]:
        """(P) word score of the kept blocks; unlabelled blocks count as dropped."""
        return self._scores(self.kept & (self.predictions.labels != UNLABELLED))

    @cached_property
    def reachable(self) -> list[WordScore]:
        """(P) word score that keeping by the gold labels would give."""
        return self._scores(self._is_gold)

    @property
    def _is_gold(self) -> Bools:
        return np.isin(self.predictions.labels, (Label.HEADER, Label.TEXT))

    def _scores(self, kept: Bools) -> list[WordScore]:
        texts = zip(self._texts(kept), self.gold_texts, strict=True)
        return [word_score(text, gold) for text, gold in texts]

    def _texts(self, kept: Bools) -> list[str]:
        """Text of the given blocks, page by page."""
        texts = self.predictions.texts
        return [
            "\n".join([texts[page.start + row] for row in np.flatnonzero(kept[page]).tolist()])
            for page in page_slices(self.predictions.page_starts)
        ]


MOST: Final = 20
"""Causes in a table."""
_LEVELS: Final = 3
"""Elements that name a place: the innermost ones."""
_POSITIONS: Final = (
    "before the first gold block",
    "between gold blocks",
    "after the last gold block",
    "page without gold blocks",
)


@dataclass(frozen=True, eq=False)
class Grouping:
    """A name for every block.

    Attributes:
        code: (n,) int64 index in `names`.
        names: the groups.
    """

    code: Ints
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cause:
    """Words lost, or wrongly kept, in one group of blocks.

    Attributes:
        name: of the group.
        words: number of these words.
        share: of all words with this error, 0..1.
        rate: share of the group's words with such a gold label that have this error, 0..1.
        pages, sites: on how many these words are.
    """

    name: str
    words: int
    share: float
    rate: float
    pages: int
    sites: int


def groupings(predictions: Predictions) -> dict[str, Grouping]:
    """The groups by which errors are counted, by title."""
    return {
        "Tag path": _by_path(predictions),
        "Class attribute": _by_class(predictions),
        "Page type": _by_kind(predictions),
        "Position": _by_position(predictions),
    }


def causes(
    predictions: Predictions, outcomes: NDArray[np.uint8], error: BlockOutcome, groups: Grouping
) -> list[Cause]:
    """The groups with most words of one error, at most `MOST`, most words first.

    Args:
        predictions: the blocks.
        outcomes: (n,) `BlockOutcome` of each block.
        error: ``LOST`` or ``WRONGLY_KEPT``.
        groups: what to count by.
    """
    right = BlockOutcome.KEPT if error == BlockOutcome.LOST else BlockOutcome.DROPPED
    rows = np.flatnonzero(outcomes == error)
    words = _sums(groups, rows, predictions.words)
    right_words = _sums(groups, np.flatnonzero(outcomes == right), predictions.words)
    page = _page_of_block(predictions)[rows]
    pages = _distinct(groups, rows, page)
    sites = _distinct(groups, rows, _numbered(predictions.sites).code[page])
    ranked = np.argsort(-words, kind="stable")[:MOST]
    return [
        Cause(
            name=groups.names[code],
            words=int(words[code]),
            share=float(words[code] / words.sum()),
            rate=float(words[code] / (words[code] + right_words[code])),
            pages=int(pages[code]),
            sites=int(sites[code]),
        )
        for code in ranked.tolist()
        if words[code]
    ]


def _page_of_block(predictions: Predictions) -> Ints:
    """(n,) int64 page of each block."""
    return np.repeat(np.arange(len(predictions.pages)), np.diff(predictions.page_starts))


def _sums(groups: Grouping, rows: Ints, words: Ints) -> Ints:
    """Words of the given blocks, by group."""
    sums = np.bincount(groups.code[rows], weights=words[rows], minlength=len(groups.names))
    return sums.astype(np.int64)


def _distinct(groups: Grouping, rows: Ints, values: Ints) -> Ints:
    """Number of distinct values among the given blocks, by group."""
    pairs = np.unique(np.stack([groups.code[rows], values]), axis=1)
    return np.bincount(pairs[0], minlength=len(groups.names))


def _numbered(names: Sequence[str]) -> Grouping:
    """Names as indices in the list of distinct ones."""
    numbers: dict[str, int] = {}
    code = [numbers.setdefault(name, len(numbers)) for name in names]
    return Grouping(np.array(code, dtype=np.int64), list(numbers))


def _by_path(predictions: Predictions) -> Grouping:
    """The innermost elements around a block."""
    short = _numbered(["/".join(path.split("/")[-_LEVELS:]) for path in predictions.paths])
    return Grouping(short.code[predictions.path], _named(short.names, "outside any element"))


def _by_class(predictions: Predictions) -> Grouping:
    """The nearest class attribute around a block."""
    return Grouping(predictions.css_class, _named(predictions.css_classes, "no class"))


def _named(names: Sequence[str], empty: str) -> list[str]:
    """Names, the empty one in words."""
    return [name or f"({empty})" for name in names]


def _by_kind(predictions: Predictions) -> Grouping:
    """The type of the page."""
    kinds = _numbered(predictions.kinds)
    return Grouping(kinds.code[_page_of_block(predictions)], kinds.names)


def _by_position(predictions: Predictions) -> Grouping:
    """Where a block is relative to the first and last block of its page that gold keeps."""
    page = _page_of_block(predictions)
    labels, row = predictions.labels, np.arange(len(page))
    gold = np.flatnonzero((labels != Label.OTHER) & (labels != UNLABELLED))
    first_gold = np.full(len(predictions.pages), len(page))
    last_gold = np.full(len(predictions.pages), -1)
    np.minimum.at(first_gold, page[gold], gold)
    np.maximum.at(last_gold, page[gold], gold)
    code = np.where(row < first_gold[page], 0, np.where(row > last_gold[page], 2, 1))
    return Grouping(np.where(last_gold[page] < 0, 3, code), _POSITIONS)


def causes_by_group(
    predictions: Predictions, outcomes: NDArray[np.uint8], error: BlockOutcome
) -> Mapping[str, list[Cause]]:
    """The causes of one error by every grouping, by title."""
    return {
        title: causes(predictions, outcomes, error, groups)
        for title, groups in groupings(predictions).items()
    }
