"""What each block is to the reader of its page, by rules on the labels of any labeler.

The headline comes first, then the comments of readers. What else the labeler keeps is a heading or
text, and text is told apart by the element that it stands in: an item, a cell, code, a quote.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import (
    Bools,
    Codes,
    Floats,
    Ints,
    Labels,
    prefix_sums,
    window_sums,
)
from victor.base.labels import HEADER, OTHER, TEXT, Kind
from victor.base.lazy import cached_property
from victor.kinds.names import Signs, keeping_named
from victor.kinds.units import LINK_TAGS
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import HEADING_LINK, Verdict

_ITEMS: Final = frozenset({"li", "dt", "dd"})
_CELLS: Final = frozenset({"td", "th"})
_QUOTES: Final = frozenset({"blockquote"})
_PREFORMATTED: Final = frozenset({"pre", "listing", "xmp"})
_CODE: Final = frozenset({"pre", "code", "listing", "xmp"})


class Kinds(Struct, frozen=True, eq=False, dict=True):
    """The kinds of the n blocks of a table, given their labels."""

    table: BlockTable  # of `split: block`, with the attributes of `victor.page.names.name_groups`
    labels: Codes  # (n,) uint8 `victor.base.labels.Label`
    is_data: Bools | None = None  # (E,) is the element a table of data; None if nobody has looked

    @cached_property
    def codes(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind`."""
        if not len(self.table):
            return np.zeros(0, dtype=np.uint8)
        codes = np.full(len(self.table), Kind.OTHER, dtype=np.uint8)
        codes[self.labels == TEXT] = self._of_text[self.labels == TEXT]
        codes[self.labels == HEADER] = Kind.HEADING
        codes[self.comments.said] = Kind.COMMENT
        codes[self.is_headline] = Kind.HEADLINE
        return codes

    @cached_property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page; asks for no other kind."""
        is_headline = np.zeros(len(self.table), dtype=bool)
        is_headline[self._headlines[self._headlines >= 0]] = True
        return is_headline

    @cached_property
    def comments(self) -> Comments:
        """The comments of readers."""
        return Comments(self.signs, Extent(self.table, self.labels), self._headlines)

    @cached_property
    def signs(self) -> Signs:
        """How markup names what is around the blocks, and what short ones say."""
        return Signs(self.table)

    @cached_property
    def _headlines(self) -> Ints:
        return headlines(self.signs, self.labels)

    @property
    def _of_text(self) -> Codes:
        """(n,) what running text is, by the innermost element that says it."""
        table, of_element = self.table, self._of_elements()
        inner = table.elements.nearest(of_element != Kind.TEXT)[table.container]
        codes = np.where(inner >= 0, of_element[inner], np.uint8(Kind.TEXT))
        # All of the block is code; in items and cells that is only how they are set.
        is_code = table.sum_segments((~table.segments_inside(_CODE)).astype(np.int64)) == 0
        codes[is_code & (codes == Kind.TEXT)] = Kind.CODE
        return codes

    def _of_elements(self) -> Codes:
        """(E,) kind of the text directly in each element, TEXT for one that says nothing."""
        elements, tag = self.table.elements, self.table.elements.tag
        codes = np.full(len(tag), Kind.TEXT, dtype=np.uint8)
        codes[member_mask(_ITEMS)[tag]] = Kind.ITEM
        if self.is_data is not None:
            around = elements.innermost(frozenset({"table"}))
            is_cell = member_mask(_CELLS)[tag] & (around >= 0)
            codes[is_cell & self.is_data[around]] = Kind.CELL
        # Some forums write whole posts as quotes, under names that say better what they are.
        is_quote = member_mask(_QUOTES)[tag] & ~self.signs.is_named("body", "said")
        codes[is_quote | self.signs.is_named("quote")] = Kind.QUOTE
        codes[member_mask(_PREFORMATTED)[tag]] = Kind.CODE
        return codes


_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0


def headlines(signs: Signs, labels: Labels) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie")
    elsewhere |= signs.near("navigation", "site") | table.blocks_inside(_ELSEWHERE_TAGS)
    by_names = _NAMED * signs.near("headline") - _ELSEWHERE * elsewhere
    return _best(table, labels, None, by_names)


def kept_headlines(table: BlockTable, labels: Labels, no_text: Bools | None = None) -> Ints:
    """(k,) the headlines that a labeler keeps, of at most as many pages, ascending.

    This is what `headlines` finds, but for the names in the markup. Only an h1 or h2 and what is
    kept as a heading or as a header may be the headline: so it costs a small part of the time, and
    needs nothing but the blocks.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: (n,) bool; which blocks are copies of others; None if none is.
    """
    found = _best(table, labels, no_text, None)
    found = found[found >= 0]
    return np.asarray(found[labels[found] != OTHER])


def _best(
    table: BlockTable, labels: Labels, no_text: Bools | None, by_names: Floats | None
) -> Ints:
    """(P,) the block of each page that is most like a headline, -1 for none.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: as of `kept_headlines`.
        by_names: (n,) what names in the markup add to the score, for all blocks; None to look at
            those only that `kept_headlines` does.
    """
    inputs = labels, no_text, by_names
    return core.array(core.compiled.judge("headlines", table.batch, inputs), np.int64)


# --- Links of headings ----------------------------------------------------------------------------


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    if not verdict.by_model:
        return verdict
    memory = core.compiled.judge("heading_links", verdict.table.batch, (verdict.labels, LINK_TAGS))
    gone = core.array(memory, np.bool_)
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict


# --- Headings that head nothing -------------------------------------------------------------------


def dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text.

    Several in a row may be a list of names.
    """
    memory = core.compiled.judge("dangling", table.batch, (labels,))
    return np.flatnonzero(core.array(memory, np.bool_))


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
