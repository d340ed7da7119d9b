"""`victor evaluate`: score systems on annotated pages and compare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import click

from victor.cli.commands import Command, OneOf, Threshold
from victor.cli.messages import complain
from victor.cli.system_options import check, decision_from_options
from victor.cli.systems import (
    Systems,
    check_report,
    save_predictions,
    system_options,
    write_report,
)
from victor.evaluation.evaluation import Outcome
from victor.evaluation.scores import (
    MEASURES,
    Grouping,
    Scores,
    block_table,
    confusion_table,
)
from victor.measures.averages import aligned, compare_scores, table
from victor.model.decide import METHODS, Decision, Method

_METHODS: Final = [method for method in METHODS if method != "viterbi"]
"""Decisions to choose from; the best path is only scored where a model is configured so."""
_HEADS: Final = ("precision", "recall", "f1")


@click.command(
    name="evaluate",
    cls=Command,
    examples=(
        "victor evaluate corpus/ -m default -m mine.victor",
        "victor evaluate corpus/ -c default -c crf -k 3 --save scores/",
        "victor evaluate corpus/ -l all --report report/",
    ),
)
@click.argument("corpora", nargs=-1, required=True,
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@system_options
@click.option("--holdout", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              help="Hold out sites with this share of pages, not folds.")  # fmt: skip
@click.option("-t", "--threshold", type=Threshold(), metavar="NUMBER|PRESET",
              help="Threshold, preset of the model, or p0.98.")  # fmt: skip
@click.option("--decide", "method", type=OneOf(_METHODS),
              help="Rule that chooses labels [default: the model's].")  # fmt: skip
@click.option("--measure", "measures", type=OneOf([*MEASURES]), multiple=True,
              default=["words"], show_default=True,
              help="Measures of the clean text; repeatable.")  # fmt: skip
@click.option("--by", type=OneOf(get_args(Grouping)), default="type", show_default=True,
              help="What the rows of the tables are.")  # fmt: skip
@click.option("--save", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the marginals, which `victor sweep` reads.")  # fmt: skip
@click.option("--report", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for a report in HTML.")  # fmt: skip
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

    Several labelers are scored on the same pages, and each is compared with the first.
    """
    check(threshold, method)
    if report is not None:
        check_report()
    outcomes = systems.outcomes(corpora, holdout=holdout)
    _write(outcomes, save, report)  # before the tables: the reader of a pipe may leave early
    scored = [_ScoredOutcome.of(outcome, threshold, method) for outcome in outcomes]
    if not scored[0].scores.words:
        complain("no page has a gold text: only blocks are scored")
    for system in scored:
        _print_tables(system, measures, by)
    if len(scored) > 1:
        _print_overview(scored, by)
    for other in scored[1:]:
        _print_comparison(scored[0], other)


def _write(outcomes: Sequence[Outcome], save: Path | None, report: Path | None) -> None:
    """Write the files that the options name."""
    if save is None and report is None:
        return
    predictions = [outcome.predictions() for outcome in outcomes]
    if save is not None:
        save_predictions(save, predictions)
    if report is not None:
        write_report(report, predictions)


@dataclass(frozen=True, eq=False)
class _ScoredOutcome:
    """An outcome and its scores; `decision` is None where the system decides as configured."""

    outcome: Outcome
    decision: Decision | None
    scores: Scores

    @classmethod
    def of(
        cls, outcome: Outcome, threshold: float | str | None, method: Method | None
    ) -> _ScoredOutcome:
        decision = decision_from_options(outcome.decision, threshold, method, outcome.presets)
        return cls(outcome, decision, outcome.assess(decision))

    @property
    def title(self) -> str:
        decision = self.decision or self.outcome.decision
        threshold = f" {decision.threshold}" if decision.method == "threshold" else ""
        return f"{self.outcome.system} ({self.outcome.protocol}; {decision.method}{threshold})"


def _print_tables(system: _ScoredOutcome, measures: Sequence[str], by: Grouping) -> None:
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


def _other_decisions(system: _ScoredOutcome) -> Iterator[list[str]]:
    """Word scores of the two usual decisions on the same marginals."""
    yield ["", *_HEADS]
    temperature = system.outcome.decision.temperature
    for name, decision in (
        ("threshold 0.5", Decision("threshold", 0.5)),
        ("expected-f", Decision("expected-f", temperature=temperature)),
    ):
        means = system.outcome.assess(decision).summaries()[0].means
        yield [name, *(f"{means[head]:.4f}" for head in _HEADS)]


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
    """The paired difference of two systems in word scores."""
    scores = first.scores
    if not scores.words:
        return
    sites = [scores.pages[page].site for page in scores.scored_pages("words")]
    rows = [["", "difference", "95 %", "p", "better", "worse", "equal"]]
    for name, result in compare_scores(other.scores.words, scores.words, sites).items():
        interval = f"{result.low:+.4f} … {result.high:+.4f}"
        counts = [str(n) for n in (result.wins, result.losses, result.ties)]
        row = [name, f"{result.difference:+.4f}", interval, f"{result.p_value:.4f}", *counts]
        rows.append(row)
    click.echo(f"== {other.title} against {first.title}\nwords\n{aligned(rows)}\n")
