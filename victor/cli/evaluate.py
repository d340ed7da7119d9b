"""`victor evaluate`: score a model on annotated pages, or a configuration by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import numpy as np
from numpy.typing import NDArray

from victor.api import load_model
from victor.assess import assess, block_table
from victor.cli.corpora import analyzed
from victor.cli.decisions import asked
from victor.cli.messages import complain
from victor.cli.progress import progress
from victor.config import Decide, load
from victor.dataset import Dataset
from victor.decide import METHODS, Decision
from victor.errors import ConfigError
from victor.measures.summaries import table
from victor.training import cross_validate

_METHODS: Final = [method for method in METHODS if method != "viterbi"]
"""Scores come from marginals, which the best path does not have."""


@click.command(name="evaluate")
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-m", "--model", help="Score this model; without it, cross-validate a configuration.")
@click.option(
    "-c", "--config", "source", help="Configuration to cross-validate.  [default: default]"
)
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration.")  # fmt: skip
@click.option("-k", "--folds", type=click.IntRange(2), default=5, show_default=True,
              help="Folds; the pages of a site stay together.")  # fmt: skip
@click.option("-t", "--threshold", type=click.FloatRange(0, 1), help="Decide by this threshold.")
@click.option("--decide", "method", type=click.Choice(_METHODS),
              help="How labels are chosen; the configuration says by default.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Folds trained at once.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    corpora: tuple[Path, ...],
    *,
    model: str | None,
    source: str | None,
    overrides: tuple[str, ...],
    folds: int,
    threshold: float | None,
    method: str | None,
    jobs: int,
) -> None:
    """Print word scores per page and block scores, over all pages and per page type."""
    if model is None:
        config = load(source or "default", overrides)
        decisions = _decisions(config.decide, threshold, method)
        dataset, analyzer = analyzed(corpora, config)
        with progress("cross-validating", folds) as advance:
            marginals = cross_validate(
                dataset, config, kinds=analyzer.kinds, k=folds, jobs=jobs, progress=advance
            )
    else:
        if source is not None or overrides:
            raise ConfigError("a model has its own configuration; leave out --config and --set")
        loaded = load_model(model)
        decisions = _decisions(loaded.config.decide, threshold, method)
        dataset, _ = analyzed(corpora, loaded.config)
        marginals = loaded.marginals(dataset.columns, dataset.page_starts)
    _print(dataset, marginals, decisions)


def _decisions(configured: Decide, threshold: float | None, method: str | None) -> list[Decision]:
    """The decision asked for; or the configured one and, beside it, the two usual ones."""
    only = asked(configured, threshold, method)
    if only is not None:
        return [only]
    own = Decision(configured.method, configured.threshold, configured.temperature)
    usual = [Decision("threshold", 0.5), Decision("expected-f", temperature=own.temperature)]
    if own.method == "viterbi":
        complain("viterbi, as configured, is not scored: it needs more than marginals")
        return usual
    return [own, *(decision for decision in usual if _name(decision) != _name(own))]


def _print(dataset: Dataset, marginals: NDArray[np.float64], decisions: Sequence[Decision]) -> None:
    """The scores of every decision."""
    for decision in decisions:
        scores = assess(dataset, marginals, decision)
        click.echo(f"== {_name(decision)}")
        if scores.words:
            click.echo("words, page means\n" + table(scores.word_summaries()) + "\n")
        click.echo("blocks\n" + block_table(scores.block_summaries()) + "\n")


def _name(decision: Decision) -> str:
    if decision.method == "threshold":
        return f"threshold {decision.threshold}"
    return decision.method
