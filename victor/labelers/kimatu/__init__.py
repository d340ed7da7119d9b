"""Kimatu: areas of the same appearance, a relevance of four ratios, and a few greedy steps.

Source: Saralegi, Leturia: Kimatu, a tool for cleaning non-content text parts from HTML docs.
WAC3, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from victor.arrays import Bools, Floats
from victor.labelers.kimatu.areas import LOOKS, Areas, Hashes, group, looks
from victor.labelers.kimatu.greedy import Evidence, choose, sure
from victor.labelers.kimatu.relevance import count, ratios, relevance
from victor.labelers.kimatu.repeats import (
    Words,
    frequent_share,
    functions,
    quotes,
    text_hashes,
)
from victor.labelers.kimatu.settings import SPACE, Settings
from victor.labelers.rules import RuleLabeler, certainty
from victor.page.blocks import BlockTable

__all__ = [
    "NAME",
    "SPACE",
    "Settings",
    "build",
    "deleted",
    "evidence",
    "for_site",
    "frequent_texts",
    "labeler",
    "probabilities",
]

NAME: Final = "kimatu"
_NO_TEXTS: Final = np.zeros(0, dtype=np.uint64)


def labeler(settings: Settings, *, frequent: Hashes = _NO_TEXTS) -> RuleLabeler:
    """The labeler with given constants.

    Args:
        settings: the constants.
        frequent: texts that count against an area, from `frequent_texts`.
    """
    keep = partial(probabilities, settings=settings, frequent=frequent)
    return RuleLabeler(NAME, keep, limits=settings.limits, attributes=LOOKS)


def for_site(settings: Settings, pages: Sequence[bytes]) -> RuleLabeler:
    """The labeler for the pages of one site: text on many of them is less relevant.

    Args:
        settings: the constants.
        pages: some pages of the site as UTF-8 bytes.
    """
    table = labeler(settings).table(pages)
    return labeler(settings, frequent=frequent_texts(table, settings))


def frequent_texts(table: BlockTable, settings: Settings) -> Hashes:
    """Hashes of the texts on many pages of a batch, sorted."""
    hashes = text_hashes(table)
    order = np.lexsort((hashes, table.page))
    page, hashes = table.page[order], hashes[order]
    is_new = np.diff(page, prepend=-1) != 0
    is_new[1:] |= hashes[1:] != hashes[:-1]
    texts, n_pages = np.unique(hashes[is_new], return_counts=True)
    least = max(settings.site.pages, settings.site.share * table.n_pages)
    return texts[n_pages >= least]


def probabilities(table: BlockTable, settings: Settings, frequent: Hashes) -> Floats:
    """(n,) probability of being kept; areas of higher relevance are kept more surely.

    With the paper's weights relevance is in -2..1; `victor.labelers.rules.certainty` makes it a
    probability.
    """
    if not len(table):
        return np.zeros(0)
    areas = group(looks(table), table.page, settings.areas.near)
    facts = evidence(table, areas, settings, frequent)
    kept = choose(facts, deleted(table, facts, settings), settings)
    weights = settings.weights
    lowest = -(weights.punctuation + weights.links)
    span = weights.length + weights.average - lowest
    score = (facts.relevance - lowest) / (span or 1.0)
    return certainty(kept, score[areas.area])


def evidence(table: BlockTable, areas: Areas, settings: Settings, frequent: Hashes) -> Evidence:
    """The areas of a table, their relevance, and the headings."""
    counts = count(table)
    scores = relevance(ratios(counts, areas, settings), settings)
    scores = scores - settings.site.weight * frequent_share(table, areas, frequent)
    return Evidence(areas, scores, counts.characters, table.heading_level > 0)


def deleted(table: BlockTable, facts: Evidence, settings: Settings) -> Bools:
    """(A,) bool; function areas, and quotes of the remaining sure areas."""
    areas, words = facts.areas, Words.of(table)
    gone = functions(words, areas, settings.functions)[areas.look]
    candidates = sure(facts, settings) & ~gone
    return np.asarray(gone | quotes(words, areas, candidates, settings.quotes)[areas.look])
