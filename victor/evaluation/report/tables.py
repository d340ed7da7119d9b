"""The numbers of a report in rows: scores by group, confusion, operating points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

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
from victor.evaluation.report.block_outcomes import ScoredSystem
from victor.evaluation.report.plots import TITLES
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
    chosen = {site for site, pages in counts if pages > 1}
    pages = [page for page, site in enumerate(sites) if site in chosen]
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
