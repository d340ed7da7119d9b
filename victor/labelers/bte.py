"""Body Text Extraction: the one region of a page with most words and fewest tags (Finn 2001)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from victor.arrays import Floats, Ints
from victor.config import Limits, Section
from victor.config.section import NonNegative
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.page.blocks import BlockTable

NAME: Final = "bte"


class Settings(Section, frozen=True):
    """The schema of ``configs/bte.yaml``."""

    labeler: Literal["bte"] = "bte"
    """The system."""
    tag_weight: NonNegative = 1.0
    """Words that a tag inside costs."""
    limits: Limits = Limits()
    """Bounds of one page."""


SPACE: Final[Mapping[str, Sequence[object]]] = {
    "tag_weight": (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0),
}
"""Values that a search tries."""


def labeler(settings: Settings) -> RuleLabeler:
    """The labeler with given constants."""
    keep = partial(probabilities, settings=settings)
    return RuleLabeler(
        NAME, keep, limits=settings.limits, find_clues=partial(clues, settings=settings)
    )


def probabilities(table: BlockTable, settings: Settings) -> Floats:
    """(n,) probability of being kept: it rises with the best region around a block.

    A region begins and ends with a block. Its value is its words less its tags, which is largest
    where most words are inside and most tags outside. The best region of every page is kept, of
    several the first and longest. The score of a block is the value of the best region that
    holds it over that of the page's best, 0 if negative.
    """
    gain, before = _worth(table, settings)
    pages = [slice(a, b) for a, b in pairwise(table.page_starts.tolist())]
    return np.concatenate([np.zeros(0), *(_page(gain[span], before[span]) for span in pages)])


def clues(table: BlockTable, settings: Settings) -> list[Clue]:
    """What blocks are worth, and which of them are in the best region."""
    gain, before = _worth(table, settings)
    kept = probabilities(table, settings)
    score = 2 * np.where(kept > 0.5, kept - 0.5, kept)
    weight = f"{settings.tag_weight:g}"
    return [
        Clue("in the best region", "is it in the part of the page with most words and fewest tags",
             kept > 0.5),
        Clue("own value", f"words of the block less {weight} for each tag inside it", gain),
        Clue("tags before it", f"{weight} for each tag since the block before", before),
        Clue("best region with it", "value of the best region that holds the block, over that of "
             "the page's best", score),
    ]  # fmt: skip


def _worth(table: BlockTable, settings: Settings) -> tuple[Floats, Floats]:
    """(n,) words of blocks less the cost of the tags inside, and (n,) the cost of those before."""
    tags_inside = table.last_tag - table.tag
    gain = np.asarray(table.words - tags_inside * settings.tag_weight, dtype=np.float64)
    return gain, np.asarray(_tags_before(table) * settings.tag_weight, dtype=np.float64)


def _tags_before(table: BlockTable) -> Ints:
    """(n,) tags between the previous block and each block; 0 for the first of a page."""
    before = table.tag - np.append(0, table.last_tag)[: len(table)]
    before[table.page_starts[:-1][np.diff(table.page_starts) > 0]] = 0
    return np.asarray(before)


def _page(gain: Floats, before: Floats) -> Floats:
    """(n,) probability of being kept of the blocks of a page.

    Args:
        gain: words of each block, less the cost of the tags inside it.
        before: cost of the tags between the previous block and each block.
    """
    if not len(gain):
        return np.zeros(0)
    total = np.cumsum(gain - before)
    opened = total - gain
    ends = np.maximum.accumulate(total[::-1])[::-1]
    first = int(np.argmax(ends - opened))
    last = len(total) - 1 - int(np.argmax(total[first:][::-1]))
    kept = np.zeros(len(gain), dtype=bool)
    kept[first : last + 1] = True
    best = ends - np.minimum.accumulate(opened)
    return certainty(kept, best / best.max() if best.max() > 0 else np.zeros(len(gain)))
