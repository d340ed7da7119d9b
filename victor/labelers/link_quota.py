"""Link quota filter: blocks of mostly link text are dropped (Mantratzis 2005)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, Literal

import numpy as np

from victor.arrays import Floats
from victor.config import Limits, Section
from victor.config.section import Share
from victor.labelers.rules import Clue, RuleLabeler, certainty
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
    return RuleLabeler(
        NAME, keep, limits=settings.limits, find_clues=partial(clues, settings=settings)
    )


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept: the more of the text is in links, the lower.

    A text block is the smallest element that the filter may drop.
    """
    quota = _in_links(table)
    return certainty(quota <= settings.quota, 1.0 - quota)


def clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """The share of text in links, against the quota."""
    limit = np.full(len(table), settings.quota)
    meaning = "share of the characters of the block that are in links"
    return [Clue("text in links", meaning, _in_links(table), limit, "up to")]


def _in_links(table: BlockTable) -> Floats:
    """(n,) share of the characters of each block that are in links."""
    length = table.segments.end - table.segments.start
    linked = table.segments_inside(frozenset({"a"}))
    in_links = table.sum_segments(np.where(linked, length, 0))
    return np.asarray(in_links / np.maximum(table.sum_segments(length), 1))
