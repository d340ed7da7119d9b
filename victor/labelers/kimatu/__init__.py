"""Kimatu: areas of the same appearance, a relevance of four ratios, and a few greedy steps.

Source: Saralegi, Leturia: Kimatu, a tool for cleaning non-content text parts from HTML docs.
WAC3, 2007.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats
from victor.labelers import System
from victor.labelers.kimatu.areas import (
    LOOKS,
    Areas,
    count,
    group,
    looks,
    ratios,
    relevance,
)
from victor.labelers.kimatu.greedy import Evidence, choose, clues, sure
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.kimatu.settings import Settings
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.page.table.blocks import BlockTable

NAME: Final = "kimatu"


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    return RuleLabeler(
        NAME,
        partial(probabilities, settings=settings),
        limits=settings.limits,
        attributes=LOOKS,
        find_clues=partial(find_clues, settings=settings),
    )


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept; areas of higher relevance are kept more surely.

    With the paper's weights relevance is in -2..1; `victor.labelers.rules.certainty` makes it a
    probability.
    """
    if not len(table):
        return np.zeros(0)
    facts = evidence(table, areas_of(table, settings), settings)
    kept = choose(facts, deleted(table, facts, settings), settings)
    weights = settings.weights
    lowest = -(weights.punctuation + weights.links)
    span = weights.length + weights.average - lowest
    score = (facts.relevance - lowest) / (span or 1.0)
    return certainty(kept, score[facts.areas.area])


def areas_of(table: BlockTable, settings: Settings) -> Areas:
    """The areas of the blocks of a table."""
    return group(looks(table), table.page, settings.areas.near)


def find_clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """What the steps found of every block."""
    if not len(table):
        return []
    facts = evidence(table, areas_of(table, settings), settings)
    return clues(facts, deleted(table, facts, settings), settings)


def evidence(table: BlockTable, areas: Areas, settings: Settings) -> Evidence:
    """The areas of a table and what the steps need of them."""
    counts = count(table)
    of_areas = ratios(counts, areas, settings)
    return Evidence(areas, of_areas, relevance(of_areas, settings), counts.characters)


def deleted(table: BlockTable, facts: Evidence, settings: Settings) -> Bools:
    """(A,) bool; function areas, and quotes of the remaining sure areas."""
    areas, words = facts.areas, Words.of(table)
    gone = functions(words, areas, settings.functions)[areas.look]
    candidates = sure(facts, settings) & ~gone
    return np.asarray(gone | quotes(words, areas, candidates, settings.quotes)[areas.look])


SYSTEM: Final = System(Settings, labeler)
"""How the labeler is made."""
