"""Author, date, text and address of each post of a thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes, Ints, prefix_sums
from victor.base.lazy import cached_property
from victor.kinds.threads.anchors import NO, WEAK, Anchors, elements_with
from victor.kinds.threads.records import Records
from victor.metadata.dates import iso
from victor.metadata.texts import any_of
from victor.page.parsing.tags import SPLITTING
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

_COMMON: Final = 0.5  # share of records in which something stands that stands in all
_LABEL: Final = re.compile(
    rf"\A(?:(?:{any_of('before_dates')})\b[\s:]*+"
    r"|#?\d{1,6}\s(?=[^\W\d_]{4,}:)|[^\w\s]++\s*+){1,4}+",
    re.IGNORECASE,
)
_PROSE: Final = 5  # words of a segment of running text
_NEAR: Final = 2  # elements between a date and the one that gives it to programs, at most


@dataclass(frozen=True, eq=False)
class Fields:
    """The fields of R records; S segments, E elements."""

    anchors: Anchors  # of their page
    kept: Bools  # (S,) what the labeler keeps
    records: Records  # of the page

    def __len__(self) -> int:
        return len(self.records.elements)

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.anchors.table

    # --- Who and when -----------------------------------------------------------------------------

    @cached_property
    def author(self) -> Ints:
        """(R,) segment with the name of who wrote each record, -1 for none."""
        return self._best(self.anchors.names)

    @cached_property
    def date(self) -> Ints:
        """(R,) segment with the date of each record, -1 for none.

        What only reads as one inside of a text is none, unless dates of other records stand in such
        elements, or most in their texts.
        """
        dates, ways = self.anchors.dates, self.anchors.groups.ways[self.table.segment_element]
        in_body = self._in_body
        within = (dates == WEAK) & in_body & (self.records.owner >= 0)
        within &= ~np.isin(ways, ways[(dates > NO) & ~in_body])
        if self._have(within).sum() < _COMMON * len(self):
            dates = dates * ~within
        return self._best(dates)

    @property
    def _in_body(self) -> Bools:
        """(S,) is a segment in an element named as a text, or between prose of its record."""
        owner, segment = self.records.owner, np.arange(len(self.records.owner))
        bodies = self.anchors.signs.is_named("body", "said") & (self.records.around >= 0)
        bodies[self.records.elements] = False
        long = np.flatnonzero((self.anchors.prose >= _PROSE) & (owner >= 0))
        first, last = np.full((2, len(self) + 1), -1)  # the last one is for those without a record
        first[owner[long[::-1]]] = long[::-1]
        last[owner[long]] = long
        between = (first[owner] >= 0) & (first[owner] < segment) & (segment < last[owner])
        return np.asarray(self.anchors.in_element(bodies) | between)

    def _best(self, sureness: Codes) -> Ints:
        """(R,) first of the surest segments of each record, -1 for none.

        What stands in most records goes before what is only in some.
        """
        owner = self.records.owner
        chosen = np.flatnonzero((sureness > NO) & (owner >= 0))
        rank = sureness[chosen].astype(np.int64)
        for level in np.unique(rank):
            in_records = len(np.unique(owner[chosen[rank == level]]))
            rank[rank == level] += 10 * (in_records >= _COMMON * len(self))
        order = chosen[np.lexsort((chosen, -rank, owner[chosen]))]
        result = np.full(len(self), -1)
        result[owner[order[::-1]]] = order[::-1]
        return result

    def author_name(self, record: int) -> str | None:
        """Name of who wrote a record."""
        segment = int(self.author[record])
        text = self.anchors.texts[segment] if segment >= 0 else ""
        return " ".join(text.split()).strip(" :,-–|·•") or None

    def dates_of(self, record: int) -> tuple[str | None, str | None]:
        """Date of a record in ISO 8601 or as written, and as written."""
        segment = int(self.date[record])
        if segment < 0:
            return None, None
        written = _without_label(" ".join(self.anchors.texts[segment].split()))
        given = self._given(segment)
        days = (iso(text, month_first=self.month_first) for text in (*given, written))
        day = next(filter(None, days), None)
        return day or written, written

    @cached_property
    def month_first(self) -> bool | None:
        """What the dates of all records, or the language of the page, say of 3/4/2024."""
        return self.anchors.month_first(self.date[self.date >= 0])

    def _given(self, segment: int) -> Iterator[str]:
        """What the elements close around a date give to programs and as its title."""
        table = self.table
        element = int(table.segment_element[segment])
        for _ in range(_NEAR + 1):
            row = int(table.elements.bundle[element])
            for name in ("datetime", "title", "content"):
                value = table.attribute(name)[row] if row >= 0 else None
                if value:
                    yield value
            element = int(table.elements.parent[element])

    # --- Address ----------------------------------------------------------------------------------

    def link(self, record: int) -> str | None:
        """Address of a record: what its date links to, else its place on the page."""
        table = self.table
        segment = int(self.date[record])
        if segment >= 0:
            anchor = int(self._links[table.segment_element[segment]])
            if anchor >= 0 and self.records.around[anchor] == record:
                href = table.attribute("href")[int(table.elements.bundle[anchor])]
                if href and not self.anchors.is_profile[anchor]:
                    return href.strip()
        row = int(table.elements.bundle[self.records.elements[record]])
        identifier = table.attribute("id")[row] if row >= 0 else None
        has_number = identifier is not None and any(map(str.isdigit, identifier))
        return f"#{identifier.strip()}" if identifier and has_number else None

    @cached_property
    def _links(self) -> Ints:
        return self.table.elements.nearest(elements_with(self.table, "href", lambda _: True))

    # --- Text -------------------------------------------------------------------------------------

    def text(self, record: int) -> str:
        """Text of a record, its paragraphs on their own lines."""
        return "\n".join(_paragraphs(self.table, self.segments(record)))

    def segments(self, record: int) -> Ints:
        """Segments of the text of a record."""
        return self._ordered[self._bounds[record] : self._bounds[record + 1]]

    @cached_property
    def in_text(self) -> Bools:
        """(S,) is a segment text of a record.

        That is what is kept of it, else what stands beside its longest text; only in its element
        for texts where one is named so.
        """
        owner = self.records.owner
        able = (owner >= 0) & ~self.anchors.furniture
        bodies = self.anchors.signs.is_named("body", "said") & (self.records.around >= 0)
        bodies[self.records.elements] = False
        named = able & self.anchors.in_element(bodies)
        able &= np.where(self._have(named)[owner], named, ~self._is_about)
        kept = able & self.kept
        return np.asarray(kept | self._beside_longest(able & ~self._have(kept)[owner]))

    def _have(self, chosen: Bools) -> Bools:
        """(R,) has each record one of some segments."""
        have = np.zeros(len(self), dtype=bool)
        have[self.records.owner[chosen]] = True
        return have

    def _beside_longest(self, rest: Bools) -> Bools:
        """(S,) which of some segments stand in one element with the longest one of their record."""
        segments = np.flatnonzero(rest & (self.anchors.prose > 0))
        owner = self.records.owner[segments]
        order = segments[np.lexsort((self.anchors.prose[segments], owner))]
        longest = np.full(len(self), -1)
        longest[self.records.owner[order]] = order
        container = self.table.elements.innermost(SPLITTING)[self.table.segment_element]
        of_record = longest[self.records.owner]
        return np.asarray(rest & (of_record >= 0) & (container == container[of_record]))

    @property
    def _is_about(self) -> Bools:
        """(S,) does a segment only say something of its record."""
        about = (self.anchors.names > NO) | (self.anchors.dates > NO)
        return np.asarray(about | self.anchors.says("role", "wrote"))

    @cached_property
    def _ordered(self) -> Ints:
        """Segments of texts by record."""
        segments = np.flatnonzero(self.in_text)
        return segments[np.argsort(self.records.owner[segments], kind="stable")]

    @cached_property
    def _bounds(self) -> Ints:
        """(R + 1,) where the segments of each record begin in `_ordered`."""
        return prefix_sums(np.bincount(self.records.owner[self._ordered], minlength=len(self)))


def _without_label(written: str) -> str:
    return _LABEL.sub("", written).strip(" :.,-–|·•«»()[]#")


def _paragraphs(table: BlockTable, segments: Ints) -> Iterator[str]:
    if not len(segments):
        return
    block = table.block_of_segment[segments]
    begins = np.append(True, (np.diff(segments) > 1) | (np.diff(block) != 0))
    first = segments[begins]
    last = segments[np.append(begins[1:], True)]
    bounds = zip(table.segments.start[first], table.segments.end[last], strict=True)
    for start, end in bounds:
        yield text_of(table.chars[start:end]).strip()
