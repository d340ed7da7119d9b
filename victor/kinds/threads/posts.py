"""The posts of a thread, and the comments of readers: who wrote what, and when.

A page shows them as records: elements of one name that each hold text and a name or a date, or that
schema.org calls posts. What stands in a record outside its text is about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from victor.base.arrays import Ints
from victor.kinds.names import Signs
from victor.kinds.threads.anchors import LINKED_ATTRIBUTES, Anchors
from victor.kinds.threads.post_fields import Fields
from victor.kinds.threads.records import is_of_forum, records
from victor.page.markup.full_record import mentions
from victor.page.parsing.heads import Head, base_address, page_address
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict
from victor.render.tree.addresses import Addresses
from victor.render.tree.posts import Entry

_FEWEST: Final = 2
_MARKS: Final = (
    b"discussionforumposting", b"qapage", b"showthread", b"viewtopic", b"phpbb", b"postbit",
    b"bbpress", b"bbp-reply", b"xenforo", b"ipscomment", b"cpost", b"messagelist",
    b"message--post", b"mybb", b'class="thread"', b"class='thread'", b"class=thread>",
)  # fmt: skip
"""What systems of forums have in their markup, lower case."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post of a thread, or one comment.

    Attributes:
        author: name as shown; None where none is.
        date: ISO 8601 where it can be read, else as written; None where none is shown.
        written: the date as written, e.g. ``2 days ago``.
        text: paragraphs on their own lines; quotes of others stand in it as on the page.
        link: address of the post, absolute where that of the page is known; None where none is
            given, or it leads nowhere.
        kind: what it is.
        blocks: numbers on the page of its first block and of the one after its last.
    """

    author: str | None
    date: str | None
    written: str | None
    text: str
    link: str | None
    kind: Literal["post", "comment"]
    blocks: tuple[int, int]


def posts(verdict: Verdict, page: int, markup: bytes, url: str | None = None) -> tuple[Post, ...]:
    """The posts or comments of a page in their order; none where there are not two.

    Linear in the size of the page.

    Args:
        verdict: on its batch, with kinds.
        page: of the page there.
        markup: the page as UTF-8 bytes.
        url: address of the page.
    """
    thread = thread_of(verdict, page, markup)
    address = absolute_links(verdict.table.heads[page], url)
    found = () if thread is None else _posts(thread, address)
    result = tuple(verdict.table.allowance.over(found))
    return result if len(result) >= _FEWEST else ()


class Thread(NamedTuple):
    """What is on a page with posts."""

    fields: Fields  # of its records
    kind: Literal["post", "comment"]  # what they are
    blocks: Ints  # (S,) block of the verdict that each segment is in
    first: int  # the first block of the page


def thread_of(verdict: Verdict, page: int, markup: bytes) -> Thread | None:
    """The records of a page, if it has any; only then it asks for the kinds of all blocks."""
    where = verdict.page(page)
    if where.start == where.stop:
        return None
    table = read_pages([markup], attributes=LINKED_ATTRIBUTES)
    if not len(table):
        return None
    judged = _judged(verdict, page, table)
    kept = verdict.kept_segments[judged]
    anchors = Anchors(Signs(table))
    repeated = records(anchors, kept)
    if repeated is None:
        return None
    blocks = verdict.table.block_of_segment[judged]
    words = anchors.prose * (repeated.owner >= 0)
    assert verdict.block_kinds is not None, "a cleaner's verdict has kinds"
    words = words * kept if (words * kept).any() else words
    among = verdict.block_kinds.among_comments[blocks]
    is_comment = words[among].sum() > words.sum() / 2
    kind: Literal["post", "comment"] = "comment" if is_comment else "post"
    return Thread(Fields(anchors, kept, repeated), kind, blocks, where.start)


def _posts(thread: Thread, address: Callable[[str], str]) -> Iterator[Post]:
    fields = thread.fields
    for row in range(len(fields)):
        text = fields.text(row)
        if not text:
            continue
        date, written = fields.dates_of(row)
        blocks = thread.blocks[fields.segments(row)] - thread.first
        yield Post(
            author=fields.author_name(row),
            date=date,
            written=written,
            text=text,
            link=address(fields.link(row) or "") or None,
            kind=thread.kind,
            blocks=(int(blocks.min()), int(blocks.max()) + 1),
        )


def absolute_links(head: Head, url: str | None) -> Callable[[str], str]:
    """A function that makes addresses of a page absolute; fragments are of the page itself."""
    here = page_address(head, url)
    addresses = Addresses(here, base_address(head))

    def absolute(link: str) -> str:
        if link.startswith("#"):
            return here.partition("#")[0] + link
        return addresses.link(link) if link else ""

    return absolute


def _judged(verdict: Verdict, page: int, table: BlockTable) -> Ints:
    """(S,) segment of the verdict that each segment of the same page alone is, or is part of."""
    of_batch = verdict.table
    where = verdict.page(page)
    first, last = of_batch.segment_starts[[where.start, where.stop]]
    tags = of_batch.shared_tags[of_batch.segments.tag[first:last]]
    n_before = of_batch.shared_tags[of_batch.elements.open[of_batch.page_roots[page]]] - 1
    of_table = table.shared_tags[table.segments.tag]
    before = np.searchsorted(tags - n_before, of_table, side="right") - 1
    return np.asarray(np.maximum(before, 0) + first)


# --- Posts as a document tells them apart ---------------------------------------------------------

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR: Final = re.compile(r"\d{4}")
_NUMBER: Final = re.compile(r"\d+")
_LONGEST_DATE: Final = 40
_COMMENT: Final = b"omment"  # what names of comments hold, where no system of forums is named


def outline(verdict: Verdict, page: int, markup: bytes, url: str | None) -> list[Entry]:
    """The posts of a page of which some text is kept; none where there are not two.

    Where nothing of a page says that it has any, this takes hardly any time.

    Args:
        verdict: on its batch, with kinds.
        page: of the page there.
        markup: the page as UTF-8 bytes.
        url: address of the page.
    """
    says_so = is_of_forum(verdict.table.heads[page]) or mentions(markup, _MARKS)
    if verdict.block_kinds is None or not (says_so or _keeps_comments(verdict, page)):
        return []
    thread = thread_of(verdict, page, markup)
    if thread is None:
        return []
    fields = thread.fields
    allowance = verdict.table.allowance
    rows = [
        row for row in allowance.over(range(len(fields))) if fields.kept[fields.segments(row)].any()
    ]
    is_sure = thread.kind == "comment" or _are_signed(fields, rows)
    if len(rows) < _FEWEST or not is_sure:
        return []
    address = absolute_links(verdict.table.heads[page], url)
    quotes = fields.table.elements.innermost(frozenset({"blockquote"}))
    return [
        _entry(fields, row, address(fields.link(row) or ""), quotes) for row in allowance.over(rows)
    ]


def _keeps_comments(verdict: Verdict, page: int) -> bool:
    """Are blocks of a page kept that stand in two elements named as comments, and others not."""
    table, where = verdict.table, verdict.page(page)
    elements, root = table.elements, int(table.page_roots[page])
    is_named = np.zeros(len(table.bundles) + 1, dtype=bool)  # the last one is for those without
    is_named[table.bundle_columns.rows_with(_COMMENT)] = True
    inside = slice(root, int(np.searchsorted(elements.open, elements.close[root])))
    named = np.flatnonzero(is_named[elements.bundle[inside]]) + root
    tags = table.tag[np.flatnonzero(verdict.kept[where]) + where.start]
    first, after = (
        np.searchsorted(tags, bounds[named]) for bounds in (elements.open, elements.close)
    )
    return bool(((after > first) & (after - first < len(tags))).sum() >= _FEWEST)


def _are_signed(fields: Fields, rows: Sequence[int]) -> bool:
    """Have most posts an author, and not all the same one and no date, as buttons have."""
    authors = [name for row in rows if (name := fields.author_name(row))]
    has_date = any(_shown(*fields.dates_of(row)) for row in rows)
    return 2 * len(authors) > len(rows) and (has_date or len({*authors}) > 1)


def _entry(fields: Fields, row: int, link: str, quotes: Ints) -> Entry:
    """A post as a document shows it, given the block quote around each element."""
    table, is_said = fields.table, fields.kept
    tells = is_said & fields.anchors.shows_date
    author, date = int(fields.author[row]), int(fields.date[row])
    begin = table.elements.open[fields.records.elements[row]]
    return Entry(
        tag=int(table.shared_tags[begin]),
        author="" if author >= 0 and is_said[author] else fields.author_name(row) or "",
        date="" if date >= 0 and tells[date] else _shown(*fields.dates_of(row)),
        link=link,
        wrapper=_wrapper(fields, row, quotes),
    )


def _wrapper(fields: Fields, row: int, quotes: Ints) -> int:
    """The tag, as of `Entry`, of the outermost block quote in a post that holds all of its text."""
    table, around = fields.table, fields.records.around
    first, last = fields.segments(row)[[0, -1]]
    quote, wrapper = quotes[table.segment_element[first]], -1
    while quote >= 0 and around[quote] == row:
        if table.elements.close[quote] > table.segments.tag[last]:
            wrapper = int(table.shared_tags[table.elements.open[quote]])
        quote = quotes[table.elements.parent[quote]]
    return wrapper


def _shown(date: str | None, written: str | None) -> str:
    """A day, else what is written; "" for a month, which is when somebody joined."""
    if day := _DAY.match(date or ""):
        return day[0]
    text = (written or date or "").partition("(")[0].strip()[:_LONGEST_DATE]
    n_numbers = len(_NUMBER.findall(text))
    return text if n_numbers != 1 or not _YEAR.search(text) else ""
