"""Comments of readers: what they say, and that they are none of the text of their page."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Codes, Floats, Ints, Labels, prefix_sums, window_sums
from victor.base.labels import OTHER, TEXT
from victor.base.lazy import cached_property
from victor.kinds.names import Signs, keeping_named
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts

_VERBATIM: Final = frozenset({"pre", "code"})
_MOST: Final = 0.5
"""An element with more of the words kept is no comment, unless something in it looks like one."""
_FEWEST_PROSE: Final = 3  # blocks of running text that make a text rather than a comment
_ASIDE: Final = frozenset({"nav", "footer"})
_DATES: Final = frozenset({"time"})
_FORM: Final = frozenset({"form", "label", "button", "select", "option", "legend", "fieldset"})
_PARAGRAPHS: Final = frozenset({"p"})
_NAME: Final = 3  # words of a reader's name, at most
_DATE_LINE: Final = 12
_DATE: Final = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}[./-]\s?\d{1,2}[./-]|[年月日]|\b\d{1,2}h\d\d\b"
)


def kept_comments(table: BlockTable, labels: Labels, headlines: Ints) -> Ints:
    """(k,) the kept blocks that are comments on the text of their page, and no posts of a thread.

    None where the table has no names of elements.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        headlines: (k,) blocks that are headlines of their pages.
    """
    none = np.zeros(0, dtype=np.int64)
    if not {*ATTRIBUTES} <= {*table.attributes}:
        return none
    if not keeping_named(table, labels, "comment", "review").any():  # most pages have none
        return none
    extent, signs = Extent(table, labels), Signs(table)
    headline = np.full(table.n_pages, -1, dtype=np.int64)
    headline[table.page[headlines]] = headlines
    return np.flatnonzero(extent.kept & Comments(signs, extent, headline).blocks)


class Comments(Struct, frozen=True, eq=False, dict=True):
    """The comments of P pages with n blocks and E elements."""

    signs: Signs  # names and phrases around the blocks
    extent: Extent  # what is kept
    headline: Ints  # (P,) headline of each page, -1 for none

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.signs.table

    @cached_property
    def blocks(self) -> Bools:
        """(n,) does a block stand among comments.

        What is kept there is a comment only if kept text precedes it and the page is no thread: an
        element around the whole of a text is called *comment*, too.
        """
        table, extent = self.table, self.extent
        out = self._aside | self.signs.near("navigation") | table.blocks_inside(_VERBATIM)
        within = table.elements.gathered(self._elements)[table.element]
        before = prefix_sums(extent.prose & ~within)
        is_below = before[:-1] > before[table.page_starts[:-1]][table.page]
        apart = is_below & ~self.signs.is_thread[table.page]
        return np.asarray(within & ~out & (~extent.kept | apart))

    @cached_property
    def said(self) -> Bools:
        """(n,) does a block say what a reader wrote: not names, dates, buttons and forms.

        What the labeler keeps among comments counts as said.
        """
        table, signs = self.table, self.signs
        if not self.blocks.any():
            return self.blocks
        in_paragraph = member_mask(_PARAGRAPHS)[table.elements.tag[table.container]]
        named = signs.directly("author", "meta", "byline", "share")
        about = named & (table.words <= _DATE_LINE) | ~in_paragraph & (table.words <= _NAME)
        about = (about | self._dated) & ~signs.directly("said")
        about |= table.blocks_inside(_FORM) | (table.heading_level > 0) | (table.free_words == 0)
        return np.asarray(self.blocks & (self.extent.kept | ~about))

    @property
    def _dated(self) -> Bools:
        """(n,) does a short block among comments hold a date or a time."""
        short = np.flatnonzero(self.blocks & (self.table.words <= _DATE_LINE))
        dated = np.zeros(len(self.table), dtype=bool)
        dated[short] = [bool(_DATE.search(text)) for text in block_texts(self.table, short)]
        return dated

    @property
    def _aside(self) -> Bools:
        """(n,) does a block stand in a menu, a footer or a box over the page.

        Such an element may also hold comments, or stand among them: the inner one counts.
        """
        table = self.table
        aside = self.signs.is_named("navigation", "footer", "cookie", "modal")
        aside |= member_mask(_ASIDE)[table.elements.tag]
        inside = table.elements.nearest(aside | self._elements)[table.element]
        return np.asarray(aside[inside] & (inside >= 0))

    @cached_property
    def _elements(self) -> Bools:
        """(E,) does an element hold comments, and not the headline."""
        named = self.signs.is_named("comment", "review") & ~self._holds_headline
        return np.asarray(named & ~self._holds_text(named))

    def _holds_text(self, named: Bools) -> Bools:
        """(E,) does an element hold most of what is kept, and nothing in it looks like a comment.

        Texts that readers may comment on stand in elements called so, too (`commentOnSelection`).
        """
        elements = self.table.elements
        large = np.flatnonzero(named & (self.extent.share_inside > _MOST))
        if not len(large):
            return np.zeros(len(elements), dtype=bool)
        tags = elements.open[large], elements.close[large]
        first, last = (np.searchsorted(self.table.tag, tag) for tag in tags)
        prose = prefix_sums(self.extent.prose)
        records = self.signs.is_named("comment", "review", "user", "when", "post")
        inside = prefix_sums(records | member_mask(_DATES)[elements.tag])
        n_records = inside[np.searchsorted(elements.open, tags[1])] - inside[large + 1]
        result = np.zeros(len(elements), dtype=bool)
        result[large] = (prose[last] - prose[first] >= _FEWEST_PROSE) & (n_records == 0)
        return result

    @cached_property
    def _holds_headline(self) -> Bools:
        """(E,) is the headline of the page inside an element."""
        table, elements = self.table, self.table.elements
        tag = np.append(table.tag, -1)[self.headline][table.page_of_element]
        return np.asarray((elements.open <= tag) & (tag < elements.close))


_PROSE: Final = 10  # words outside links that make running text of a kept block


class Extent(Struct, frozen=True, eq=False, dict=True):
    """What a labeler keeps of P pages with n blocks and E elements."""

    table: BlockTable  # the blocks
    labels: Codes  # (n,) uint8 `victor.base.labels.Label`

    @cached_property
    def kept(self) -> Bools:
        """(n,) is it kept."""
        return np.asarray(self.labels != OTHER)

    @cached_property
    def prose(self) -> Bools:
        """(n,) is it kept running text."""
        return np.asarray((self.labels == TEXT) & (self.table.free_words >= _PROSE))

    @property
    def share_inside(self) -> Floats:
        """(E,) share of the words kept of the page that each element holds."""
        table = self.table
        of_page = window_sums(np.where(self.kept, table.words, 0), table.page_starts)
        words = np.where(self.kept[table.block_of_segment], table.segment_words, 0)
        shares = table.sum_elements(words) / np.maximum(of_page, 1)[table.page_of_element]
        return np.asarray(shares)
