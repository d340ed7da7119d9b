"""Averages of page scores over all pages and groups of them, their intervals, and comparisons.

Every average here is a function of sums over pages, so a resampled corpus costs one product of page
weights and addends, whatever the measure.

The bootstrap resamples corpora by site. The pages of a site are alike: drawing single pages would
treat them as independent and make every interval too narrow, so sites are drawn where they are
known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats
from victor.base.errors import ConfigError

Average = Callable[[Floats], Floats]
"""Sums of addends to averages."""
Numbers = NDArray[Any]
"""Counts as int64, or sums of them as float64."""


class PageScore:
    """The value of a measure for one page, and how pages are averaged.

    By default: the page mean of every measure over the pages where it is defined (not nan).

    Attributes:
        MEASURES: names of the averaged numbers, also fields of the class.
    """

    __slots__ = ()

    MEASURES: ClassVar[tuple[str, ...]] = ()

    def addends(self) -> tuple[float, ...]:
        """Summands over pages: for each measure its value and 1, or 0 and 0 if undefined."""
        values = [getattr(self, name) for name in self.MEASURES]
        return tuple(
            addend
            for value in values
            for addend in ((0.0, 0.0) if math.isnan(value) else (value, 1.0))
        )

    @classmethod
    def averages(cls, sums: Floats) -> Floats:
        """Averages from sums of addends: (..., measures), nan where no page defines a measure."""
        return ratio(sums[..., 0::2], sums[..., 1::2])


def ratio(parts: Numbers, wholes: Numbers, nothing: float = np.nan) -> Floats:
    """Element-wise parts / wholes, `nothing` where the whole is 0."""
    result = np.full(np.broadcast_shapes(parts.shape, wholes.shape), nothing)
    np.divide(parts, wholes, out=result, where=wholes != 0)
    return result


def ratios(overlap: Numbers, predicted: Numbers, gold: Numbers) -> Floats:
    """Precision, recall and F from counts: (..., 3); a ratio of nothing is 0."""
    precision, recall = ratio(overlap, predicted, 0.0), ratio(overlap, gold, 0.0)
    return np.stack([precision, recall, harmonic(precision, recall)], axis=-1)


def harmonic(precision: Floats, recall: Floats) -> Floats:
    """Harmonic mean, 0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall, 0.0)


# --- Summaries ------------------------------------------------------------------------------------

RESAMPLES: Final = 1_000
PERCENTILES: Final = (2.5, 97.5)
"""Ends of the 95 % interval."""
SEED: Final = 2008
_CELLS: Final = 2**21
"""Draws in memory at once: 16 MB."""


def site_sums(addends: Floats, sites: Sequence[str] | None) -> Floats:
    """(sites, k) sums of (pages, k) addends, sites in alphabetical order; None leaves each page."""
    if sites is None:
        return addends
    names, numbers = np.unique(np.asarray(sites), return_inverse=True)
    columns = [np.bincount(numbers, column, len(names)) for column in addends.T]
    return np.stack(columns, axis=1)


def bootstrap_sums(units: Floats) -> Floats:
    """(RESAMPLES, k) sums of as many (units, k) sites or pages, drawn with replacement.

    They are the same on every call.
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
_UNKNOWN: Final = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Summary:
    """Averages of a group of pages, ``"all"`` for every page, by the name of the measure.

    Attributes:
        means: page means unless the measure says otherwise.
        intervals: 95 % bootstrap interval of each; nan for a single site (or page).
    """

    group: str
    pages: int
    means: Mapping[str, float]
    intervals: Mapping[str, Interval]


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
    summaries = []
    for group, rows in members.items():
        own = None if sites is None else [sites[row] for row in rows]
        units = site_sums(addends[rows], own)
        sums, drawn = addends[rows].sum(axis=0), bootstrap_sums(units) if len(units) > 1 else None
        summaries.append(Summary(group, len(rows), *_averages(type(scores[0]), sums, drawn)))
    return summaries


def _averages(
    measure: type[PageScore], sums: Floats, drawn: Floats | None
) -> tuple[dict[str, float], dict[str, Interval]]:
    """Value of each average, and its interval over the drawn corpora."""
    names = measure.MEASURES
    values = dict(zip(names, measure.averages(sums).tolist(), strict=True))
    if drawn is None:
        return values, dict.fromkeys(names, _UNKNOWN)
    ends = (spread(column)[1:] for column in measure.averages(drawn).T)
    return values, dict(zip(names, ends, strict=True))


def members_of(groups: Sequence[str]) -> dict[str, list[int]]:
    """Indices of all pages, and then those of each group, groups sorted by name."""
    members: dict[str, list[int]] = {name: [] for name in sorted(set(groups))}
    for position, name in enumerate(groups):
        members[name].append(position)
    return {EVERY: []} | members | {EVERY: [*range(len(groups))]}


def same_length(scores: Sequence[object], groups: Sequence[str], name: str = "groups") -> None:
    """Refuse scores and groups that cannot belong together."""
    if len(scores) != len(groups):
        raise ConfigError(f"{len(scores)} scores but {len(groups)} {name}: give one per page")


def table(summaries: Sequence[Summary]) -> str:
    """Summaries as lines of text for a terminal: one row each, every average with its interval."""
    if not summaries:
        return ""
    names = list(summaries[0].means)
    rows = [["", "pages", *(cell for name in names for cell in (name, "95 %"))]]
    for summary in summaries:
        cells = [summary.group, str(summary.pages)]
        for name in names:
            value = summary.means[name]
            cells.append("-" if math.isnan(value) else f"{value:.4f}")
            cells.append(interval(summary.intervals[name]))
        rows.append(cells)
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


def interval(ends: Interval) -> str:
    """Both ends of an interval for a terminal, a dash for what is not defined."""
    low, high = ends
    return "-" if math.isnan(low) else f"{low:.3f}–{high:.3f}"


# --- Comparisons ----------------------------------------------------------------------------------

PERMUTATIONS: Final = 10_000
_ALL_PERMUTATIONS: Final = 13
"""Up to this number of sites every permutation is tried: 2**13 < `PERMUTATIONS`."""
_TIE: Final = 1e-12
"""Differences this close are equal: sums in another order are rounded differently."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure of two systems on the same pages.

    Attributes:
        difference: average of the first system minus that of the second.
        low, high: 95 % interval of it, sites drawn with replacement; nan for a single site.
        p_value: share of exchanges of the two systems, site by site, that give a difference at
            least as far from 0; two-sided.
        wins, losses, ties: pages on which the first system has the higher, lower, same value.
    """

    difference: float
    low: float
    high: float
    p_value: float
    wins: int
    losses: int
    ties: int


def compare_scores(
    first: Sequence[PageScore], second: Sequence[PageScore], sites: Sequence[str] | None = None
) -> dict[str, Comparison]:
    """Compare all averages of a measure by name, including those that are not page means.

    Args:
        first: one score per page of the first system.
        second: those of the second system on the same pages, all of the same class.
        sites: site of each page: pages of a site are drawn and exchanged together. None treats
            every page as a site.

    Raises:
        ConfigError: no scores, or not one of each system and one site per page.

    Source: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses (approximate
        randomization); Yeh (2000), COLING.
    """
    if not first:
        raise ConfigError("there are no page scores to compare: check that the corpus has pages")
    same_length(first, [""] * len(second), "scores of the other system")
    if sites is not None:
        same_length(first, sites, "sites")
    measure = type(first[0])
    one, other = (
        np.array([score.addends() for score in side], dtype=np.float64) for side in (first, second)
    )
    comparisons = _compare(one, other, sites, measure.averages)
    return dict(zip(measure.MEASURES, comparisons, strict=True))


def _compare(
    first: Floats, second: Floats, sites: Sequence[str] | None, average: Average
) -> list[Comparison]:
    """Compare every average of (pages, addends) of two systems."""
    one, other = site_sums(first, sites), site_sums(second, sites)
    observed = average(one.sum(axis=0)) - average(other.sum(axis=0))
    lows, highs = _intervals(one, other, average)
    p_values = _p_values(one, other, average, observed)
    gains = average(first) - average(second)
    wins, losses, ties = (
        pages.sum(axis=0).tolist() for pages in (gains > _TIE, gains < -_TIE, np.abs(gains) <= _TIE)
    )
    columns = (observed.tolist(), lows, highs, p_values.tolist(), wins, losses, ties)
    return [Comparison(*numbers) for numbers in zip(*columns, strict=True)]


def _intervals(one: Floats, other: Floats, average: Average) -> tuple[list[float], list[float]]:
    """Low and high ends of the difference of every average over drawn sites."""
    width = one.shape[1]
    if len(one) < 2:
        unknown = [np.nan] * len(average(one.sum(axis=0)))
        return unknown, unknown
    drawn = bootstrap_sums(np.hstack([one, other]))
    differences = average(drawn[:, :width]) - average(drawn[:, width:])
    spreads = [spread(column) for column in differences.T]
    return [low for _, low, _ in spreads], [high for _, _, high in spreads]


def _p_values(one: Floats, other: Floats, average: Average, observed: Floats) -> Floats:
    """Share of exchanges at least as extreme; the observed one counts among the drawn ones."""
    exact = len(one) <= _ALL_PERMUTATIONS
    start, total = one.sum(axis=0), one.sum(axis=0) + other.sum(axis=0)
    extreme, tried = np.full(observed.shape, 0 if exact else 1), 0 if exact else 1
    blocks: Iterable[NDArray[np.int8]] = (
        [_every_exchange(len(one))] if exact else _drawn_exchanges(len(one))
    )
    for exchanged in blocks:
        sums = start + exchanged.astype(np.float64) @ (other - one)
        differences = average(sums) - average(total - sums)
        extreme = extreme + (np.abs(differences) >= np.abs(observed) - _TIE).sum(axis=0)
        tried += len(exchanged)
    return np.where(np.isnan(observed), np.nan, extreme / tried)


def _every_exchange(sites: int) -> NDArray[np.int8]:
    """(2**sites, sites): all ways to exchange the systems on some sites."""
    numbers = np.arange(2**sites)[:, None]
    return ((numbers >> np.arange(sites)) & 1).astype(np.int8)


def _drawn_exchanges(sites: int) -> Iterator[NDArray[np.int8]]:
    """`PERMUTATIONS` rows in all, each exchanging the systems on half of the sites or so."""
    random = np.random.default_rng(SEED)
    for rows in batches(PERMUTATIONS, sites):
        yield random.integers(2, size=(rows, sites), dtype=np.int8)
