"""Whether one system is better than another on the same pages, beyond the choice of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victor.base.arrays import Floats
from victor.base.errors import ConfigError
from victor.measures.aggregates import PageScore
from victor.measures.summaries import SEED, batches, bootstrap_sums, same_length, site_sums, spread

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


def compare(first: ArrayLike, second: ArrayLike, sites: Sequence[str] | None = None) -> Comparison:
    """Compare page means of one measure.

    Args:
        first: (pages,) values of the first system. Pages with nan in either are left out.
        second: (pages,) values of the second system on the same pages.
        sites: site of each page: pages of a site are drawn and exchanged together. None treats
            every page as a site.

    Returns:
        The comparison, the same on every call.

    Raises:
        ConfigError: not one value of each system and one site per page, or no page with both.

    Source: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses (approximate
        randomization); Yeh (2000), COLING.
    """
    pairs = _pairs(first, second)
    if sites is not None:
        same_length(pairs.tolist(), sites, "sites")
    is_known = ~np.isnan(pairs).any(axis=1)
    if not is_known.any():
        raise ConfigError("no page has a value of both systems: there is nothing to compare")
    kept = None if sites is None else [sites[row] for row in np.flatnonzero(is_known).tolist()]
    one, other = (np.stack([values, np.ones(len(values))], axis=1) for values in pairs[is_known].T)
    (comparison,) = _compare(one, other, kept, lambda sums: sums[..., :1] / sums[..., 1:])
    return comparison


def compare_scores(
    first: Sequence[PageScore], second: Sequence[PageScore], sites: Sequence[str] | None = None
) -> dict[str, Comparison]:
    """Compare all averages of a measure by name, including those that are not page means.

    Args:
        first: one score per page of the first system.
        second: those of the second system on the same pages, all of the same class.
        sites: as in `compare`.

    Raises:
        ConfigError: no scores, or not one of each system and one site per page.
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


def _pairs(first: ArrayLike, second: ArrayLike) -> Floats:
    """(pages, 2) values of both systems."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ConfigError(
            f"the first system has values of shape {one.shape}, the second {other.shape}: "
            "give one of each per page"
        )
    return np.stack([one, other], axis=1)


def _compare(
    first: Floats,
    second: Floats,
    sites: Sequence[str] | None,
    average: Callable[[Floats], Floats],
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


def _intervals(
    one: Floats, other: Floats, average: Callable[[Floats], Floats]
) -> tuple[list[float], list[float]]:
    """Low and high ends of the difference of every average over drawn sites."""
    if len(one) < 2:
        unknown = [np.nan] * len(average(one.sum(axis=0)))
        return unknown, unknown
    drawn = bootstrap_sums(np.hstack([one, other]))
    width = one.shape[1]
    differences = average(drawn[:, :width]) - average(drawn[:, width:])
    spreads = [spread(column) for column in differences.T]
    return [low for _, low, _ in spreads], [high for _, _, high in spreads]


def _p_values(
    one: Floats, other: Floats, average: Callable[[Floats], Floats], observed: Floats
) -> Floats:
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
