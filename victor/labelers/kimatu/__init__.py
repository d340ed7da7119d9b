"""Kimatu: areas of the same appearance, a relevance of four ratios, and a few greedy steps.

Source: Saralegi, Leturia: Kimatu, a tool for cleaning non-content text parts from HTML docs.
WAC3, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from victor.base.arrays import Bools, Floats
from victor.labelers import System
from victor.labelers.kimatu.areas import (
    LOOKS,
    Areas,
    character_share,
    count,
    group,
    looks,
    ratios,
    relevance,
)
from victor.labelers.kimatu.greedy import Evidence, choose, clues, sure
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.kimatu.settings import SPACE, Settings
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.model.decide import Decision
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.sites.columns import SitePages

NAME: Final = "kimatu"


@dataclass(frozen=True)
class KimatuLabeler(RuleLabeler):
    """A rule labeler that can take texts which are frequent on a site for evidence.

    Attributes:
        settings: the constants.
    """

    settings: Settings = field(default_factory=Settings)

    def label_pages(
        self, table: BlockTable, pages: SitePages, decision: Decision | None = None
    ) -> Verdict:
        """Label the blocks of a batch of pages whose sites are known.

        Raises:
            ConfigError: the decision wants a sequence model.
        """
        site = self.settings.site
        least = np.maximum(site.pages, site.share * pages.n_counted)
        is_frequent = pages.on_pages >= np.repeat(least, np.diff(table.page_starts))
        return self.verdict(table, probabilities(table, self.settings, is_frequent), decision)


def labeler(settings: Settings) -> KimatuLabeler:
    """The labeler with given constants."""
    return KimatuLabeler(
        NAME,
        partial(probabilities, settings=settings),
        limits=settings.limits,
        attributes=LOOKS,
        find_clues=partial(find_clues, settings=settings),
        settings=settings,
    )


def probabilities(
    table: BlockTable, settings: Settings, is_frequent: Bools | None = None
) -> Floats:
    """(n,) probability of being kept; areas of higher relevance are kept more surely.

    With the paper's weights relevance is in -2..1; `victor.labelers.rules.certainty` makes it a
    probability.

    Args:
        table: the blocks.
        settings: the constants.
        is_frequent: (n,) bool; is the text of each block frequent on its site; None for not.
    """
    if not len(table):
        return np.zeros(0)
    facts = evidence(table, areas_of(table, settings), settings, is_frequent)
    kept = choose(facts, deleted(table, facts, settings), settings)
    weights = settings.weights
    lowest = -(weights.punctuation + weights.links + weights.functions)
    span = weights.length + weights.average - lowest
    score = (facts.relevance - lowest) / (span or 1.0)
    return certainty(kept, score[facts.areas.area])


def areas_of(table: BlockTable, settings: Settings) -> Areas:
    """The areas of the blocks of a table."""
    return group(looks(table), table.page, settings.areas.near)


def find_clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """What the steps found of every block; texts that are frequent on sites count for nothing."""
    if not len(table):
        return []
    facts = evidence(table, areas_of(table, settings), settings)
    return clues(facts, deleted(table, facts, settings), settings)


def evidence(
    table: BlockTable, areas: Areas, settings: Settings, is_frequent: Bools | None = None
) -> Evidence:
    """The areas of a table and what the steps need of them."""
    counts = count(table, functions=settings.weights.functions > 0)
    of_areas = ratios(counts, areas, settings)
    on_site = np.zeros(len(areas))
    if is_frequent is not None:
        on_site = settings.site.weight * character_share(is_frequent, counts.characters, areas)
    scores = relevance(of_areas, settings) - on_site
    return Evidence(areas, of_areas, scores, on_site, counts.characters)


def deleted(table: BlockTable, facts: Evidence, settings: Settings) -> Bools:
    """(A,) bool; function areas, and quotes of the remaining sure areas."""
    areas, words = facts.areas, Words.of(table)
    gone = functions(words, areas, settings.functions)[areas.look]
    candidates = sure(facts, settings) & ~gone
    return np.asarray(gone | quotes(words, areas, candidates, settings.quotes)[areas.look])


SYSTEMS: Final = {NAME: System(Settings, labeler, SPACE)}
"""The system by its name."""
