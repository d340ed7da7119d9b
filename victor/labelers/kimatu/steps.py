"""Kimatu: areas of the same appearance, a relevance of four ratios, and a few greedy steps.

Source: Saralegi, Leturia: Kimatu, a tool for cleaning non-content text parts from HTML docs.
WAC3, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.labelers.kimatu.areas import (
    LOOKS,
    Areas,
    Ratios,
    Settings,
    count,
    group,
    looks,
    ratios,
    relevance,
    within_look,
)
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.page.table.blocks import BlockTable

NAME: Final = "kimatu"
_NOWHERE: Final = np.iinfo(np.int64).max


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    return RuleLabeler(
        NAME,
        partial(probabilities, settings=settings),
        limits=settings.limits,
        attributes=LOOKS,
        find_clues=partial(clues, settings=settings),
    )


SYSTEM: Final = System(Settings, labeler)


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept; areas of higher relevance are kept more surely.

    With the paper's weights relevance is in -2..1; `victor.labelers.rules.certainty` makes it a
    probability.
    """
    if not len(table):
        return np.zeros(0)
    evidence = Evidence.of(table, settings)
    kept = choose(evidence, deleted(table, evidence, settings), settings)
    lowest = -(settings.weights_punctuation + settings.weights_links)
    span = settings.weights_length + settings.weights_average - lowest
    score = (evidence.relevance - lowest) / (span or 1.0)
    return certainty(kept, score[evidence.areas.area])


@dataclass(frozen=True, eq=False)
class Evidence:
    """The input of the first step; A areas, n blocks."""

    areas: Areas  # the areas
    ratios: Ratios  # of the areas, global
    relevance: Floats  # (A,) relevance of the areas
    characters: Ints  # (n,) characters of each block

    @classmethod
    def of(cls, table: BlockTable, settings: Settings) -> Evidence:
        """The areas of the blocks of a table, and what the steps need of them."""
        areas, counts = group(looks(table), table.page, settings.areas_near), count(table)
        of_areas = ratios(counts, areas, settings)
        return cls(areas, of_areas, relevance(of_areas, settings), counts.characters)


def deleted(table: BlockTable, evidence: Evidence, settings: Settings) -> Bools:
    """(A,) bool; function areas, and quotes of the remaining sure areas."""
    areas, words = evidence.areas, Words.of(table)
    gone = functions(words, areas, settings)[areas.look]
    candidates = sure(evidence, settings) & ~gone
    return np.asarray(gone | quotes(words, areas, candidates, settings)[areas.look])


def sure(evidence: Evidence, settings: Settings) -> Bools:
    """(A,) first step: areas of high relevance are sure candidates."""
    return np.asarray(evidence.relevance > settings.sure)


def choose(evidence: Evidence, deleted: Bools, settings: Settings) -> Bools:
    """(n,) bool; the blocks that are kept after all steps.

    Args:
        evidence: the areas and their relevance.
        deleted: (A,) bool; areas deleted as functions or quotes.
        settings: the limits.
    """
    kept = sure(evidence, settings) & ~deleted
    kept |= rescued(evidence, kept, settings) & ~deleted
    kept &= ~far(evidence, kept, settings)
    kept |= beside(evidence, kept, settings) & ~deleted
    return kept[evidence.areas.area]


def rescued(evidence: Evidence, kept: Bools, settings: Settings) -> Bools:
    """(A,) areas near a kept one of the same appearance, and relevant beside the kept ones."""
    areas = evidence.areas
    ratios = within_look(evidence.ratios, evidence.characters, areas, kept, settings)
    in_look = relevance(ratios, settings)
    near = _distance_in_look(areas, kept) <= settings.rescue_near + 1
    return np.asarray(near & (in_look > settings.rescue_relevance))


def _distance_in_look(areas: Areas, kept: Bools) -> Ints:
    """(A,) distance of each area to the nearest kept one of the same appearance.

    It is one more than the number of text elements between the two.
    """
    order = np.lexsort((areas.first, areas.look))
    look, first, last = areas.look[order], areas.first[order], areas.last[order]
    distance = np.empty(len(order), dtype=np.int64)
    distance[order] = np.minimum(
        _distance_before(look, first, last, kept[order]),
        _distance_before(look[::-1], -last[::-1], -first[::-1], kept[order][::-1])[::-1],
    )
    return distance


def _distance_before(look: Ints, first: Ints, last: Ints, kept: Bools) -> Ints:
    """(A,) distance to the last kept area up to each one in the order given, 0 to itself."""
    index = np.arange(len(look))
    before = np.maximum.accumulate(np.where(kept, index, -1))
    has_kept = (before >= 0) & (look[before] == look)
    return np.where(has_kept, np.where(kept, 0, first - last[before]), _NOWHERE)


def far(evidence: Evidence, kept: Bools, settings: Settings) -> Bools:
    """(A,) candidates far from all others, unless they are of high relevance.

    The distance of two areas is one more than the number of text elements between them, and that
    of a candidate is the distance to the nearest other one. Far is beyond a multiple of the
    geometric mean over the page's candidates.
    """
    is_far = np.zeros(len(kept), dtype=bool)
    chosen = np.flatnonzero(kept)
    distance = _distances(evidence.areas, chosen)
    page = evidence.areas.page[chosen]
    has_other = np.isfinite(distance)
    logs = np.bincount(page[has_other], weights=np.log(distance[has_other]), minlength=1)
    mean = np.exp(logs / np.maximum(np.bincount(page[has_other], minlength=1), 1))
    page, distance, chosen = page[has_other], distance[has_other], chosen[has_other]
    is_far[chosen] = distance > settings.far_times * mean[page]
    return is_far & ~(evidence.relevance > settings.far_relevance)


def _distances(areas: Areas, chosen: Ints) -> Floats:
    """(C,) distance of each chosen area to the nearest other on its page, infinite if none."""
    first, last, page = areas.first[chosen], areas.last[chosen], areas.page[chosen]
    distance = np.full(len(chosen), np.inf)
    if len(chosen) < 2:
        return distance
    # Blocks of later pages have higher numbers, so the running maximum needs no restart.
    gap = np.maximum(first[1:] - np.maximum.accumulate(last)[:-1], 1).astype(np.float64)
    after = np.maximum(first[1:] - last[:-1], 1).astype(np.float64)
    together = page[1:] == page[:-1]
    distance[1:] = np.where(together, gap, np.inf)
    distance[:-1] = np.minimum(distance[:-1], np.where(together, after, np.inf))
    return distance


def beside(evidence: Evidence, kept: Bools, settings: Settings) -> Bools:
    """(A,) areas of enough relevance near a candidate, such as headers."""
    areas = evidence.areas
    page = areas.page[areas.area]
    blocks = kept[areas.area]
    near = np.minimum(_ahead(blocks, page), _ahead(blocks[::-1], page[::-1])[::-1])
    is_near = np.zeros(len(areas), dtype=bool)
    is_near[areas.area[near <= settings.references_reach]] = True
    return np.asarray(is_near & (evidence.relevance > settings.references_relevance))


def _ahead(marked: Bools, page: Ints) -> Ints:
    """(n,) distance in blocks to the next marked one of the page, 0 for a marked block itself."""
    n = len(marked)
    index = np.arange(n)
    following = np.minimum.accumulate(np.where(marked, index, n)[::-1])[::-1]
    on_page = np.append(page, -1)[following] == page
    return np.where(on_page, following - index, _NOWHERE)


def clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """The step that decided on every block, and the numbers of its area."""
    if not len(table):
        return []
    evidence = Evidence.of(table, settings)
    area, of_areas = evidence.areas.area, evidence.ratios
    return [
        Clue("step", "the step that decided", steps(table, evidence, settings)),
        Clue(
            "relevance",
            "of its area: length and average, less links and the lack of punctuation",
            evidence.relevance[area],
            np.full(len(area), settings.sure),
            "above",
        ),
        Clue("length", "characters of its area over those of the largest", of_areas.length[area]),
        Clue("average", "mean length of its texts, over the highest", of_areas.average[area]),
        Clue("punctuation", "marks per word, over what is usual", of_areas.punctuation[area]),
        Clue("links", "links per text, over a constant", of_areas.links[area]),
    ]


def steps(table: BlockTable, evidence: Evidence, settings: Settings) -> list[str]:
    """The step that decided on every block, in words."""
    gone = deleted(table, evidence, settings)
    kept = choose(evidence, gone, settings)
    is_sure = sure(evidence, settings) & ~gone
    is_rescued = rescued(evidence, is_sure, settings) & ~gone
    area = evidence.areas.area
    cases = {
        "kept, the area is relevant enough": kept & is_sure[area],
        "kept, near a kept area of the same appearance": kept & is_rescued[area],
        "kept, beside a kept area, as headings are": kept,
        "dropped, a function such as posted by, or a quote": gone[area],
        "dropped, far from the other candidates": (is_sure | is_rescued)[area],
    }
    otherwise = "dropped, not relevant, and not beside what is"
    return [*map(str, np.select([*cases.values()], [*cases], default=otherwise))]
