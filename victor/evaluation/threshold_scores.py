"""Scores of cleaning at many thresholds at once, of blocks and of words.

A block is kept while p(other) is below the threshold, as in `victor.model.decide`. Blocks that
nobody could label are left out: they count neither among the blocks nor among the words. The words
of a page are the words of its kept blocks. With ``split: block`` that is what scoring its clean
text gives; with ``split: tag`` a word that an inline tag cuts counts as its pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.labels import UNLABELLED, Label
from victor.evaluation.predictions import Predictions
from victor.measures.aggregates import ratio
from victor.measures.word_bags import WordBags, word_bags
from victor.measures.words import Score

Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ThresholdScores:
    """One measure at T thresholds.

    Attributes:
        precision, recall: (T,) float64, a ratio of nothing is 0.
        f1: (T,) float64; for ``pages`` means of the pages' own F, not F of the means.
    """

    precision: Floats
    recall: Floats
    f1: Floats

    def score(self, index: int) -> Score:
        """Precision, recall and F at one of the thresholds."""
        return Score(*(float(values[index]) for values in (self.precision, self.recall, self.f1)))


class LabelledBlocks:
    """The m labelled blocks of predictions, and how they score when some of them are kept.

    Attributes:
        rows: (m,) int64 their rows in the predictions.
        other: (m,) float64 p(other) of each.
    """

    def __init__(self, predictions: Predictions) -> None:
        self.rows = np.flatnonzero(predictions.labels != UNLABELLED)
        self.other = predictions.marginals[self.rows, Label.OTHER]
        self._is_content = predictions.labels[self.rows] != Label.OTHER
        self._gold_pages = _GoldPages.of(predictions, self.rows)

    def measures(self, entry: Ints, n: int) -> dict[str, ThresholdScores]:
        """Scores at n thresholds, by measure.

        Args:
            entry: (m,) the first threshold, counted from 0, that keeps the block; n if none does.
            n: number of thresholds.
        """
        is_content, gold_pages = self._is_content, self._gold_pages
        gold = int(is_content.sum())
        scores = {"blocks": _pooled(entry, is_content, np.ones(len(entry)), gold, n)}
        if len(gold_pages.bags.gold_sizes):
            entry, bags = entry[gold_pages.blocks], gold_pages.bags
            hits = _hits(bags, entry)
            scores["words"] = _pooled(entry, hits, bags.sizes, int(bags.gold_sizes.sum()), n)
            scores["pages"] = _page_means(gold_pages, hits, entry, n)
        return scores


@dataclass(frozen=True, eq=False)
class _GoldPages:
    """The G pages that have a gold text, and their b labelled blocks.

    Attributes:
        blocks: (b,) index of each block among all labelled ones.
        page: (b,) page of each block, 0 to G - 1, rising.
        bags: the words of the blocks and of the gold texts.
    """

    blocks: Ints
    page: Ints
    bags: WordBags

    @classmethod
    def of(cls, predictions: Predictions, rows: Ints) -> _GoldPages:
        """Take the pages with a gold text and the given rows, those of the labelled blocks."""
        page_rows = np.searchsorted(rows, predictions.page_starts)
        golds = [page.gold for page in predictions.pages]
        has_gold = np.array([gold is not None for gold in golds], dtype=bool)
        sizes = np.diff(page_rows)
        blocks = np.flatnonzero(np.repeat(has_gold, sizes))
        texts = [predictions.texts[row] for row in rows.tolist()]
        bags = word_bags(
            (texts[start:end], gold)
            for start, end, gold in zip(page_rows[:-1], page_rows[1:], golds, strict=True)
            if gold is not None
        )
        return cls(blocks, np.repeat(np.arange(has_gold.sum()), sizes[has_gold]), bags)


def _hits(bags: WordBags, entry: Ints) -> Ints:
    """(b,) words of each block that are in the gold text and not yet used up.

    Where the kept blocks have a word more often than the gold text, the words kept first are hits.
    Words of one threshold come in any order: they are only ever counted together.
    """
    order = np.lexsort((entry[bags.block], bags.word))
    word = bags.word[order]
    starts = np.flatnonzero(np.diff(word, prepend=-1))
    rank = np.arange(len(word)) - np.repeat(starts, np.diff(starts, append=len(word)))
    hit = order[rank < bags.gold_counts[word]]
    return np.bincount(bags.block[hit], minlength=len(entry))


def _pooled(entry: Ints, hits: Numbers, kept: Numbers, gold: int, n: int) -> ThresholdScores:
    """Scores from counts summed over all blocks."""
    hit_sums, kept_sums = _entered(entry, hits, n), _entered(entry, kept, n)
    return ThresholdScores(*_ratios(hit_sums, kept_sums, np.full(n, gold)))


def _entered(entry: Ints, counts: Numbers, n: int) -> Floats:
    """(n,) sum of the counts of the blocks that have entered."""
    return np.cumsum(np.bincount(entry, weights=counts, minlength=n)[:n])


def _page_means(gold_pages: _GoldPages, hits: Ints, entry: Ints, n: int) -> ThresholdScores:
    """Means of the scores of the pages.

    The scores of a page change where one of its blocks enters. The changes of all pages, sorted
    by threshold and summed up, give the sums of scores at every threshold.
    """
    order = np.lexsort((entry, gold_pages.page))
    order = order[entry[order] < n]
    page, bags = gold_pages.page[order], gold_pages.bags
    page_start = np.searchsorted(page, np.arange(len(bags.gold_sizes)))
    page_hits, page_words = (
        _since(counts[order], page_start, page) for counts in (hits, bags.sizes)
    )
    scores = _page_scores(page_hits, page_words, bags.gold_sizes[page])
    is_empty = (bags.gold_sizes == 0).astype(np.float64)
    changes = np.diff(scores, axis=1, prepend=0.0)
    is_first = np.diff(page, prepend=-1) != 0
    changes[:, is_first] = scores[:, is_first] - is_empty[page[is_first]]
    sums = [np.cumsum(np.bincount(entry[order], weights=change, minlength=n)) for change in changes]
    return ThresholdScores(*((total + is_empty.sum()) / len(bags.gold_sizes) for total in sums))


def _since(counts: Ints, first: Ints, page: Ints) -> Ints:
    """Running sums that begin anew on every page, whose first block is at `first`."""
    total = np.concatenate(([0], np.cumsum(counts)))
    return np.asarray(total[1:] - total[first[page]])


def _page_scores(hits: Ints, kept: Ints, gold: Ints) -> Floats:
    """(3, E) scores of pages; an empty gold text scores 1 for an empty prediction and else 0."""
    scores = _ratios(hits, kept, gold)
    is_empty = gold == 0
    scores[:, is_empty] = kept[is_empty] == 0
    return scores


def _ratios(hits: Numbers, kept: Numbers, gold: Numbers) -> Floats:
    """(3, n) precision, recall and F; a ratio of nothing is 0."""
    precision, recall = ratio(hits, kept, 0.0), ratio(hits, gold, 0.0)
    return np.array([precision, recall, ratio(2 * precision * recall, precision + recall, 0.0)])
