"""`victor ablate`: the loss of dropping each group of features."""

from __future__ import annotations

import math
from pathlib import Path

import click

from victor.cli.commands import Command
from victor.cli.corpora import read, report_drift, sample
from victor.cli.messages import progress
from victor.cli.system_options import trust_code_option
from victor.config import load
from victor.evaluation.ablation import WHOLE, Ablation, ablate, chosen
from victor.measures.averages import aligned
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze
from victor.training.training import training_steps

_HEAD = ("without", "columns", "entries", "word F", "loss", "95 % from", "to", "p",
         "block F", "loss")  # fmt: skip


@click.command(
    name="ablate",
    cls=Command,
    examples=(
        "victor ablate corpus/ -c crf -n 100 -k 3",
        "victor ablate corpus/ -g links,title -j 2",
    ),
)
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-c", "--config", "source", type=click.Path(), default="default", show_default=True,
              help="A shipped configuration or the path of one.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration.")  # fmt: skip
@trust_code_option
@click.option("-g", "--groups", metavar="NAME,...", multiple=True,
              help="Feature modules to drop; without it, each one in turn.")  # fmt: skip
@click.option("-n", "--pages", "limit", type=click.IntRange(2),
              help="Take only so many pages, drawn at random.")  # fmt: skip
@click.option("-k", "--folds", type=click.IntRange(2), default=5, show_default=True,
              help="Folds; the pages of a site stay together.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Folds trained at once.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    corpora: tuple[Path, ...],
    *,
    source: str,
    overrides: tuple[str, ...],
    trust_code: bool,
    groups: tuple[str, ...],
    limit: int | None,
    folds: int,
    jobs: int,
) -> None:
    """Drop each feature module of a configuration in turn and print what that costs.

    A loss is the score with all modules minus that without one, on the same folds.
    """
    extractor = FeatureExtractor(load(source, overrides), trust_code=trust_code)
    names = chosen(extractor.modules, [name for name in ",".join(groups).split(",") if name])
    pages = sample(list(read(corpora)), limit)
    with progress("measuring pages", len(pages)) as advance:
        dataset = analyze(pages, extractor, progress=advance)
    report_drift(dataset)
    steps = (1 + len(names)) * folds * training_steps(extractor.config)
    with progress("cross-validating", steps) as advance:
        ablations = ablate(dataset, extractor, names, k=folds, jobs=jobs, progress=advance)
    click.echo(aligned([_HEAD, *map(_row, ablations)]))


def _row(run: Ablation) -> list[str]:
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
