"""Choose the presets of a model: thresholds that reach a precision or a recall.

They are chosen on the words that are kept and not page by page: a page of which nothing is kept has
no precision, so that a mean over pages falls where a threshold rightly empties pages, and a page
without content that gives three words weighs as much as a book. Every corpus weighs the same,
because the next corpus need not resemble the largest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.evaluation.predictions import Predictions
from victor.evaluation.threshold_scores import LabelledBlocks, ThresholdScores
from victor.measures.aggregates import ratio
from victor.model.presets import Presets, Reached
from victor.training.dataset import block_rows

_GOAL: Final = 0.95
GOALS: Final = {
    "precision": f"a precision of {_GOAL:g}",
    "balanced": "any word of the content",
    "recall": f"a recall of {_GOAL:g}",
}
"""Names of presets to what they are to reach."""
_ASKED: Final = tuple(percent / 100 for percent in range(80, 100))
_THRESHOLDS: Final = np.arange(10_001) / 10_000
_UNNAMED: Final = "pages"


def choose(predictions: Predictions) -> Presets:
    """Thresholds for clean text, for complete text, and for a balance of both.

    ``precision`` is the loosest threshold whose precision is at least 0.95, ``recall`` the
    strictest one whose recall is, ``balanced`` that of the best F, and none is on the wrong side
    of it. What cannot be reached is left out. Precision and recall are means over corpora of
    those of their pooled words, or of their blocks where no page has a gold text. The curve has
    the loosest threshold for every precision from 0.80 to 0.99.

    Args:
        predictions: of models that did not see the pages.
    """
    parts = dict(corpora(predictions))
    scores = {name: _scores(part) for name, part in parts.items()}
    with_words = {
        name: measures["words"] for name, measures in scores.items() if "words" in measures
    }
    by_corpus = with_words or {name: measures["blocks"] for name, measures in scores.items()}
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
        measure="words" if with_words else "blocks",
        protocol=predictions.protocol,
        pages={name: _counted(parts[name], is_by_words=bool(with_words)) for name in by_corpus},
    )


def _counted(predictions: Predictions, *, is_by_words: bool) -> int:
    """How many pages count: by words those that have a gold text."""
    return sum(page.gold is not None or not is_by_words for page in predictions.pages)


def _named(precision: Floats, recall: Floats) -> Iterator[tuple[str, int]]:
    """The named presets that are reached, as indices of thresholds."""
    f1 = ratio(2 * precision * recall, precision + recall, 0.0)
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


def corpora(predictions: Predictions) -> Iterator[tuple[str, Predictions]]:
    """The predictions of the pages of every corpus."""
    names = [page.corpus or _UNNAMED for page in predictions.pages]
    for name in Counter(names):
        yield name, selected(predictions, np.flatnonzero(np.array(names) == name))


def selected(predictions: Predictions, pages: Ints) -> Predictions:
    """The predictions of some pages."""
    starts = predictions.page_starts
    rows = block_rows(starts, pages)
    names = ("labels", "marginals", "words", "path", "css_class")
    return replace(
        predictions,
        pages=tuple(predictions.pages[page] for page in pages.tolist()),
        page_starts=np.concatenate(([0], np.cumsum(np.diff(starts)[pages]))),
        texts=tuple(predictions.texts[row] for row in rows.tolist()),
        page_measures=predictions.page_measures[pages],
        p_no_content=predictions.p_no_content[pages],
        **{name: getattr(predictions, name)[rows] for name in names},
    )
