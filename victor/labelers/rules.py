"""Labelers made of rules: one number per block makes a labeler. `none` is the simplest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats
from victor.config.schema import Limits, Scope, Section
from victor.labelers.labeler import System
from victor.model.decide import Decision, decide
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict, marginals

_HALF: Final = 0.5


@dataclass(frozen=True, eq=False)
class Clue:
    """What rules found of the n blocks of a table, so that people can follow them.

    Attributes:
        name: a few words, e.g. ``text in links``.
        meaning: one line for people.
        values: (n,) numbers, truth values or words.
        limit: (n,) number that the value is compared with; None if it is compared with none.
        keeps: which values speak for keeping a block: those ``up to``, ``from`` or ``above`` the
            limit; empty without one.
    """

    name: str
    meaning: str
    values: NDArray[Any] | Sequence[str]
    limit: Floats | None = None
    keeps: str = ""


@dataclass(frozen=True)
class RuleLabeler:
    """A labeler made of a function that gives every block a probability of being kept.

    Pages are cut at block-level tags. Kept headings h1 to h6 are labelled header, all other kept
    blocks text.
    """

    name: str  # of the system, as users give it; also the method of its verdicts
    # table to (n,) float64 probability of being kept; the rules keep blocks above 0.5
    keep: Callable[[BlockTable], Floats]
    limits: Limits = field(default_factory=Limits)  # bounds of one page
    scope: Scope = field(default_factory=Scope)  # which parts of pages are kept
    attributes: tuple[str, ...] = ("class",)  # element attributes that the rules read
    canonical: bool = True  # its segments are those that labels of annotated pages belong to
    # threshold 0.5, the decision of the rules themselves
    decision: Decision = field(default_factory=Decision)
    presets: Mapping[str, float] = field(default_factory=dict)  # named thresholds; rules have none
    # table to what the rules found of its blocks
    find_clues: Callable[[BlockTable], Sequence[Clue]] = lambda _: []

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        return read_pages(pages, attributes=self.attributes)

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Marginals and labels of every block of a batch.

        Raises:
            ConfigError: the decision wants a sequence model.
        """
        return self.verdict(table, self.keep(table), decision)

    def clues(self, table: BlockTable) -> Sequence[Clue]:
        """What the rules found of the blocks of a batch: the numbers and steps that decided."""
        return self.find_clues(table)

    def verdict(self, table: BlockTable, keep: Floats, decision: Decision | None) -> Verdict:
        """The verdict on a batch, given the (n,) probabilities of being kept.

        Raises:
            ConfigError: as `label`.
        """
        probabilities = marginals(keep, table.heading_level > 0)
        rule = decision or self.decision
        labels = decide(probabilities, table, rule)
        return Verdict(table, labels, probabilities, decision.method if decision else self.name)


def certainty(kept: Bools, score: Floats) -> Floats:
    """Probability of being kept, from the decision and a score of rules.

    The score s orders the kept blocks and the dropped blocks separately: kept blocks have
    0.5 + s / 2, all others s / 2. Threshold 0.5 hence gives the decision of the rules, a lower
    one only the kept blocks of highest score, a higher one adds the dropped blocks of highest
    score.

    Args:
        kept: (n,) bool; the decision of the rules.
        score: (n,) float64 in 0..1, clipped to it.
    """
    half = np.clip(score, 0.0, 1.0) / 2
    # Kept blocks are above one half and dropped ones at or below it, despite rounding.
    return np.where(kept, np.maximum(_HALF + half, np.nextafter(_HALF, 1.0)), half)


# --- The baseline of every comparison: all is kept -------------------------------------------


class Settings(Section, frozen=True):
    """The schema of ``configs/none.yaml``."""

    labeler: Literal["none"] = "none"
    limits: Limits = Limits()


def keep_everything(settings: Settings) -> RuleLabeler:
    """The labeler that keeps every block."""
    return RuleLabeler(
        "none",
        lambda table: np.ones(len(table)),
        limits=settings.limits,
        find_clues=lambda table: [
            Clue("rule", "what decides", ["every block is kept"] * len(table))
        ],
    )


SYSTEM: Final = System(Settings, keep_everything)
