"""Averages over all pages and over groups of them, with bootstrap confidence intervals.

The bootstrap resamples corpora by site. The pages of a site are alike: drawing single pages would
treat them as independent and make every interval too narrow, so sites are drawn where they are
known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Floats
from victor.base.errors import ConfigError
from victor.measures.aggregates import PageScore

RESAMPLES: Final = 1_000
PERCENTILES: Final = (2.5, 97.5)
"""Ends of the 95 % interval."""
SEED: Final = 2008
_CELLS: Final = 2**21
"""Draws in memory at once: 16 MB."""


def site_sums(addends: Floats, sites: Sequence[str] | None) -> Floats:
    """Sums of the addends of every site; without sites each page counts as one.

    Args:
        addends: (pages, k).
        sites: site of each page.

    Returns:
        (sites, k), sites in alphabetical order.
    """
    if sites is None:
        return addends
    names, numbers = np.unique(np.asarray(sites), return_inverse=True)
    columns = [np.bincount(numbers, column, len(names)) for column in addends.T]
    return np.stack(columns, axis=1)


def bootstrap_sums(units: Floats) -> Floats:
    """Sums of `RESAMPLES` corpora of as many units, drawn with replacement.

    Args:
        units: (units, k) addends of sites or pages.

    Returns:
        (RESAMPLES, k), the same on every call.
    """
    count = len(units)
    random = np.random.default_rng(SEED)
    parts = []
    for rows in batches(RESAMPLES, count):
        drawn = random.integers(count, size=(rows, count)) + np.arange(rows)[:, None] * count
        weights = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        parts.append(weights.astype(np.float64) @ units)
    return np.concatenate(parts)


def batches(rows: int, width: int) -> Iterator[int]:
    """Numbers of rows that sum to `rows`, each small enough for memory."""
    most = max(1, _CELLS // width)
    while rows > 0:
        yield min(rows, most)
        rows -= most


def spread(values: Floats) -> tuple[float, float, float]:
    """Standard deviation and 95 % percentile interval of resampled values, nan left out."""
    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        return np.nan, np.nan, np.nan
    low, high = np.percentile(defined, PERCENTILES)
    return float(defined.std(ddof=1)), float(low), float(high)


EVERY: Final = "all"
"""Name of the group of all pages."""
Interval = tuple[float, float]
_UNKNOWN: Final = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Summary:
    """Averages of a group of pages.

    Attributes:
        group: name, ``"all"`` for every page.
        pages: number of pages.
        means: average of each measure, by name: a page mean unless the measure says otherwise.
        errors: bootstrap standard error of each; nan for a single site (or page).
        intervals: 95 % bootstrap interval of each; nan for a single site (or page).
        micro: averages from counts summed over pages, by name; empty if the measure has none.
        micro_intervals: 95 % bootstrap interval of each.
    """

    group: str
    pages: int
    means: Mapping[str, float]
    errors: Mapping[str, float]
    intervals: Mapping[str, Interval]
    micro: Mapping[str, float]
    micro_intervals: Mapping[str, Interval]


def summarize(
    scores: Sequence[PageScore],
    groups: Sequence[str] | None = None,
    *,
    sites: Sequence[str] | None = None,
) -> list[Summary]:
    """Averages over all pages and then over each group.

    Intervals are percentiles of 1,000 corpora drawn with replacement, the same on every call.

    Args:
        scores: one score per page, all of one class.
        groups: page type, language, site ... of each page; None gives the first row only.
        sites: site of each page: sites are drawn, with all their pages. None draws pages.

    Raises:
        ConfigError: no scores, or not exactly one group and site per page.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, ch. 13.
    """
    if not scores:
        raise ConfigError("there are no page scores to average: check that the corpus has pages")
    members = {EVERY: [*range(len(scores))]}
    if groups is not None:
        same_length(scores, groups)
        members = members_of(groups)
    if sites is not None:
        same_length(scores, sites, "sites")
    addends = np.array([score.addends() for score in scores], dtype=np.float64)
    return [
        _summary(
            group,
            type(scores[0]),
            addends[rows],
            None if sites is None else [sites[row] for row in rows],
        )
        for group, rows in members.items()
    ]


def members_of(groups: Sequence[str]) -> dict[str, list[int]]:
    """Indices of the pages of each group, groups sorted by name, after those of all pages."""
    members: dict[str, list[int]] = {name: [] for name in sorted(set(groups))}
    for position, name in enumerate(groups):
        members[name].append(position)
    return {EVERY: []} | members | {EVERY: [*range(len(groups))]}


def same_length(scores: Sequence[object], groups: Sequence[str], name: str = "groups") -> None:
    """Refuse scores and groups that cannot belong together."""
    if len(scores) != len(groups):
        raise ConfigError(f"{len(scores)} scores but {len(groups)} {name}: give one per page")


def _summary(
    group: str, measure: type[PageScore], addends: Floats, sites: Sequence[str] | None
) -> Summary:
    """Averages of one group from (pages, addends)."""
    units = site_sums(addends, sites)
    drawn = bootstrap_sums(units) if len(units) > 1 else None
    means, spreads = _averages(measure.MEASURES, measure.averages, addends, drawn)
    micro, micro_spreads = _averages(measure.POOLED, measure.pooled, addends, drawn)
    return Summary(
        group,
        len(addends),
        means,
        {name: error for name, (error, _, _) in spreads.items()},
        {name: (low, high) for name, (_, low, high) in spreads.items()},
        micro,
        {name: (low, high) for name, (_, low, high) in micro_spreads.items()},
    )


def _averages(
    names: Sequence[str],
    average: Callable[[Floats], Floats],
    addends: Floats,
    drawn: Floats | None,
) -> tuple[dict[str, float], dict[str, tuple[float, float, float]]]:
    """Value of each average, and its error, low and high end in the drawn corpora."""
    values = dict(zip(names, average(addends.sum(axis=0)).tolist(), strict=True))
    if drawn is None:
        return values, dict.fromkeys(names, _UNKNOWN)
    return values, dict(zip(names, map(spread, average(drawn).T), strict=True))


def table(summaries: Sequence[Summary]) -> str:
    """Summaries as lines of text for a terminal: one row each, every average with its interval.

    A second row under the first one has its micro averages.
    """
    if not summaries:
        return ""
    names = list(summaries[0].means)
    rows = [["", "pages", *(cell for name in names for cell in (name, "95 %"))]]
    for summary in summaries:
        head = [summary.group, str(summary.pages)]
        rows.append([*head, *_cells(names, summary.means, summary.intervals)])
        if summary.micro and summary is summaries[0]:
            numbers = _cells(names, summary.micro, summary.micro_intervals)
            rows.append([f"{summary.group}, micro", str(summary.pages), *numbers])
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Cells in columns: the first to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _cells(
    names: Sequence[str], values: Mapping[str, float], intervals: Mapping[str, Interval]
) -> list[str]:
    """Four decimals and an interval for each name, a dash for what is not defined."""
    cells = []
    for name in names:
        value, (low, high) = values.get(name, math.nan), intervals.get(name, _UNKNOWN[:2])
        cells.append("-" if math.isnan(value) else f"{value:.4f}")
        cells.append("-" if math.isnan(low) else f"{low:.3f}–{high:.3f}")
    return cells
