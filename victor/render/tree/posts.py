"""Posts of a thread in a document: a line with author and day above each, and replies as quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.cached import cached_property
from victor.page.parsing.tags import IDS, member_mask
from victor.page.verdict.paragraphs import Paragraphs
from victor.render.tree.nodes import Inline, Mark, Paragraph, Text
from victor.render.tree.source import Source

_BETWEEN: Final = " · "
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
_ITEMS: Final = frozenset({"li", "dt", "dd"})
_PARTS: Final = frozenset({"tr", "td", "th", "caption"})


class Entry(NamedTuple):
    """One post; its tags are numbered as `victor.page.table.blocks.BlockTable.shared_tags` does.

    Attributes:
        open, close: the tags with which it begins and ends, with all replies to it.
        is_quoted: is it a reply, which is written as a quote.
        author, date: "" where none is shown.
        more: what else the page says of it in the same line, e.g. its points.
        link: its address, absolute; "" for none.
        author_block, date_block: where on the page author and date stand, -1 for nowhere.
    """

    open: int
    close: int
    is_quoted: bool
    author: str
    date: str
    more: tuple[str, ...]
    link: str
    author_block: int
    date_block: int


class Outline(NamedTuple):
    """The posts of a page.

    Attributes:
        entries: in order; one that begins in another ends in it.
        lines: numbers on the page of the blocks that only say of a post what its entry does.
        portraits: first and last tags of elements that show who wrote a post.
        wrappers: first tags of block quotes that hold the whole text of a post, and quote nobody.
    """

    entries: Sequence[Entry]
    lines: frozenset[int]
    portraits: Sequence[tuple[int, int]]
    wrappers: Sequence[int]


class Posts:
    """The posts of one page by the tags of its own table.

    Args:
        source: the page.
        outline: its posts.
    """

    def __init__(self, source: Source, outline: Outline) -> None:
        self._table, self._outline = source.table, outline
        self._shared = source.table.shared_tags - source.table.shared_tags[0]
        self._paragraph_of = _paragraphs_of_blocks(source.paragraphs, len(source.table))
        entries = outline.entries
        opens, closes = (
            self._tags(tags).tolist()
            for tags in ([entry.open for entry in entries], [entry.close for entry in entries])
        )
        self.extents: list[tuple[int, int]] = [*zip(opens, closes, strict=True)]

    def is_layout(self) -> Bools:
        """(E,) does an element only hold posts, or is it one."""
        elements, tags = self._table.elements, np.array([begin for begin, _ in self.extents])
        first, after = (np.searchsorted(tags, bounds) for bounds in (elements.open, elements.close))
        holds = (after > first) & member_mask(_LISTS | _ITEMS | _PARTS | {"table"})[elements.tag]
        around = elements.innermost(frozenset({"table"}))
        holds |= member_mask(_PARTS)[elements.tag] & (around >= 0) & holds[around]
        # An item that is no post stands in no list either.
        is_list = member_mask(_LISTS)[elements.tag] & holds
        holds |= member_mask(_ITEMS)[elements.tag] & is_list[elements.parent]
        wrappers = (elements.tag == IDS["blockquote"]) & np.isin(
            elements.open, self._tags(self._outline.wrappers)
        )
        return np.asarray(holds | wrappers)

    @cached_property
    def replaced(self) -> frozenset[int]:
        """Paragraphs that the lines of entries stand for: all of their blocks are such lines."""
        among: dict[int, bool] = {}
        for block, paragraph in self._paragraph_of.items():
            among[paragraph] = among.get(paragraph, True) and block in self._outline.lines
        return frozenset(paragraph for paragraph, are_all in among.items() if are_all)

    @cached_property
    def _portraits(self) -> tuple[Ints, Ints]:
        """First and last tags, neither inside another."""
        pairs = np.array(self._outline.portraits, dtype=np.int64).reshape(-1, 2)
        return self._tags(pairs[:, 0]), self._tags(pairs[:, 1])

    def shows_author(self, tag: int, alternative: str) -> bool:
        """Is an image a portrait: where an author is shown, or with the name of one."""
        if alternative.strip() in self._authors:
            return True
        opens, closes = self._portraits
        before = int(np.searchsorted(opens, tag, side="right")) - 1
        return before >= 0 and bool(closes[before] > tag)

    @cached_property
    def _authors(self) -> frozenset[str]:
        return frozenset(entry.author for entry in self._outline.entries if entry.author)

    def is_quoted(self, number: int) -> bool:
        """Is an entry a reply."""
        return self._outline.entries[number].is_quoted

    def line(self, number: int, links: list[str] | None) -> Paragraph | None:
        """The line above an entry; None if there is nothing to say that the text does not.

        Args:
            number: of the entry.
            links: addresses of the document, to which that of the entry is added; None to
                show none.
        """
        entry = self._outline.entries[number]
        paragraph = self._paragraph_of.get(entry.author_block, -1)
        author = entry.author if self._may_say(entry.author_block) else ""
        date = entry.date if self._may_say(entry.date_block) else ""
        if not (author or date):
            return None
        parts: list[Inline] = [Text(author, Mark.STRONG)] if author else []
        if date:
            link = -1
            if entry.link and links is not None:
                link = len(links)
                links.append(entry.link)
            parts.append(Text(date, link=link))
        parts += [Text(text) for text in entry.more]
        inlines = [inline for part in parts for inline in (Text(_BETWEEN), part)][1:]
        return Paragraph(inlines, number=paragraph if paragraph in self.replaced else -1)

    def _may_say(self, block: int) -> bool:
        """Is what stands in a block not shown otherwise."""
        paragraph = self._paragraph_of.get(block, -1)
        return paragraph < 0 or paragraph in self.replaced

    def _tags(self, shared: Sequence[int] | Ints) -> Ints:
        return np.searchsorted(self._shared, np.asarray(shared, dtype=np.int64))


def _paragraphs_of_blocks(paragraphs: Paragraphs, n_blocks: int) -> Mapping[int, int]:
    """The paragraph of each block that is shown."""
    numbers = np.repeat(np.arange(len(paragraphs.starts) - 1), np.diff(paragraphs.starts))
    return dict(zip(paragraphs.blocks.tolist(), numbers.tolist(), strict=True))
