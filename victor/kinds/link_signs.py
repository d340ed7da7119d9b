"""Links whose text is only a sign: ¶, # and the like lead to the place where they stand."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, window_sums
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_text
from victor.page.verdict.verdict import SIGN, Verdict

SIGNS: Final = np.array([*map(ord, "#¶🔗")], dtype=np.uint32)
"""What Sphinx, MkDocs and others write after a heading, a term or a caption."""
_LINK_IDS: Final = frozenset(IDS[name] for name in ("a", "button"))
"""Some copy the address of the place when they are pressed."""
LONGEST: Final = 3
"""Characters of a sign; a variation selector or brackets may be part of it."""


def without_link_signs(verdict: Verdict) -> Verdict:
    """The verdict of a model without links whose text is only a sign.

    In a heading these are all links without a letter or digit, elsewhere those of `SIGNS`. Where
    a block has nothing else, it goes; a heading of other signs alone stays.
    """
    if not verdict.by_model:
        return verdict
    table = verdict.table
    signs = _signs(table, verdict.kept)
    if not len(signs):
        return verdict
    is_sign = np.zeros(len(table.segments), dtype=bool)
    is_sign[signs] = True
    is_alone = window_sums(~is_sign, table.segment_starts) == 0
    is_known = _starts_so(table, table.start)
    alone = np.flatnonzero(is_alone & verdict.kept & (is_known | (table.heading_level == 0)))
    places = np.zeros(len(table.tags.id), dtype=bool)
    places[table.segments.tag[signs]] = True
    verdict = verdict.without_parts(places, SIGN)
    return verdict.with_no_text(alone.tolist(), SIGN) if len(alone) else verdict


def _signs(table: BlockTable, kept: Bools) -> Ints:
    """(k,) the segments of kept blocks that are a sign and all the text of a link."""
    segments = table.segments
    short = np.flatnonzero(segments.end - segments.start <= LONGEST)
    is_candidate = _starts_so(table, segments.start[short])
    blocks = np.searchsorted(table.segment_starts, short, side="right") - 1
    is_candidate |= table.heading_level[blocks] > 0
    signs = short[is_candidate & kept[blocks]]
    return signs[[_is_sign(table, row) for row in signs.tolist()]] if len(signs) else signs


def _starts_so(table: BlockTable, starts: Ints) -> Bools:
    """(k,) is one of `SIGNS` at each of some places."""
    return np.asarray((table.chars[starts, None] == SIGNS).any(axis=1))


def _is_sign(table: BlockTable, segment: int) -> bool:
    """Is a segment all the text of the link around it, and without a letter."""
    elements, segments = table.elements, table.segments
    if any(map(str.isalnum, segment_text(table, segment))):
        return False
    link = int(table.tags.element[segments.tag[segment]])
    while elements.tag[link] not in _LINK_IDS:
        inner, link = link, int(elements.parent[link])
        if inner == link:  # no link is around it
            return False
    inside = np.searchsorted(segments.tag, [elements.open[link], elements.close[link]])
    return bool(inside[1] - inside[0] == 1)
