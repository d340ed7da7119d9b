"""The labeler that keeps every block: the baseline of every comparison."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from victor.base.arrays import Floats
from victor.config import Limits, Section
from victor.labelers import System
from victor.labelers.rules import Clue, RuleLabeler
from victor.page.table.blocks import BlockTable

NAME: Final = "none"


class Settings(Section, frozen=True):
    """The schema of ``configs/none.yaml``."""

    labeler: Literal["none"] = "none"
    """The system."""
    limits: Limits = Limits()
    """Bounds of one page."""


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    return RuleLabeler(NAME, keep_all, limits=settings.limits, find_clues=clues)


def keep_all(table: BlockTable) -> Floats:
    """(n,) probability of being kept: 1."""
    return np.ones(len(table))


def clues(table: BlockTable) -> list[Clue]:
    """What people are shown of every block."""
    return [Clue("rule", "what decides", ["every block is kept"] * len(table))]


SYSTEM: Final = System(Settings, labeler)
"""How the labeler is made."""
