"""Record pages with the lines of their sources, for blocks that end with these lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import ATTRIBUTES, OPEN, TAG_BASE, Events, record
from victor.page.parsing.heads import Head
from victor.page.parsing.source_lines import NumberedPage, SourceLines, number_lines
from victor.page.parsing.tags import IDS, LINE, SPLITTING, member_mask

LINE_CODE: Final = TAG_BASE + 3 * IDS[LINE] + OPEN
"""Code of the tag that stands where the page or a text of another line begins."""


def record_lines(pages: Iterable[bytes], *, attributes: tuple[str, ...] = ATTRIBUTES) -> Events:
    """Events of a batch of pages given as UTF-8 bytes, with the lines of their sources.

    They are those of `victor.page.parsing.events.record` but for line tags, and for a line break
    before every block-level tag: it parts words of one block, which may lie in several elements
    here. Values of attributes that go over lines have more white space in them.
    """
    numbered = [number_lines(page) for page in pages]
    events = record([page.markup for page in numbered], attributes=attributes)
    spans = pairwise(events.page_starts.tolist())
    extracted = [
        page.extract(events.codes[a:b], LINE_CODE)
        for page, (a, b) in zip(numbered, spans, strict=True)
    ]
    codes = [_with_breaks(page_codes) for page_codes, _ in extracted]
    return replace(
        events,
        codes=np.concatenate([np.zeros(0, dtype=np.uint32), *codes]),
        page_starts=np.cumsum([0, *map(len, codes)], dtype=np.int64),
        heads=tuple(map(_plain_head, events.heads, numbered)),
        lines=_joined(numbered, [numbers for _, numbers in extracted]),
    )


def _with_breaks(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Codes of a page with a line break before every block-level tag."""
    tag = (codes - np.uint32(TAG_BASE)) // 3
    splits = np.append(member_mask(SPLITTING), False)[np.minimum(tag, len(member_mask(SPLITTING)))]
    return np.insert(codes, np.flatnonzero(splits)[1:], np.uint32(LINE_BREAK))


def _plain_head(head: Head, page: NumberedPage) -> Head:
    """What a page declares, without the numbers of lines; other ordinals of tags do not hold."""
    plain = page.without_numbers
    return structs.replace(
        head,
        meta={name: plain(value) for name, value in head.meta.items()},
        metas=tuple((name, plain(value)) for name, value in head.metas),
        links=tuple(link._replace(href=plain(link.href)) for link in head.links),
        json_ld=tuple(map(plain, head.json_ld)),
        times=(),
        tables=tuple(
            (tag, {name: plain(value) for name, value in said.items()}) for tag, said in head.tables
        ),
    )


def _joined(numbered: list[NumberedPage], numbers: list[Ints]) -> SourceLines:
    """The lines of all pages."""
    starts = np.cumsum([0, *(len(page.text) for page in numbered)], dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    return SourceLines(
        page_starts=starts,
        text=np.concatenate([none, *(page.text for page in numbered)]),
        markup=np.concatenate([none, *(page.markup_length for page in numbered)]),
        of_tag=np.concatenate([none, *map(np.add, numbers, starts.tolist())]),
    )
