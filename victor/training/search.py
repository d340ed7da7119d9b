"""Search for the constants of a rule system that clean annotated pages best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Bools, Ints
from victor.config import Section, from_data
from victor.corpus.pages import AnnotatedPage
from victor.errors import CorpusError
from victor.labelers import Labeler
from victor.measures.words import words
from victor.page.blocks import BlockTable
from victor.page.texts import block_texts
from victor.training.dataset import cut

Constants = TypeVar("Constants", bound=Section)
Space = Mapping[str, Sequence[object]]
"""Dotted key of each constant to the values that are tried, in order."""

_LEAST_GAIN: Final = 1e-6


@dataclass(frozen=True)
class Found(Generic[Constants]):
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
) -> Found[Constants]:
    """Change one constant after the other while the mean word F of pages rises.

    Deterministic: constants and their values are tried in the order of the space, and of equal
    scores the first stays.

    Args:
        pages: annotated pages; those without gold text are left out.
        start: constants to begin with.
        build: the labeler with given constants; all have to cut pages alike.
        space: the values of each constant that are tried.
        rounds: how often all constants are gone through at most; it ends when none has changed.
        progress: called with the number of constants tried since the last call.

    Raises:
        CorpusError: no page has a gold text.
    """
    gold = _Gold.of([page for page in pages if page.gold is not None], build(start))
    known: dict[Constants, float] = {}

    def score(settings: Constants) -> float:
        if settings not in known:
            known[settings] = gold.score(build(settings))
            progress(1)
        return known[settings]

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
    return Found(best, score(best), score(start), len(known))


def replaced(settings: Constants, key: str, value: object) -> Constants:
    """The same constants but for the one at a dotted key."""
    data = settings.to_data()
    *above, last = key.split(".")
    place = data
    for name in above:
        place = place[name]
    place[last] = value
    return from_data(type(settings), data, key)


@dataclass(frozen=True, eq=False)
class _Gold:
    """Words of blocks and of gold texts; P pages with n blocks, W words, D distinct ones of a page.

    Attributes:
        tables: the pages in batches.
        word: (W,) int64 number of each word of the blocks, 0 to D - 1.
        block: (W,) int64 block of each word.
        limit: (D,) int64 how often the word stands in the gold text of its page.
        page: (D,) int64 page of each distinct word.
        wanted: (P,) int64 words of the gold text.
    """

    tables: tuple[BlockTable, ...]
    word: Ints
    block: Ints
    limit: Ints
    page: Ints
    wanted: Ints

    @classmethod
    def of(cls, pages: Sequence[AnnotatedPage], labeler: Labeler) -> _Gold:
        """The words of pages as a labeler cuts them.

        Raises:
            CorpusError: there is no page.
        """
        if not pages:
            raise CorpusError("no page has a gold text to search constants by; name another corpus")
        found = cut(pages, labeler)
        texts = [words(text) for table in found.tables for text in block_texts(table)]
        number, word, limit, page = count(), [], [], []
        for place, (first, last) in enumerate(pairwise(found.page_starts.tolist())):
            # A fresh table with a common counter: words of two pages never share a number.
            numbers: defaultdict[str, int] = defaultdict(number.__next__)
            word += [numbers[name] for text in texts[first:last] for name in text]
            limit += [numbers[name] for name in words(found.pages[place].gold or "")]
            page += [place] * len(numbers)
        lengths = [len(text) for text in texts]
        wanted = np.array([len(words(page.gold or "")) for page in found.pages], dtype=np.int64)
        return cls(
            found.tables,
            np.array(word, dtype=np.int64),
            np.repeat(np.arange(len(texts)), lengths),
            np.bincount(np.array(limit, dtype=np.int64), minlength=len(page)),
            np.array(page, dtype=np.int64),
            wanted,
        )

    def score(self, labeler: Labeler) -> float:
        """Mean word F of the pages as a labeler cleans them."""
        kept = np.concatenate([labeler.label(table).kept for table in self.tables])
        return float(self._page_f(kept).mean())

    def _page_f(self, kept: Bools) -> NDArray[np.float64]:
        """(P,) word F of every page; 1 for a page of which nothing is wanted and nothing kept."""
        n = len(self.wanted)
        times = np.bincount(self.word[kept[self.block]], minlength=len(self.page))
        hits = np.bincount(self.page, weights=np.minimum(times, self.limit), minlength=n)
        both = np.bincount(self.page, weights=times, minlength=n) + self.wanted
        return np.where(both > 0, 2 * hits / np.maximum(both, 1), 1.0)
