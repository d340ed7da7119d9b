"""`victor train` and `victor adapt`: annotated pages to a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from victor.base.arrays import Floats
from victor.cli.cleaner_options import Trusting
from victor.cli.commands import CORPUS, NEW_FILE, PATH, OneOf, command, complain, option, progress
from victor.cli.evaluate import Training, check_folder, report_drift
from victor.config.layers import load
from victor.config.schema import Config
from victor.corpus.pages import read
from victor.evaluation.adapting import Adapted, adapted, total_steps
from victor.evaluation.scores import assess, expected_f, headline
from victor.labelers.crf import load_model
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.page.places.selectors import Selectors
from victor.training import density, leaves
from victor.training.dataset import Dataset, analyze
from victor.training.training import cross_validate, train, training_steps

_FEW: Final = 50  # sites: from more of them a model of their own learns enough


class _Writing(Trusting):
    output: Path = option("-o --output", "Model file to write.", NEW_FILE, required=True)


class _Options(_Writing, Training):
    labeler: str | None = option(
        "-l --labeler", "Train this labeler instead:", OneOf([density.NAME])
    )
    config: str | None = option(
        "-c --config", "Shipped or a file.  [default: default, or that of -l]", PATH
    )
    about: str | None = option(
        "--about", "What the model is for, in one line of its card.", metavar="TEXT"
    )
    folds: int | None = option(
        "-k --folds", "Also cross-validate, for the card.", click.IntRange(2)
    )


@command(
    "victor train corpus/ -o mine.victor",
    "victor train corpus/ -c crf -s crf.c2=1 -k 3 -o mine.victor",
    "victor clean -m mine.victor page.html",
    takes=_Options,
)
@click.argument("corpora", nargs=-1, required=True, type=CORPUS)
def train_command(corpora: tuple[Path, ...], options: _Options) -> None:
    """Train a model on annotated pages (folders written by `victor align`, or marked pages).

    With --labeler, --config and --set are those of the labeler, and a configuration is written;
    --about, --folds and --jobs are for models.
    """
    output, labeler = options.output, options.labeler
    check_folder(output)
    if labeler is not None:
        density.learn_to(output, read(corpora), options.config or labeler, options.overrides)
        click.echo(f"victor clean --labeler {labeler} --config {output} uses it", err=True)
        return
    config = load(options.config or "default", options.overrides)
    Selectors((*config.scope.keep, *config.scope.drop))  # a model with wrong ones is of no use
    lean = options.folds is None
    dataset, extractor = _analyzed(corpora, config, options.trust_code, lean=lean)
    about = options.about
    more: dict[str, Any] = {} if about is None else {"about": " ".join(about.split())}
    k = options.folds
    if k is not None:
        with progress("cross-validating", k * training_steps(config)) as advance:
            run = partial(cross_validate, kinds=extractor.kinds, k=k, jobs=options.jobs)
            marginals = run(dataset, extractor.config, steps=advance)
        more["scores"] = _scores(dataset, marginals, extractor.config.decide.on_marginals, k)
        mean_f = expected_f(dataset, marginals).mean()
    with progress("training", training_steps(config)) as advance:
        model = train(dataset, extractor, progress=advance).with_card(**more)
    model.save(output)
    training = model.card["training"]
    click.echo(
        f"trained on {training['pages']} pages of {training['sites']} sites, "
        f"{output.stat().st_size / 1e6:.2f} MB: {output}",
        err=True,
    )
    if k is None and training["sites"] <= _FEW:
        complain("so few sites are often served better by `victor adapt`; --folds compares them")
    elif k is not None and (lost := _lost_to_shipped(corpora, training["corpora"], mean_f, k)):
        complain(lost)


def _analyzed(
    directories: Sequence[Path], config: Config, trust_code: bool, *, lean: bool = False
) -> tuple[Dataset, FeatureExtractor]:
    """The dataset of some corpora; labels that no longer fit their pages are reported."""
    extractor = FeatureExtractor(config, trust_code=trust_code)
    n_pages = sum(1 for _ in read(directories))  # read twice: all at once take much memory
    with progress("measuring pages", n_pages) as advance:
        dataset = analyze(read(directories), extractor, lean=lean, progress=advance)
    report_drift(dataset)
    return dataset, extractor


def _lost_to_shipped(
    corpora: tuple[Path, ...], names: Mapping[str, int], mean_f: float, k: int
) -> str:
    """What is said if the shipped model is better on the pages of the corpora; else nothing.

    Of pages that it was trained on nobody can say.
    """
    shipped = load_model()
    if names.keys() & shipped.card["training"]["corpora"].keys():
        return ""
    dataset = analyze(read(corpora), FeatureExtractor(shipped.config), lean=True)
    marginals = shipped.marginals(dataset.columns, dataset.page_starts)
    of_shipped = expected_f(dataset, marginals).mean()
    if of_shipped <= mean_f:
        return ""
    return (
        f"the shipped model is better on these pages: expected word F {of_shipped:.3f}, this one "
        f"{mean_f:.3f} ({k} folds by site); `victor adapt` starts from the shipped model"
    )


def _scores(dataset: Dataset, marginals: Floats, chosen: Decision, folds: int) -> dict[str, Any]:
    return {
        "folds by site": folds,
        chosen.method: headline(assess(dataset, marginals, chosen)),
        "threshold 0.5": headline(assess(dataset, marginals, Decision("threshold", 0.5))),
    }


class _AdaptOptions(_Writing):
    model: str = option("-m --model", "Model to start from: shipped or a file.", PATH, "default")


@command(
    "victor adapt corpus/ -o mine.victor",
    "victor clean -m mine.victor page.html",
    takes=_AdaptOptions,
)
@click.argument("corpora", nargs=-1, required=True, metavar="PAGES...", type=CORPUS)
def adapt_command(corpora: tuple[Path, ...], options: _AdaptOptions) -> None:
    """Adapt a model to 5 to 50 pages that you labelled; it takes seconds.

    Pages are left out in turn to choose how far to go. If your pages do not help, the model stays
    as it is.
    """
    check_folder(options.output)
    model = load_model(options.model)
    leaves.check(model)
    dataset, _ = _analyzed(corpora, model.config, options.trust_code)
    with progress("adapting", total_steps(dataset)) as advance:
        outcome = adapted(model, dataset, progress=advance)
    outcome.model.save(options.output)
    click.echo(f"{_said(outcome, options.model)}: {options.output}", err=True)


def _said(outcome: Adapted, name: str) -> str:
    pages = outcome.model.card["adapted"]["pages"]
    if not outcome.steps:
        return (
            f"{name} stays as it is: your {pages} pages do not improve it on pages left out "
            f"({outcome.protocol}, expected word F {outcome.before:.3f}); label more where it errs"
        )
    return (
        f"adapted to {pages} pages: expected word F {outcome.before:.3f} -> {outcome.after:.3f} "
        f"on pages left out ({outcome.protocol})"
    )
