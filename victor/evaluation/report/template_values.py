"""The values that the report's template shows: systems, scores by group, operating points."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from victor import __version__
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.evaluation.curve import (
    Curve,
    OperatingPoint,
    area,
    best_f,
    best_precision,
    best_recall,
    configured_points,
    preset_points,
)
from victor.evaluation.predictions import Predictions, reliabilities
from victor.evaluation.report import svg
from victor.evaluation.report.block_outcomes import BlockOutcome, ScoredSystem, causes_by_group
from victor.evaluation.report.html import cut
from victor.evaluation.report.plots import MOST_POINTS, TITLES
from victor.evaluation.report.worst_pages import worst_pages
from victor.measures.blocks import block_scores
from victor.measures.summaries import EVERY, Summary, summarize
from victor.measures.words import WordScore

MOST_SITES: Final = 20
_PRECISIONS: Final = (0.9, 0.95)
_RECALLS: Final = (0.9, 0.95)


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Word scores of one group of pages: one summary per system, None where it has no such page."""

    group: str
    pages: int
    summaries: tuple[Summary | None, ...]


def score_tables(systems: Sequence[ScoredSystem]) -> dict[str, list[GroupRow]]:
    """Page means of word scores with 95 % intervals, by title of the table."""
    sites = [_largest_sites(system) for system in systems]
    return {
        "By page type": _rows([_summaries(system, system.predictions.kinds) for system in systems]),
        "By language": _rows(
            [
                _summaries(system, [page.language for page in system.predictions.pages])
                for system in systems
            ]
        ),
        f"The {MOST_SITES} sites with most pages": _rows(sites)[:MOST_SITES],
    }


def _summaries(system: ScoredSystem, groups: Sequence[str]) -> list[Summary]:
    """All pages, then the groups; intervals by drawing sites."""
    return summarize(system.scores, groups, sites=system.predictions.sites)


def _largest_sites(system: ScoredSystem) -> list[Summary]:
    """Sites with several pages, most pages first; intervals by drawing pages of the site."""
    sites = system.predictions.sites
    counts = Counter(sites).most_common(MOST_SITES)
    largest = {site for site, pages in counts if pages > 1}
    pages = [page for page, site in enumerate(sites) if site in largest]
    if not pages:
        return []
    scores: list[WordScore] = [system.scores[page] for page in pages]
    summaries = summarize(scores, [sites[page] for page in pages])
    return sorted(summaries[1:], key=lambda summary: -summary.pages)


def _rows(columns: Sequence[Sequence[Summary]]) -> list[GroupRow]:
    """Groups of the first system, then those that only others have."""
    systems = [{summary.group: summary for summary in column} for column in columns]
    groups = dict.fromkeys(group for system in systems for group in system)
    return [
        GroupRow(
            "all pages" if group == EVERY else group,
            max(system[group].pages for system in systems if group in system),
            tuple(system.get(group) for system in systems),
        )
        for group in groups
    ]


def operating_points(curve: Curve) -> dict[str, list[OperatingPoint]]:
    """Thresholds worth choosing, by title of the measure."""
    rows = {}
    for measure in (name for name in TITLES if name in curve.measures):
        points = [
            *configured_points(curve, measure, "as configured"),
            *(replace(p, name=f"preset {p.name}") for p in preset_points(curve, measure)),
            best_f(curve, measure),
            *(best_recall(curve, measure, least) for least in _PRECISIONS),
            *(best_precision(curve, measure, least) for least in _RECALLS),
        ]
        rows[TITLES[measure]] = [point for point in points if point is not None]
    return rows


def areas(curve: Curve) -> dict[str, float]:
    """Area under the curve by title of the measure."""
    return {TITLES[name]: area(curve, name) for name in TITLES if name in curve.measures}


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
        "version": __version__,
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
