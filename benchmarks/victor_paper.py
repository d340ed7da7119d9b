"""The experiments of the 2008 paper on corpora of your own, beside what the authors published.

    python benchmarks/victor_paper.py labels CORPUS...     labels of the data (table 1)
    python benchmarks/victor_paper.py folds CORPUS...      ten folds by site (first experiment)
    python benchmarks/victor_paper.py language CORPUS...   language as a feature (table 2)
    python benchmarks/victor_paper.py empty CORPUS...      pages without content (table 3)
    python benchmarks/victor_paper.py threshold CORPUS...  precision over recall (figure 2)

All but `labels` and `empty` train and score on pages with content only; the folds are those of all
pages, so that the first experiment is the column "content -> content" of `empty`. The features of
the language are langid1 (Beesley 1988) and langid2 (Cavnar and Trenkle 1994), of the block and of
three to either side; all but `language` leave them out, as the paper's first experiment does.
`language` takes pages in one language: the one of --language, else that of most pages. `empty`
trains on the pages with content and on all, and scores both on both. `threshold` keeps a block
while p(other) is below it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from paper.block_scores import all_other, published, scored, show
from paper.published import (
    ALL_OTHER,
    ALL_PAGES,
    CONTENT_PAGES,
    EARLIER,
    LABELS,
    PAGES,
    PAGES_WITH_CONTENT,
    PAPER,
    WAC3,
    WITH_LANGUAGE,
)

from victor.base.arrays import Floats
from victor.base.errors import VictorError
from victor.base.files import write_bytes
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.cli.evaluate import report_drift, sample
from victor.config.layers import load
from victor.config.modules import in_use, module_name
from victor.config.schema import Config
from victor.corpus.pages import AnnotatedPage, read
from victor.evaluation.drawings import (
    DECISION,
    Line,
    drawing,
    lines_panel,
)
from victor.evaluation.predictions import collect
from victor.evaluation.thresholds import Curve, OperatingPoint, curve
from victor.measures.averages import aligned
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.corpora import configuration
from victor.training.dataset import Dataset, analyze
from victor.training.training import cross_validate

LANGUAGE: Final = "langid"
"""The module of the two features of the language."""
HIGHEST: Final = 0.5
"""The paper's threshold unless another is set."""
THRESHOLDS: Final = (0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, HIGHEST)
MARKED: Final = (0.1, 0.2, 0.3)
"""Thresholds named in the picture."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Pages, and how each configuration is cross-validated on them.

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

    @property
    def content(self) -> NDArray[np.bool_]:
        """Which pages have anything to keep."""
        return np.array([has_content(page) for page in self.pages])

    def in_language(self, code: str) -> Experiment:
        """The same with the pages in one language alone."""
        return replace(self, pages=[page for page in self.pages if page.language == code])

    def marginals(
        self,
        dataset: Dataset,
        config: Config,
        extractor: FeatureExtractor,
        pages: NDArray[np.bool_] | None = None,
    ) -> Floats:
        """Cross-validated marginals, trained on the pages with content or on those in `pages`."""
        training = (self.content if pages is None else pages) & (np.diff(dataset.page_starts) > 0)
        kinds, folds = extractor.kinds, self.folds
        return cross_validate(dataset, config, kinds=kinds, k=folds, jobs=self.jobs, pages=training)

    def size_of(self, dataset: Dataset, pages: NDArray[np.bool_]) -> str:
        """The size of an experiment on some pages, in words."""
        sites = {dataset.sites[page] for page in np.flatnonzero(pages)}
        labelled = np.isin(dataset.labels, [*Label]) & on_pages(dataset, pages)
        return (
            f"{int(pages.sum())} pages of {len(sites)} sites, {int(labelled.sum())} labelled "
            f"blocks, {self.folds} folds by site; [95 % interval over resampled sites]"
        )


def on_pages(dataset: Dataset, pages: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,) which blocks are on some pages."""
    return np.repeat(pages, np.diff(dataset.page_starts))


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


def without_language(extractor: FeatureExtractor) -> Config:
    """The configuration of an extractor without features of the language."""
    return extractor.without(LANGUAGE) if LANGUAGE in extractor.modules else extractor.config


# --- Table 1: labels -----------------------------------------------------------------------------


def labels(experiment: Experiment) -> None:
    """Print a table of labels, and what labelling every block *other* gives."""
    for name, config in experiment.configs.items():
        dataset, _ = measured(experiment.pages, config)
        content = np.array([has_content(page) for page in dataset.pages])
        print(f"== {name}, labels\n{aligned(_labels_beside_the_papers(dataset))}\n")
        print(aligned(_pages_and_baseline(dataset, content)))
        unlabelled = int((dataset.labels == UNLABELLED).sum())
        print(f"{unlabelled} blocks that nobody could label are in no row\n{PAPER}\n")


def _labels_beside_the_papers(dataset: Dataset) -> list[list[str]]:
    """Blocks and per cent of every label and of all, ours and the paper's."""
    ours = {name: int((dataset.labels == code).sum()) for code, name in enumerate(LABEL_NAMES)}
    total = sum(ours.values())
    rows = [["label", "blocks", "%", "paper: blocks", "paper: %"]]
    for name, (blocks, percent) in LABELS.items():
        count = ours.get(name, total)
        shares = (f"{100 * count / total:.2f}", f"{blocks:,}", f"{percent:.2f}")
        rows.append([name, f"{count:,}", *shares])
    return rows


def _pages_and_baseline(dataset: Dataset, content: NDArray[np.bool_]) -> list[list[str]]:
    """Counts of pages, and the accuracy of labelling every block *other*."""
    of_all, of_content = all_other(dataset).cells()[0], all_other(dataset, content).cells()[0]
    return [
        ["", "ours", "paper"],
        ["pages", str(len(content)), str(PAGES)],
        ["with content", str(int(content.sum())), str(PAGES_WITH_CONTENT)],
        ["accuracy of all other, all pages", of_all, f"{ALL_OTHER['accuracy']:.2f}"],
        ["accuracy of all other, pages with content", of_content, "-"],
    ]


# --- The first experiment, tables 2 and 3 --------------------------------------------------------


def folds(experiment: Experiment) -> None:
    """Cross-validate each configuration; every one is a column of one table."""
    columns = {}
    for name, config in experiment.configs.items():
        dataset, extractor = measured(experiment.pages, config)
        marginals = experiment.marginals(dataset, without_language(extractor), extractor)
        content = experiment.content
        columns[name] = scored(dataset, marginals, config.decide, content).cells()
        columns[f"all other ({name})"] = all_other(dataset, content).cells()
        print(f"{name}: {experiment.size_of(dataset, content)}")
    columns["paper"] = published(CONTENT_PAGES)
    columns["WAC3 2007"] = published(WAC3)
    show("pages with content", columns, [PAPER, EARLIER])


def language(experiment: Experiment) -> None:
    """Cross-validate each configuration with and without the features of the language."""
    counts = Counter(page.language or "unknown" for page in experiment.pages)
    ((of_most, _),) = counts.most_common(1)
    experiment = experiment.in_language(of_most)
    content = experiment.content
    for name, config in experiment.configs.items():
        with_language = _extended(config, of_most)
        dataset, extractor = measured(experiment.pages, with_language)
        settings = {"no": without_language(extractor), "yes": extractor.config}
        scores = {
            setting: scored(
                dataset, experiment.marginals(dataset, variant, extractor), config.decide, content
            )
            for setting, variant in settings.items()
        }
        columns = {setting: score.cells() for setting, score in scores.items()}
        columns["yes - no"] = (scores["yes"] - scores["no"]).cells("+")
        columns["paper: no"] = published(CONTENT_PAGES)
        columns["paper: yes"] = published(WITH_LANGUAGE)
        print(f"{name}, pages in {of_most}: {experiment.size_of(dataset, content)}")
        show(f"{name}, features of the language", columns, [PAPER])


def _extended(config: Config, code: str) -> Config:
    """The configuration with the features of a language, in place of those it may have."""
    overrides = [f"features.{LANGUAGE}={{language: {code}}}"]
    if LANGUAGE not in map(module_name, in_use(config.features)):
        overrides += ["discretize.langid{1,2}={scale: 20}",
                      "template+={column: 'langid{1,2}', offset: '{-3..3}'}"]  # fmt: skip
    return configuration(config, overrides)


def empty(experiment: Experiment) -> None:
    """Train on pages with content and on all, in the same folds, and score both on both."""
    for name, config in experiment.configs.items():
        dataset, extractor = measured(experiment.pages, config)
        plain = without_language(extractor)
        content, columns = experiment.content, {}
        choices = {"content": content, "all": np.ones(len(content), bool)}
        for training, pages in choices.items():
            marginals = experiment.marginals(dataset, plain, extractor, pages)
            for test, chosen in choices.items():
                scores = scored(dataset, marginals, config.decide, chosen)
                columns[f"{training} -> {test}"] = scores.cells()
        columns["all other -> all"] = all_other(dataset).cells()
        columns["paper: 271"] = published(CONTENT_PAGES)
        columns["paper: 907"] = published(ALL_PAGES)
        columns["paper: all other"] = published(ALL_OTHER)
        n_empty = np.sum(~content)
        size = experiment.size_of(dataset, choices["all"])
        print(f"{name}: {size}; {n_empty} pages without content")
        show(f"{name}, trained on -> scored on", columns, [PAPER])


# --- Figure 2: the threshold ---------------------------------------------------------------------


def threshold(experiment: Experiment) -> None:
    """Print a table for every configuration and draw one picture of all."""
    curves = [_curve(name, config, experiment) for name, config in experiment.configs.items()]
    for of_config in curves:
        print(f"== {of_config.system}\n{aligned(_threshold_rows(of_config))}\n")
    print(f"paper, threshold 0.5: precision {CONTENT_PAGES['precision']}, "
          f"recall {CONTENT_PAGES['recall']}\n{PAPER}")  # fmt: skip
    if experiment.picture is not None:
        title = "Blocks, threshold on p(other) from 0 to 0.5, the diamond"
        panel = lines_panel(title, [*map(_line, curves)], 0.0)
        write_bytes(experiment.picture, drawing([panel]))


def _curve(name: str, config: Config, experiment: Experiment) -> Curve:
    """The curve of cross-validated marginals."""
    dataset, extractor = measured(experiment.pages, config)
    marginals = experiment.marginals(dataset, without_language(extractor), extractor)
    content, protocol = experiment.content, f"{experiment.folds} folds by site"
    print(f"{name}: {experiment.size_of(dataset, content)}")
    shown = [page for page, is_shown in zip(experiment.pages, content, strict=True) if is_shown]
    rows = marginals[on_pages(dataset, content)]
    of_content = analyze(shown, extractor)
    return curve(collect(of_content, rows, system=name, protocol=protocol, decision=Decision()))


def _threshold_rows(of_config: Curve) -> list[list[str]]:
    rows = [["threshold", "precision", "recall", "F"]]
    for value in THRESHOLDS:
        score = of_config.at(value)["blocks"]
        shares = (score.precision, score.recall, score.f1)
        rows.append([f"{value:g}", *(f"{100 * share:.2f}" for share in shares)])
    return rows


def _line(of_config: Curve) -> Line:
    """The part of a curve up to the highest threshold; what keeps nothing has no precision."""
    points = of_config.points("blocks")
    until = int(np.searchsorted(of_config.values, HIGHEST)) + 1
    shown = np.arange(1, max(until, 2))
    marks = [_mark(of_config, value) for value in (*MARKED, HIGHEST)]
    return Line(of_config.system, points.precision[shown], points.recall[shown], marks)


def _mark(of_config: Curve, value: float) -> OperatingPoint:
    score = of_config.at(value)["blocks"]
    name = DECISION if value == HIGHEST else f"{value:g}".removeprefix("0")
    return OperatingPoint(name, value, score.precision, score.recall, score.f1)


EXPERIMENTS: Final[Mapping[str, Callable[[Experiment], None]]] = {
    "labels": labels,
    "folds": folds,
    "language": language,
    "empty": empty,
    "threshold": threshold,
}


def main() -> None:
    """Run one experiment; an error of the call is one line, without a traceback."""
    description = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=description)
    add = parser.add_argument
    add("experiment", choices=[*EXPERIMENTS])
    add("corpora", nargs="+", type=Path, metavar="CORPUS",
        help="folder that `victor align` wrote, or of marked pages")  # fmt: skip
    add("--config", action="append", metavar="NAME",
        help="may be given several times (default: victor-paper)")  # fmt: skip
    add("--set", action="append", default=[], metavar="KEY=VALUE",
        help="change a key of the configurations")  # fmt: skip
    add("--folds", type=int, default=10)
    add("--jobs", type=int, default=1, help="folds trained at once")
    add("--language", metavar="CODE", help="only pages in this language, e.g. cs")
    add("--pages", type=int, help="only so many pages, drawn at random")
    add("--picture", type=Path, metavar="FILE", help="an .svg file that `threshold` draws")
    arguments = parser.parse_args()
    try:
        configs = {name: load(name, arguments.set) for name in arguments.config or ["victor-paper"]}
        pages = sample([*read(arguments.corpora)], arguments.pages)
        experiment = Experiment(configs, pages, arguments.folds, arguments.jobs, arguments.picture)
        code = arguments.language
        EXPERIMENTS[arguments.experiment](experiment.in_language(code) if code else experiment)
    except VictorError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
