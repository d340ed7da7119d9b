"""Page means over all pages and over groups of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from victor.errors import ConfigError
from victor.measures.edits import EditScore
from victor.measures.groups import members_of, same_length
from victor.measures.words import Score


@dataclass(frozen=True, slots=True)
class Summary:
    """Page means of a group of pages.

    Attributes:
        group: name, ``"all"`` for every page.
        pages: number of pages.
        means: mean over pages of each measure, by name.
        errors: standard error of each mean; nan for a single page.
    """

    group: str
    pages: int
    means: Mapping[str, float]
    errors: Mapping[str, float]


def summarize(
    scores: Sequence[Score] | Sequence[EditScore], groups: Sequence[str] | None = None
) -> list[Summary]:
    """Means and standard errors over all pages and then over each group.

    Args:
        scores: one score per page, all of one class.
        groups: the page type (or language ...) of each page; None gives the first row only.

    Raises:
        ConfigError: no scores, or not exactly one group per page.
    """
    if not scores:
        raise ConfigError("there are no page scores to average: check that the corpus has pages")
    if groups is not None:
        same_length(scores, groups)
    names = [field.name for field in fields(scores[0])]
    values = np.array([[getattr(score, name) for name in names] for score in scores])
    members = members_of(groups if groups is not None else [])
    members["all"] = list(range(len(scores)))
    return [_summary(group, names, values[rows]) for group, rows in members.items()]


def table(summaries: Sequence[Summary]) -> str:
    """Summaries as lines of text for a terminal: one row each, every mean with its error."""
    if not summaries:
        return ""
    measures = list(summaries[0].means)
    rows = [["", "pages", *(cell for name in measures for cell in (name, "±"))]]
    for summary in summaries:
        numbers = (
            _decimal(source[name])
            for name in measures
            for source in (summary.means, summary.errors)
        )
        rows.append([summary.group, str(summary.pages), *numbers])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _summary(group: str, names: Sequence[str], values: NDArray[np.float64]) -> Summary:
    """Mean and standard error of every column of (pages, measures) values."""
    pages = len(values)
    means = values.mean(axis=0)
    spread = values.std(axis=0, ddof=1) / math.sqrt(pages) if pages > 1 else means * math.nan
    return Summary(
        group,
        pages,
        dict(zip(names, means.tolist(), strict=True)),
        dict(zip(names, spread.tolist(), strict=True)),
    )


def _decimal(value: float) -> str:
    """Four decimals, or a dash for what is not defined."""
    return "-" if math.isnan(value) else f"{value:.4f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """One row: names to the left, numbers to the right."""
    first, *rest = (
        cell.ljust(width) if position == 0 else cell.rjust(width)
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest])
