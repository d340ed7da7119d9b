"""Precision and recall at every distinct threshold, and the thresholds worth choosing.

A block is kept while p(other) is below the threshold, as in `victor.model.decide`, so each choice
keeps all that the one before keeps. Blocks that nobody could label are left out: they count neither
among the blocks nor among the words. The words of a page are the words of its kept blocks. With
``split: block`` that is what scoring its clean text gives; with ``split: tag`` a word that an
inline tag cuts counts as its pieces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.evaluation.predictions import Predictions
from victor.measures.aggregates import ratio
from victor.measures.word_bags import WordBags, word_bags
from victor.measures.words import Score
from victor.model.decide import decide

Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ThresholdScores:
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
    """(5, E) scores of pages; an empty gold text scores 1 for an empty prediction and else 0."""
    scores = _ratios(hits, kept, gold)
    is_empty = gold == 0
    scores[:, is_empty] = kept[is_empty] == 0
    return scores


def _ratios(hits: Numbers, kept: Numbers, gold: Numbers) -> Floats:
    """(5, n) precision, recall and F with beta 1, 0.5 and 2; a ratio of nothing is 0."""
    precision, recall = ratio(hits, kept, 0.0), ratio(hits, gold, 0.0)
    product = precision * recall
    f = [
        ratio((1 + beta * beta) * product, beta * beta * precision + recall, 0.0)
        for beta in (1.0, 0.5, 2.0)
    ]
    return np.array([precision, recall, *f])


MEASURES: Final = ("blocks", "words", "pages")
"""Kept blocks; words of all pages pooled; words page by page, then the mean over pages."""
_PRESET_PRECISION: Final = 0.95


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold worth choosing and what it gives in one measure."""

    name: str
    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Curve:
    """What cleaning gives at every threshold that makes a difference; T of them.

    Attributes:
        system: name for tables and plots.
        thresholds: (T,) float64 rising; the first is 0, which keeps nothing, and the last is 1,
            which keeps all that is not surely other. The others lie in the middle between two
            neighbouring values of p(other), as far from both as can be.
        values: (V,) float64 rising; the distinct p(other) below 1 of the labelled blocks.
        measures: points by name (`MEASURES`); ``words`` and ``pages`` only with gold texts.
        configured: scores of the configured decision by measure; empty for a decision that
            needs more than marginals.
    """

    system: str
    thresholds: Floats
    values: Floats
    measures: Mapping[str, ThresholdScores]
    configured: Mapping[str, Score]

    def points(self, measure: str) -> ThresholdScores:
        """The points of a measure.

        Raises:
            ConfigError: there is no such measure.
            CorpusError: it needs gold texts, which no page has.
        """
        if measure not in MEASURES:
            raise ConfigError(f"no measure {measure!r}; choose one of {', '.join(MEASURES)}")
        if measure not in self.measures:
            raise CorpusError(
                f"the measure {measure!r} needs pages that have gold texts; "
                "pages marked by hand get them by `victor annotate import -f html` and `export`"
            )
        return self.measures[measure]

    def at(self, threshold: float) -> dict[str, Score]:
        """Scores of cleaning with any threshold, by measure."""
        index = int(np.searchsorted(self.values, threshold, side="left"))
        return {name: points.score(index) for name, points in self.measures.items()}

    def best(self, measure: str) -> OperatingPoint:
        """The threshold of the highest F."""
        return best_f(self, measure)


def curve(predictions: Predictions) -> Curve:
    """Measure cleaning with every threshold that makes a difference.

    Thresholds take no part in training: a threshold that is chosen on this curve is honest if the
    marginals are of pages that their models did not see.
    """
    blocks = LabelledBlocks(predictions)
    values = np.unique(blocks.other[(blocks.other >= 0) & (blocks.other < 1)])
    middles = (values[:-1] + values[1:]) / 2
    # The middle of two neighbouring floats is one of them, and keeping is strict.
    middles = np.where(middles > values[:-1], middles, values[1:])
    thresholds = np.concatenate(([0.0], middles, [1.0]))
    entry = np.searchsorted(thresholds, blocks.other, side="right")
    return Curve(
        system=predictions.system,
        thresholds=thresholds,
        values=values,
        measures=blocks.measures(entry, len(thresholds)),
        configured=_configured(predictions, blocks),
    )


def best_f(curve: Curve, measure: str) -> OperatingPoint:
    """The threshold of the highest F; the lowest if several give it."""
    return _point(curve, measure, "best F", int(np.argmax(curve.points(measure).f1)))


def best_recall(curve: Curve, measure: str, precision: float) -> OperatingPoint | None:
    """The threshold of the highest recall with at least a precision, None if nothing reaches it."""
    points = curve.points(measure)
    index = _best(points.recall, points.precision, precision)
    name = f"best recall at precision >= {precision:g}"
    return None if index is None else _point(curve, measure, name, index)


def best_precision(curve: Curve, measure: str, recall: float) -> OperatingPoint | None:
    """The threshold of the highest precision with at least a recall, None if nothing reaches it."""
    points = curve.points(measure)
    index = _best(points.precision, points.recall, recall)
    name = f"best precision at recall >= {recall:g}"
    return None if index is None else _point(curve, measure, name, index)


def area(curve: Curve, measure: str) -> float:
    """Average precision: the precision of every step weighted by the recall it gains.

    For blocks it is scikit-learn's ``average_precision_score`` of p(keep), if no block has p(other)
    1: such blocks are never kept. In page means a page of which nothing is kept yet counts as
    precision 0, so that their area is smaller than it would be page by page.
    """
    points = curve.points(measure)
    return float(np.diff(points.recall, prepend=0.0) @ points.precision)


def presets(curve: Curve) -> dict[str, float]:
    """Thresholds for clean text, for complete text, and for a balance of both.

    ``balanced`` has the best page-mean word F, ``recall`` the best F with beta 2. ``precision``
    has the best recall with a precision of at least 0.95 or, where nothing is so precise, the best
    F with beta 0.5. None is on the wrong side of ``balanced``.

    Raises:
        CorpusError: no page has a gold text.
    """
    points = curve.points("pages")
    balanced = best_f(curve, "pages").threshold
    precise = best_recall(curve, "pages", _PRESET_PRECISION)
    half = float(curve.thresholds[np.argmax(points.f_half)])
    return {
        "precision": min(balanced, precise.threshold if precise else half),
        "balanced": balanced,
        "recall": max(balanced, float(curve.thresholds[np.argmax(points.f2)])),
    }


def preset_points(curve: Curve, measure: str) -> list[OperatingPoint]:
    """The presets as points of a measure; none without gold texts."""
    if "pages" not in curve.measures:
        return []
    return [
        _point(curve, measure, name, int(np.searchsorted(curve.thresholds, threshold)))
        for name, threshold in presets(curve).items()
    ]


def configured_points(curve: Curve, measure: str, name: str) -> list[OperatingPoint]:
    """The configured decision as a point without a threshold (nan), whatever its method.

    None where marginals do not determine it.
    """
    if measure not in curve.configured:
        return []
    score = curve.configured[measure]
    return [OperatingPoint(name, math.nan, score.precision, score.recall, score.f1)]


def _point(curve: Curve, measure: str, name: str, index: int) -> OperatingPoint:
    score = curve.points(measure).score(index)
    threshold = float(curve.thresholds[index])
    return OperatingPoint(name, threshold, score.precision, score.recall, score.f1)


def _best(values: Floats, bound: Floats, least: float) -> int | None:
    """Index of the highest of `values`, then `bound`, where `bound` is at least `least`."""
    allowed = np.flatnonzero(bound >= least)
    if not len(allowed):
        return None
    return int(allowed[np.lexsort((-bound[allowed], -values[allowed]))[0]])


def _configured(predictions: Predictions, blocks: LabelledBlocks) -> dict[str, Score]:
    """Scores of the configured decision."""
    if predictions.decision.method == "viterbi":  # needs more than marginals
        return {}
    labels = decide(predictions.marginals, predictions, predictions.decision)
    entry = (labels[blocks.rows] == Label.OTHER).astype(np.int64)
    return {name: points.score(0) for name, points in blocks.measures(entry, 1).items()}
