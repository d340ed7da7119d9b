"""`victor evaluate`: score models and configurations on annotated pages, and against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import click

from victor.cli.corpora import read, report_drift
from victor.cli.decisions import Threshold, check, decision_from_options
from victor.cli.messages import complain
from victor.cli.systems import Systems, system_options
from victor.evaluation.evaluation import Outcome
from victor.evaluation.scores import (
    MEASURES,
    Assessment,
    Grouping,
    aligned,
    block_table,
    confusion_table,
)
from victor.measures.comparison import compare_scores
from victor.measures.summaries import table
from victor.model.decide import METHODS, Decision, Method

_METHODS: Final = [method for method in METHODS if method != "viterbi"]
"""Decisions that can be asked for: the best path is scored where a model is configured so."""


@click.command(name="evaluate")
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@system_options
@click.option("--holdout", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              help="Hold out sites with this share of the pages, instead of folds.")  # fmt: skip
@click.option("-t", "--threshold", type=Threshold(), metavar="NUMBER|PRESET",
              help="Decide by this threshold, or by a preset of the model.")  # fmt: skip
@click.option("--decide", "method", type=click.Choice(_METHODS),
              help="How labels are chosen; the configuration says by default.")  # fmt: skip
@click.option("--measure", "measures", type=click.Choice([*MEASURES]), multiple=True,
              default=["words"], show_default=True,
              help="Measures of the clean text; may be given several times.")  # fmt: skip
@click.option("--by", type=click.Choice(get_args(Grouping)), default="type", show_default=True,
              help="What the rows of the tables are.")  # fmt: skip
@click.option("--save", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the marginals, which `victor sweep` reads.")  # fmt: skip
@click.option("--report", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for a report to look at in a browser.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    corpora: tuple[Path, ...],
    *,
    systems: Systems,
    holdout: float | None,
    threshold: float | str | None,
    method: Method | None,
    measures: tuple[str, ...],
    by: Grouping,
    save: Path | None,
    report: Path | None,
) -> None:
    """Print scores of clean texts and of blocks, with 95 % intervals from resampled sites.

    Several systems are scored on the same pages, and each is compared with the first.
    """
    check(threshold, method)
    prepared = systems.prepared(holdout=holdout)
    pages = list(read(corpora))
    outcomes = [make(pages) for make in prepared]
    report_drift(outcomes[0].pages)
    _write(outcomes, save, report)  # before tables, of which somebody may read the first lines only
    scored = [_Scored.of(outcome, threshold, method) for outcome in outcomes]
    if not scored[0].scores.words:
        complain("no page has a gold text: only blocks are scored")
    for system in scored:
        _print(system, measures, by)
    if len(scored) > 1:
        _print_overview(scored, by)
    for other in scored[1:]:
        _print_comparison(scored[0], other)


@dataclass(frozen=True, eq=False)
class _Scored:
    """An outcome with the decision that is scored."""

    outcome: Outcome
    decision: Decision | None
    scores: Assessment

    @classmethod
    def of(cls, outcome: Outcome, threshold: float | str | None, method: Method | None) -> _Scored:
        decision = decision_from_options(outcome.decision, threshold, method, outcome.presets)
        return cls(outcome, decision, outcome.assess(decision))

    @property
    def title(self) -> str:
        shown = self.decision or self.outcome.decision
        how = f"threshold {shown.threshold}" if shown.method == "threshold" else shown.method
        return f"{self.outcome.system} ({self.outcome.protocol}; {how})"


def _print(system: _Scored, measures: Sequence[str], by: Grouping) -> None:
    """All tables of one system."""
    click.echo(f"== {system.title}")
    for measure in measures:
        summaries = system.scores.summaries(measure, by)
        if summaries:
            click.echo(f"{measure}\n{table(summaries)}\n")
    counts = system.scores.block_summaries(by)
    click.echo(f"blocks\n{block_table(counts)}\n\n{confusion_table(counts['all'])}\n")
    if system.decision is None and system.scores.words:
        click.echo(f"words, by other decisions\n{aligned([*_other_decisions(system)])}\n")


def _other_decisions(system: _Scored) -> Iterator[list[str]]:
    """What the two usual decisions make of the same marginals."""
    yield ["", "precision", "recall", "f1"]
    temperature = system.outcome.decision.temperature
    for decision in (Decision("threshold", 0.5), Decision("expected-f", temperature=temperature)):
        means = system.outcome.assess(decision).summaries()[0].means
        name = decision.method + (" 0.5" if decision.method == "threshold" else "")
        yield [name, *(f"{means[key]:.4f}" for key in ("precision", "recall", "f1"))]


def _print_overview(scored: Sequence[_Scored], by: Grouping) -> None:
    """All systems in one table: their word scores, then word F of every group of pages."""
    rows: list[list[str]] = []
    for system in scored:
        summaries = system.scores.summaries("words", by)
        if not summaries:
            return
        if not rows:
            rows.append(
                ["", "precision", "recall", "f1", *(found.group for found in summaries[1:])]
            )
        means = summaries[0].means
        values = [means["precision"], means["recall"], means["f1"]]
        values += [found.means["f1"] for found in summaries[1:]]
        rows.append([system.outcome.system, *(f"{value:.4f}" for value in values)])
    click.echo(f"words, all systems\n{aligned(rows)}\n")


def _print_comparison(first: _Scored, other: _Scored) -> None:
    """The paired difference of two systems in word scores."""
    one, two = first.scores, other.scores
    if not one.words:
        return
    sites = [one.pages[page].site for page in one.scored("words")]
    rows = [["", "difference", "95 %", "p", "better", "worse", "equal"]]
    for name, found in compare_scores(two.words, one.words, sites).items():
        interval = f"{found.low:+.4f} … {found.high:+.4f}"
        counts = [str(n) for n in (found.wins, found.losses, found.ties)]
        rows.append([name, f"{found.difference:+.4f}", interval, f"{found.p_value:.4f}", *counts])
    click.echo(f"== {other.title} against {first.title}\nwords\n{aligned(rows)}\n")


def _write(outcomes: Sequence[Outcome], save: Path | None, report: Path | None) -> None:
    """The files that were asked for."""
    if save is None and report is None:
        return
    predictions = [outcome.predictions() for outcome in outcomes]
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        for found in predictions:
            found.save(save / f"{found.system}.npz")
    if report is not None:
        from victor.evaluation.report import write_report  # noqa: PLC0415  (only where one is wanted)

        click.echo(str(write_report(report, predictions)), err=True)
