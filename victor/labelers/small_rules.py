"""Systems of one rule each, from the literature, to compare with: bte, cetr, link-quota and none.

Each is a schema of its constants and a function of a table and these constants, which gives the
(n,) probabilities of being kept and what people are shown of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np

from victor.base.arrays import Floats, Ints
from victor.config import Limits, Section
from victor.config.section import Count, NonNegative, Share
from victor.labelers import System
from victor.labelers.rules import Clue, RuleLabeler, certainty, page_deviations
from victor.page.table.blocks import BlockTable

Rule = Callable[[BlockTable, Any], tuple[Floats, list[Clue]]]


class Bte(Section, frozen=True):
    """The schema of ``configs/bte.yaml``."""

    labeler: Literal["bte"] = "bte"
    """The system."""
    tag_weight: NonNegative = 1.0
    """Words that a tag inside costs."""
    limits: Limits = Limits()
    """Bounds of one page."""


class Cetr(Section, frozen=True):
    """The schema of ``configs/cetr.yaml``."""

    labeler: Literal["cetr"] = "cetr"
    """The system."""
    radius: Count = 1
    """Blocks on each side that smoothing reads."""
    deviations: NonNegative = 1.0
    """Content is at or above so many standard deviations."""
    limits: Limits = Limits()
    """Bounds of one page."""


class LinkQuota(Section, frozen=True):
    """The schema of ``configs/link-quota.yaml``."""

    labeler: Literal["link-quota"] = "link-quota"
    """The system."""
    quota: Share = 0.5
    """Most text in links."""
    limits: Limits = Limits()
    """Bounds of one page."""


class KeepAll(Section, frozen=True):
    """The schema of ``configs/none.yaml``."""

    labeler: Literal["none"] = "none"
    """The system."""
    limits: Limits = Limits()
    """Bounds of one page."""


def bte(table: BlockTable, settings: Bte) -> tuple[Floats, list[Clue]]:
    """Body Text Extraction: the one region of a page with most words and fewest tags (Finn 2001).

    A region begins and ends with a block. Its value is its words less its tags, which is largest
    where most words are inside and most tags outside. The best region of every page is kept, of
    several the first and longest. The score of a block is the value of the best region that
    holds it over that of the page's best, 0 if negative.
    """
    gain = np.asarray(table.words - (table.last_tag - table.tag) * settings.tag_weight, np.float64)
    before = np.asarray(_tags_before(table) * settings.tag_weight, dtype=np.float64)
    pages = [slice(a, b) for a, b in pairwise(table.page_starts.tolist())]
    keep = np.concatenate([np.zeros(0), *(best_region(gain[p], before[p]) for p in pages)])
    is_inside, weight = keep > 0.5, f"{settings.tag_weight:g}"
    return keep, [
        Clue("in the best region", "is it in the part of the page with most words and fewest tags",
             is_inside),
        Clue("own value", f"words of the block less {weight} for each tag inside it", gain),
        Clue("tags before it", f"{weight} for each tag since the block before", before),
        Clue("best region with it", "value of the best region that holds the block, over that of "
             "the page's best", 2 * np.where(is_inside, keep - 0.5, keep)),
    ]  # fmt: skip


def _tags_before(table: BlockTable) -> Ints:
    """(n,) tags between the previous block and each block; 0 for the first of a page."""
    before = table.tag - np.append(0, table.last_tag)[: len(table)]
    before[_first_blocks(table)] = 0
    return np.asarray(before)


def best_region(gain: Floats, before: Floats) -> Floats:
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
    start = int(np.argmax(ends - opened))
    stop = len(total) - int(np.argmax(total[start:][::-1]))
    kept = np.zeros(len(gain), dtype=bool)
    kept[start:stop] = True
    best = ends - np.minimum.accumulate(opened)
    return certainty(kept, best / best.max() if best.max() > 0 else np.zeros(len(gain)))


def cetr(table: BlockTable, settings: Cetr) -> tuple[Floats, list[Clue]]:
    """Content Extraction via Tag Ratios, the threshold variant (Weninger, Hsu, Han 2010).

    The score is x / (1 + x) with x the smoothed ratio over the page's threshold.
    """
    ratios = tag_ratios(table)
    smoothed = smooth(ratios, table.page_starts, settings.radius)
    limit = settings.deviations * page_deviations(smoothed, table)[table.page]
    times = np.divide(smoothed, limit, out=np.full(len(ratios), np.inf), where=limit > 0)
    score = np.divide(times, 1 + times, out=np.ones(len(ratios)), where=np.isfinite(times))
    deviations = f"{settings.deviations:g} standard deviations of the page"
    meaning = f"the same, averaged with its neighbours; the limit is {deviations}"
    return certainty(smoothed >= limit, score), [
        Clue("tag ratio", "characters over the tags since the block before", ratios),
        Clue("smoothed ratio", meaning, smoothed, limit, "from"),
    ]


def tag_ratios(table: BlockTable) -> Floats:
    """(n,) characters of each block over the tags since the previous block, at least 1."""
    tags = np.diff(table.last_tag, prepend=0)
    starts = _first_blocks(table)
    roots = table.elements.open[table.page_roots][table.page[starts]]
    tags[starts] = table.last_tag[starts] - roots
    return np.asarray((table.end - table.start) / np.maximum(tags, 1))


def _first_blocks(table: BlockTable) -> Ints:
    """The first block of every page that has blocks."""
    return np.asarray(table.page_starts[:-1][np.diff(table.page_starts) > 0])


def smooth(ratio: Floats, page_starts: Ints, radius: int) -> Floats:
    """(n,) the ratios smoothed by a Gaussian kernel of standard deviation `radius`, page by page.

    At the ends of a page the kernel is cut, and its weights still add up to 1.
    """
    offsets = np.arange(-radius, radius + 1)
    kernel = np.exp(-(offsets**2) / (2 * max(radius, 1) ** 2))
    pages = [ratio[a:b] for a, b in pairwise(page_starts.tolist())]
    return np.concatenate([np.zeros(0), *(_convolved(page, kernel) for page in pages)])


def _convolved(ratio: Floats, kernel: Floats) -> Floats:
    if not len(ratio):
        return ratio
    radius = len(kernel) // 2
    inside = slice(radius, radius + len(ratio))
    return np.asarray(
        np.convolve(ratio, kernel)[inside] / np.convolve(np.ones(len(ratio)), kernel)[inside]
    )


def link_quota(table: BlockTable, settings: LinkQuota) -> tuple[Floats, list[Clue]]:
    """Link quota filter: blocks of mostly link text are dropped (Mantratzis 2005).

    A text block is the smallest element that the filter may drop.
    """
    length = table.segments.end - table.segments.start
    in_links = np.where(table.segments_inside(frozenset({"a"})), length, 0)
    quota = table.sum_segments(in_links) / np.maximum(table.sum_segments(length), 1)
    limit = np.full(len(table), settings.quota)
    meaning = "share of the characters of the block that are in links"
    clue = Clue("text in links", meaning, quota, limit, "up to")
    return certainty(quota <= settings.quota, 1.0 - quota), [clue]


def keep_all(table: BlockTable, _: KeepAll) -> tuple[Floats, list[Clue]]:
    """Every block: the baseline of every comparison."""
    steps = ["every block is kept"] * len(table)
    return np.ones(len(table)), [Clue("rule", "what decides", steps)]


def _system(
    schema: type[Section], rule: Rule, space: Mapping[str, Sequence[object]]
) -> tuple[str, System]:
    """Name and system of a rule and the schema of its constants."""
    name = str(schema().to_data()["labeler"])
    return name, System(schema, partial(_labeler, name, rule), space)


def _labeler(name: str, rule: Rule, settings: Any) -> RuleLabeler:  # noqa: ANN401  (one of the schemas)
    return RuleLabeler(
        name,
        partial(_keep, rule, settings),
        limits=settings.limits,
        find_clues=partial(_clues, rule, settings),
    )


def _keep(rule: Rule, settings: Section, table: BlockTable) -> Floats:
    return rule(table, settings)[0]


def _clues(rule: Rule, settings: Section, table: BlockTable) -> list[Clue]:
    return rule(table, settings)[1]


SYSTEMS: Final[Mapping[str, System]] = dict(
    (
        _system(Bte, bte, {"tag_weight": (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)}),
        _system(
            Cetr,
            cetr,
            {
                "radius": (0, 1, 2, 3, 5),
                "deviations": (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.25),
            },
        ),
        _system(LinkQuota, link_quota, {"quota": (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)}),
        _system(KeepAll, keep_all, {}),
    )
)
"""The systems by name."""
