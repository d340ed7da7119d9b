"""`victor evaluate`: score a model on annotated pages, or a configuration by cross-validation."""

from __future__ import annotations

from pathlib import Path

import click

from victor.api import load_model
from victor.assess import assess, block_table
from victor.cli.corpora import analyzed, configuration
from victor.cli.progress import progress
from victor.config import Config
from victor.decide import METHODS, Decision
from victor.evaluate import table
from victor.training import cross_validate


@click.command(name="evaluate")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--model", help="Score this model; without it, cross-validate a configuration.")
@click.option("-c", "--config", "source", default="default", show_default=True,
              help="Configuration to cross-validate.")  # fmt: skip
@click.option("-s", "--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the configuration.")  # fmt: skip
@click.option("-k", "--folds", type=click.IntRange(2), default=5, show_default=True,
              help="Folds; the pages of a site stay together.")  # fmt: skip
@click.option("-t", "--threshold", type=click.FloatRange(0, 1), help="Decide by this threshold.")
@click.option("--decide", "method", type=click.Choice(METHODS[:1] + METHODS[2:]),
              help="How labels are chosen; the configuration says by default.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Folds trained at once.")  # fmt: skip
def command(
    corpora: tuple[Path, ...],
    *,
    model: str | None,
    source: str,
    overrides: tuple[str, ...],
    folds: int,
    threshold: float | None,
    method: str | None,
    jobs: int,
) -> None:
    """Print word scores per page and block scores, over all pages and per page type."""
    loaded = None if model is None else load_model(model)
    config = configuration(source, overrides) if loaded is None else loaded.config
    dataset, analyzer = analyzed(corpora, config)
    if loaded is not None:
        marginals = loaded.marginals(dataset.columns, dataset.page_starts)
    else:
        with progress("cross-validating", folds) as advance:
            marginals = cross_validate(
                dataset, config, kinds=analyzer.kinds, k=folds, jobs=jobs, progress=advance
            )
    for decision in _decisions(config, threshold, method):
        scores = assess(dataset, marginals, decision)
        click.echo(f"== {_name(decision)}")
        if scores.words:
            click.echo("words, page means\n" + table(scores.word_summaries()) + "\n")
        click.echo("blocks\n" + block_table(scores.block_summaries()) + "\n")


def _decisions(config: Config, threshold: float | None, method: str | None) -> list[Decision]:
    """The decision asked for; or the configured one and, beside it, the plain threshold."""
    if threshold is not None:
        return [Decision("threshold", threshold)]
    if method is not None:
        return [Decision(method)]  # type: ignore[arg-type]
    own = Decision(config.decide.method, config.decide.threshold, config.decide.temperature)
    plain = Decision("threshold", 0.5)
    return [plain] if own.method in ("viterbi", "threshold") else [own, plain]


def _name(decision: Decision) -> str:
    if decision.method == "threshold":
        return f"threshold {decision.threshold}"
    return decision.method
