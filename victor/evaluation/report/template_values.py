"""The values that the report's template shows, system by system."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import numpy as np

from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.evaluation.cross_calibration import reliabilities
from victor.evaluation.curve import Curve
from victor.evaluation.predictions import Predictions
from victor.evaluation.report import svg
from victor.evaluation.report.block_outcomes import BlockOutcome, ScoredSystem
from victor.evaluation.report.error_analysis import causes_by_group
from victor.evaluation.report.html import cut
from victor.evaluation.report.plots import MOST_POINTS
from victor.evaluation.report.tables import areas, operating_points, score_tables
from victor.evaluation.report.worst_pages import worst_pages
from victor.measures.blocks import block_scores
from victor.measures.summaries import summarize

_LETTERS: Final = (("P", "precision"), ("B", "balanced"), ("R", "recall"))
_ERRORS: Final = (
    (BlockOutcome.LOST, "lost", "lost"),
    (BlockOutcome.WRONGLY_KEPT, "wrongly kept", "wrong"),
)
_DIGITS: Final = 16


def values(
    title: str, date: str | None, systems: Sequence[ScoredSystem], curves: Sequence[Curve]
) -> dict[str, Any]:
    """All values of the page's template except its plots."""
    pairs = zip(systems, curves, strict=True)
    return {
        "title": cut(title),
        "date": date,
        "systems": [_system(number, *pair) for number, pair in enumerate(pairs)],
        "scores": score_tables(systems),
        "pages": worst_pages(systems),
        "labels": LABEL_NAMES,
        "letters": _LETTERS
        if all("pages" in curve.measures for curve in curves)
        else (("F", "best F"),),
        "version": version("victor-crf"),
        "most_points": MOST_POINTS,
    }


def data_hash(predictions: Predictions) -> str:
    """Short hash of page ids, the blocks of each page and their gold labels."""
    digest = hashlib.sha256(predictions.page_starts.astype("<i8").tobytes())
    digest.update(predictions.labels.tobytes())
    for page in predictions.pages:
        digest.update(page.id.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_DIGITS]


def _system(number: int, system: ScoredSystem, curve: Curve) -> dict[str, Any]:
    """The values of one system."""
    predictions = system.predictions
    calibration = reliabilities(predictions)["blocks"]
    return {
        "name": cut(predictions.system),
        "key": svg.key(number),
        "protocol": cut(predictions.protocol),
        "decision": _decision(predictions),
        "overall": summarize(system.scores, sites=predictions.sites)[0],
        "points": operating_points(curve),
        "areas": areas(curve),
        "confusion": block_scores(predictions.labels, system.labels),
        "causes": [_error(system, *error) for error in _ERRORS],
        "reliability": svg.reliability_diagram(predictions.system, number, calibration),
        "calibration_error": calibration.error,
        **_data(predictions),
    }


def _decision(predictions: Predictions) -> str:
    """How the system decides, in words."""
    decision = predictions.decision.on_marginals
    if decision.method == "threshold":
        return f"keeps blocks with p(other) below {decision.threshold:g}"
    return f"keeps what maximises expected F, temperature {decision.temperature:g}"


def _error(
    system: ScoredSystem, error: BlockOutcome, name: str, css_class: str
) -> Mapping[str, Any]:
    """Words of one error and where they are."""
    predictions = system.predictions
    return {
        "name": name,
        "class": css_class,
        "words": int(predictions.words[system.outcomes == error].sum()),
        "tables": causes_by_group(predictions, system.outcomes, error),
    }


def _data(predictions: Predictions) -> dict[str, Any]:
    """What the system was measured on."""
    return {
        "pages": len(predictions.pages),
        "sites": len(set(predictions.sites)),
        "blocks": len(predictions.labels),
        "unlabelled": int(np.sum(predictions.labels == UNLABELLED)),
        "without_gold": sum(page.gold is None for page in predictions.pages),
        "digest": data_hash(predictions),
    }
