"""`victor sweep`: scores at every threshold, from stored predictions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Final, NamedTuple

import click
from msgspec import structs

from victor.base.errors import ConfigError
from victor.cli.commands import FILE, command, complain, option
from victor.cli.evaluate import Reporting
from victor.cli.pages import unique
from victor.evaluation import thresholds
from victor.evaluation.evaluation import AS_IT_IS
from victor.evaluation.page_heads import Examples, HeadScores, fit
from victor.evaluation.predictions import Predictions, reliabilities
from victor.evaluation.thresholds import GOALS, MEASURES, Curve
from victor.measures.averages import aligned
from victor.model.decide import Presets
from victor.model.model import Model

_HEADS: Final = ("threshold", "precision", "recall", "f1")
_AREA: Final = (
    "area: under the curve of precision over recall, for comparing systems. It is below F: recall\n"
    "beyond the curve's end counts as 0, in page means also pages of which nothing is kept yet."
)


class Sweep(NamedTuple):
    """The predictions of a system, and its curve."""

    predictions: Predictions
    curve: Curve


class _Options(Reporting):
    store: Path | None = option("--store", "Model in which to store presets and scores.", FILE)


@command(
    "victor sweep scores/default.npz",
    "victor sweep scores/default.npz --report report/",
    "victor sweep scores/default.npz --store mine.victor",
    takes=_Options,
)
@click.argument("files", nargs=-1, required=True, type=FILE)
def sweep_command(files: tuple[Path, ...], options: _Options) -> None:
    """Print operating points, areas and calibration of predictions.

    FILES are what `victor evaluate --save` wrote.
    """
    options.check_report()
    model = None if options.store is None else Model.load(options.store)
    sweeps = [Sweep(each, thresholds.curve(each)) for each in _predictions(files)]
    if model is not None and len(sweeps) > 1:
        raise ConfigError("--store needs one system, whose presets are to be stored")
    options.write_report([sweep.predictions for sweep in sweeps])
    if model is not None and options.store is not None:
        model = _with_presets(model, sweeps[0])
        model, said = _with_page_head(model, sweeps[0].predictions)
        model.save(options.store)
        for line in (*_stored(sweeps[0].curve.presets, options.store), *said):
            complain(line)
    for sweep in sweeps:  # last: the reader of a pipe may leave early
        click.echo("\n".join(_lines(sweep)) + "\n")


def _predictions(files: Sequence[Path]) -> list[Predictions]:
    """Predictions of the files, under names that differ."""
    predictions = [*map(Predictions.load, files)]
    if len({tuple(page.id for page in system.pages) for system in predictions}) > 1:
        complain("the systems were scored on different pages: their numbers cannot be compared")
    names = unique([system.system for system in predictions])
    return [replace(p, system=name) for p, name in zip(predictions, names, strict=True)]


def _with_presets(model: Model, sweep: Sweep) -> Model:
    """The model with presets and scores of a sweep."""
    if sweep.predictions.protocol != AS_IT_IS:  # those on a card are of models trained alike
        model = model.with_card(scores=_scores(sweep))
    return structs.replace(model, presets=sweep.curve.presets)


def _with_page_head(model: Model, predictions: Predictions) -> tuple[Model, list[str]]:
    """The model with a page head fitted on the predictions, and what is said of it."""
    examples = Examples.of(predictions.pages, predictions, predictions.page_measures)
    if not examples.are_enough:
        return model, ["no page head is stored: it needs ten pages without content, and two types"]
    scores = HeadScores.cross_validated(examples, model.config.decide)
    model = structs.replace(model, page_head=fit(examples)).with_card(page_head=scores.to_json())
    return model, [*scores.lines()]


def _scores(sweep: Sweep) -> dict[str, object]:
    """What the card of a model says of the sweep."""
    names = {"blocks": "blocks kept", "words": "words, pooled", "pages": "words, page mean"}
    return {
        "protocol": sweep.predictions.protocol,
        "decision": sweep.predictions.decision.to_data(),
        **{
            names[measure]: {name: round(value, 4) for name, value in structs.asdict(score).items()}
            for measure, score in sweep.curve.configured.items()
        },
    }


def _lines(sweep: Sweep) -> Iterator[str]:
    predictions, curve = sweep.predictions, sweep.curve
    yield (
        f"== {predictions.system} ({predictions.protocol}): {len(predictions.pages)} pages, "
        f"{len(predictions.labels)} blocks, {len(curve.thresholds)} thresholds"
    )
    for measure in reversed(MEASURES):
        if measure in curve.measures:
            yield aligned(_rows(sweep, measure)) + "\n"
    yield f"{_AREA}\n"
    errors = [[name, f"{each.error:.4f}"] for name, each in reliabilities(predictions).items()]
    yield aligned([["calibration error", ""], *errors])
    yield f"\n{aligned(_preset_rows(curve.presets))}"
    counts = ", ".join(f"{name} ({n:,} pages)" for name, n in curve.presets.pages.items())
    yield f"Presets are chosen on the mean of corpora: {counts}."


def _preset_rows(presets: Presets) -> list[list[str]]:
    rows = [[f"presets, by {presets.measure}", "threshold", "precision", "recall"]]
    for name in GOALS:
        values = presets.points.get(name)
        rows.append([name, *(("-",) * 3 if values is None else (f"{v:.4f}" for v in values))])
    return rows


def _stored(presets: Presets, path: Path) -> Iterator[str]:
    if presets:
        yield f"presets stored in {path}: {', '.join(presets)}"
        if len({*presets.values()}) < len(presets):
            yield "some presets are the same threshold, because it reaches the goals of both"
    for name in GOALS:
        if name not in presets:
            yield f"no threshold reaches {GOALS[name]}: {name} is not stored"


def _rows(sweep: Sweep, measure: str) -> list[list[str]]:
    curve = sweep.curve
    decision = sweep.predictions.decision
    threshold = f" {decision.threshold:g}" if decision.method == "threshold" else ""
    points = [
        *thresholds.operating_points(curve, measure),
        *thresholds.configured_points(
            curve, measure, f"as configured: {decision.method}{threshold}"
        ),
    ]
    rows = [[f"{measure}, area {thresholds.area(curve, measure):.4f}", *_HEADS]]
    for name, *numbers in map(astuple, points):
        rows.append([name, *("-" if math.isnan(value) else f"{value:.4f}" for value in numbers)])
    return rows
