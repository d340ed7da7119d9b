"""Posts as a document tells them apart: who, when, where each begins and ends, and what replies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.cached import cached_property
from victor.kinds.threads.anchors import NO, WEAK, Anchors
from victor.kinds.threads.post_fields import Fields
from victor.kinds.threads.posts import Thread, absolute_links, names_posts, thread_of
from victor.kinds.threads.records import is_of_forum
from victor.kinds.threads.replies import parents
from victor.metadata.dates import iso
from victor.page.parsing.attributes import rows_with
from victor.page.parsing.tags import HEADINGS
from victor.page.verdict.verdict import Verdict
from victor.render.tree.posts import Entry, Outline

_FEWEST: Final = 2
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DAY_LENGTH: Final = len("2024-01-31")
_YEAR: Final = re.compile(r"\d{4}")
_NUMBER: Final = re.compile(r"\d+")
_LONGEST_DATE: Final = 40
_BRIEF: Final = 3
"""Words of what is said beside author and date and is shown, such as ``25 points``."""
_MOST_MORE: Final = 6
"""Words of a line about a post beside its author and date; what has more is text."""
_WORD: Final = 1
"""Words beside an author or date that is said once more, such as ``commented``."""
_BEFORE: Final = 10
"""Words of text above comments that make them replies to it."""
_PORTRAIT: Final = 8
"""Words of an element that shows who wrote a post."""
_STEM: Final = b"omment"
"""What names of comments hold, where no system of forums is named."""
_MASTODON: Final = b"status__content"
"""What Mastodon calls the text of a post."""


def outline(verdict: Verdict, page: int, markup: bytes, url: str | None) -> Outline | None:
    """The posts of a page of which some text is kept; None where there are not two.

    Where nothing of a page says that it has any, this takes hardly any time.

    Args:
        verdict: on its batch, with kinds.
        page: of the page there.
        markup: the page as UTF-8 bytes.
        url: address of the page.
    """
    says_so = _MASTODON in markup or names_posts(verdict, page, markup)
    kinds = verdict.block_kinds
    if not (says_so or _keeps_comments(verdict, page, markup)) or kinds is None:
        return None
    thread = thread_of(verdict, lambda: kinds.without_posts, page, markup)
    if thread is None:
        return None
    found = _Outline(thread, markup)
    if len(found.rows) < _FEWEST or found.is_list_of_works:
        return None
    address = absolute_links(verdict.table.heads[page], url)
    entries = [found.entry(row, address(found.fields.link(row) or "")) for row in found.rows]
    if not (found.are_comments[found.rows].all() or _are_signed(entries)):
        return None
    return Outline(entries, frozenset(found.lines), [*found.portraits()], [*found.wrappers()])


def _keeps_comments(verdict: Verdict, page: int, markup: bytes) -> bool:
    """Are blocks of a page kept that stand in elements named as comments."""
    table, where = verdict.table, verdict.page(page)
    if _STEM not in markup:
        return False
    rows = rows_with(table.bundles, _STEM)
    if not len(rows):
        return False
    root = int(table.page_roots[page])
    elements = table.elements
    inside = slice(root, int(np.searchsorted(elements.open, elements.close[root])))
    is_named = np.zeros(len(table.bundles) + 1, dtype=bool)  # the last one is for those without
    is_named[rows] = True
    named = np.flatnonzero(is_named[elements.bundle[inside]]) + root
    if len(named) < _FEWEST:
        return False
    kept = np.flatnonzero(verdict.kept[where]) + where.start
    tags = table.tag[kept]
    first, after = (
        np.searchsorted(tags, bounds[named]) for bounds in (elements.open, elements.close)
    )
    return bool(((after > first) & (after - first < len(tags))).sum() >= _FEWEST)


def _are_signed(entries: Sequence[Entry]) -> bool:
    """Have most entries an author, and not all the same one and no date, as buttons have."""
    authors = [entry.author for entry in entries if entry.author]
    has_date = any(entry.date for entry in entries)
    return 2 * len(authors) > len(entries) and (has_date or len({*authors}) > 1)


def _shown(date: str | None, written: str | None) -> str:
    """A day, else what is written; "" for a month, which is when somebody joined."""
    if day := _DAY.match(date or ""):
        return day[0]
    text = (written or date or "").partition("(")[0].strip()[:_LONGEST_DATE]
    n_numbers = len(_NUMBER.findall(text))
    return text if n_numbers != 1 or not _YEAR.search(text) else ""


@dataclass(frozen=True, eq=False)
class _Outline:
    """The posts of one page; R records, S segments, E elements."""

    thread: Thread
    markup: bytes

    @property
    def fields(self) -> Fields:
        """Of the records."""
        return self.thread.fields

    @property
    def _anchors(self) -> Anchors:
        return self.thread.fields.anchors

    @cached_property
    def rows(self) -> list[int]:
        """The records of which some text is kept."""
        fields = self.fields
        return [row for row in range(len(fields)) if fields.kept[fields.segments(row)].any()]

    def entry(self, row: int, link: str) -> Entry:
        """A record as a document shows it."""
        fields, shared = self.fields, self._shared
        return Entry(
            open=int(shared[self._anchors.table.elements.open[fields.records.elements[row]]]),
            close=int(shared[self._closes[row]]),
            is_quoted=bool(self._is_quoted[row]),
            author=fields.author_name(row) or "",
            date=self._dates[row],
            more=tuple(self._more(row)),
            link=link,
            author_block=self._kept_block(int(fields.author[row])),
            date_block=self._kept_block(int(fields.date[row])),
        )

    @cached_property
    def _dates(self) -> list[str]:
        """(R,) the day of each record, or its date as written."""
        return [_shown(*self.fields.dates_of(row)) for row in range(len(self.fields))]

    @cached_property
    def _shared(self) -> Ints:
        """(T,) the number of each tag that all tables of the page have in common."""
        shared = self._anchors.table.shared_tags
        return np.asarray(shared - shared[0])

    # --- Replies ----------------------------------------------------------------------------------

    @cached_property
    def _parents(self) -> list[int]:
        """(R,) the record that each replies to, -1 for none."""
        return parents(self._anchors.table, self.fields, self.markup, self._n_lead)

    @cached_property
    def _closes(self) -> list[int]:
        """(R,) the tag with which each record ends, with all replies to it."""
        records, elements = self.fields.records, self._anchors.table.elements
        closes = np.zeros(len(records.elements), dtype=np.int64)
        inside = records.around >= 0
        np.maximum.at(closes, records.around[inside], elements.close[inside])
        ends: list[int] = closes.tolist()
        for row in range(len(ends) - 1, -1, -1):
            if (parent := self._parents[row]) >= 0:
                ends[parent] = max(ends[parent], ends[row])
        return ends

    @cached_property
    def _is_quoted(self) -> Bools:
        """(R,) is a record a reply: to another, or a comment on what stands above it.

        Some systems of forums call all posts comments; these are none.
        """
        replies, comments = np.array(self._parents) >= 0, self.are_comments
        if replies.any() or not comments[self.rows[1:]].all():
            return np.asarray(replies | comments)
        anchors = self._anchors
        is_forum = bool(anchors.signs.is_thread[0]) or is_of_forum(anchors.table.heads[0])
        return replies if is_forum or not self._has_text_above else comments

    @cached_property
    def are_comments(self) -> Bools:
        """(R,) does the markup call a record, or what is around it, a comment."""
        elements, signs = self._anchors.table.elements, self._anchors.signs
        called = elements.gathered(signs.is_named("comment"))[self.fields.records.elements]
        called |= self.thread.kind == "comment"
        called[: self._n_lead] = False
        return np.asarray(called)

    @cached_property
    def _n_lead(self) -> int:
        """One if the first record began the thread: it looks otherwise, or holds all others."""
        elements, records = self._anchors.table.elements, self.fields.records.elements
        return int(self.thread.has_lead or elements.close[records[0]] > elements.open[records[-1]])

    @property
    def _has_text_above(self) -> bool:
        """Does a text stand above the records, or a post that began the thread."""
        table = self._anchors.table
        begin = table.elements.open[self.fields.records.elements[0]]
        above = self.fields.kept & (table.segments.tag < begin)
        return self._n_lead > 0 or int(self._anchors.prose[above].sum()) >= _BEFORE

    # --- Lines ------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> dict[int, Ints]:
        """Kept blocks that say only who wrote a record and when, and their other segments."""
        lines: dict[int, Ints] = {}
        blocks = self.thread.blocks
        for row, segment, most in self._said():
            segments = np.arange(*np.searchsorted(blocks, [blocks[segment], blocks[segment] + 1]))
            segments = segments[self._anchors.table.segment_words[segments] > 0]
            others = segments[self._is_other[segments]]
            if self._is_line(row, segments) and self._n_words(others) <= most:
                lines.setdefault(int(blocks[segment]) - self.thread.first, others)
        return lines

    def _said(self) -> Iterator[tuple[int, int, int]]:
        """Where the author or the date of a record is said and kept: record and segment; and how
        many other words may stand in a line that says it.
        """  # noqa: D205
        fields, anchors, rows = self.fields, self._anchors, {*self.rows}
        for row in self.rows:
            for segment in (int(fields.author[row]), int(fields.date[row])):
                if segment >= 0 and fields.kept[segment]:
                    first, last = fields.segments(row)[[0, -1]].tolist()
                    if not first < segment < last:
                        yield row, segment, _MOST_MORE
                    elif anchors.dates[segment] != WEAK:  # a date in a text is one of its own
                        yield row, segment, _WORD
        said = fields.kept & ((anchors.names > NO) | (anchors.dates > NO))
        for segment in np.flatnonzero(said & (fields.records.owner >= 0)).tolist():
            row = int(fields.records.owner[segment])
            if row in rows and self._is_again(row, anchors.texts[segment]):
                yield row, segment, _WORD

    def _is_again(self, row: int, text: str) -> bool:
        """Does a text say the author or the day of a record once more."""
        if text.strip() == self.fields.author_name(row):
            return True
        day = iso(text, month_first=self.fields.month_first)
        return day is not None and day[:_DAY_LENGTH] == self._dates[row]

    def _is_line(self, row: int, segments: Ints) -> bool:
        """Are segments of a block about a record, none of its text, and in no heading but names."""
        fields, anchors = self.fields, self._anchors
        is_about = (fields.records.owner[segments] == row) & ~fields.in_text[segments]
        is_named = (anchors.names[segments] > NO) | (anchors.dates[segments] > NO)
        is_about &= is_named | ~self._in_heading[segments]
        return bool(is_about.all())

    def _n_words(self, segments: Ints) -> int:
        return int(self._anchors.table.segment_words[segments].sum())

    @cached_property
    def _is_other(self) -> Bools:
        """(S,) does a segment say something beside names, dates and what one can do."""
        anchors = self._anchors
        about = (anchors.names > NO) | (anchors.dates > NO) | anchors.furniture
        about |= anchors.says("wrote", "ago", "lately")
        return np.asarray(~about & ~anchors.table.segments_inside(frozenset({"a"})))

    def _more(self, row: int) -> Iterator[str]:
        """What the lines of a record say beside author and date."""
        blocks = (self._kept_block(int(at[row])) for at in (self.fields.author, self.fields.date))
        for block in dict.fromkeys(blocks):
            for segment in self.lines.get(block, np.zeros(0, dtype=np.int64)).tolist():
                text = self._anchors.texts[segment].strip(" :,;.|·•–—-()[]")[:_LONGEST_DATE]
                if any(map(str.isdigit, text)) and len(text.split()) <= _BRIEF:
                    yield " ".join(text.split())

    @cached_property
    def _in_heading(self) -> Bools:
        """(S,) does a segment stand in a heading."""
        return self._anchors.table.segments_inside(frozenset(HEADINGS))

    @property
    def is_list_of_works(self) -> bool:
        """Do most records name their author in a heading that says more, as lists of works do."""
        authors = self.fields.author[self.rows]
        headed = authors[(authors >= 0) & self._in_heading[authors]]
        blocks = [self._kept_block(author) for author in headed.tolist()]
        return 2 * sum(block >= 0 and block not in self.lines for block in blocks) > len(self.rows)

    def _kept_block(self, segment: int) -> int:
        """The number on the page of the block that a segment is in; -1 where it is dropped."""
        if segment < 0 or not self.fields.kept[segment]:
            return -1
        return int(self.thread.blocks[segment]) - self.thread.first

    def wrappers(self) -> Iterator[int]:
        """First tags of block quotes that hold the whole text of a record."""
        table, records = self._anchors.table, self.fields.records
        quotes = table.elements.innermost(frozenset({"blockquote"}))
        for row in self.rows:
            segments = self.fields.segments(row)
            last = table.segments.tag[segments[-1]]
            quote = int(quotes[table.segment_element[segments[0]]])
            while quote >= 0 and records.around[quote] == row:
                if table.elements.close[quote] > last:
                    yield int(self._shared[table.elements.open[quote]])
                quote = int(quotes[table.elements.parent[quote]])

    def portraits(self) -> Iterator[tuple[int, int]]:
        """First and last tags of elements that show who wrote a record, none inside another."""
        table, anchors = self._anchors.table, self._anchors
        chosen = anchors.is_profile | anchors.signs.is_named("user", "author")
        chosen &= (table.element_words <= _PORTRAIT) & (self.fields.records.around >= 0)
        end = -1
        for element in np.flatnonzero(chosen).tolist():
            if table.elements.close[element] > end:
                end = int(table.elements.close[element])
                yield int(self._shared[table.elements.open[element]]), int(self._shared[end])
