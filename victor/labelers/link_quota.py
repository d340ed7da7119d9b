"""Link quota filter: blocks of mostly link text are dropped (Mantratzis 2005)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, Literal

import numpy as np

from victor.arrays import Floats
from victor.config import Limits, Section
from victor.config.section import Share
from victor.labelers.rules import RuleLabeler, certainty
from victor.page.blocks import BlockTable

NAME: Final = "link-quota"


class Settings(Section, frozen=True):
    """The schema of ``configs/link-quota.yaml``."""

    labeler: Literal["link-quota"] = "link-quota"
    """The system."""
    quota: Share = 0.5
    """Most text in links."""
    limits: Limits = Limits()
    """Bounds of one page."""


SPACE: Final[Mapping[str, Sequence[object]]] = {
    "quota": (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9),
}
"""Values that a search tries."""


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    keep = partial(probabilities, settings=settings)
    return RuleLabeler(NAME, keep, limits=settings.limits)


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept: the more of the text is in links, the lower.

    Lengths are in characters. A text block is the smallest element that the filter may drop.
    """
    length = table.segments.end - table.segments.start
    linked = table.segments_inside(frozenset({"a"}))
    in_links = table.sum_segments(np.where(linked, length, 0))
    quota = in_links / np.maximum(table.sum_segments(length), 1)
    return certainty(quota <= settings.quota, 1.0 - quota)
