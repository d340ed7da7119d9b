"""Posts as a document tells them apart: where each begins, and what its text does not say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.kinds.threads.post_fields import Fields
from victor.kinds.threads.posts import absolute_links, names_posts, thread_of
from victor.page.parsing.attributes import rows_with
from victor.page.verdict.verdict import Verdict
from victor.render.tree.posts import Entry

_FEWEST: Final = 2
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
    says_so = names_posts(verdict, page, markup)
    if verdict.block_kinds is None or not (says_so or _keeps_comments(verdict, page, markup)):
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


def _keeps_comments(verdict: Verdict, page: int, markup: bytes) -> bool:
    """Are blocks of a page kept that stand in two elements named as comments, and others not."""
    table, where = verdict.table, verdict.page(page)
    if _COMMENT not in markup:
        return False
    elements, root = table.elements, int(table.page_roots[page])
    is_named = np.zeros(len(table.bundles) + 1, dtype=bool)  # the last one is for those without
    is_named[rows_with(table.bundles, _COMMENT)] = True
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
        tag=int(table.shared_tags[begin] - table.shared_tags[0]),
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
            begin = table.elements.open[quote]
            wrapper = int(table.shared_tags[begin] - table.shared_tags[0])
        quote = quotes[table.elements.parent[quote]]
    return wrapper


def _shown(date: str | None, written: str | None) -> str:
    """A day, else what is written; "" for a month, which is when somebody joined."""
    if day := _DAY.match(date or ""):
        return day[0]
    text = (written or date or "").partition("(")[0].strip()[:_LONGEST_DATE]
    n_numbers = len(_NUMBER.findall(text))
    return text if n_numbers != 1 or not _YEAR.search(text) else ""
