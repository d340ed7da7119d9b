"""Systems to score: the options that name them, their runs, and the files of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import click

import victor
from victor.base import lazy
from victor.base.errors import ConfigError
from victor.cli.cleaner_options import Overriding
from victor.cli.commands import AT_LEAST_1, NEW_FOLDER, PATH, OneOf, option
from victor.cli.messages import complain, progress
from victor.cli.pages import unique
from victor.config.layers import load
from victor.config.schema import Config
from victor.corpus.pages import AnnotatedPage, read
from victor.evaluation import report
from victor.evaluation.evaluation import Outcome, by_folds, by_labeler, by_training, held_out
from victor.evaluation.predictions import Predictions
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import LABELERS, Labeler, build_labeler, labeler_of
from victor.labelers.load import load_model
from victor.training import density
from victor.training.dataset import LabelledPages

ALL: Final = "all"
_FILE_SUFFIXES: Final = (".html", ".htm")
Run = Callable[[Sequence[AnnotatedPage]], Outcome]
"""Runs a system on annotated pages."""


class Folded(Overriding):
    """How a configuration is cross-validated."""

    folds: int = option(
        "-k --folds", "Folds; the pages of a site stay together.", click.IntRange(2), 5
    )
    jobs: int = option("-j --jobs", "Folds trained at once.", AT_LEAST_1, 1)


class Systems(Folded):
    """The systems that a command scores."""

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
    report: Path | None = option("--report", "Folder for a report in HTML.", NEW_FOLDER)

    @property
    def named(self) -> bool:
        """Is any system named; without one it is the default configuration."""
        return bool(self.models or self.labelers or self.trained or self.configs)

    def outcomes(self, corpora: Sequence[Path], *, holdout: float | None = None) -> list[Outcome]:
        """Run every system on the pages of some folders, under names that differ.

        With `holdout`, so large a share of the pages is held out instead of folds.

        Raises:
            ConfigError, ModelError: a system does not exist or is wrong.
            CorpusError: there are no pages.
        """
        self.check_report()
        runs = self._runs(holdout)  # before reading: a wrong name is reported at once
        pages = list(read(corpora))
        outcomes = [run(pages) for run in runs]
        report_drift(outcomes[0].pages)
        names = unique([outcome.system for outcome in outcomes])
        return [replace(o, system=name) for o, name in zip(outcomes, names, strict=True)]

    def check_report(self) -> None:
        """Make sure that the report can be written, before the work that it is to show."""
        if self.report is None:
            return
        if self.report.suffix in _FILE_SUFFIXES:
            raise ConfigError(f"--report makes a folder; name one without {self.report.suffix}")
        for package in report.PACKAGES:
            lazy.load(package, extra="train")

    def write(self, predictions: Iterable[Predictions]) -> None:
        """Write the marginals, a file for every system, and a report if the options name them."""
        if self.save is None and self.report is None:
            return
        written = list(predictions)
        if self.save is not None:
            for system in written:
                system.save(self.save / f"{system.system}.npz")
        if self.report is not None:
            today = datetime.now().astimezone().date().isoformat()
            more = {"date": today, "version": victor.__version__}
            click.echo(str(report.write_report(self.report, written, **more)), err=True)

    def _runs(self, holdout: float | None) -> list[Run]:
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
            *(partial(self._train, name, config, holdout) for name, config in configs.items()),
        ]

    def _loaded_configs(self) -> dict[str, Config]:
        names = self.configs if self.named else ("default",)
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

    def _train(
        self, name: str, config: Config, holdout: float | None, pages: Sequence[AnnotatedPage]
    ) -> Outcome:
        if config.decide.method == "viterbi":
            complain("viterbi is scored for models only; configurations decide by their threshold")

        def bars(task: str, steps: int) -> AbstractContextManager[Callable[[int], None]]:
            return progress(f"{task}, {stem(name)}", steps)

        run = (
            partial(held_out, share=holdout)
            if holdout is not None
            else partial(by_folds, k=self.folds, jobs=self.jobs)
        )
        return run(pages, config, system=stem(name), bars=bars, trust_code=self.trust_code)


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
