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
from victor.labelers.rules import RuleLabeler, certainty, page_deviations
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
    return RuleLabeler(NAME, keep, limits=settings.limits)


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept, from smoothed tag ratios.

    The score is x / (1 + x) with x the smoothed ratio over the page's threshold.
    """
    ratio = smooth(tag_ratios(table), table.page_starts, settings.radius)
    limit = settings.deviations * page_deviations(ratio, table)[table.page]
    times = np.divide(ratio, limit, out=np.full(len(ratio), np.inf), where=limit > 0)
    score = np.divide(times, 1 + times, out=np.ones(len(ratio)), where=np.isfinite(times))
    return certainty(ratio >= limit, score)


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
