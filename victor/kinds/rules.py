"""Rules that give every block a kind; the first that applies counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes, Ints, window_sums
from victor.base.cached import cached_property
from victor.base.labels import HEADER, TEXT, Kind
from victor.kinds.extent import Extent
from victor.kinds.headline import headlines
from victor.kinds.names import Signs
from victor.kinds.regions import Regions
from victor.kinds.structure import refined
from victor.page.names.shared_words import Words, shared_words
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts

_FORM: Final = frozenset({"form", "label", "button", "select", "option", "legend", "fieldset"})
_PARAGRAPHS: Final = frozenset({"p"})
_FIGURE: Final = frozenset({"figure"})
_FIGCAPTION: Final = frozenset({"figcaption"})
_TABLES: Final = frozenset({"table", "caption"})
_QUOTES: Final = frozenset({"blockquote"})
_DATES: Final = frozenset({"time", "address"})
_DATE: Final = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}[./-]\s?\d{1,2}[./-]|[年月日]|\b\d{1,2}h\d\d\b"
)
_NAME: Final = 3
"""Words of a reader's name, at most."""
_DATE_LINE: Final = 12
_BYLINE: Final = 25
_AUTHOR: Final = 90
"""Words about the author, at most."""
_CAPTION: Final = 90
_MOST_OF_TEXT: Final = 0.5
"""Captions with a larger share of the words kept are what their page is about."""
_STANDFIRST: Final = 4
"""Words, at least."""
_DESCRIBED: Final = 0.8
"""Share of the words that the description of the page holds."""
_BEFORE, _AFTER = 12, 12
"""Blocks before the headline and after the text in which bylines may stand."""
_BESIDE: Final = 6
"""Blocks before the headline in which an unnamed byline may stand."""
_BELOW: Final = 12
"""Blocks after the headline in which it, or a standfirst, may."""
_PICTURE: Final = 4
"""Blocks before the headline and after the text in which captions may stand."""


def kinds(table: BlockTable, labels: Codes, is_data: Bools | None = None) -> Codes:
    """(n,) uint8 `victor.base.labels.Kind` of every block, given its label.

    Args:
        table: of `split: block`, with the attributes of `victor.page.names.name_groups`.
        labels: (n,) of the verdict.
        is_data: (E,) is the element a table of data; None if nobody has looked, then cells are
            paragraphs.
    """
    return Rules.of(table, labels).kinds(is_data)


@dataclass(frozen=True, eq=False)
class Rules:
    """(n,) bool for every kind: does its rule apply to a block, if none before does."""

    signs: Signs
    extent: Extent

    @classmethod
    def of(cls, table: BlockTable, labels: Codes) -> Rules:
        """The rules on a table that `kinds` takes."""
        return cls(Signs(table), Extent(table, labels))

    def kinds(self, is_data: Bools | None) -> Codes:
        """(n,) what `kinds` gives."""
        table, labels = self.table, self.extent.labels
        if not len(table):
            return np.zeros(0, dtype=np.uint8)
        by_priority = (
            (Kind.HEADLINE, self.headline),
            (Kind.COMMENT_META, self.comment_meta),
            (Kind.COMMENT, self.comment),
            (Kind.CAPTION, self.caption),
            (Kind.BYLINE, self.byline),
            (Kind.STANDFIRST, self.standfirst),
            (Kind.TEASER, self.teaser),
            (Kind.HEADING, labels == HEADER),
            (Kind.PARAGRAPH, labels == TEXT),
        )
        result = np.zeros(len(table), dtype=np.uint8)
        for kind, applies in reversed(by_priority):
            result[applies] = kind
        return refined(self.signs, result, is_data)

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.signs.table

    @cached_property
    def regions(self) -> Regions:
        """Parts of the pages, with their headlines."""
        first = self.extent.first(self.extent.prose)
        return Regions(self.signs, self.extent, headlines(self.signs, first))

    @cached_property
    def index(self) -> Ints:
        """(n,) number of each block."""
        return np.arange(len(self.table))

    @cached_property
    def text(self) -> Bools:
        """Is it running text that is no part of a region."""
        regions = self.regions
        return np.asarray(self.extent.prose & ~regions.comments & ~regions.teasers & ~regions.aside)

    @cached_property
    def first(self) -> Ints:
        """(n,) the first block of the text of each block's page."""
        return self.extent.first(self.text)

    @cached_property
    def last(self) -> Ints:
        """(n,) likewise the last one."""
        return self.extent.last(self.text)

    @cached_property
    def head(self) -> Ints:
        """The headline of a block's page, -1 for none."""
        return self.regions.headline[self.table.page]

    @cached_property
    def start(self) -> Ints:
        """Where the headline or else the text begins, -1 for nowhere."""
        return np.where(self.head >= 0, self.head, self.first)

    def between(self, before: int, after: int) -> Bools:
        """Is it in the text, or so many blocks before its headline or after its end."""
        inside = (self.index >= self.start - before) & (self.index <= self.last + after)
        return np.asarray((self.start >= 0) & inside)

    @cached_property
    def headline(self) -> Bools:
        """Is it the headline of its page; asks for no other kind."""
        return np.asarray(self.head == self.index)

    @cached_property
    def comment(self) -> Bools:
        """Does it stand among comments."""
        return self.regions.comments

    @cached_property
    def comment_meta(self) -> Bools:
        """Name, date, button, form or heading of comments."""
        table, signs, regions = self.table, self.signs, self.regions
        heading = signs.says("headings") & ~self.extent.kept & (self.index >= self.first)
        if not regions.comments.any():
            return np.asarray(heading)
        paragraph = member_mask(_PARAGRAPHS)[table.elements.tag[table.container]]
        like = signs.directly("author", "meta", "byline", "share") & (table.words <= _DATE_LINE)
        like |= ~paragraph & signs.near("author", "meta", "byline") & (table.words <= _DATE_LINE)
        like |= ~self.extent.kept & ~paragraph & (table.words <= _NAME)
        like = (like | self.dated) & ~signs.directly("said")
        like |= table.blocks_inside(_FORM) | (table.heading_level > 0) | (table.free_words == 0)
        like |= signs.says("headings", "marks") | signs.far("modal", "hidden")
        return np.asarray(regions.comments & like | heading)

    @cached_property
    def caption(self) -> Bools:
        """Is it the caption of a picture."""
        table, signs = self.table, self.signs
        figure = table.blocks_inside(_FIGURE) & (table.heading_level == 0)
        named = signs.near("caption", "legend") & (table.heading_level == 0) | figure
        named = (named | table.blocks_inside(_FIGCAPTION)) & (table.free_words > 0)
        named |= signs.says("caption") & ~self.extent.prose
        elsewhere = signs.far("related") | table.blocks_inside(_TABLES | _QUOTES)
        named &= (table.words <= _CAPTION) & self.between(_PICTURE, _PICTURE) & ~elsewhere
        kept = window_sums(np.where(named & self.extent.kept, table.words, 0), table.page_starts)
        about = kept > _MOST_OF_TEXT * self.extent.kept_words
        return np.asarray(named & ~about[table.page])

    @cached_property
    def byline(self) -> Bools:
        """Does it say who wrote the text, or when."""
        table, signs, regions = self.table, self.signs, self.regions
        named = signs.near("byline", "author", "meta") | table.blocks_inside(_DATES)
        named &= table.words <= _BYLINE
        # Much that is kept is called meta: rows of facts, descriptions.
        named &= ~self.extent.kept | signs.near("byline", "author")
        named &= (table.heading_level == 0) | (table.words <= _NAME)
        author = signs.far("author") & (table.words <= _AUTHOR)
        named |= author
        written = self.beside & (signs.says("by") | self.dated) & (table.words <= _DATE_LINE)
        elsewhere = regions.aside & ~author | regions.teasers | regions.comments
        elsewhere |= signs.near("share") & ~signs.near("author", "byline") | self.extent.prose
        elsewhere |= signs.near("tags") & (self.index >= self.first)
        elsewhere |= self.extent.labels == HEADER
        return np.asarray((named & self.between(_BEFORE, _AFTER) | written) & ~elsewhere)

    @cached_property
    def standfirst(self) -> Bools:
        """Is it the summary below the headline."""
        table = self.table
        texts = Words.of_texts([_description(head) for head in table.heads])
        (shared,) = shared_words(table, texts)
        described = (shared >= _DESCRIBED * table.words) & (self.index < self.first)
        below = (self.head >= 0) & (self.index > self.head) & (self.index <= self.head + _BELOW)
        below &= (self.index <= self.first) & (table.free_words >= _STANDFIRST)
        named = self.signs.near("standfirst")
        return np.asarray(below & (named | described) & ~self.regions.aside)

    @cached_property
    def teaser(self) -> Bools:
        """Does it lead to another page."""
        regions = self.regions
        named = regions.teasers & ~regions.aside & (~self.extent.kept | (self.index > self.last))
        return np.asarray(regions.leads | named)

    @cached_property
    def beside(self) -> Bools:
        """May it be a byline that nothing names: is it near the headline, before the text."""
        near = (self.index >= self.start - _BESIDE) & (self.index <= self.start + _BELOW)
        before = self.index <= np.maximum(self.first, self.start + 1)
        return np.asarray((self.start >= 0) & near & before)

    @cached_property
    def dated(self) -> Bools:
        """Does a short block hold a date or a time, where one counts."""
        counts = self.regions.comments | self.beside
        short = np.flatnonzero(counts & (self.table.words <= _DATE_LINE))
        dated = np.zeros(len(self.table), dtype=bool)
        dated[short] = [bool(_DATE.search(text)) for text in block_texts(self.table, short)]
        return dated


def _description(head: Head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")
