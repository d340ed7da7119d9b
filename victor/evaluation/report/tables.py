"""The tables of a report: systems, scores by group, operating points."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from victor.base.labels import UNLABELLED
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
from victor.evaluation.predictions import Predictions
from victor.evaluation.report.drawings import DECISION, TITLES, cut
from victor.evaluation.report.scored import ScoredSystem
from victor.measures.blocks import block_scores
from victor.measures.summaries import EVERY, Summary, summarize
from victor.measures.words import WordScore

MOST_SITES: Final = 20
_LEAST: Final = (0.9, 0.95)
"""Precision, or recall, that a threshold is to give."""
_DIGITS: Final = 16


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
            *configured_points(curve, measure, DECISION),
            *(replace(p, name=f"preset {p.name}") for p in preset_points(curve, measure)),
            best_f(curve, measure),
            *(best_recall(curve, measure, least) for least in _LEAST),
            *(best_precision(curve, measure, least) for least in _LEAST),
        ]
        rows[TITLES[measure]] = [point for point in points if point is not None]
    return rows


def system_values(system: ScoredSystem, curve: Curve) -> dict[str, Any]:
    """What the template shows of one system beside its scores by group."""
    predictions = system.predictions
    decision = predictions.decision.on_marginals
    return {
        "name": cut(predictions.system),
        "protocol": cut(predictions.protocol),
        "decision": f"keeps blocks with p(other) below {decision.threshold:g}"
        if decision.method == "threshold"
        else f"keeps what maximises expected F, temperature {decision.temperature:g}",
        "overall": summarize(system.scores, sites=predictions.sites)[0],
        "points": operating_points(curve),
        "areas": {TITLES[measure]: area(curve, measure) for measure in curve.measures},
        "confusion": block_scores(predictions.labels, system.labels),
        "pages": len(predictions.pages),
        "sites": len(set(predictions.sites)),
        "blocks": len(predictions.labels),
        "unlabelled": int(np.sum(predictions.labels == UNLABELLED)),
        "without_gold": sum(page.gold is None for page in predictions.pages),
        "digest": data_hash(predictions),
    }


def data_hash(predictions: Predictions) -> str:
    """Short hash of page ids, the blocks of each page and their gold labels."""
    digest = hashlib.sha256(predictions.page_starts.astype("<i8").tobytes())
    digest.update(predictions.labels.tobytes())
    for page in predictions.pages:
        digest.update(page.id.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_DIGITS]
