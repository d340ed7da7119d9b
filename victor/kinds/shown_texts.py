"""Text that browsers show and the markup does not have: marks of ``<q>``, hidden addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.one_page import one_page
from victor.page.table.texts import segment_text
from victor.page.verdict.verdict import Verdict

QUOTATIONS, _SPAN = frozenset({"q"}), frozenset({"span"})
_HIDDEN: Final = b"data-cfemail"
_STAND_IN: Final = pattern(r"\[email\s+protected\]")
STAND_IN_LENGTH: Final = len("[email protected]")
_MARKS: Final = (("“", "”"), ("‘", "’"))
"""Of a quotation, and of one within another."""
_N_CAPITALS, _ASCII = 26, 0x7F
_QUOTED: Final = pattern(r"[\"'“”„‟‘’‚‹›«»「」『』]")


def with_shown_texts(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict of a model with text as browsers show it.

    A quotation has its marks, unless the page writes them, too. Addresses of mail that Cloudflare
    hides from programs are shown. Two spans that nothing parts, as they stand apart by their style
    alone, have a space between: a product and its brand, a name and a title.

    Args:
        verdict: of the labeler.
        pages: its pages as UTF-8 bytes.
    """
    if not verdict.by_model:
        return verdict
    texts = dict(_quotations(verdict.table))
    for tag, text in _parted(verdict.table):
        texts[tag] = " " + texts.get(tag, text)
    for page in _with_stand_ins(verdict.table):
        if _HIDDEN in pages[page]:
            texts |= dict(_addresses(verdict.table, page, pages[page]))
    return verdict.with_texts(texts) if texts else verdict


def _quotations(table: BlockTable) -> Mapping[int, str]:
    """The first and last segments in each ``<q>`` with marks, by the tags before them."""
    texts: dict[int, str] = {}
    elements, segments = table.elements, table.segments
    if not elements.have(QUOTATIONS):
        return texts
    # Those within others come first, so that marks of the outer ones stand around theirs.
    for element in np.flatnonzero(elements.tag == IDS["q"])[::-1].tolist():
        extent = elements.open[element], elements.close[element]
        inside = range(*np.searchsorted(segments.tag, extent).tolist())
        if not inside or _QUOTED.match(segment_text(table, inside[0])):
            continue
        depth = int((elements.tag[_around(table, element)] == IDS["q"]).sum())
        for row, mark, is_first in zip((inside[0], inside[-1]), _MARKS[depth % 2], (True, False),
                                       strict=True):  # fmt: skip
            tag = int(segments.tag[row])
            text = texts.get(tag, segment_text(table, row))
            texts[tag] = mark + text if is_first else text + mark
    return texts


def _parted(table: BlockTable) -> Iterator[tuple[int, str]]:
    """The second of two spans that are no one word: text by the tag before it.

    A small letter or digit before a capital, and a space in either, tell them from a word of which
    a part is marked.
    """
    segments, tags = table.segments, table.tags
    if not table.elements.have(_SPAN):
        return
    rows = np.flatnonzero(segments.start[1:] == segments.end[:-1])
    tag, block = segments.tag[rows + 1], table.block_of_segment
    touch = (tag == segments.tag[rows] + 2) & (block[rows] == block[rows + 1])
    touch &= (tags.id[tag] == IDS["span"]) & (tags.id[tag - 1] == IDS["span"])
    touch &= (tags.step[tag] > 0) & (tags.step[tag - 1] < 0)
    rows = rows[touch]
    first = table.chars[segments.start[rows + 1]]
    rows = rows[(first - ord("A") < _N_CAPITALS) | (first > _ASCII)]  # below "A" numbers wrap
    ends, starts = table.chars[segments.end[rows] - 1], table.chars[segments.start[rows + 1]]
    for row, last, first in zip(rows.tolist(), ends.tolist(), starts.tolist(), strict=True):
        if chr(first).isupper() and (chr(last).islower() or chr(last).isdecimal()):
            before, after = segment_text(table, row), segment_text(table, row + 1)
            if " " in before or " " in after:
                yield int(segments.tag[row + 1]), after


def _around(table: BlockTable, element: int) -> list[int]:
    """The elements around another one, the innermost first."""
    found: list[int] = []
    while (above := int(table.elements.parent[element])) != element:
        found.append(above)
        element = above
    return found


def _with_stand_ins(table: BlockTable) -> list[int]:
    """The pages on which something has the length of what stands for a hidden address."""
    rows = np.flatnonzero(table.segments.end - table.segments.start == STAND_IN_LENGTH)
    rows = rows[table.chars[table.segments.start[rows]] == ord("[")]
    return np.unique(table.page[table.block_of_segment[rows]]).tolist() if len(rows) else []


def _addresses(table: BlockTable, page: int, markup: bytes) -> Iterator[tuple[int, str]]:
    """The hidden addresses of a page, by the tags before what stands for them."""
    from victor.page.markup.hidden_addresses import decoded  # few pages need these
    from victor.page.markup.start_tags import StartTags, start_tags

    part = one_page(table, page)
    first_tag = int(table.elements.open[table.page_roots[page]])
    length = part.segments.end - part.segments.start
    tags = StartTags(part, start_tags(markup))
    for row in np.flatnonzero(length == STAND_IN_LENGTH).tolist():
        if _STAND_IN.fullmatch(segment_text(part, row)):
            tag = int(part.segments.tag[row])
            address = decoded(tags.of(tag).get("data-cfemail", ""))
            if address:
                yield first_tag + tag, address
