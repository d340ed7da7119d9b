"""Search for the constants with which a rule-based labeler cleans annotated pages best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED
from victor.config import Section, from_data
from victor.corpus.pages import AnnotatedPage
from victor.labelers import Labeler
from victor.measures.word_bags import WordBags, word_bags
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.training.dataset import label_blocks

Constants = TypeVar("Constants", bound=Section)
Space = Mapping[str, Sequence[object]]
"""Dotted key of each constant to the values that are tried, in order."""

_LEAST_GAIN: Final = 1e-6


@dataclass(frozen=True)
class SearchResult(Generic[Constants]):
    """The outcome of a search.

    Attributes:
        settings: the best constants.
        score: their mean word F over pages, 0..1.
        start: the score of the constants that the search began with.
        tried: how many different constants were scored.
    """

    settings: Constants
    score: float
    start: float
    tried: int


def search(
    pages: Iterable[AnnotatedPage],
    start: Constants,
    build: Callable[[Constants], Labeler],
    space: Space,
    *,
    rounds: int = 3,
    progress: Callable[[int], None] = lambda _: None,
) -> SearchResult[Constants]:
    """Change one constant after the other while the mean word F of the pages rises.

    Deterministic: constants and their values are tried in the order of the space, and the first of
    equal scores stays.

    Args:
        pages: annotated pages; those without gold text are left out.
        start: constants to begin with.
        build: the labeler with given constants; all have to split pages alike.
        space: the values to try of each constant.
        rounds: how many times to go through all constants; it ends when none has changed.
        progress: called with the number of constants tried since the last call.

    Raises:
        CorpusError: no page has a gold text.
    """
    gold = _Gold.of([page for page in pages if page.gold is not None], build(start))
    scores: dict[Constants, float] = {}

    def score(settings: Constants) -> float:
        if settings not in scores:
            scores[settings] = gold.score(build(settings))
            progress(1)
        return scores[settings]

    choices = [(key, value) for key, values in space.items() for value in values]
    best = start
    for _ in range(rounds):
        before = best
        for key, value in choices:
            settings = replaced(best, key, value)
            if score(settings) > score(best) + _LEAST_GAIN:
                best = settings
        if best == before:
            break
    return SearchResult(best, score(best), score(start), len(scores))


def replaced(settings: Constants, key: str, value: object) -> Constants:
    """The same constants except for the one at a dotted key."""
    data = section = settings.to_data()
    *sections, leaf = key.split(".")
    for name in sections:
        section = section[name]
    section[leaf] = value
    return from_data(type(settings), data, key)


@dataclass(frozen=True, eq=False)
class _Gold:
    """Pages in batches, and the words of their blocks and of their gold texts.

    As in `victor evaluate`, blocks that nobody could label do not count.
    """

    tables: tuple[BlockTable, ...]
    labelled: Bools
    bags: WordBags

    @classmethod
    def of(cls, pages: Sequence[AnnotatedPage], labeler: Labeler) -> _Gold:
        """The words of pages as a labeler splits them into blocks.

        Raises:
            CorpusError: there are no pages.
        """
        if not pages:
            raise CorpusError("no page has a gold text to search constants by; name another corpus")
        labelled = label_blocks(pages, labeler)
        texts = [text for table in labelled.tables for text in block_texts(table)]
        bounds = pairwise(labelled.page_starts.tolist())
        bags = word_bags(
            (texts[start:stop], page.gold or "")
            for page, (start, stop) in zip(labelled.pages, bounds, strict=True)
        )
        return cls(labelled.tables, labelled.labels != UNLABELLED, bags)

    def score(self, labeler: Labeler) -> float:
        """Mean word F of the pages as the labeler cleans them."""
        kept = np.concatenate([labeler.label(table).kept for table in self.tables])
        return float(self._page_f(kept & self.labelled).mean())

    def _page_f(self, kept: Bools) -> NDArray[np.float64]:
        """(P,) word F of every page; 1 where nothing is wanted and nothing is kept."""
        bags, n = self.bags, len(self.bags.gold_sizes)
        times = np.bincount(bags.word[kept[bags.block]], minlength=len(bags.page))
        hits = np.bincount(bags.page, weights=np.minimum(times, bags.gold_counts), minlength=n)
        both = np.bincount(bags.page, weights=times, minlength=n) + bags.gold_sizes
        return np.where(both > 0, 2 * hits / np.maximum(both, 1), 1.0)
