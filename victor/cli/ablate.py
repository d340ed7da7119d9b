"""`victor ablate`: the loss of dropping each group of features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from victor.cli.commands import CORPUS, PATH, command, option
from victor.cli.messages import progress
from victor.cli.systems import Folded, report_drift
from victor.config.layers import load
from victor.corpus.pages import AnnotatedPage, read
from victor.evaluation.ablation import WHOLE, Ablation, ablate, chosen
from victor.measures.averages import aligned
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze
from victor.training.training import training_steps

_HEAD = ("without", "columns", "entries", "word F", "loss", "95 % from", "to", "p",
         "block F", "loss")  # fmt: skip


class _Options(Folded):
    config: str = option("-c --config", "Shipped configuration or file.", PATH, "default")
    groups: tuple[str, ...] = option(
        "-g --groups", "Feature modules to drop; by default each in turn.", metavar="NAME,..."
    )
    limit: int | None = option("-n --pages", "Take so many pages at random.", click.IntRange(2))


@command(
    "victor ablate corpus/ -c crf -n 100 -k 3",
    "victor ablate corpus/ -g links,title -j 2",
    takes=_Options,
)
@click.argument("corpora", nargs=-1, required=True, type=CORPUS)
def ablate_command(corpora: tuple[Path, ...], options: _Options) -> None:
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
    click.echo(aligned([_HEAD, *map(_row, ablations)]))


def sample(pages: Sequence[AnnotatedPage], limit: int | None) -> Sequence[AnnotatedPage]:
    """All pages, or `limit` of them drawn at random, always the same and in their order."""
    if limit is None or limit >= len(pages):
        return pages
    drawn = np.random.default_rng(0).choice(len(pages), limit, replace=False)
    return [pages[index] for index in sorted(drawn.tolist())]


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
