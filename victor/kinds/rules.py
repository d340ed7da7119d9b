"""Rules that give every block a kind; the first that applies counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from victor.arrays import Bools, Codes, Ints, prefix_sums, span_indices, window_sums
from victor.kinds.headline import headlines
from victor.kinds.names import Signs
from victor.labels import Kind, Label
from victor.page.blocks import BlockTable
from victor.page.on_page import first_of_page, last_of_page, last_until, next_from
from victor.page.shared_words import Words, shared_words
from victor.page.texts import text_of

_PROSE: Final = 10
"""Words outside links that make running text of a kept block."""
_PRECEDING: Final = 40
"""Words of running text before comments, that make them comments on it."""
_FORM: Final = frozenset({"form", "label", "button", "select", "option", "legend", "fieldset"})
_DATE: Final = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}[./-]\s?\d{1,2}[./-]|[年月日]|\b\d{1,2}h\d\d\b"
)
_DATE_WORDS: Final = 14
_BYLINE_WORDS: Final = 25
_AUTHOR_WORDS: Final = 90
_CAPTION_WORDS: Final = 90
_BEFORE, _AFTER = 12, 12
"""Blocks before the headline and after the text that bylines may stand away."""
_LINKED: Final = 0.8
_TEASER_WORDS: Final = 4


@dataclass(frozen=True, eq=False)
class Rules:
    """The kinds of the blocks of some pages.

    Attributes:
        signs: names and phrases around the blocks.
        labels: (n,) labels of the verdict.
    """

    signs: Signs
    labels: Codes

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.signs.table

    def kinds(self) -> Codes:
        """(n,) uint8 `Kind` of every block."""
        kept = self.kept
        rules = (
            (Kind.HEADLINE, self.headline),
            (Kind.COMMENT, self.comment),
            (Kind.COMMENT_META, self.comment_meta),
            (Kind.CAPTION, self.caption),
            (Kind.BYLINE, self.byline),
            (Kind.TEASER, self.teaser),
            (Kind.STANDFIRST, self.standfirst),
            (Kind.HEADING, self.labels == Label.HEADER),
            (Kind.TEXT, kept),
        )
        conditions = [condition for _, condition in rules]
        codes = [np.uint8(kind) for kind, _ in rules]
        return np.asarray(np.select(conditions, codes, np.uint8(Kind.OTHER)), dtype=np.uint8)

    @cached_property
    def kept(self) -> Bools:
        return np.asarray(self.labels != Label.OTHER)

    @cached_property
    def prose(self) -> Bools:
        """(n,) is it kept running text."""
        free = self.table.free_words >= _PROSE
        return np.asarray(self.kept & free & (self.labels != Label.HEADER))

    @cached_property
    def first(self) -> Ints:
        """(n,) first block of running text of the page, else its first kept one, or -1."""
        return self._bound(first_of_page)

    @cached_property
    def last(self) -> Ints:
        """(n,) last block of running text of the page, else its last kept one, or -1."""
        return self._bound(last_of_page)

    def _bound(self, of_page) -> Ints:
        prose, kept = of_page(self.table, self.prose), of_page(self.table, self.kept)
        return np.where(prose >= 0, prose, kept)[self.table.page]

    @cached_property
    def index(self) -> Ints:
        return np.arange(len(self.table))

    @cached_property
    def headline_of_page(self) -> Ints:
        return headlines(self.signs, self.first)

    @cached_property
    def headline(self) -> Bools:
        """(n,) is it the headline of its page."""
        return np.asarray(self.headline_of_page[self.table.page] == self.index)

    @cached_property
    def start(self) -> Ints:
        """(n,) where the text with its headline begins, -1 for nowhere."""
        headline = self.headline_of_page[self.table.page]
        return np.where(headline >= 0, headline, self.first)

    # comments

    @cached_property
    def thread(self) -> Bools:
        """(P,) is the page a thread of posts, whose replies are its text."""
        table = self.table
        named = self.signs.masks & np.uint64(0) != 0
        from victor.kinds.names import words
        named = self.signs.masks & words().groups["thread"] != 0
        kept_words = np.where(self.kept, table.words, 0)
        at = table.sum_elements(kept_words[table.block_of_segment] * 0 + np.where(self.kept[table.block_of_segment], table.segment_words, 0))
        total = np.maximum(window_sums(kept_words, table.page_starts), 1)
        whole = named & (2 * at >= total[table.page_of_element])
        return np.bincount(table.page_of_element[whole], minlength=table.n_pages) > 0

    @cached_property
    def comment_element(self) -> Bools:
        """(E,) does an element hold comments: named so, and without the headline."""
        table = self.table
        elements = table.elements
        named = self.signs.is_named("comment", "review")
        tag = np.append(table.tag, -1)[self.headline_of_page][table.page_of_element]
        holds = (elements.open <= tag) & (tag < elements.close)
        return named & ~holds & ~self.thread[table.page_of_element]

    @cached_property
    def in_comments(self) -> Bools:
        from victor.kinds.names import gathered
        table = self.table
        around = gathered(table, self.comment_element.astype(np.uint64))
        inside = around[table.element] > 0
        outside = self.prose & ~inside
        words = prefix_sums(np.where(outside, table.words, 0))
        before = words[:-1] - words[table.page_starts[:-1]][table.page]
        return np.asarray(inside & (~self.kept | (before >= _PRECEDING)))

    @cached_property
    def comment_meta_like(self) -> Bools:
        table, signs = self.table, self.signs
        like = table.blocks_inside(_FORM) | (table.heading_level > 0) | signs.says("headings", "marks")
        like |= table.free_words == 0
        like |= signs.near("author", "meta", "byline") & (table.words < 12)
        like |= self.dated & (table.words < _DATE_WORDS)
        return like

    @cached_property
    def comment(self) -> Bools:
        return self.in_comments & ~self.comment_meta_like

    @cached_property
    def comment_meta(self) -> Bools:
        said = self.signs.says("headings") & ~self.kept & (self.index >= self.first)
        return (self.in_comments & self.comment_meta_like) | said & ~self.thread[self.table.page]

    # others

    @cached_property
    def dated(self) -> Bools:
        """(n,) does a short block hold a date or a time."""
        table = self.table
        short = table.words <= _BYLINE_WORDS
        length = np.where(short, np.minimum(table.end - table.start, 200), 0)
        text = text_of(table.chars[span_indices(table.start, length)])
        spans = pairwise(prefix_sums(length).tolist())
        return np.array([_DATE.search(text, a, b) is not None for a, b in spans], dtype=bool)

    @cached_property
    def in_teasers(self) -> Bools:
        from victor.kinds.names import gathered
        table, elements = self.table, self.table.elements
        named = self.signs.is_named("related", "teaser")
        tag = np.append(table.tag, -1)[self.headline_of_page][table.page_of_element]
        holds = (elements.open <= tag) & (tag < elements.close)
        kept_words = np.where(self.kept[table.block_of_segment], table.segment_words, 0)
        inside = table.sum_elements(kept_words)
        total = window_sums(np.where(self.kept, table.words, 0), table.page_starts)
        most = 3 * inside > total[table.page_of_element]
        named &= ~holds & ~(most & (inside > 0))
        return gathered(table, named.astype(np.uint64))[table.element] > 0

    @cached_property
    def aside(self) -> Bools:
        table = self.table
        return self.signs.far("navigation", "footer", "cookie", "modal") | table.blocks_inside(
            frozenset({"nav", "footer"}))

    @cached_property
    def teaser(self) -> Bools:
        table = self.table
        linked = (table.link_words >= _TEASER_WORDS) & (table.link_words >= _LINKED * table.words)
        linked &= ~self.kept & ~self.aside
        named = self.in_teasers & ~self.aside & (~self.kept | (self.index > self.last))
        return linked | (named & (table.words >= 2)) 

    @cached_property
    def around_text(self) -> Bools:
        return (self.start >= 0) & (self.index >= self.start - _BEFORE) & (self.index <= self.last + _AFTER)

    @cached_property
    def caption(self) -> Bools:
        table, signs = self.table, self.signs
        named = signs.near("caption") | table.blocks_inside(frozenset({"figcaption"}))
        named |= table.blocks_inside(frozenset({"figure"})) & (table.words > 2)
        said = signs.says("caption") & ~self.prose
        between = (self.start >= 0) & (self.index >= self.start - 3) & (self.index <= self.last + 3)
        table_caption = table.blocks_inside(frozenset({"caption", "table"}))
        return (named | said) & between & ~self.in_teasers & ~table_caption & (table.words <= _CAPTION_WORDS)

    @cached_property
    def byline(self) -> Bools:
        table, signs = self.table, self.signs
        named = signs.near("byline", "author", "meta") & (table.words <= _BYLINE_WORDS)
        named |= signs.far("author") & (table.words <= _AUTHOR_WORDS)
        named |= table.blocks_inside(frozenset({"time", "address"})) & (table.words <= _BYLINE_WORDS)
        said = (signs.says("by") | self.dated) & (table.words <= _DATE_WORDS) 
        near = (self.start >= 0) & (self.index >= self.start - 6) & (self.index <= self.start + 12) & (self.index<=np.maximum(self.first,self.start+1))
        beside = self.aside | self.in_teasers | self.in_comments | signs.far("share")
        return ((named & self.around_text) | (said & near)) & ~beside & ~self.prose

    @cached_property
    def standfirst(self) -> Bools:
        table = self.table
        description = Words.of_texts([_description(head) for head in table.heads])
        (shared,) = shared_words(table, description)
        same = (shared >= 0.8 * table.words) & (table.words >= 6)
        headline = self.headline_of_page[table.page]
        near = (headline >= 0) & (self.index > headline) & (self.index <= headline + 10) & (self.index <= self.first)
        named = self.signs.near("standfirst") & (table.words >= 4)
        return near & (named | same & (self.index < self.first)) & ~self.aside & (table.free_words > 3)


def _description(head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")


def kinds(table: BlockTable, labels: Codes) -> Codes:
    """(n,) uint8 `Kind` of every block, given its label.

    Args:
        table: of `split: block`, with the attributes of `victor.page.name_groups`.
        labels: (n,) of the verdict.
    """
    return Rules(Signs(table), labels).kinds()
