"""The numbers of a report in rows: scores by group, confusion, operating points."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.evaluation.curve import (
    Curve,
    OperatingPoint,
    area,
    best_f,
    best_precision,
    best_recall,
    presets,
)
from victor.evaluation.report.error_types import Judged
from victor.evaluation.report.plots import TITLES
from victor.measures.blocks import BlockScores, block_scores
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


@dataclass(frozen=True, slots=True)
class PointRow:
    """A point worth knowing on a system's curve of one measure."""

    measure: str
    point: OperatingPoint


def score_tables(systems: Sequence[Judged]) -> dict[str, list[GroupRow]]:
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


def _summaries(system: Judged, groups: Sequence[str]) -> list[Summary]:
    """All pages, then the groups; intervals by drawing sites."""
    return summarize(system.scores, groups, sites=system.predictions.sites)


def _largest_sites(system: Judged) -> list[Summary]:
    """Sites with several pages, most pages first; intervals by drawing pages of the site."""
    sites = system.predictions.sites
    counts = Counter(sites).most_common(MOST_SITES)
    chosen = {site for site, pages in counts if pages > 1}
    pages = [page for page, site in enumerate(sites) if site in chosen]
    if not pages:
        return []
    scores: list[WordScore] = [system.scores[page] for page in pages]
    found = summarize(scores, [sites[page] for page in pages])
    return sorted(found[1:], key=lambda summary: -summary.pages)


def _rows(columns: Sequence[Sequence[Summary]]) -> list[GroupRow]:
    """Groups of the first system, then those that only others have."""
    found = [{summary.group: summary for summary in column} for column in columns]
    groups = dict.fromkeys(group for column in found for group in column)
    return [
        GroupRow(
            "all pages" if group == EVERY else group,
            max(column[group].pages for column in found if group in column),
            tuple(column.get(group) for column in found),
        )
        for group in groups
    ]


def confusion(system: Judged) -> BlockScores:
    """Blocks of all pages by gold label and label given."""
    return block_scores(system.predictions.labels, system.labels)


def operating_points(curve: Curve) -> list[PointRow]:
    """Thresholds that somebody would choose, for every measure of a curve."""
    rows = []
    for measure in (name for name in TITLES if name in curve.measures):
        found: list[OperatingPoint | None] = [
            *_configured(curve, measure),
            *_presets(curve, measure),
        ]
        found.append(best_f(curve, measure))
        found += [best_recall(curve, measure, least) for least in _PRECISIONS]
        found += [best_precision(curve, measure, least) for least in _RECALLS]
        rows += [PointRow(TITLES[measure], point) for point in found if point is not None]
    return rows


def areas(curve: Curve) -> dict[str, float]:
    """Area under the curve by title of the measure."""
    return {TITLES[name]: area(curve, name) for name in TITLES if name in curve.measures}


def _configured(curve: Curve, measure: str) -> list[OperatingPoint]:
    """The configured decision, whatever its method; none where marginals do not determine it."""
    if measure not in curve.own:
        return []
    own = curve.own[measure]
    return [OperatingPoint("as configured", math.nan, own.precision, own.recall, own.f1)]


def _presets(curve: Curve, measure: str) -> list[OperatingPoint]:
    """The presets as points of a measure; none without gold texts."""
    if "pages" not in curve.measures:
        return []
    points, rows = curve.points(measure), []
    for name, threshold in presets(curve).items():
        score = points.score(int(np.searchsorted(curve.thresholds, threshold)))
        rows.append(
            OperatingPoint(f"preset {name}", threshold, score.precision, score.recall, score.f1)
        )
    return rows
