"""What the paper's experiments share: options, pages, scores with intervals, the table.

Scores are functions of sums over sites, so resampled corpora cost one product of matrices. Two
settings scored on the same pages see the same draws: the interval of a difference is paired.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from published import Figures

from victor.arrays import Floats
from victor.cli.corpora import read, report_drift, sample
from victor.config import Config, load
from victor.corpus.pages import AnnotatedPage
from victor.errors import VictorError
from victor.evaluation.ablation import groups_of, without
from victor.evaluation.scores import assess
from victor.labels import Label
from victor.measures.resampling import bootstrap_sums, site_sums, spread
from victor.measures.summaries import aligned
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import Dataset, analyze
from victor.training.training import cross_validate

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
LANGUAGE: Final = "langid"
"""The module of the two features of the language."""

_WORDS: Final = slice(9, 12)
_WITH_GOLD: Final = 12
"""Addends of a page: 9 counts of a confusion, 3 word scores, 1 if it has a gold text."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of all scripts.

    Attributes:
        configs: configurations by name.
        pages: of the corpora.
        folds: of every cross-validation, by site.
        jobs: folds trained at once.
        picture: file of a picture, None for none.
    """

    configs: Mapping[str, Config]
    pages: Sequence[AnnotatedPage]
    folds: int
    jobs: int
    picture: Path | None


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


def options(description: str, *, picture: bool = False) -> Options:
    """Read the command line and the pages it names; `picture`: there is one to draw."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS",
                        help="folder that `victor align` wrote, or of marked pages")  # fmt: skip
    parser.add_argument("--config", action="append", metavar="NAME",
                        help="may be given several times (default: victor-paper)")  # fmt: skip
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a key of the configurations")  # fmt: skip
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1, help="folds trained at once")
    parser.add_argument("--pages", type=int, help="only so many pages, drawn at random")
    if picture:
        parser.add_argument("--picture", type=Path, metavar="FILE", help="an .svg file to draw")
    given = parser.parse_args()
    names = given.config or ["victor-paper"]
    return Options(
        configs={name: load(name, given.set) for name in names},
        pages=sample([*read(given.corpora)], given.pages),
        folds=given.folds,
        jobs=given.jobs,
        picture=given.picture if picture else None,
    )


def run(main: object) -> None:
    """Call a script's function; an error of the call is one line, without a traceback."""
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))


def has_content(page: AnnotatedPage) -> bool:
    """Whether there is anything to keep: a gold text, or without one a label that says so."""
    if page.gold is not None:
        return bool(page.gold.strip())
    return bool(np.isin(page.labels, (Label.HEADER, Label.TEXT)).any())


def measured(pages: Sequence[AnnotatedPage], config: Config) -> tuple[Dataset, FeatureExtractor]:
    """The dataset of some pages."""
    extractor = FeatureExtractor(config)
    dataset = analyze(pages, extractor)
    report_drift(dataset)
    return dataset, extractor


def without_language(config: Config, extractor: FeatureExtractor) -> Config:
    """The configuration without features of the language, as in the paper's first experiment."""
    columns = groups_of(extractor).get(LANGUAGE, ())
    return without(config, columns, extractor.kinds) if columns else config


def marginals(
    dataset: Dataset,
    config: Config,
    extractor: FeatureExtractor,
    given: Options,
    *,
    pages: NDArray[np.bool_] | None = None,
) -> Floats:
    """Cross-validated marginals, trained on all pages with content or on those in `pages`."""
    return cross_validate(
        dataset, config, kinds=extractor.kinds, k=given.folds, jobs=given.jobs, pages=pages
    )


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


def counted(dataset: Dataset, folds: int) -> str:
    """The size of an experiment, in words."""
    labelled = int(np.isin(dataset.labels, [*Label]).sum())
    return (
        f"{len(dataset.pages)} pages of {len(set(dataset.sites))} sites, {labelled} labelled "
        f"blocks, {folds} folds by site; [95 % interval over resampled sites]"
    )
