"""Parts of pages that are not its text: comments, leads of other pages, menus and the like."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Ints, prefix_sums, window_sums
from victor.base.cached import cached_property
from victor.kinds.extent import Extent
from victor.kinds.names import Signs
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable

_CODE: Final = frozenset({"pre", "code"})
_MOST: Final = 0.5
"""Teasers with more of the words kept are what the page is about."""
_MOST_OF_REVIEWS: Final = 0.8
"""Likewise of reviews, for tests of goods are called so, too, and of a single comment, for social
sites call every text so."""
_MOST_OF_TEASERS: Final = 0.34
_LEADING: Final = 0.1
"""Share of the words of leads that are linked, at least."""
_LEAD: Final = 4
"""Words of a link that leads to another text rather than through the site."""
_LINKED: Final = 0.8
_LONGEST_ITEM: Final = 80
_ASIDE: Final = frozenset({"nav", "footer"})
_ITEMS: Final = frozenset({"li", "article"})
_LINKED_HEADINGS: Final = 2
_DATES: Final = frozenset({"time"})
_FEWEST_PROSE: Final = 3
"""Blocks of running text that make a text rather than a comment."""


class Regions(Struct, frozen=True, eq=False, dict=True):
    """Parts of some pages.

    Attributes:
        signs: names and phrases around the blocks.
        extent: what is kept.
        headline: (P,) headline of each page, -1 for none.
    """

    signs: Signs
    extent: Extent
    headline: Ints

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.signs.table

    @cached_property
    def comments(self) -> Bools:
        """(n,) does a block stand among comments.

        What is kept there is a comment only if kept text precedes it and the page is no thread: an
        element around the whole of a text is called *comment*, too. Where reviews hold most of what
        is kept, or a single comment does, they are what the page is about.
        """
        table, extent = self.table, self.extent
        out = self.aside | self.signs.near("navigation") | table.blocks_inside(_CODE)
        rated = self.signs.is_named("rating") & ~self._below(self._named_teasers)
        rated = self._inside(rated & ~self._holds_headline) & ~extent.kept
        within = self._inside(self._comments) | rated
        before = prefix_sums(extent.prose & ~within)
        is_below = before[:-1] > before[table.page_starts[:-1]][table.page]
        about = self._is_about(self._reviews | self._lone_comments, _MOST_OF_REVIEWS)
        apart = is_below & ~self.signs.is_thread[table.page] & ~about
        return np.asarray(within & ~out & (~extent.kept | apart))

    @property
    def _reviews(self) -> Bools:
        """(n,) does a block stand in a review, and not among comments."""
        return np.asarray(self._inside(self._comments) & ~self.signs.inside("comment"))

    @property
    def _lone_comments(self) -> Bools:
        """(n,) does a block stand in the only comment of its page of which anything is kept."""
        table, elements = self.table, self.table.elements
        shown = self._comments & (self.extent.kept_inside > 0)
        n_shown = prefix_sums(shown)
        ends = np.searchsorted(elements.open, elements.close)
        is_innermost = shown & (n_shown[ends] == n_shown[1:])
        n_comments = np.bincount(table.page_of_element[is_innermost], minlength=table.n_pages)
        return np.asarray(self._inside(shown) & (n_comments == 1)[table.page])

    def _is_about(self, inside: Bools, most: float) -> Bools:
        """(n,) is a block one of some that hold more than a share of what is kept of its page."""
        words = np.where(inside & self.extent.kept, self.table.words, 0)
        is_most = window_sums(words, self.table.page_starts) > most * self.extent.kept_words
        return np.asarray(inside & is_most[self.table.page])

    @cached_property
    def teasers(self) -> Bools:
        """(n,) does a block stand among leads of other pages.

        Where these hold most of what is kept, they are what the page is about.
        """
        extent = self.extent
        inside = self._inside(self._teasers) & ~self.aside
        return np.asarray(inside & ~(self._is_about(inside, _MOST) & extent.kept))

    @cached_property
    def aside(self) -> Bools:
        """(n,) does a block stand in a menu, a footer or a box over the page.

        Such an element may also hold comments, or stand among them: the inner one counts.
        """
        table = self.table
        aside = self.signs.is_named("navigation", "footer", "cookie", "modal")
        aside |= member_mask(_ASIDE)[table.elements.tag]
        nearest = table.elements.nearest(aside | self._comments | self._teasers)
        inside = nearest[table.element]
        return np.asarray(aside[inside] & (inside >= 0))

    @cached_property
    def _comments(self) -> Bools:
        """(E,) does an element hold comments, and neither headline nor leads."""
        return np.asarray(self._named_comments & ~self._below(self._named_teasers))

    @cached_property
    def _teasers(self) -> Bools:
        """(E,) does an element hold leads; among comments only if its name is plain."""
        related = self.signs.is_named("related")
        return np.asarray(self._named_teasers & (related | ~self._below(self._named_comments)))

    @cached_property
    def _named_comments(self) -> Bools:
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
    def _named_teasers(self) -> Bools:
        table = self.table
        small = (self.extent.share_inside <= _MOST_OF_TEASERS) & ~self._holds_headline
        leads = table.element_link_words >= _LEADING * table.element_words
        named = self.signs.is_named("related") | self.signs.is_named("teaser") & leads
        return np.asarray(named & small & ~self.signs.is_named("comment"))

    @cached_property
    def leads(self) -> Bools:
        """(n,) is a block that is not kept a link to another text, or in a list item with one."""
        table = self.table
        linked = (table.link_words >= _LINKED * table.words) & ~self.extent.kept & ~self.aside
        heading = (table.heading_level > 1) & (table.link_words >= _LINKED_HEADINGS)
        lead = linked & ((table.link_words >= _LEAD) | heading)
        item = table.elements.innermost(_ITEMS)[table.element[lead]]
        item = item[item >= 0]
        chosen = np.zeros(len(table.elements), dtype=bool)
        chosen[item[table.element_words[item] <= _LONGEST_ITEM]] = True
        return np.asarray((lead | self._inside(chosen)) & ~self.extent.kept & ~self.aside)

    @cached_property
    def _holds_headline(self) -> Bools:
        """(E,) is the headline of the page inside an element."""
        table, elements = self.table, self.table.elements
        tag = np.append(table.tag, -1)[self.headline][table.page_of_element]
        return np.asarray((elements.open <= tag) & (tag < elements.close))

    def _inside(self, chosen: Bools) -> Bools:
        """(n,) is a block inside one of some elements."""
        return np.asarray(self.table.elements.gathered(chosen)[self.table.element])

    def _below(self, chosen: Bools) -> Bools:
        """(E,) is an element inside another one of some elements."""
        around = self.table.elements.gathered(chosen)
        parent = self.table.elements.parent
        return np.asarray(around[parent] & (self.table.elements.depth > 0))
