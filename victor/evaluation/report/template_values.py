"""What a report says of its systems, in the words and drawings that the page shows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import numpy as np

from victor.evaluation.curve import Curve
from victor.evaluation.predictions import Predictions
from victor.evaluation.report import svg
from victor.evaluation.report.error_analysis import by_group
from victor.evaluation.report.error_types import Fate, Judged
from victor.evaluation.report.html import cut
from victor.evaluation.report.plots import MOST_POINTS
from victor.evaluation.report.tables import areas, confusion, operating_points, score_tables
from victor.evaluation.report.worst_pages import worst_pages
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.measures.summaries import summarize
from victor.model.calibration import reliability

_LETTERS: Final = (("P", "precision"), ("B", "balanced"), ("R", "recall"))
_WRONGS: Final = (
    (Fate.LOST, "lost", "lost"),
    (Fate.WRONGLY_KEPT, "wrongly kept", "wrong"),
)
_DIGITS: Final = 16


def values(title: str, systems: Sequence[Judged], curves: Sequence[Curve]) -> dict[str, Any]:
    """All that the page's template names beside its plots."""
    pairs = zip(systems, curves, strict=True)
    return {
        "title": cut(title),
        "systems": [_system(place, *pair) for place, pair in enumerate(pairs)],
        "scores": score_tables(systems),
        "pages": worst_pages(systems),
        "labels": LABEL_NAMES,
        "letters": _LETTERS
        if all("pages" in curve.measures for curve in curves)
        else (("F", "best F"),),
        "version": version("victor"),
        "most_points": MOST_POINTS,
    }


def data_hash(predictions: Predictions) -> str:
    """Short hash of page ids, the blocks of each page and their gold labels."""
    digest = hashlib.sha256(predictions.page_starts.astype("<i8").tobytes())
    digest.update(predictions.labels.tobytes())
    for page in predictions.pages:
        digest.update(page.id.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_DIGITS]


def _system(place: int, system: Judged, curve: Curve) -> dict[str, Any]:
    """One system."""
    found = system.predictions
    return {
        "name": cut(found.system),
        "key": svg.key(place),
        "protocol": cut(found.protocol),
        "decision": _decision(found),
        "overall": summarize(system.scores, sites=found.sites)[0],
        "points": operating_points(curve),
        "areas": areas(curve),
        "confusion": confusion(system),
        "causes": [_wrong(system, *wrong) for wrong in _WRONGS],
        **_calibration(place, found),
        **_data(found),
    }


def _decision(predictions: Predictions) -> str:
    """How the system decides, in words."""
    decision = predictions.decision.on_marginals
    if decision.method == "threshold":
        return f"keeps blocks with p(other) below {decision.threshold:g}"
    return f"keeps what maximises expected F, temperature {decision.temperature:g}"


def _wrong(system: Judged, fate: Fate, name: str, css_class: str) -> Mapping[str, Any]:
    """Words of one wrong fate and where they are."""
    found = system.predictions
    return {
        "name": name,
        "class": css_class,
        "words": int(found.words[system.fate == fate].sum()),
        "tables": by_group(found, system.fate, fate),
    }


def _calibration(place: int, predictions: Predictions) -> dict[str, Any]:
    """Reliability diagram and expected calibration error."""
    labels = predictions.labels
    labelled = labels != UNLABELLED
    found = reliability(predictions.keep[labelled], labels[labelled] != Label.OTHER)
    drawing = svg.reliability(predictions.system, place, found)
    return {"reliability": drawing, "calibration_error": found.error}


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
