"""The greedy steps of Kimatu, in order, on the areas of a batch of pages, and what they decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.labelers.kimatu.areas import Areas, Ratios, relevance, within_look
from victor.labelers.kimatu.settings import Settings
from victor.labelers.rules import Clue

_NOWHERE: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Evidence:
    """The input of the first step; A areas, n blocks.

    Attributes:
        areas: the areas.
        ratios: of the areas, global.
        relevance: (A,) relevance of the areas.
        characters: (n,) characters of each block.
    """

    areas: Areas
    ratios: Ratios
    relevance: Floats
    characters: Ints


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
    near = _distance_in_look(areas, kept) <= settings.rescue.near + 1
    return np.asarray(near & (in_look > settings.rescue.relevance))


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
    is_far[chosen] = distance > settings.far.times * mean[page]
    return is_far & ~(evidence.relevance > settings.far.relevance)


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
    is_near[areas.area[near <= settings.references.reach]] = True
    return np.asarray(is_near & (evidence.relevance > settings.references.relevance))


def _ahead(marked: Bools, page: Ints) -> Ints:
    """(n,) distance in blocks to the next marked one of the page, 0 for a marked block itself."""
    n = len(marked)
    index = np.arange(n)
    following = np.minimum.accumulate(np.where(marked, index, n)[::-1])[::-1]
    on_page = np.append(page, -1)[following] == page
    return np.where(on_page, following - index, _NOWHERE)


KEPT_BY: Final = ("sure", "rescued", "beside")
DROPPED_BY: Final = ("deleted", "far", "not relevant")
_STEPS: Final = {
    "sure": "kept, the area is relevant enough",
    "rescued": "kept, near a kept area of the same appearance",
    "beside": "kept, beside a kept area, as headings are",
    "deleted": "dropped, a function such as posted by, or a quote",
    "far": "dropped, far from the other candidates",
    "not relevant": "dropped, not relevant, and not beside what is",
}


def clues(evidence: Evidence, deleted: Bools, settings: Settings) -> list[Clue]:
    """The step that decided on every block, and the numbers of its area.

    Args:
        evidence: of the areas.
        deleted: (A,) bool; areas deleted as functions or quotes.
        settings: the constants.
    """
    area, ratios = evidence.areas.area, evidence.ratios

    def of_blocks(values: Floats) -> Floats:
        return np.asarray(values[area])

    return [
        Clue(
            "step",
            "the step that decided",
            [_STEPS[step] for step in steps(evidence, deleted, settings)],
        ),
        Clue(
            "relevance",
            "of its area: length and average, less links and the lack of punctuation",
            of_blocks(evidence.relevance),
            np.full(len(area), settings.sure),
            "above",
        ),
        Clue(
            "length", "characters of its area over those of the largest", of_blocks(ratios.length)
        ),
        Clue("average", "mean length of its texts, over the highest", of_blocks(ratios.average)),
        Clue("punctuation", "marks per word, over what is usual", of_blocks(ratios.punctuation)),
        Clue("links", "links per text, over a constant", of_blocks(ratios.links)),
    ]


def steps(evidence: Evidence, deleted: Bools, settings: Settings) -> list[str]:
    """The step that decided on every block: of `KEPT_BY` if it is kept, else of `DROPPED_BY`."""
    kept = choose(evidence, deleted, settings)
    is_sure = sure(evidence, settings) & ~deleted
    is_rescued = rescued(evidence, is_sure, settings) & ~deleted
    area = evidence.areas.area
    names = np.select(
        [
            kept & is_sure[area],
            kept & is_rescued[area],
            kept,
            deleted[area],
            (is_sure | is_rescued)[area],
        ],
        [*KEPT_BY, *DROPPED_BY[:2]],
        default=DROPPED_BY[2],
    )
    return [str(name) for name in names.tolist()]
