"""Scores of cleaning at many thresholds at once, and the thresholds worth choosing.

A block is kept while p(other) is below the threshold, as in `victor.model.decide`. Blocks that
nobody could label are left out: they count neither among the blocks nor among the words. The words
of a page are the words of its kept blocks. With ``split: block`` that is what scoring its clean
text gives; with ``split: tag`` a word that an inline tag cuts counts as its pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.evaluation.predictions import Predictions
from victor.measures.averages import harmonic, ratios
from victor.measures.words import Score, WordBags, word_bags
from victor.model.decide import Presets, Reached

MEASURES: Final = ("blocks", "words", "pages")
"""Kept blocks; words of all pages pooled; words page by page, then the mean over pages."""
_GOAL: Final = 0.95
GOALS: Final = {
    "precision": f"a precision of {_GOAL:g}",
    "balanced": "any word of the content",
    "recall": f"a recall of {_GOAL:g}",
}
"""Names of presets to what they are to reach."""
_LEVELS: Final = (0.95, 0.9)  # precision, or recall, that an operating point is to give
_ASKED: Final = tuple(percent / 100 for percent in range(80, 100))
_THRESHOLDS: Final = np.arange(10_001) / 10_000
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
        golds = [page.gold for page in predictions.pages]
        has_gold = np.array([gold is not None for gold in golds], dtype=bool)
        starts = np.searchsorted(self.rows, predictions.page_starts)
        sizes = np.diff(starts)
        texts = [predictions.texts[row] for row in self.rows.tolist()]
        self._of_gold = np.repeat(has_gold, sizes)
        self._page = np.repeat(np.arange(has_gold.sum()), sizes[has_gold])
        self._bags = word_bags(
            (texts[start:end], gold)
            for start, end, gold in zip(starts[:-1], starts[1:], golds, strict=True)
            if gold is not None
        )

    def measures(self, entry: Ints, n: int) -> dict[str, ThresholdScores]:
        """Scores at n thresholds, by measure.

        Args:
            entry: (m,) the first threshold, counted from 0, that keeps the block; n if none does.
            n: number of thresholds.
        """
        gold, bags = int(self._is_content.sum()), self._bags
        scores = {"blocks": _pooled(entry, self._is_content, np.ones(len(entry)), gold, n)}
        if len(bags.gold_sizes):
            entry = entry[self._of_gold]
            hits = _hits(bags, entry)
            scores["words"] = _pooled(entry, hits, bags.sizes, int(bags.gold_sizes.sum()), n)
            scores["pages"] = _page_means(self._page, bags, hits, entry, n)
        return scores


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
    hit_sums, kept_sums = _entered(entry, hits, n), _entered(entry, kept, n)
    return ThresholdScores(*ratios(hit_sums, kept_sums, np.full(n, gold)).T)


def _entered(entry: Ints, counts: Numbers, n: int) -> Floats:
    """(n,) sum of the counts of the blocks that have entered."""
    return np.cumsum(np.bincount(entry, weights=counts, minlength=n)[:n])


def _page_means(page: Ints, bags: WordBags, hits: Ints, entry: Ints, n: int) -> ThresholdScores:
    """Means of the scores of pages, given the page of every block.

    The scores of a page change where one of its blocks enters. The changes of all pages, sorted
    by threshold and summed up, give the sums of scores at every threshold.
    """
    order = np.lexsort((entry, page))
    order = order[entry[order] < n]
    page = page[order]
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
    scores = ratios(hits, kept, gold).T
    is_empty = gold == 0
    scores[:, is_empty] = kept[is_empty] == 0
    return scores


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
        predictions: what was swept.
    """

    system: str
    thresholds: Floats
    values: Floats
    measures: Mapping[str, ThresholdScores]
    configured: Mapping[str, Score]
    predictions: Predictions

    @cached_property
    def presets(self) -> Presets:
        """Thresholds to store in a model, see `choose`."""
        return choose(self.predictions)

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
                "pages marked by hand get them by `victor annotate import`, then `export`"
            )
        return self.measures[measure]

    def at(self, threshold: float) -> dict[str, Score]:
        """Scores of cleaning with any threshold, by measure."""
        index = self.index(threshold)
        return {name: points.score(index) for name, points in self.measures.items()}

    def index(self, threshold: float) -> int:
        """Number of the threshold that keeps what any threshold keeps."""
        return int(np.searchsorted(self.values, threshold, side="left"))


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
        predictions=predictions,
    )


def best_f(curve: Curve, measure: str) -> OperatingPoint:
    """The threshold of the highest F; the lowest if several give it."""
    return _point(curve, measure, "best F", int(np.argmax(curve.points(measure).f1)))


def best_recall(curve: Curve, measure: str, precision: float) -> OperatingPoint | None:
    """The threshold of the highest recall with at least a precision, None if nothing reaches it."""
    points, name = curve.points(measure), f"best recall at precision >= {precision:g}"
    return _best(curve, measure, name, points.recall, points.precision, precision)


def best_precision(curve: Curve, measure: str, recall: float) -> OperatingPoint | None:
    """The threshold of the highest precision with at least a recall, None if nothing reaches it."""
    points, name = curve.points(measure), f"best precision at recall >= {recall:g}"
    return _best(curve, measure, name, points.precision, points.recall, recall)


def operating_points(curve: Curve, measure: str) -> list[OperatingPoint]:
    """Thresholds worth choosing; what nothing reaches is left out."""
    points = [
        best_f(curve, measure),
        *(best_recall(curve, measure, least) for least in _LEVELS),
        *(best_precision(curve, measure, least) for least in _LEVELS),
    ]
    return [point for point in points if point is not None]


def area(curve: Curve, measure: str) -> float:
    """Average precision: the precision of every step weighted by the recall it gains.

    For blocks it is scikit-learn's ``average_precision_score`` of p(keep), if no block has p(other)
    1: such blocks are never kept. In page means a page of which nothing is kept yet counts as
    precision 0, so that their area is smaller than it would be page by page.
    """
    points = curve.points(measure)
    return float(np.diff(points.recall, prepend=0.0) @ points.precision)


def preset_points(curve: Curve, measure: str) -> list[OperatingPoint]:
    """The presets that were reached as points of any measure."""
    return [
        _point(curve, measure, name, curve.index(threshold))
        for name, threshold in curve.presets.items()
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


def _best(
    curve: Curve, measure: str, name: str, values: Floats, bound: Floats, least: float
) -> OperatingPoint | None:
    """The point of the highest of `values`, then `bound`, where `bound` is at least `least`."""
    allowed = np.flatnonzero(bound >= least)
    if not len(allowed):
        return None
    best = allowed[np.lexsort((-bound[allowed], -values[allowed]))[0]]
    return _point(curve, measure, name, int(best))


def _configured(predictions: Predictions, blocks: LabelledBlocks) -> dict[str, Score]:
    if predictions.decision.method == "viterbi":  # needs more than marginals
        return {}
    entry = (predictions.decided[blocks.rows] == Label.OTHER).astype(np.int64)
    return {name: points.score(0) for name, points in blocks.measures(entry, 1).items()}


def choose(predictions: Predictions) -> Presets:
    """The presets of a model: thresholds for clean text, for complete text, and for both.

    They are chosen on the words that are kept and not page by page: a page of which nothing is
    kept has no precision, so that a mean over pages falls where a threshold rightly empties pages,
    and a page without content that gives three words weighs as much as a book. Every corpus weighs
    the same, because the next corpus need not resemble the largest one.

    ``precision`` is the loosest threshold whose precision is at least 0.95, ``recall`` the
    strictest one whose recall is, ``balanced`` that of the best F, and none is on the wrong side
    of it. What cannot be reached is left out. Precision and recall are means over corpora of
    those of their pooled words, or of their blocks where no page has a gold text. The curve has
    the loosest threshold for every precision from 0.80 to 0.99.

    Args:
        predictions: of models that did not see the pages.
    """
    names = np.array([page.corpus or "pages" for page in predictions.pages])
    parts = {
        name: predictions.select(np.flatnonzero(names == name))
        for name in dict.fromkeys(names.tolist())
    }
    scores = {name: _scores(part) for name, part in parts.items()}
    measure = "words" if any("words" in measures for measures in scores.values()) else "blocks"
    by_corpus = {name: each[measure] for name, each in scores.items() if measure in each}
    precision = np.mean([points.precision for points in by_corpus.values()], axis=0)
    recall = np.mean([points.recall for points in by_corpus.values()], axis=0)

    def reached(index: int) -> Reached:
        # In the middle of those that keep the same, as far from the next block as can be.
        alike = np.flatnonzero((precision == precision[index]) & (recall == recall[index]))
        middle = (alike[0] + alike[-1]) // 2
        return Reached(*(float(values[middle]) for values in (_THRESHOLDS, precision, recall)))

    return Presets(
        {name: reached(index) for name, index in _named(precision, recall)},
        {
            least: reached(int(rows[-1]))
            for least in _ASKED
            if len(rows := np.flatnonzero(precision >= least))
        },
        measure=measure,
        protocol=predictions.protocol,
        pages={
            name: sum(page.gold is not None or measure == "blocks" for page in parts[name].pages)
            for name in by_corpus
        },
    )


def _named(precision: Floats, recall: Floats) -> Iterator[tuple[str, int]]:
    """The named presets that are reached, as indices of thresholds."""
    f1 = harmonic(precision, recall)
    balanced = int(np.argmax(f1))
    precise, complete = np.flatnonzero(precision >= _GOAL), np.flatnonzero(recall >= _GOAL)
    if len(precise):
        yield "precision", min(balanced, int(precise[-1]))
    if f1[balanced] > 0:
        yield "balanced", balanced
    if len(complete):
        yield "recall", max(balanced, int(complete[0]))


def _scores(predictions: Predictions) -> dict[str, ThresholdScores]:
    blocks = LabelledBlocks(predictions)
    entry = np.searchsorted(_THRESHOLDS, blocks.other, side="right")
    return blocks.measures(entry, len(_THRESHOLDS))
