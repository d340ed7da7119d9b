"""`victor evaluate`: score systems on annotated pages and compare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import click

from victor.cli.cleaner_options import Deciding
from victor.cli.commands import CORPUS, OneOf, command, option
from victor.cli.messages import complain
from victor.cli.systems import Systems
from victor.evaluation.evaluation import Outcome
from victor.evaluation.scores import (
    MEASURES,
    Grouping,
    Scores,
    block_table,
    confusion_table,
)
from victor.measures.averages import Comparison, aligned, compare_scores, table
from victor.model.decide import METHODS, Decision, Method

_METHODS: Final = [method for method in METHODS if method != "viterbi"]
"""Decisions to choose from; the best path is only scored where a model is configured so."""
_HEADS: Final = ("precision", "recall", "f1")


class _Options(Systems, Deciding):
    method: Method | None = option("--decide", "How labels are chosen:", OneOf(_METHODS))
    holdout: float | None = option(
        "--holdout", "Hold out sites with this share of pages.", click.FloatRange(0, 1, True, True)
    )
    measures: tuple[str, ...] = option(
        "--measure", "Measure of the text; repeatable:", OneOf([*MEASURES]), ("words",)
    )
    by: Grouping = option("--by", "Rows of the tables:", OneOf(get_args(Grouping)), "type")


@command(
    "victor evaluate corpus/ -m default -m mine.victor",
    "victor evaluate corpus/ -c default -c crf -k 3 --save scores/",
    "victor evaluate corpus/ -l all --report report/",
    takes=_Options,
)
@click.argument("corpora", nargs=-1, required=True, type=CORPUS)
def evaluate_command(corpora: tuple[Path, ...], options: _Options) -> None:
    """Print scores of clean texts and of blocks, with 95 % intervals from resampled sites.

    Several labelers are scored on the same pages, and each is compared with the first.
    """
    options.check()
    outcomes = options.outcomes(corpora, holdout=options.holdout)
    # Before the tables: the reader of a pipe may leave early.
    options.write(outcome.predictions() for outcome in outcomes)
    scored = [_ScoredOutcome.of(outcome, options) for outcome in outcomes]
    if not scored[0].scores.words:
        complain("no page has a gold text: only blocks are scored")
    for system in scored:
        _print_tables(system, options.measures, options.by)
    if len(scored) > 1:
        _print_overview(scored, options.by)
    for other in scored[1:]:
        _print_comparison(scored[0], other)


@dataclass(frozen=True, eq=False)
class _ScoredOutcome:
    """An outcome and its scores; `decision` is None where the system decides as configured."""

    outcome: Outcome
    decision: Decision | None
    scores: Scores

    @classmethod
    def of(cls, outcome: Outcome, options: Deciding) -> _ScoredOutcome:
        decision = options.decision(outcome.decision, outcome.presets)
        return cls(outcome, decision, outcome.assess(decision))

    @property
    def title(self) -> str:
        decision = self.decision or self.outcome.decision
        threshold = f" {decision.threshold}" if decision.method == "threshold" else ""
        return f"{self.outcome.system} ({self.outcome.protocol}; {decision.method}{threshold})"


def _print_tables(system: _ScoredOutcome, measures: Sequence[str], by: Grouping) -> None:
    click.echo(f"== {system.title}")
    for measure in measures:
        summaries = system.scores.summaries(measure, by)
        if summaries:
            click.echo(f"{measure}\n{table(summaries)}\n")
    counts = system.scores.block_summaries(by)
    blocks = block_table(counts, system.scores.block_intervals(by))
    click.echo(f"blocks\n{blocks}\n\n{confusion_table(counts['all'])}\n")
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
    """The paired differences of two systems, of words and of blocks."""
    click.echo(f"== {other.title} against {first.title}")
    scores = first.scores
    if scores.words:
        sites = [scores.pages[page].site for page in scores.scored_pages("words")]
        _print_differences("words", compare_scores(other.scores.words, scores.words, sites))
    sites = [page.site for page in scores.pages]
    _print_differences("blocks", compare_scores(other.scores.blocks, scores.blocks, sites))


def _print_differences(measure: str, results: Mapping[str, Comparison]) -> None:
    rows = [["", "difference", "95 %", "p", "better", "worse", "equal"]]
    for name, result in results.items():
        ends = f"{result.low:+.4f} … {result.high:+.4f}"
        counts = [str(n) for n in (result.wins, result.losses, result.ties)]
        rows.append([name, f"{result.difference:+.4f}", ends, f"{result.p_value:.4f}", *counts])
    click.echo(f"{measure}\n{aligned(rows)}\n")
