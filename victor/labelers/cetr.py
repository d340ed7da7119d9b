"""Content Extraction via Tag Ratios, the threshold variant (Weninger, Hsu, Han 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from victor.arrays import Floats, Ints
from victor.config import Limits, Section
from victor.config.section import Count, NonNegative
from victor.labelers.rules import Clue, RuleLabeler, certainty, page_deviations
from victor.page.blocks import BlockTable

NAME: Final = "cetr"


class Settings(Section, frozen=True):
    """The schema of ``configs/cetr.yaml``."""

    labeler: Literal["cetr"] = "cetr"
    """The system."""
    radius: Count = 1
    """Blocks on each side that smoothing reads."""
    deviations: NonNegative = 1.0
    """Content is at or above so many standard deviations."""
    limits: Limits = Limits()
    """Bounds of one page."""


SPACE: Final[Mapping[str, Sequence[object]]] = {
    "radius": (0, 1, 2, 3, 5),
    "deviations": (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25),
}
"""Values that a search tries."""


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    keep = partial(probabilities, settings=settings)
    return RuleLabeler(
        NAME, keep, limits=settings.limits, find_clues=partial(clues, settings=settings)
    )


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept, from smoothed tag ratios.

    The score is x / (1 + x) with x the smoothed ratio over the page's threshold.
    """
    ratio, limit = _smoothed(tag_ratios(table), table, settings)
    times = np.divide(ratio, limit, out=np.full(len(ratio), np.inf), where=limit > 0)
    score = np.divide(times, 1 + times, out=np.ones(len(ratio)), where=np.isfinite(times))
    return certainty(ratio >= limit, score)


def clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """The tag ratio of every block, and smoothed against the threshold of the page."""
    ratios = tag_ratios(table)
    smoothed, limit = _smoothed(ratios, table, settings)
    deviations = f"{settings.deviations:g} standard deviations of the page"
    return [
        Clue("tag ratio", "characters over the tags since the block before", ratios),
        Clue(
            "smoothed ratio",
            f"the same, averaged with its neighbours; the limit is {deviations}",
            smoothed,
            limit,
            "from",
        ),
    ]


def _smoothed(ratios: Floats, table: BlockTable, settings: Settings) -> tuple[Floats, Floats]:
    """(n,) smoothed tag ratios, and (n,) the threshold on the page of each block."""
    ratio = smooth(ratios, table.page_starts, settings.radius)
    return ratio, settings.deviations * page_deviations(ratio, table)[table.page]


def tag_ratios(table: BlockTable) -> Floats:
    """(n,) characters of each block over the tags since the previous block, at least 1."""
    tags = np.diff(table.last_tag, prepend=0)
    firsts = table.page_starts[:-1][np.diff(table.page_starts) > 0]
    roots = table.elements.open[table.page_roots][table.page[firsts]]
    tags[firsts] = table.last_tag[firsts] - roots
    return np.asarray((table.end - table.start) / np.maximum(tags, 1))


def smooth(ratio: Floats, page_starts: Ints, radius: int) -> Floats:
    """(n,) the ratios smoothed by a Gaussian kernel of standard deviation `radius`, page by page.

    At the ends of a page the kernel is cut, and its weights still add up to 1.
    """
    offsets = np.arange(-radius, radius + 1)
    kernel = np.exp(-(offsets**2) / (2 * max(radius, 1) ** 2))
    pages = [ratio[a:b] for a, b in pairwise(page_starts.tolist())]
    return np.concatenate([np.zeros(0), *(_convolved(page, kernel) for page in pages)])


def _convolved(ratio: Floats, kernel: Floats) -> Floats:
    if not len(ratio):
        return ratio
    radius = len(kernel) // 2
    inside = slice(radius, radius + len(ratio))
    return np.asarray(
        np.convolve(ratio, kernel)[inside] / np.convolve(np.ones(len(ratio)), kernel)[inside]
    )
