"""The article of a page, and what the steps leave of it: the first element with enough text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints
from victor.base.lazy import cached_property
from victor.labelers.dom.removal import STEPS, AdHosts, Removal, Settings, covered, links, remove
from victor.labelers.rules import Clue, certainty
from victor.page.parsing.tags import IDS, SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.removed_parts import STAYS, Cut
from victor.page.verdict.verdict import Verdict

OUTSIDE: Final = "outside-article"
UNRELATED: Final = "unrelated"
REASONS: Final = (*STEPS, OUTSIDE, UNRELATED)
"""Why text is dropped: by which step, or because it is not in the article, or not about it."""
_FIGURE: Final = frozenset({"figure"})
_TEXTUAL: Final = frozenset(
    "address blockquote caption center dd dir dl dt figcaption figure h1 h2 h3 h4 h5 h6 hgroup li "
    "listing menu ol p pre ul".split()
)
"""Elements that structure a text: their text counts for the element around them."""
CONTAINERS: Final = SPLITTING - _TEXTUAL
"""All other elements that split blocks; what they hold is theirs."""


def paragraph_divs(table: BlockTable) -> Bools:
    """(E,) bool; is it a ``<div>`` that is a paragraph.

    It holds no container, ``<p>`` or ``<br>``; with one of these it is the subtree around them.
    """
    tags, elements = table.tags, table.elements
    n_inside = np.cumsum(member_mask(CONTAINERS | {"p", "br"})[tags.id] & (tags.step >= 0))
    has_none = n_inside[elements.close] == n_inside[elements.open]
    return np.asarray((elements.tag == IDS["div"]) & has_none)


def own_length(table: BlockTable, gone: Bools) -> Floats:
    """(E,) characters of the paragraphs of each element, without those of inner containers.

    The three kinds of paragraphs are ``<div>text</div>``, ``<p>text</p>``, and texts that
    ``<br>`` separates.

    Args:
        table: the blocks.
        gone: (T,) bool; places whose text does not count.
    """
    segments, elements = table.segments, table.elements
    length = np.where(gone[segments.tag], 0, segments.end - segments.start)
    container = elements.innermost(CONTAINERS)
    # Around such a div is a container that is no paragraph, as it holds the div.
    container = np.where(paragraph_divs(table), container[elements.parent], container)
    holder = container[container[table.segment_element]]
    sums = np.bincount(holder, weights=length, minlength=len(table.elements))
    return sums.astype(np.float64)


def articles(table: BlockTable, gone: Bools, settings: Settings) -> Ints:
    """(P,) int64 element that is the article of each page, -1 where no text is long enough."""
    long = np.flatnonzero(own_length(table, gone) > settings.article_characters)
    pages, first_of_page = np.unique(table.page_of_element[long], return_index=True)
    article = np.full(table.n_pages, -1, dtype=np.int64)
    article[pages] = long[first_of_page]
    if settings.article_subtree == "common" and len(long):
        closes = np.maximum.reduceat(table.elements.close[long], first_of_page)
        article[pages] = _around(table, article[pages], closes)
    return article


def _around(table: BlockTable, element: Ints, closes: Ints) -> Ints:
    """The innermost elements around the given ones that close no earlier than given tags."""
    elements = table.elements
    while (elements.close[element] < closes).any():
        element = np.where(elements.close[element] < closes, elements.parent[element], element)
    return element


def in_article(table: BlockTable, article: Ints) -> Bools:
    """(n,) bool; does each block begin in the article of its page; True on pages without one."""
    root = article[table.page]
    elements = table.elements
    inside = (elements.open[root] <= table.tag) & (table.tag < elements.close[root])
    return np.asarray(inside | (root < 0))


@dataclass(frozen=True, eq=False)
class Findings:
    """What the steps remove from the pages of a batch, and the articles."""

    table: BlockTable  # the blocks
    removal: Removal  # what the filters and removers took
    article: Ints  # (P,) int64 element that is the article of each page, -1 for none
    unrelated: Bools  # (n,) bool; which blocks of the article name others than the rest of it

    @classmethod
    def of(cls, table: BlockTable, settings: Settings, hosts: AdHosts) -> Findings:
        """Take the steps on the pages of a batch but the comparison of texts."""
        removal = remove(table, settings, hosts)
        article = articles(table, removal.gone, settings)
        return cls(table, removal, article, np.zeros(len(table), dtype=bool))

    @cached_property
    def gone(self) -> Bools:
        """(T,) bool; is the place after each tag removed."""
        return self.removal.gone

    def keep(self) -> Floats:
        """(n,) probability of being kept, from the result of the steps and text density."""
        return certainty(self.cut.blocks == STAYS, self.density)

    @cached_property
    def density(self) -> Floats:
        """(n,) unlinked words per unlinked word and tag.

        The tags are those from the previous block to the end of the block.
        """
        words = self.table.free_words
        return np.asarray(words / (words + np.maximum(self._tags_before(), 1)))

    @cached_property
    def cut(self) -> Cut:
        """The removed parts of blocks, and why blocks are dropped.

        A block stays if it lies in the article and one of its words, or any of it if it has none,
        is not removed, unless it is unrelated.
        """
        table = self.table
        stays = ~self.gone[table.segments.tag]
        words = table.sum_segments(np.where(stays, table.segment_words, 0))
        left = np.where(table.words > 0, words > 0, table.sum_segments(stays.astype(np.int64)) > 0)
        off = np.where(self.unrelated, REASONS.index(UNRELATED), STAYS)
        outside = np.where(in_article(table, self.article), off, REASONS.index(OUTSIDE))
        blocks = np.where(left, outside, self._first_reasons())
        return Cut(table, REASONS, self.removal.reason, blocks)

    def _first_reasons(self) -> Ints:
        """(n,) the reason that the first removed segment of each block has; -1 if none has."""
        reason = self.removal.reason[self.table.segments.tag]
        gone = np.flatnonzero(reason != STAYS)
        blocks, first_gone = np.unique(self.table.block_of_segment[gone], return_index=True)
        result = np.full(len(self.table), STAYS)
        result[blocks] = reason[gone[first_gone]]
        return result

    def removed_words(self, verdict: Verdict, page: int) -> dict[str, int]:
        """Words of a page that are not in its clean text, by reason."""
        blocks = verdict.page(page)
        rows = np.arange(*self.table.segment_starts[[blocks.start, blocks.stop]])
        rows = rows[~verdict.kept_segments[rows]]
        block = self.table.block_of_segment[rows]
        part = self.removal.reason[self.table.segments.tag[rows]]
        counts: Counter[str] = Counter()
        columns = (part, block, self.table.segment_words[rows])
        for reason, of_block, words in zip(*(column.tolist() for column in columns), strict=True):
            counts[REASONS[reason] if reason != STAYS else verdict.reason(of_block)] += words
        return dict(+counts)

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
    def linked(self) -> Bools:
        """(T,) bool; is the place after each tag in a link."""
        return covered(self.table, self.links)

    @cached_property
    def images(self) -> Ints:
        """(I,) tags of all images of the batch, their start tags if they hold alternative text."""
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
        return self._tags_of(int(self.table.page_roots[page]))

    def article_tags(self, page: int) -> tuple[int, int]:
        """First and last tag of the article of a page, or of the page if it has none."""
        article = int(self.article[page])
        return self.page_tags(page) if article < 0 else self._tags_of(article)

    def _tags_of(self, element: int) -> tuple[int, int]:
        elements = self.table.elements
        return int(elements.open[element]), int(elements.close[element])


_STEPS: Final = {
    "noscript": "dropped, in <noscript>",
    "forms": "dropped, in a form",
    "buttons": "dropped, in a button",
    "selects": "dropped, in a list to choose from",
    "image-links": "dropped, in a link around an image",
    "text-links": "dropped, in a link",
    "advertisements": "dropped, leads to a server of advertisements",
    "link-lists": "dropped, in a list of links",
    "empty-tables": "dropped, in a table of which little else is left",
    OUTSIDE: "dropped, not in the article",
    UNRELATED: "dropped, names others than the rest of the article",
}


def clues(findings: Findings) -> list[Clue]:
    """The step that decided on every block, what it lost, and its density."""
    blocks = range(len(findings.table))
    reasons = [findings.cut.of_block(block) for block in blocks]
    lost = [Counter(reason for reason, _ in findings.cut.parts_of(block)) for block in blocks]
    return [
        Clue("step", "the step that decided",
             ["kept" if reason is None else _STEPS[reason] for reason in reasons]),
        Clue("lost parts", "parts of the block that were removed, by step",
             [", ".join(f"{step} {n}" for step, n in parts.items()) for parts in lost]),
        Clue("in the article", "is it in the element that holds the article",
             in_article(findings.table, findings.article)),
        Clue("text density", "words outside links over these and tags; orders the blocks",
             findings.density),
    ]  # fmt: skip
