"""What Kimatu found of blocks: the ratios of their areas, and the step that decided."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.arrays import Bools, Floats
from victor.labelers.kimatu.greedy import Evidence, choose, rescued, sure
from victor.labelers.kimatu.settings import Settings
from victor.labelers.rules import Clue

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
    first = sure(evidence, settings) & ~deleted
    second = rescued(evidence, first, settings) & ~deleted
    area = evidence.areas.area
    names = np.select(
        [kept & first[area], kept & second[area], kept, deleted[area], (first | second)[area]],
        [*KEPT_BY, *DROPPED_BY[:2]],
        default=DROPPED_BY[2],
    )
    return [str(name) for name in names.tolist()]
