"""Keeps every block: the baseline of every comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np

from victor.arrays import Floats
from victor.config import Limits, Section
from victor.labelers.rules import Clue, RuleLabeler
from victor.page.blocks import BlockTable

NAME: Final = "none"


class Settings(Section, frozen=True):
    """The schema of ``configs/none.yaml``."""

    labeler: Literal["none"] = "none"
    """The system."""
    limits: Limits = Limits()
    """Bounds of one page."""


SPACE: Final[Mapping[str, Sequence[object]]] = {}
"""There is nothing to search."""


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given limits."""
    return RuleLabeler(NAME, _keep_all, limits=settings.limits, find_clues=_clues)


def _keep_all(table: BlockTable) -> Floats:
    """(n,) one for every block."""
    return np.ones(len(table))


def _clues(table: BlockTable) -> list[Clue]:
    return [Clue("rule", "what decides", ["every block is kept"] * len(table))]
