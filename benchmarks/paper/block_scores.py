"""Scores of blocks as the paper of 2008 has them, with intervals, and the table that shows them.

Scores are functions of sums over sites, so resampled corpora cost one product of matrices. Two
settings scored on the same pages see the same draws: the interval of a difference is paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from paper.published import Figures
from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.evaluation.scores import assess
from victor.measures.averages import aligned, bootstrap_sums, site_sums, spread
from victor.model.decide import Decision
from victor.training.dataset import Dataset

MEASURES: Final = (
    "accuracy",
    "accuracy, unlabelled",
    "precision",
    "recall",
    "F",
    "F header",
    "F text",
    "word precision",
    "word recall",
    "word F",
)
"""Of blocks, pooled, the paper's four in its order first: accuracy over three labels, accuracy,
precision and recall of keeping against dropping. Of words, page means."""
_WORDS: Final = slice(9, 12)
_WITH_GOLD: Final = 12
"""Addends of a page: 9 counts of a confusion, 3 word scores, 1 if it has a gold text."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Every measure in percent: on the pages as they are, and on corpora resampled by site.

    Attributes:
        values: (1 + R, M), the pages as they are first.
    """

    values: Floats

    def __sub__(self, other: Scores) -> Scores:
        """Difference of two settings on the same pages."""
        return Scores(self.values - other.values)

    def cells(self, sign: str = "") -> list[str]:
        """Every measure with its 95 % interval; a dash for what no page defines."""
        return [_cell(column, sign) for column in self.values.T]


def scored(
    dataset: Dataset, predicted: Floats, decision: Decision, on: NDArray[np.bool_] | None = None
) -> Scores:
    """Scores of marginals by a decision, on all pages or on those that `on` marks."""
    scores = assess(dataset, predicted, decision.on_marginals)
    addends = np.zeros((len(dataset.pages), _WITH_GOLD + 1))
    addends[:, : _WORDS.start] = [page.confusion.ravel() for page in scores.blocks]
    with_gold = [row for row, page in enumerate(dataset.pages) if page.gold is not None]
    for row, score in zip(with_gold, scores.words, strict=True):
        addends[row, _WORDS] = score.precision, score.recall, score.f1
        addends[row, _WITH_GOLD] = 1
    chosen = np.flatnonzero(np.ones(len(addends), bool) if on is None else on)
    sites = site_sums(addends[chosen], [dataset.sites[page] for page in chosen])
    return Scores(measures(np.vstack([sites.sum(axis=0), bootstrap_sums(sites)])))


def all_other(dataset: Dataset, on: NDArray[np.bool_] | None = None) -> Scores:
    """Scores of the trivial system that labels every block *other*."""
    certain = np.zeros((len(dataset.labels), len(Label)))
    certain[:, Label.OTHER] = 1
    return scored(dataset, certain, Decision(), on)


def measures(sums: Floats) -> Floats:
    """(n, M) measures in percent of (n, 13) sums of addends; nan where there is nothing."""
    confusion = sums[:, : _WORDS.start].reshape(-1, 3, 3)
    # Keeping a block is the same for header and text.
    kept = np.add.reduceat(np.add.reduceat(confusion, [0, 2], axis=1), [0, 2], axis=2)
    blocks = confusion.sum(axis=(1, 2))
    columns = [
        _share(np.trace(confusion, axis1=1, axis2=2), blocks),
        _share(np.trace(kept, axis1=1, axis2=2), blocks),
        *_precision_recall_f(kept, 0),
        *(_precision_recall_f(confusion, label)[2] for label in (Label.HEADER, Label.TEXT)),
        *(_share(column, sums[:, _WITH_GOLD]) for column in sums[:, _WORDS].T),
    ]
    return 100 * np.stack(columns, axis=1)


def _precision_recall_f(confusion: Floats, label: int) -> tuple[Floats, Floats, Floats]:
    """Of one label of (n, L, L) confusions, rows gold."""
    hits = confusion[:, label, label]
    n_predicted, n_gold = confusion[:, :, label].sum(axis=1), confusion[:, label].sum(axis=1)
    return _share(hits, n_predicted), _share(hits, n_gold), _share(2 * hits, n_predicted + n_gold)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


def _cell(values: Floats, sign: str) -> str:
    """``80.8 [75.1, 85.0]``."""
    value, drawn = values[0], values[1:]
    if np.isnan(value):
        return "-"
    _, low, high = spread(drawn)
    return f"{value:{sign}.2f} [{low:{sign}.1f}, {high:{sign}.1f}]"


def show(title: str, columns: Mapping[str, Sequence[str]], notes: Sequence[str] = ()) -> None:
    """Print a table with one row for every measure."""
    heads = ["%", *columns]
    rows = zip(MEASURES, *columns.values(), strict=True)
    print(f"== {title}\n{aligned([heads, *rows])}")
    for note in notes:
        print(note)
    print()


def published(figures: Figures) -> list[str]:
    """A column of what the authors published, empty where they give nothing."""
    cells = [figures.get(measure, "") for measure in MEASURES]
    return [f"{cell:.2f}" if isinstance(cell, float) else cell for cell in cells]
