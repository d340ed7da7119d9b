"""`victor sweep`: what every threshold gives, from marginals that are stored or made here."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import click
import numpy as np

from victor.cli.corpora import read, report_drift
from victor.cli.messages import complain
from victor.cli.outputs import unique
from victor.cli.systems import Systems, system_options
from victor.errors import ConfigError
from victor.evaluation.cross_calibration import cross_calibrated, fitted, reliabilities
from victor.evaluation.curve import (
    MEASURES,
    Curve,
    OperatingPoint,
    area,
    best_f,
    best_precision,
    best_recall,
    curve,
    presets,
)
from victor.evaluation.plot import drawable, plot
from victor.evaluation.predictions import Predictions
from victor.evaluation.scores import aligned
from victor.labels import Label
from victor.model.calibration import Reliability
from victor.model.model import Model

_PRECISIONS: Final = (0.95, 0.9)
_RECALLS: Final = (0.95,)
_CALIBRATION_FOLDS: Final = 5


@dataclass(frozen=True, eq=False)
class Swept:
    """What was found out about one system.

    Attributes:
        predictions: its marginals.
        curve: what every threshold gives.
        said: reliability of its marginals by weighting.
        calibrated: the same after calibration on other sites; empty with a single site.
    """

    predictions: Predictions
    curve: Curve
    said: dict[str, Reliability]
    calibrated: dict[str, Reliability]

    @classmethod
    def of(cls, predictions: Predictions) -> Swept:
        """Sweep and calibrate."""
        folds = min(_CALIBRATION_FOLDS, len(set(predictions.sites)))
        return cls(
            predictions=predictions,
            curve=curve(predictions),
            said=reliabilities(predictions),
            calibrated=reliabilities(cross_calibrated(predictions, folds)) if folds > 1 else {},
        )


@click.command(name="sweep")
@click.argument("sources", nargs=-1, required=True,
                type=click.Path(exists=True, path_type=Path))  # fmt: skip
@system_options
@click.option("--save", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the marginals, to sweep them again without training.")  # fmt: skip
@click.option("--csv", "table", type=click.Path(dir_okay=False, path_type=Path),
              help="File for all points of the curves.")  # fmt: skip
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Picture of the curves, .png or .svg.")  # fmt: skip
@click.option("--report", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for a report to look at in a browser.")  # fmt: skip
@click.option("--store", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Model file in which to store presets and scores.")  # fmt: skip
@click.option("--calibrate", is_flag=True,
              help="With --store: store the calibration, too.")  # fmt: skip
def command(  # noqa: PLR0913  (one for every option)
    sources: tuple[Path, ...],
    *,
    systems: Systems,
    save: Path | None,
    table: Path | None,
    picture: Path | None,
    report: Path | None,
    store: Path | None,
    calibrate: bool,
) -> None:
    """Print operating points, areas and calibration of stored predictions or of a corpus.

    A source is a file that --save of this command or of `victor evaluate` wrote, or a folder of
    annotated pages; all folders together are one corpus.
    """
    stored = [source for source in sources if source.is_file()]
    corpora = [source for source in sources if source.is_dir()]
    if not corpora and (systems.named or systems.overrides):
        raise ConfigError("a model or configuration needs a folder of annotated pages: name one")
    if calibrate and store is None:
        raise ConfigError("--calibrate needs --store: name the model to store the calibration in")
    _check_files(table, picture)
    model = None if store is None else Model.load(store)
    found = [Predictions.load(path) for path in stored]
    if corpora:
        found += _predicted(corpora, systems)
    found = _told_apart(found)
    if model is not None and len(found) > 1:
        raise ConfigError("--store needs one system, whose presets are to be stored")
    swept = [Swept.of(predictions) for predictions in found]
    _write(swept, save, table, picture, report)
    if model is not None and store is not None:
        _with_presets(model, swept[0], calibrate=calibrate).save(store)
    for one in swept:  # last, as somebody may read the first lines only
        click.echo("\n".join(_lines(one)) + "\n")


def _with_presets(model: Model, swept: Swept, *, calibrate: bool) -> Model:
    """The model with presets and scores of a sweep; presets of calibrated marginals if asked."""
    found = presets(swept.curve)
    model = model.with_card(scores=_scores(swept))
    if not calibrate:
        return replace(model, presets=found)
    if model.calibration is not None:
        raise ConfigError("the model is calibrated already: train it again to calibrate it anew")
    calibration = fitted(swept.predictions)
    other = np.array([*found.values()])
    moved = calibration(np.stack([np.zeros(len(other)), 1 - other, other], axis=1))
    thresholds = moved[:, Label.OTHER].tolist()
    return replace(
        model, calibration=calibration, presets=dict(zip(found, thresholds, strict=True))
    )


def _scores(swept: Swept) -> dict[str, object]:
    """What the card of a model says of the sweep."""
    names = {"blocks": "blocks kept", "words": "words, pooled", "pages": "words, page mean"}
    return {
        "protocol": swept.predictions.protocol,
        "decision": asdict(swept.predictions.decision),
        **{
            names[measure]: {name: round(value, 4) for name, value in asdict(score).items()}
            for measure, score in swept.curve.own.items()
        },
    }


def _check_files(table: Path | None, picture: Path | None) -> None:
    """Refuse files that cannot be written, better now than after the training."""
    if picture is not None:
        drawable(picture)
    for path in (table, picture):
        if path is not None and not path.parent.is_dir():
            raise ConfigError(f"there is no folder {path.parent} for {path.name}; make it first")


def _predicted(corpora: Sequence[Path], systems: Systems) -> list[Predictions]:
    """Marginals of systems as they are, and of others by cross-validation."""
    for name in systems.models:
        complain(
            f"{name} is swept as it is: its scores are too good on pages that it was trained on"
        )
    prepared = systems.prepared()
    pages = list(read(corpora))
    outcomes = [make(pages) for make in prepared]
    report_drift(outcomes[0].pages)
    return [outcome.predictions() for outcome in outcomes]


def _told_apart(systems: Sequence[Predictions]) -> list[Predictions]:
    """Systems with names that differ; say so if they were not scored on the same pages."""
    if len({tuple(page.id for page in system.pages) for system in systems}) > 1:
        complain("the systems were scored on different pages: their numbers cannot be compared")
    names = unique([system.system for system in systems])
    return [replace(s, system=name) for s, name in zip(systems, names, strict=True)]


def _lines(swept: Swept) -> Iterator[str]:
    """All that is printed of one system."""
    found, drawn = swept.predictions, swept.curve
    yield (
        f"== {found.system} ({found.protocol}): {len(found.pages)} pages, "
        f"{len(found.labels)} blocks, {len(drawn.thresholds)} thresholds"
    )
    for measure in reversed(MEASURES):
        if measure in drawn.measures:
            yield aligned(_rows(swept, measure)) + "\n"
    errors = [["calibration error", "as said", "calibrated"]]
    for name, said in swept.said.items():
        after = swept.calibrated.get(name)
        errors.append([name, f"{said.error:.4f}", f"{after.error:.4f}" if after else "-"])
    yield aligned(errors)
    if "pages" in drawn.measures:
        yield "\npresets: " + ", ".join(f"{n} {t:.4f}" for n, t in presets(drawn).items())


def _rows(swept: Swept, measure: str) -> list[list[str]]:
    """Operating points of a measure."""
    drawn = swept.curve
    rows = [
        [f"{measure}, area {area(drawn, measure):.4f}", "threshold", "precision", "recall", "f1"]
    ]
    rows += [_row("best F", best_f(drawn, measure))]
    for least in _PRECISIONS:
        rows.append(
            _row(f"best recall at precision >= {least:g}", best_recall(drawn, measure, least))
        )
    for least in _RECALLS:
        rows.append(
            _row(f"best precision at recall >= {least:g}", best_precision(drawn, measure, least))
        )
    if measure in drawn.own:
        own, decision = drawn.own[measure], swept.predictions.decision
        shown = f"{decision.threshold:.4f}" if decision.method == "threshold" else "-"
        numbers = [f"{value:.4f}" for value in (own.precision, own.recall, own.f1)]
        rows.append([f"as configured: {decision.method}", shown, *numbers])
    return rows


def _row(name: str, point: OperatingPoint | None) -> list[str]:
    """An operating point, or dashes where it cannot be reached."""
    if point is None:
        return [name, "-", "-", "-", "-"]
    values = (point.threshold, point.precision, point.recall, point.f1)
    return [name, *(f"{value:.4f}" for value in values)]


def _write(
    swept: Sequence[Swept],
    save: Path | None,
    table: Path | None,
    picture: Path | None,
    report: Path | None,
) -> None:
    """The files that were asked for."""
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        for system in swept:
            system.predictions.save(save / f"{system.predictions.system}.npz")
    if table is not None:
        _write_csv(table, [system.curve for system in swept])
    if picture is not None:
        said = [system.said["blocks"] for system in swept]
        plot(picture, [system.curve for system in swept], said)
    if report is not None:
        from victor.evaluation.report import write_report  # noqa: PLC0415  (only where one is wanted)

        click.echo(str(write_report(report, [system.predictions for system in swept])), err=True)


def _write_csv(path: Path, curves: Sequence[Curve]) -> None:
    """All points, a row for each threshold of each system; nothing where a measure is not known."""
    names = [(measure, value) for measure in MEASURES for value in ("precision", "recall", "f1")]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "threshold", *(f"{m}_{value}" for m, value in names)])
        for drawn in curves:
            empty = [""] * len(drawn.thresholds)
            columns = [
                getattr(drawn.points(m), value).tolist() if m in drawn.measures else empty
                for m, value in names
            ]
            system = [drawn.system] * len(empty)
            writer.writerows(zip(system, drawn.thresholds.tolist(), *columns, strict=True))
