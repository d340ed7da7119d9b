"""`victor train`: annotated pages to a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from victor.base.arrays import Floats
from victor.base.errors import ConfigError
from victor.cli.commands import Command, OneOf
from victor.cli.corpora import analyzed, read
from victor.cli.messages import complain, progress
from victor.cli.system_options import trust_code_option
from victor.config import load
from victor.evaluation.scores import assess, expected_f, headline
from victor.labelers.load import load_model
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.page.places.selected import Selectors
from victor.training import density
from victor.training.dataset import Dataset, analyze
from victor.training.training import cross_validate, train, training_steps

_FEW: Final = 50
"""Sites: from more of them a model of their own learns enough."""
_FOLDS: Final = 5


@click.command(
    name="train",
    cls=Command,
    examples=(
        "victor train corpus/ -o mine.victor",
        "victor train corpus/ -c crf -s crf.c2=1 -k 3 -o mine.victor",
        "victor clean -m mine.victor page.html",
    ),
)
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="Model file to write; with --labeler a configuration.")  # fmt: skip
@click.option("-l", "--labeler", type=OneOf([density.NAME]),
              help="Train the model of this labeler instead.")  # fmt: skip
@click.option("-c", "--config", "source", type=click.Path(),
              help="A shipped configuration or the path of one.  [default: default, or that of "
                   "the labeler]")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration, e.g. crf.c2=1.")  # fmt: skip
@trust_code_option
@click.option("--about", metavar="TEXT",
              help="What the model is for, in one line: its card and `victor models` say "
                   "it.")  # fmt: skip
@click.option("-k", "--folds", type=click.IntRange(2),
              help="Also cross-validate, by site; the card then shows the scores.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Folds trained at once.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    corpora: tuple[Path, ...],
    *,
    output: Path,
    labeler: str | None,
    source: str | None,
    overrides: tuple[str, ...],
    trust_code: bool,
    about: str | None,
    folds: int | None,
    jobs: int,
) -> None:
    """Train a model on annotated pages (folders written by `victor align`, or marked pages).

    With --labeler, --config and --set are those of the labeler; --about, --folds and --jobs are for
    models.
    """
    if not output.parent.is_dir():  # better now than after the training
        raise ConfigError(f"there is no folder {output.parent} for the model; make it first")
    if labeler is not None:
        with progress(f"training {labeler}", None):
            density.learn_to(output, read(corpora), source or labeler, overrides)
        click.echo(f"victor clean --labeler {labeler} --config {output} uses it", err=True)
        return
    config = load(source or "default", overrides)
    Selectors((*config.scope.keep, *config.scope.drop))  # a model with wrong ones is of no use
    dataset, extractor = analyzed(corpora, config, trust_code, lean=folds is None)
    more: dict[str, Any] = {} if about is None else {"about": " ".join(about.split())}
    k = folds or _folds_to_compare(dataset)
    if k:
        with progress("cross-validating", k * training_steps(config)) as advance:
            marginals = cross_validate(
                dataset, extractor.config, kinds=extractor.kinds, k=k, jobs=jobs, steps=advance
            )
        if folds:
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
    if k and (lost := _lost_to_shipped(corpora, mean_f, k)):
        complain(lost)


def _folds_to_compare(dataset: Dataset) -> int:
    """Folds for pages so few that the shipped model may well be better; else 0."""
    return min(_FOLDS, len({*dataset.sites})) if 1 < len({*dataset.sites}) <= _FEW else 0


def _lost_to_shipped(corpora: tuple[Path, ...], mean_f: float, k: int) -> str:
    """What is said if the shipped model is better on the pages; else nothing."""
    shipped = load_model()
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
    """Scores for the card: by the configured decision and by the plain threshold."""
    return {
        "folds by site": folds,
        chosen.method: headline(assess(dataset, marginals, chosen)),
        "threshold 0.5": headline(assess(dataset, marginals, Decision("threshold", 0.5))),
    }
