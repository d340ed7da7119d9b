"""Where a system goes wrong: lost and wrongly kept words by place on the page and kind of page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Ints
from victor.evaluation.predictions import Predictions
from victor.evaluation.report.error_types import Fate
from victor.labels import UNLABELLED, Label

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
        code: (n,) int64 place in `names`.
        names: the groups.
    """

    code: Ints
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cause:
    """Words that went wrong in one group of blocks.

    Attributes:
        name: of the group.
        words: that went wrong.
        share: of all words that went wrong in this way, 0..1.
        rate: share of the group's own words with such a gold label that went wrong, 0..1.
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
    predictions: Predictions, fate: NDArray[np.uint8], wrong: Fate, groups: Grouping
) -> list[Cause]:
    """The groups with most words of one wrong fate, at most `MOST`, most words first.

    Args:
        predictions: the blocks.
        fate: (n,) `Fate` of each block.
        wrong: ``LOST`` or ``WRONGLY_KEPT``.
        groups: what to count by.
    """
    right = Fate.KEPT if wrong == Fate.LOST else Fate.DROPPED
    rows = np.flatnonzero(fate == wrong)
    words = _sums(groups, rows, predictions.words)
    beside = _sums(groups, np.flatnonzero(fate == right), predictions.words)
    page, site = page_of_block(predictions)[rows], _site_of_page(predictions)
    pages = _distinct(groups, rows, page)
    sites = _distinct(groups, rows, site[page])
    ranked = np.argsort(-words, kind="stable")[:MOST]
    return [
        Cause(
            name=groups.names[code],
            words=int(words[code]),
            share=float(words[code] / words.sum()),
            rate=float(words[code] / (words[code] + beside[code])),
            pages=int(pages[code]),
            sites=int(sites[code]),
        )
        for code in ranked.tolist()
        if words[code]
    ]


def page_of_block(predictions: Predictions) -> Ints:
    """(n,) int64 page of each block."""
    return np.repeat(np.arange(len(predictions.pages)), np.diff(predictions.page_starts))


def _sums(groups: Grouping, rows: Ints, words: Ints) -> Ints:
    """Words of the given blocks, by group."""
    found = np.bincount(groups.code[rows], weights=words[rows], minlength=len(groups.names))
    return found.astype(np.int64)


def _distinct(groups: Grouping, rows: Ints, of: Ints) -> Ints:
    """Distinct values among the given blocks, by group."""
    pairs = np.unique(np.stack([groups.code[rows], of]), axis=1)
    return np.bincount(pairs[0], minlength=len(groups.names))


def _site_of_page(predictions: Predictions) -> Ints:
    """(P,) int64 number of each page's site."""
    return _numbered(predictions.sites).code


def _numbered(names: Sequence[str]) -> Grouping:
    """Names as places in a list of distinct ones."""
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
    return Grouping(kinds.code[page_of_block(predictions)], kinds.names)


def _by_position(predictions: Predictions) -> Grouping:
    """Where a block is relative to the first and last block of its page that gold keeps."""
    page = page_of_block(predictions)
    labels, row = predictions.labels, np.arange(len(page))
    gold = np.flatnonzero((labels != Label.OTHER) & (labels != UNLABELLED))
    first = np.full(len(predictions.pages), len(page))
    last = np.full(len(predictions.pages), -1)
    np.minimum.at(first, page[gold], gold)
    np.maximum.at(last, page[gold], gold)
    code = np.where(row < first[page], 0, np.where(row > last[page], 2, 1))
    return Grouping(np.where(last[page] < 0, 3, code), _POSITIONS)


def by_group(
    predictions: Predictions, fate: NDArray[np.uint8], wrong: Fate
) -> Mapping[str, list[Cause]]:
    """The causes of one wrong fate by every grouping, by title."""
    found = groupings(predictions).items()
    return {title: causes(predictions, fate, wrong, groups) for title, groups in found}
