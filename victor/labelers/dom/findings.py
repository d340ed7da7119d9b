"""Findings of the steps on a batch of pages, from which labels, images and links are derived."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from victor.arrays import Bools, Floats, Ints
from victor.labelers.dom.ads import AdHosts
from victor.labelers.dom.article import articles, in_article
from victor.labelers.dom.removal import links, remove
from victor.labelers.dom.settings import Settings
from victor.labelers.rules import certainty
from victor.page.blocks import BlockTable
from victor.page.tags import IDS, SPLITTING

_FIGURE: Final = frozenset({"figure"})


@dataclass(frozen=True, eq=False)
class Findings:
    """What the steps remove from the pages of a batch, and the articles.

    Attributes:
        table: the blocks.
        gone: (T,) bool; is the place after each tag in a removed element.
        ads: (T,) bool; does each tag, or an element around it, lead to an ad server.
        article: (P,) int64 element that is the article of each page, -1 for none.
    """

    table: BlockTable
    gone: Bools
    ads: Bools
    article: Ints

    @classmethod
    def of(cls, table: BlockTable, settings: Settings, hosts: AdHosts) -> Findings:
        """Take all steps on the pages of a batch."""
        gone, ads = remove(table, settings, hosts)
        return cls(table, gone, ads, articles(table, gone, settings.article))

    def keep(self) -> Floats:
        """(n,) probability of being kept, from the result of the steps and text density.

        A block stays if it lies in the article and one of its words, or any of it if it has none,
        is not removed. Density is unlinked words per unlinked word and tag; the tags are those
        from the previous block to the end of the block.
        """
        table = self.table
        stays = ~self.gone[table.segments.tag]
        words = table.sum_segments(np.where(stays, table.segment_words, 0))
        left = np.where(table.words > 0, words > 0, table.sum_segments(stays.astype(np.int64)) > 0)
        density = table.free_words / (table.free_words + np.maximum(self._tags_before(), 1))
        return certainty(left & in_article(table, self.article), density)

    def _tags_before(self) -> Ints:
        """(n,) tags from the previous block, or the start of the page, to the end of each block."""
        table = self.table
        root = table.elements.open[table.page_roots][table.page]
        before = np.append(0, table.last_tag)[: len(table)]
        return np.asarray(table.last_tag - np.maximum(before, root))

    @cached_property
    def links(self) -> Bools:
        """(E,) bool; is it a link."""
        return links(self.table)

    @cached_property
    def images(self) -> Ints:
        """(I,) tags of all images of the batch."""
        tags = self.table.tags
        return np.flatnonzero((tags.id == IDS["img"]) & (tags.step >= 0))

    @cached_property
    def captions(self) -> Ints:
        """(I,) element that each image shares with its caption.

        That is the innermost block-level element around it, or the figure that it is in.
        """
        figure = self.table.nearest(_FIGURE, self.images)
        block = self.table.nearest(SPLITTING, self.images)
        return np.where(figure >= 0, figure, block)

    def page_tags(self, page: int) -> tuple[int, int]:
        """First and last tag of a page."""
        elements, root = self.table.elements, self.table.page_roots[page]
        return int(elements.open[root]), int(elements.close[root])
