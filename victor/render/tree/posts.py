"""What stands above texts that they do not say: the headline, and who wrote a post when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools
from victor.base.labels import Label
from victor.metadata.texts import letters
from victor.metadata.titles import says
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict
from victor.render.tree.nodes import Inline, Mark, Paragraph, Text

_BETWEEN: Final = " · "
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
_ITEMS: Final = frozenset({"li", "dt", "dd"})
_PARTS: Final = frozenset({"tr", "td", "th", "caption"})
_LONGEST: Final = 500  # characters of a headline; what is longer is none
_PROSE: Final = 10
"""Words of a block that is a paragraph rather than a line above the text, such as a byline."""


class Entry(NamedTuple):
    """One post."""

    tag: int  # with which it begins, as `BlockTable.shared_tags` of the page alone has it
    author: str  # "" where none is known, or the text of the post says it
    date: str  # likewise
    link: str  # its address, absolute; "" for none
    wrapper: int  # tag of a block quote around all of its text, which quotes nobody; -1 for none


def tags_of(table: BlockTable, shared: Sequence[int]) -> list[int]:
    """The tags of the table of a page that are numbered as in `Entry`; 0, of <html>, for -1."""
    tags: list[int] = np.searchsorted(table.shared_tags, shared).tolist()
    return tags


def only_hold_posts(table: BlockTable, entries: Sequence[Entry]) -> Bools:
    """(E,) does an element only lay out posts, or is it one.

    An item that is no post stands in no list either.
    """
    elements, tags = table.elements, tags_of(table, [entry.tag for entry in entries])
    wrappers = tags_of(table, [entry.wrapper for entry in entries])
    first, after = (np.searchsorted(tags, bounds) for bounds in (elements.open, elements.close))
    holds = (after > first) & member_mask(_LISTS | _ITEMS | _PARTS | {"table"})[elements.tag]
    around = elements.innermost(frozenset({"table"}))
    holds |= member_mask(_PARTS)[elements.tag] & (around >= 0) & holds[around]
    is_list = member_mask(_LISTS)[elements.tag] & holds
    holds |= member_mask(_ITEMS)[elements.tag] & is_list[elements.parent]
    return np.asarray(holds | np.isin(elements.open, wrappers))


def line(entry: Entry, links: list[str] | None) -> Paragraph | None:
    """The line above a post; None if there is nothing to say that its text does not.

    Args:
        entry: the post.
        links: addresses of the document, to which that of the post is added; None to show none.
    """
    link = -1
    if entry.link and entry.date and links is not None:
        link = len(links)
        links.append(entry.link)
    author, date = Text(entry.author, Mark.STRONG.value), Text(entry.date, link=link)
    parts: list[Inline] = [part for part in (author, date) if part.text]
    if len(parts) > 1:
        parts.insert(1, Text(_BETWEEN))
    return Paragraph(parts) if parts else None


def missing_headline(verdict: Verdict, page: int, title: Callable[[], str]) -> str:
    """What is to stand above the kept text: the headline of the page, "" if the text has it.

    It is the text of the block that is the headline, if it is not kept; if the page has no such
    block, its title, unless a kept heading above the first paragraph says it.

    Args:
        verdict: what is kept; a page of which nothing is has no headline.
        page: number of the page in the batch.
        title: gives the title of the page, "" for none.
    """
    blocks = verdict.page(page)
    kept = verdict.kept[blocks]
    if not kept.any():
        return ""
    if verdict.block_kinds is None:
        headline = np.zeros(0, dtype=np.int64)
    else:
        headline = blocks.start + np.flatnonzero(verdict.block_kinds.is_headline[blocks])
    if len(headline):
        if verdict.kept[headline].any():
            return ""
        text = _line(block_texts(verdict.reduced, headline[:1])[0])
    else:
        declared = title()
        text = _line(declared) if len(declared) <= 4 * _LONGEST else ""
    return "" if len(text) > _LONGEST or _stands_in(verdict, page, text) else text


def _line(text: str) -> str:
    return " ".join(text.split())


def _stands_in(verdict: Verdict, page: int, text: str) -> bool:
    """Is one of the kept headings of a page above its first paragraph what a headline says.

    A heading with the letters of the headline among others ("How bees live" for "Bees") is another.
    """
    if not letters(text):
        return True
    table, blocks = verdict.reduced, verdict.page(page)
    is_heading = (table.heading_level[blocks] > 0) | (verdict.labels[blocks] == Label.HEADER)
    kept = verdict.kept[blocks]
    is_short = table.end[blocks] - table.start[blocks] <= 4 * _LONGEST
    chosen = np.flatnonzero(kept & is_heading & is_short)
    texts = block_texts(table, chosen + blocks.start)
    pairs = zip(chosen.tolist(), texts, strict=True)
    is_same = says(text)
    row = next((row for row, heading in pairs if is_same(_line(heading))), None)
    if row is None:
        return False
    is_prose = (kept & ~is_heading)[:row] & (verdict.shown_words(page)[:row] >= _PROSE)
    return not is_prose.any()
