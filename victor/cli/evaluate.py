"""`victor evaluate` and `victor ablate`: score systems on annotated pages and compare them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, get_args

import click
import numpy as np

import victor
from victor.base import lazy
from victor.base.errors import ConfigError
from victor.cli.cleaner_options import Deciding, Overriding
from victor.cli.commands import (
    AT_LEAST_1,
    CORPUS,
    NEW_FOLDER,
    PATH,
    OneOf,
    Options,
    command,
    complain,
    option,
    progress,
)
from victor.cli.pages import unique
from victor.config.layers import load
from victor.config.schema import Config
from victor.corpus.pages import AnnotatedPage, read
from victor.evaluation import report
from victor.evaluation.evaluation import (
    WHOLE,
    Ablation,
    Outcome,
    ablate,
    by_folds,
    by_labeler,
    by_training,
    chosen,
)
from victor.evaluation.predictions import Predictions
from victor.evaluation.scores import MEASURES, Grouping, Scores, block_table, confusion_table
from victor.labelers.crf import CrfLabeler, load_model
from victor.labelers.labeler import LABELERS, Labeler, build_labeler, labeler_of
from victor.measures.averages import Comparison, aligned, compare_scores, table
from victor.model.decide import METHODS, Decision, Method
from victor.model.extractor import FeatureExtractor
from victor.training import density
from victor.training.dataset import LabelledPages, analyze
from victor.training.training import training_steps

ALL: Final = "all"
_FILE_SUFFIXES: Final = (".html", ".htm")
_METHODS: Final = [method for method in METHODS if method != "viterbi"]
"""Decisions to choose from; the best path is only scored where a model is configured so."""
_HEADS: Final = ("precision", "recall", "f1")
_ABLATED: Final = ("without", "columns", "entries", "word F", "loss", "95 % from", "to", "p",
                   "block F", "loss")  # fmt: skip
Run = Callable[[Sequence[AnnotatedPage]], Outcome]  # runs a system on annotated pages


class Training(Overriding):
    """How a configuration is trained."""

    jobs: int = option("-j --jobs", "Folds trained at once.", AT_LEAST_1, 1)


class Folded(Training):
    """How it is cross-validated."""

    folds: int = option(
        "-k --folds", "Folds; the pages of a site stay together.", click.IntRange(2), 5
    )


class Reporting(Options):
    """A report on what was scored."""

    report: Path | None = option("--report", "Folder for a report in HTML.", NEW_FOLDER)

    def check_report(self) -> None:
        """Make sure that the report can be written, before the work that it is to show."""
        if self.report is None:
            return
        if self.report.suffix in _FILE_SUFFIXES:
            raise ConfigError(f"--report makes a folder; name one without {self.report.suffix}")
        for package in report.PACKAGES:
            lazy.load(package, extra="train")

    def write_report(self, predictions: Sequence[Predictions]) -> None:
        """Write the report if the options name one."""
        if self.report is not None:
            today = datetime.now().astimezone().date().isoformat()
            more = {"date": today, "version": victor.__version__}
            click.echo(str(report.write_report(self.report, predictions, **more)), err=True)


class _Options(Folded, Deciding, Reporting):
    models: tuple[str, ...] = option("-m --model", "Score a model as it is; repeatable.", PATH)
    labelers: tuple[str, ...] = option(
        "-l --labeler", "Score a labeler as it is; repeatable:", OneOf([*LABELERS, ALL])
    )
    trained: str | None = option(
        "-L --trained", "Score one that every fold trains:", OneOf([density.NAME])
    )
    configs: tuple[str, ...] = option(
        "-c --config",
        "Score what every fold trains by this, or a labeler's as it is; repeatable.  "
        "[default: default]",
        PATH,
    )
    save: Path | None = option("--save", "Folder for marginals, for `victor sweep`.", NEW_FOLDER)
    method: Method | None = option("--decide", "How labels are chosen:", OneOf(_METHODS))
    measures: tuple[str, ...] = option(
        "--measure", "Measure of the text; repeatable:", OneOf([*MEASURES]), ("words",)
    )
    by: Grouping = option("--by", "Rows of the tables:", OneOf(get_args(Grouping)), "type")
    with_content: bool = option("--with-content", "Score only pages that have content.")

    def outcomes(self, corpora: Sequence[Path]) -> list[Outcome]:
        """Run every system on the pages of some folders, under names that differ.

        Raises:
            ConfigError, ModelError: a system does not exist or is wrong.
            CorpusError: there are no pages.
        """
        self.check_report()
        runs = self._runs()  # before reading: a wrong name is reported at once
        pages = list(read(corpora))
        outcomes = [run(pages) for run in runs]
        report_drift(outcomes[0].pages)
        names = unique([outcome.system for outcome in outcomes])
        return [replace(o, system=name) for o, name in zip(outcomes, names, strict=True)]

    def write(self, outcomes: Iterable[Outcome]) -> None:
        """Write the marginals, a file for every system, and a report if the options name them."""
        if self.save is None and self.report is None:
            return
        written = [outcome.predictions() for outcome in outcomes]
        if self.save is not None:
            for system in written:
                system.save(self.save / f"{system.system}.npz")
        self.write_report(written)

    def _runs(self) -> list[Run]:
        configs = self._loaded_configs()
        labelers: dict[str, Labeler] = {
            name: CrfLabeler(load_model(name), trust_code=self.trust_code) for name in self.models
        }
        named = LABELERS if ALL in self.labelers else self.labelers
        labelers |= {name: build_labeler(name) for name in named}
        labelers |= {
            name: build_labeler(labeler, name, self.overrides, self.trust_code)
            for name, labeler in self._of_labelers().items()
        }
        return [
            *(partial(_label, name, labeler) for name, labeler in labelers.items()),
            *([self._train_density] if self.trained else ()),
            *(partial(self._train, name, config) for name, config in configs.items()),
        ]

    def _loaded_configs(self) -> dict[str, Config]:
        is_named = self.models or self.labelers or self.trained or self.configs
        names = self.configs if is_named else ("default",)
        if self.overrides and not names:
            raise ConfigError("a model has its own configuration; leave out --set")
        of_labelers = self._of_labelers()
        return {name: load(name, self.overrides) for name in names if name not in of_labelers}

    def _of_labelers(self) -> dict[str, str]:
        """Configurations that are scored as they are: those of labelers, with whose they are."""
        named = {name: labeler_of(name) for name in self.configs}
        return {name: labeler for name, labeler in named.items() if labeler is not None}

    def _train_density(self, pages: Sequence[AnnotatedPage]) -> Outcome:
        with progress(f"cross-validating, {density.NAME}", self.folds) as advance:
            name, k = f"{density.NAME}-trained", self.folds
            return by_training(pages, density.learn, system=name, k=k, progress=advance)

    def _train(self, name: str, config: Config, pages: Sequence[AnnotatedPage]) -> Outcome:
        if config.decide.method == "viterbi":
            complain("viterbi is scored for models only; configurations decide by their threshold")

        def bars(task: str, steps: int) -> AbstractContextManager[Callable[[int], None]]:
            return progress(f"{task}, {stem(name)}", steps)

        return by_folds(
            pages,
            config,
            system=stem(name),
            k=self.folds,
            jobs=self.jobs,
            bars=bars,
            trust_code=self.trust_code,
        )


def stem(name: str) -> str:
    """Name of a system: that of its file, without the folder."""
    return Path(name).stem


def _label(name: str, labeler: Labeler, pages: Sequence[AnnotatedPage]) -> Outcome:
    with progress(f"labelling, {name}", len(pages)) as advance:
        return by_labeler(pages, labeler, system=stem(name), progress=advance)


def check_folder(path: Path) -> None:
    """Make sure that there is a folder for a file, before the work that it is for."""
    if not path.parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent} for {path.name}; make it first")


def report_drift(dataset: LabelledPages) -> None:
    """Say how many pages have stored labels that no longer fit, if any."""
    if dataset.drift:
        complain(dataset.drift)


@command(
    "victor evaluate corpus/ -m default -m mine.victor",
    "victor evaluate corpus/ -c default -c crf -k 3 --save scores/",
    "victor evaluate corpus/ -l all --report report/",
    takes=_Options,
)
@click.argument("corpora", nargs=-1, required=True, type=CORPUS)
def evaluate_command(corpora: tuple[Path, ...], options: _Options) -> None:
    """Print scores of clean texts and of blocks, with 95 % intervals from resampled sites.

    Several labelers are scored on the same pages, and each is compared with the first.
    """
    options.check()
    outcomes = options.outcomes(corpora)
    # Before the tables: the reader of a pipe may leave early.
    options.write(outcomes)
    scored = [_ScoredOutcome.of(outcome, options) for outcome in outcomes]
    if not scored[0].scores.words:
        complain("no page has a gold text: only blocks are scored")
    for system in scored:
        _print_tables(system, options.measures, options.by)
    if len(scored) > 1:
        _print_overview(scored, options.by)
    for other in scored[1:]:
        _print_comparison(scored[0], other)


@dataclass(frozen=True, eq=False)
class _ScoredOutcome:
    """An outcome and its scores; `decision` is None where the system decides as configured."""

    outcome: Outcome
    decision: Decision | None
    scores: Scores

    @classmethod
    def of(cls, outcome: Outcome, options: _Options) -> _ScoredOutcome:
        decision = options.decision(outcome.decision, outcome.presets)
        scores = outcome.assess(decision)
        return cls(outcome, decision, scores.with_content() if options.with_content else scores)

    @property
    def title(self) -> str:
        decision = self.decision or self.outcome.decision
        threshold = f" {decision.threshold}" if decision.method == "threshold" else ""
        return f"{self.outcome.system} ({self.outcome.protocol}; {decision.method}{threshold})"


def _print_tables(system: _ScoredOutcome, measures: Sequence[str], by: Grouping) -> None:
    click.echo(f"== {system.title}")
    for measure in measures:
        summaries = system.scores.summaries(measure, by)
        if summaries:
            click.echo(f"{measure}\n{table(summaries)}\n")
    blocks = block_table(system.scores.block_summaries(by))
    click.echo(f"blocks\n{blocks}\n\n{confusion_table(system.scores.all_blocks)}\n")


def _print_overview(scored: Sequence[_ScoredOutcome], by: Grouping) -> None:
    """All systems in one table: their word scores, then word F of every group of pages."""
    summaries = [system.scores.summaries("words", by) for system in scored]
    if not all(summaries):
        return
    rows = [["", *_HEADS, *(group.group for group in summaries[0][1:])]]
    for system, (every, *groups) in zip(scored, summaries, strict=True):
        values = [*(every.means[head] for head in _HEADS), *(group.means["f1"] for group in groups)]
        rows.append([system.outcome.system, *(f"{value:.4f}" for value in values)])
    click.echo(f"words, all systems\n{aligned(rows)}\n")


def _print_comparison(first: _ScoredOutcome, other: _ScoredOutcome) -> None:
    click.echo(f"== {other.title} against {first.title}")
    scores = first.scores
    if scores.words:
        sites = [scores.pages[page].site for page in scores.scored_pages("words")]
        _print_differences("words", compare_scores(other.scores.words, scores.words, sites))
    sites = [page.site for page in scores.pages]
    _print_differences("blocks", compare_scores(other.scores.blocks, scores.blocks, sites))


def _print_differences(measure: str, results: Mapping[str, Comparison]) -> None:
    rows = [["", "difference", "95 %", "p", "better", "worse", "equal"]]
    for name, result in results.items():
        ends = f"{result.low:+.4f} … {result.high:+.4f}"
        counts = [str(n) for n in (result.wins, result.losses, result.ties)]
        rows.append([name, f"{result.difference:+.4f}", ends, f"{result.p_value:.4f}", *counts])
    click.echo(f"{measure}\n{aligned(rows)}\n")


# --- victor ablate --------------------------------------------------------------------------------


class _AblateOptions(Folded):
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "default")
    groups: tuple[str, ...] = option(
        "-g --groups", "Feature modules to drop; by default each in turn.", metavar="NAME,..."
    )
    limit: int | None = option("-n --pages", "Take so many pages at random.", click.IntRange(2))


@command(
    "victor ablate corpus/ -c crf -n 100 -k 3",
    "victor ablate corpus/ -g links,title -j 2",
    takes=_AblateOptions,
)
@click.argument("corpora", nargs=-1, required=True, type=CORPUS)
def ablate_command(corpora: tuple[Path, ...], options: _AblateOptions) -> None:
    """Drop each feature module of a configuration in turn and print what that costs.

    A loss is the score with all modules minus that without one, on the same folds.
    """
    config = load(options.config, options.overrides)
    extractor = FeatureExtractor(config, trust_code=options.trust_code)
    names = [name for name in ",".join(options.groups).split(",") if name]
    names = chosen(extractor.modules, names)
    pages = sample(list(read(corpora)), options.limit)
    with progress("measuring pages", len(pages)) as advance:
        dataset = analyze(pages, extractor, progress=advance)
    report_drift(dataset)
    k = options.folds
    steps = (1 + len(names)) * k * training_steps(extractor.config)
    with progress("cross-validating", steps) as advance:
        ablations = ablate(dataset, extractor, names, k=k, jobs=options.jobs, progress=advance)
    click.echo(aligned([_ABLATED, *map(_ablated, ablations)]))


def sample(pages: Sequence[AnnotatedPage], limit: int | None) -> Sequence[AnnotatedPage]:
    """All pages, or `limit` of them drawn at random, always the same and in their order."""
    if limit is None or limit >= len(pages):
        return pages
    drawn = np.random.default_rng(0).choice(len(pages), limit, replace=False)
    return [pages[index] for index in sorted(drawn.tolist())]


def _ablated(run: Ablation) -> list[str]:
    """Cells of one run; a dash for what is not defined."""
    if run.group == WHOLE:
        return ["(nothing)", "", "", _score(run.word_f), "", "", "", "", _score(run.block_f), ""]
    words = run.words
    compared = [words.difference, words.low, words.high] if words else [math.nan] * 3
    return [
        run.group,
        str(run.columns),
        str(run.entries),
        _score(run.word_f),
        *(_score(value, "+") for value in compared),
        _score(words.p_value if words else math.nan),
        _score(run.block_f),
        _score(run.blocks, "+"),
    ]


def _score(value: float, sign: str = "") -> str:
    return "-" if math.isnan(value) else f"{value:{sign}.4f}"
