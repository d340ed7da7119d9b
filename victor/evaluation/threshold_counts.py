"""Scores of many choices of blocks at once, each of which holds the one before it.

Blocks that nobody could label are left out: they count neither among the blocks nor among the
words. The words of a page are the words of its kept blocks. With ``split: block`` that is what
scoring its clean text gives; with ``split: tag`` a word that an inline tag cuts counts as its
pieces.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Floats, Ints
from victor.evaluation.predictions import Predictions, page_slices
from victor.labels import UNLABELLED, Label
from victor.measures.words import Score, words

Numbers = NDArray[Any]

_NO_INTS: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Points:
    """One measure at T thresholds.

    Attributes:
        precision, recall: (T,) float64, a ratio of nothing is 0.
        f1, f_half, f2: (T,) float64 F-measures with beta 1, 0.5 and 2; for ``pages`` means of the
            pages' own F, not F of the means.
    """

    precision: Floats
    recall: Floats
    f1: Floats
    f_half: Floats
    f2: Floats

    def score(self, place: int) -> Score:
        """Precision, recall and F at one of the thresholds."""
        return Score(*(float(found[place]) for found in (self.precision, self.recall, self.f1)))


class Scored:
    """The m labelled blocks of predictions; what is counted of them."""

    def __init__(self, predictions: Predictions) -> None:
        self.rows = np.flatnonzero(predictions.labels != UNLABELLED)
        self.other = predictions.marginals[self.rows, Label.OTHER]
        self._is_content = predictions.labels[self.rows] != Label.OTHER
        self._bags = _bags(predictions)

    def measures(self, entry: Ints, n: int) -> dict[str, Points]:
        """Points at n thresholds.

        Args:
            entry: (m,) the first threshold, counted from 0, that keeps the block; n if none does.
            n: number of thresholds.
        """
        is_content, bags = self._is_content, self._bags
        wanted = int(is_content.sum())
        found = {"blocks": _pooled(entry, is_content, np.ones(len(entry)), wanted, n)}
        if len(bags.wanted):
            entry = entry[bags.rows]
            hits = _hits(bags, entry)
            found["words"] = _pooled(entry, hits, bags.words, int(bags.wanted.sum()), n)
            found["pages"] = _page_means(bags, hits, entry, n)
        return found


@dataclass(frozen=True, eq=False)
class _Bags:
    """The words of the G pages that have a gold text: b labelled blocks, K words.

    Attributes:
        rows: (b,) places of the blocks among all that are labelled.
        page: (b,) page of each block, 0 to G - 1, rising.
        words: (b,) words of each block.
        word, block: (K,) number of each word and its block, 0 to b - 1. Words of one number are
            the same word on the same page.
        limit: number of times that each word is in the gold text.
        wanted: (G,) words of each gold text.
    """

    rows: Ints
    page: Ints
    words: Ints
    word: Ints
    block: Ints
    limit: Ints
    wanted: Ints


def _bags(predictions: Predictions) -> _Bags:
    """Count the words of blocks and gold texts, page by page."""
    number = count()
    is_labelled = predictions.labels != UNLABELLED
    rows, sizes, lengths, found, wanted = [], [], [], [_NO_INTS], [_NO_INTS]
    for page, own in zip(predictions.pages, page_slices(predictions.page_starts), strict=True):
        if page.gold is None:
            continue
        labelled = own.start + np.flatnonzero(is_labelled[own])
        texts = [words(predictions.texts[row]) for row in labelled.tolist()]
        # A fresh table with a common counter: words of two pages never share a number.
        numbers: defaultdict[str, int] = defaultdict(number.__next__)
        found.append(_numbered(numbers, [*chain.from_iterable(texts)]))
        wanted.append(_numbered(numbers, words(page.gold)))
        rows.append(labelled)
        sizes.append(len(labelled))
        lengths += [len(text) for text in texts]
    return _Bags(
        rows=np.searchsorted(np.flatnonzero(is_labelled), np.concatenate([_NO_INTS, *rows])),
        page=np.repeat(np.arange(len(sizes)), sizes),
        words=np.array(lengths, dtype=np.int64),
        word=np.concatenate(found),
        block=np.repeat(np.arange(len(lengths)), lengths),
        limit=np.bincount(np.concatenate(wanted), minlength=next(number)),
        wanted=np.array([len(text) for text in wanted[1:]], dtype=np.int64),
    )


def _numbered(numbers: defaultdict[str, int], text: list[str]) -> Ints:
    return np.fromiter(map(numbers.__getitem__, text), dtype=np.int64, count=len(text))


def _hits(bags: _Bags, entry: Ints) -> Ints:
    """(b,) words of each block that are in the gold text and not yet used up.

    Of a word that is more often in the kept blocks than in the gold text those are hits that are
    kept first. Words of one threshold come in any order: they are only ever counted together.
    """
    order = np.lexsort((entry[bags.block], bags.word))
    word = bags.word[order]
    starts = np.flatnonzero(np.diff(word, prepend=-1))
    rank = np.arange(len(word)) - np.repeat(starts, np.diff(starts, append=len(word)))
    hit = order[rank < bags.limit[word]]
    return np.bincount(bags.block[hit], minlength=len(entry))


def _pooled(entry: Ints, hits: Numbers, found: Numbers, wanted: int, n: int) -> Points:
    """Points of counts summed over all blocks."""
    return Points(*_ratios(_entered(entry, hits, n), _entered(entry, found, n), np.full(n, wanted)))


def _entered(entry: Ints, counts: Numbers, n: int) -> Floats:
    """(n,) sum of the counts of the blocks that have entered."""
    return np.cumsum(np.bincount(entry, weights=counts, minlength=n)[:n])


def _page_means(bags: _Bags, hits: Ints, entry: Ints, n: int) -> Points:
    """Points of the means over pages of their scores.

    Each page changes its scores where one of its blocks enters; the changes of all pages, sorted
    by threshold and summed up, give the sums of scores at every threshold.
    """
    order = np.lexsort((entry, bags.page))
    order = order[entry[order] < n]
    page = bags.page[order]
    first = np.searchsorted(page, np.arange(len(bags.wanted)))
    found_hits, found = (_since(counts[order], first, page) for counts in (hits, bags.words))
    scores = _page_scores(found_hits, found, bags.wanted[page])
    is_empty = (bags.wanted == 0).astype(np.float64)
    changes = np.diff(scores, axis=1, prepend=0.0)
    is_first = np.diff(page, prepend=-1) != 0
    changes[:, is_first] = scores[:, is_first] - is_empty[page[is_first]]
    sums = [np.cumsum(np.bincount(entry[order], weights=change, minlength=n)) for change in changes]
    return Points(*((total + is_empty.sum()) / len(bags.wanted) for total in sums))


def _since(counts: Ints, first: Ints, page: Ints) -> Ints:
    """Running sums that begin anew on every page, whose first block is at `first`."""
    total = np.concatenate(([0], np.cumsum(counts)))
    return np.asarray(total[1:] - total[first[page]])


def _page_scores(hits: Ints, found: Ints, wanted: Ints) -> Floats:
    """(5, E) scores of pages; an empty gold text scores 1 for an empty prediction and else 0."""
    scores = _ratios(hits, found, wanted)
    empty = wanted == 0
    scores[:, empty] = found[empty] == 0
    return scores


def _ratios(hits: Numbers, found: Numbers, wanted: Numbers) -> Floats:
    """(5, n) precision, recall and F with beta 1, 0.5 and 2; a ratio of nothing is 0."""
    precision, recall = _ratio(hits, found), _ratio(hits, wanted)
    product = precision * recall
    f = [
        _ratio((1 + beta * beta) * product, beta * beta * precision + recall)
        for beta in (1.0, 0.5, 2.0)
    ]
    return np.array([precision, recall, *f])


def _ratio(part: Numbers, whole: Numbers) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
