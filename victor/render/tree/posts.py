"""Posts of a thread in a document: a rule before each, and who wrote it when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.render.tree.nodes import Inline, Mark, Paragraph, Text

_BETWEEN: Final = " · "
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
_ITEMS: Final = frozenset({"li", "dt", "dd"})
_PARTS: Final = frozenset({"tr", "td", "th", "caption"})


class Entry(NamedTuple):
    """One post.

    Attributes:
        tag: with which it begins, numbered as `BlockTable.shared_tags` does from the page's first.
        author, date: "" where none is known, or the text of the post says it.
        link: its address, absolute; "" for none.
        wrapper: the tag of a block quote around all of its text, which quotes nobody; -1 for none.
    """

    tag: int
    author: str
    date: str
    link: str
    wrapper: int


def tags_of(table: BlockTable, shared: Sequence[int]) -> list[int]:
    """The tags of the table of a page that are numbered as in `Entry`."""
    tags: list[int] = np.searchsorted(table.shared_tags - table.shared_tags[0], shared).tolist()
    return tags


def only_hold_posts(table: BlockTable, entries: Sequence[Entry]) -> Bools:
    """(E,) does an element only lay out posts, or is it one.

    An item that is no post stands in no list either.
    """
    elements, tags = table.elements, tags_of(table, [entry.tag for entry in entries])
    wrappers = tags_of(table, [entry.wrapper for entry in entries if entry.wrapper >= 0])
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
    author, date = Text(entry.author, Mark.STRONG), Text(entry.date, link=link)
    parts: list[Inline] = [part for part in (author, date) if part.text]
    if len(parts) > 1:
        parts.insert(1, Text(_BETWEEN))
    return Paragraph(parts) if parts else None
