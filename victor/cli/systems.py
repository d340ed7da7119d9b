"""The options that name systems to score, how these are run, and the files of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final

import click

import victor
from victor.base import optional
from victor.base.errors import ConfigError
from victor.cli.commands import OneOf
from victor.cli.corpora import read, report_drift
from victor.cli.messages import complain, progress
from victor.cli.outputs import unique
from victor.cli.system_options import trust_code_option
from victor.config import Config, load
from victor.corpus.pages import AnnotatedPage
from victor.evaluation import report
from victor.evaluation.evaluation import Outcome, by_folds, by_labeler, by_training, held_out
from victor.evaluation.predictions import Predictions
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import LABELERS, Labeler, build_labeler
from victor.labelers.load import load_model
from victor.training import density

ALL: Final = "all"
Run = Callable[[Sequence[AnnotatedPage]], Outcome]
"""Runs a system on annotated pages."""


@dataclass(frozen=True)
class Systems:
    """The systems that the options name; the attributes are the options."""

    models: tuple[str, ...]
    labelers: tuple[str, ...]
    trained: str | None
    configs: tuple[str, ...]
    overrides: tuple[str, ...]
    trust_code: bool
    folds: int
    jobs: int

    @property
    def named(self) -> bool:
        """Is any system named; without one it is the default configuration."""
        return bool(self.models or self.labelers or self.trained or self.configs)

    def outcomes(self, corpora: Sequence[Path], *, holdout: float | None = None) -> list[Outcome]:
        """Run every system on the pages of some folders, those as they are first.

        Args:
            corpora: folders of annotated pages.
            holdout: share of the pages to hold out instead of folds.

        Returns:
            The outcomes, under names that differ: a stem that is taken gets a number.

        Raises:
            ConfigError, ModelError: a system does not exist or is wrong.
            CorpusError: there are no pages.
        """
        runs = self._runs(holdout)  # before reading: a wrong name is reported at once
        pages = list(read(corpora))
        outcomes = [run(pages) for run in runs]
        report_drift(outcomes[0].pages)
        names = unique([outcome.system for outcome in outcomes])
        return [replace(o, system=name) for o, name in zip(outcomes, names, strict=True)]

    def _runs(self, holdout: float | None) -> list[Run]:
        """How to run every system: those as they are first, then those to be trained."""
        configs = self._loaded_configs()
        labelers: dict[str, Labeler] = {
            name: CrfLabeler(load_model(name), attributes=("class",), trust_code=self.trust_code)
            for name in self.models
        }
        named = LABELERS if ALL in self.labelers else self.labelers
        labelers |= {name: build_labeler(name) for name in named}
        return [
            *(partial(_label, name, labeler) for name, labeler in labelers.items()),
            *([self._train_density] if self.trained else ()),
            *(partial(self._train, name, config, holdout) for name, config in configs.items()),
        ]

    def _loaded_configs(self) -> dict[str, Config]:
        """Configurations to train."""
        names = self.configs if self.named else ("default",)
        if self.overrides and not names:
            raise ConfigError("a model has its own configuration; leave out --set")
        return {name: load(name, self.overrides) for name in names}

    def _train_density(self, pages: Sequence[AnnotatedPage]) -> Outcome:
        with progress(f"cross-validating, {density.NAME}", self.folds) as advance:
            return by_training(
                pages,
                density.learn,
                system=f"{density.NAME}-trained",
                k=self.folds,
                progress=advance,
            )

    def _train(
        self, name: str, config: Config, holdout: float | None, pages: Sequence[AnnotatedPage]
    ) -> Outcome:
        if config.decide.method == "viterbi":
            complain("viterbi is scored for models only; configurations decide by their threshold")

        def bars(task: str, steps: int) -> AbstractContextManager[Callable[[int], None]]:
            return progress(f"{task}, {stem(name)}", steps)

        if holdout is not None:
            return held_out(
                pages,
                config,
                system=stem(name),
                share=holdout,
                bars=bars,
                trust_code=self.trust_code,
            )
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


def save_predictions(folder: Path, predictions: Sequence[Predictions]) -> None:
    """Write one file for every system, named after it."""
    for system in predictions:
        system.save(folder / f"{system.system}.npz")


def check_report() -> None:
    """Make sure that a report can be written, before the work that it is to show.

    Raises:
        ConfigError: a package is missing.
    """
    for package in report.PACKAGES:
        optional.load(package, extra="train")


def write_report(folder: Path, predictions: Sequence[Predictions]) -> None:
    """Write a report for a browser and say where it is."""
    today = datetime.now().astimezone().date().isoformat()
    path = report.write_report(folder, predictions, date=today, version=victor.__version__)
    click.echo(str(path), err=True)


_OPTIONS: Final = (
    click.option("-m", "--model", "models", type=click.Path(), multiple=True,
                 help="A model as it is; repeatable."),
    click.option("-l", "--labeler", "labelers", multiple=True,
                 type=OneOf([*LABELERS, ALL]),
                 help="Labeler that needs no training; repeatable."),
    click.option("-L", "--trained", type=OneOf([density.NAME]),
                 help="Labeler whose model is trained in every fold."),
    click.option("-c", "--config", "configs", type=click.Path(), multiple=True,
                 help="A configuration, trained in every fold; repeatable.  "
                      "[default: default, unless a labeler is named]"),
    click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
                 help="Change a key of the configurations."),
    trust_code_option,
    click.option("-k", "--folds", type=click.IntRange(2), default=5, show_default=True,
                 help="Folds; the pages of a site stay together."),
    click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
                 help="Folds trained at once."),
)  # fmt: skip


def system_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options; it is called with them as one argument, `systems`."""

    @wraps(command)
    def packed(*args: Any, **options: Any) -> None:  # noqa: ANN401  (whatever the command takes)
        systems = Systems(**{field.name: options.pop(field.name) for field in fields(Systems)})
        command(*args, systems=systems, **options)

    for option in reversed(_OPTIONS):
        packed = option(packed)
    return packed
