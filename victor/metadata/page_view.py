"""One page as the fields read it: its head, its JSON-LD, its blocks and the names of elements."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.metadata.addresses import absolute, host_of
from victor.metadata.batches import Batch
from victor.metadata.element_names import NOT_OF_PAGE, ElementNames
from victor.metadata.graph import Graph, Node
from victor.metadata.schema_org import types
from victor.metadata.texts import clean, letters, words
from victor.page.parsing.base_address import base_address
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import Texts

_MOST_SCRIPTS: Final = 200
_MOST_SEGMENTS: Final = 40
_LONGEST_TEXT: Final = 2_000
_FORUM_TYPES: Final = frozenset({"discussionforumposting", "qapage", "question"})
_FORUM_ADDRESS: Final = re.compile(
    r"forums?[./]|/forums?|/threads?[/.-]|viewtopic|showthread|showtopic|/topics?/|//community\.|"
    r"/community/|//discuss|//boards?\.|/questions/\d",
    re.IGNORECASE,
)
_ABOVE, _BELOW = 3, 6
"""Blocks next to the headline, which are of the page however they are named."""
_ENDS: Final = (".", "?", "!", ")")
_FOOT: Final = 50_000
"""Bytes at the end of a page in which it links to its licence."""
_LONGEST_TAG: Final = 2_000
_ANCHOR: Final = re.compile(rb"<a\s[^<>]*?\bhref\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
_LONGEST_TITLE: Final = 300
_MOST_FOLDED: Final = 3
"""Characters that one becomes at most without case."""
_LIKE_TITLE: Final = 0.3
_FAVOUR: Final = 0.2
_MOST_LEVELS: Final = 200
_ELSEWHERE: Final = frozenset({"aside", "footer", "nav"})


def bar(before: str, after: str) -> str:
    """A bar between two letters."""
    return "|" if before.isalpha() and after.isalpha() else ""


def _space(before: str, after: str) -> str:
    """A space where a word that begins touches the one before."""
    return " " if after.isupper() and (before.islower() or before in _ENDS) else ""


@dataclass(frozen=True, eq=False)
class _Segments:
    """Runs of text between two tags of a page; S segments, n blocks.

    Attributes:
        tag: (S,) ordinal in the batch of the tag before each.
        start, end: (S,) extent in `Texts.whole`.
        of_block: (n + 1,) first segment of each block, and S.
    """

    tag: list[int]
    start: list[int]
    end: list[int]
    of_block: list[int]

    @classmethod
    def of(cls, table: BlockTable, blocks: slice) -> _Segments:
        """The segments of the blocks of a page."""
        starts = table.segment_starts[blocks.start : blocks.stop + 1]
        rows, segments = slice(int(starts[0]), int(starts[-1])), table.segments
        start, end = segments.start[rows], segments.end[rows]
        first = start[0] if len(start) else 0
        return cls(
            segments.tag[rows].tolist(),
            (start - first).tolist(),
            (end - first).tolist(),
            (starts - rows.start).tolist(),
        )


@dataclass(frozen=True, eq=False)
class PageView:
    """One page of a table.

    Attributes:
        table: blocks of a batch.
        page: of the page there.
        url: where the page comes from.
        markup: of the page in UTF-8, or b"".
    """

    table: BlockTable
    page: int
    url: str | None
    markup: bytes

    @cached_property
    def head(self) -> Head:
        """What the page declares."""
        return self.table.heads[self.page]

    @cached_property
    def blocks(self) -> slice:
        """Its blocks."""
        starts = self.table.page_starts
        return slice(int(starts[self.page]), int(starts[self.page + 1]))

    @cached_property
    def batch(self) -> Batch:
        """What is found for all pages of the batch at once."""
        return Batch.of(self.table)

    @cached_property
    def texts(self) -> Texts:
        """Text of each block."""
        table, blocks = self.table, self.blocks
        return Texts(table.chars, table.start[blocks], table.end[blocks])

    @cached_property
    def segments(self) -> _Segments:
        """Runs of text between two tags."""
        return _Segments.of(self.table, self.blocks)

    def spaced_text(self, block: int, between: Callable[[str, str], str] = bar) -> str:
        """Text of a block; of the characters that touch at a tag follows what stands between."""
        segments = self.segments
        first, last = segments.of_block[block : block + 2]
        if last - first == 1 or last - first > _MOST_SEGMENTS:
            return self.texts[block]
        whole, text, behind = self.texts.whole, "", -1
        for start, end in zip(segments.start[first:last], segments.end[first:last], strict=True):
            piece = whole[start:end]
            if start == behind:
                text += between(text[-1:], piece[:1])
            text += " " * (start > behind > 0) + piece
            behind = end
        return clean(text)

    @cached_property
    def levels(self) -> list[int]:
        """Level of the heading that each block is, or 0."""
        levels: list[int] = self.table.heading_level[self.blocks].tolist()
        return levels

    @cached_property
    def elements(self) -> slice:
        """Its elements."""
        roots = self.table.page_roots
        last = self.page + 1 == len(roots)
        stop = len(self.table.elements) if last else int(roots[self.page + 1])
        return slice(int(roots[self.page]), stop)

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        """Contents of ``<meta>`` by lower-case name, those that say something."""
        by_name: dict[str, list[str]] = {}
        for name, content in self.head.metas:
            if text := clean(content):
                by_name.setdefault(name.strip(), []).append(text)
        return by_name

    def meta(self, *names: str) -> str:
        """First content of the first of some names that has any, or ""."""
        metas = self.metas
        for name in names:
            if name in metas:
                return metas[name][0]
        return ""

    def every_meta(self, *names: str) -> list[str]:
        """All contents of the first of some names that has any."""
        return next((self.metas[name] for name in names if name in self.metas), [])

    @cached_property
    def graph(self) -> Graph:
        """Its JSON-LD."""
        in_metas = self.metas.get("script:ld+json", ())
        return Graph.of([*self.head.json_ld, *in_metas][:_MOST_SCRIPTS])

    @cached_property
    def main(self) -> Node:
        """The thing of the JSON-LD that the page is about; may be empty."""
        titles = [self.head.title, self.meta("og:title"), *self.first_headings]
        addresses = [self.url or "", self.head.canonical or "", self.meta("og:url")]
        return self.graph.main([title for title in titles if title], addresses)

    @cached_property
    def things(self) -> tuple[Node, ...]:
        """The main thing and the page itself, those that the JSON-LD names."""
        return tuple(node for node in (self.main, self.graph.page) if node)

    @cached_property
    def first_headings(self) -> list[str]:
        """Texts of the level-one headings, at most a few; in footers and the like only if alone."""
        numbers = np.flatnonzero(self.table.heading_level[self.blocks] == 1)
        elements = self.table.element[numbers + self.blocks.start]
        inside = self.table.elements.inside(_ELSEWHERE, elements)
        both = [
            (is_inside, self.spaced_text(block, _space))
            for block, is_inside in zip(numbers.tolist(), inside.tolist(), strict=True)
        ]
        outside = [text for is_inside, text in both if not is_inside and text]
        return (outside or [text for _, text in both if text])[:10]

    @cached_property
    def is_forum(self) -> bool:
        """Is it a thread of a forum, or questions and answers: authors are log-ins there."""
        if any(_FORUM_TYPES & {*types(node)} for node in self.things):
            return True
        of_microdata = self.names.values("itemtype")
        kinds = {name.rpartition("/")[2].strip().lower() for name in of_microdata}
        if not _FORUM_TYPES.isdisjoint(kinds) and "faqpage" not in kinds:
            return True
        addresses = (self.url, self.head.canonical, self.meta("og:url"))
        return any(address and _FORUM_ADDRESS.search(address[:300]) for address in addresses)

    @cached_property
    def host(self) -> str:
        """Host of the page, "" where it is not known."""
        known = (self.url, self.head.canonical, self.meta("og:url"), self.head.base)
        return next((host for address in known if address and (host := host_of(address))), "")

    def absolute(self, address: str) -> str | None:
        """An address that is as absolute as the page lets it be; None for what is none."""
        return absolute(address, base_address(self.head), self.url)

    def linked(self, relation: str) -> Iterator[str]:
        """Addresses of the links of the head with a relation."""
        for link in self.head.links:
            if relation in link.rel.split() and (address := self.absolute(link.href)):
                yield address

    @property
    def licence_in_foot(self) -> str | None:
        """Address of the first link at the end of the page that is one to its licence."""
        foot = self.markup[-_FOOT:]  # a search of all pages whole would take as long as their dates
        place = foot.find(b'rel="license"')
        if place < 0:
            return None
        start = foot.rfind(b"<", max(place - _LONGEST_TAG, 0), place)
        tag = foot[max(start, 0) : foot.find(b">", place, place + _LONGEST_TAG)]
        href = _ANCHOR.match(tag)
        return self.absolute(clean(href[1].decode("utf-8", "replace"))) if href else None

    # Elements

    @cached_property
    def names(self) -> ElementNames:
        """Names of its elements."""
        bundle = self.table.elements.bundle[self.elements]
        return ElementNames(self.batch.names, bundle, self.elements.start)

    @cached_property
    def times(self) -> dict[int, str]:
        """Element to date of its ``<time>`` elements, in order."""
        first, element = self.first_tag, self.table.tags.element
        return {int(element[first + tag]): when for tag, when in self.head.times if when}

    def text_of_element(self, element: int) -> str:
        """Text inside an element, clean and cut off where it is long."""
        first, last = self.segments_of(element)
        if first == last:
            return ""
        segments, whole = self.segments, self.texts.whole
        if segments.end[last - 1] - segments.start[first] > _LONGEST_TEXT:
            return ""
        last = min(last, first + _MOST_SEGMENTS)
        extents = zip(segments.start[first:last], segments.end[first:last], strict=True)
        return clean(" ".join([whole[start:end] for start, end in extents]))

    def may_have_date(self, element: int) -> bool:
        """May the text inside an element have a date in it."""
        first, last = self.segments_of(element)
        if first == last:
            return False
        of_block = self.segments.of_block
        blocks = slice(bisect_right(of_block, first) - 1, bisect_left(of_block, last))
        return bool(self._may_have_date[blocks].any())

    @property
    def _may_have_date(self) -> Bools:
        return self.batch.may_have_date[self.blocks]

    def segments_of(self, element: int) -> tuple[int, int]:
        """First of the page's segments inside an element, and one past the last."""
        elements, tags = self.table.elements, self.segments.tag
        first = bisect_left(tags, int(elements.open[element]))
        return first, bisect_left(tags, int(elements.close[element]), first)

    def block_of_tag(self, tag: int) -> int:
        """Number on the page of the block with the first text after a tag of the batch."""
        segments = self.segments
        block = bisect_right(segments.of_block, bisect_left(segments.tag, tag)) - 1
        return min(block, max(len(self.texts) - 1, 0))

    @cached_property
    def first_tag(self) -> int:
        """Ordinal in the batch of the page's own first tag."""
        return int(self.table.elements.open[self.elements.start])

    def are_inside(self, elements: Ints, others: Ints) -> Bools:
        """(m,) is each of some elements inside, or one of, some others, which are in order."""
        if not len(others):
            return np.zeros(len(elements), dtype=bool)
        table = self.table.elements
        farthest = np.maximum.accumulate(table.close[others])
        before = np.searchsorted(others, elements, side="right") - 1
        return np.asarray((before >= 0) & (farthest[before] >= table.close[elements]))

    def children_in(self, element: int, others: Collection[int]) -> list[int]:
        """Those of some elements that are inside an element."""
        table = self.table.elements
        return [
            other
            for other in others
            if table.open[element] < table.open[other] < table.close[element]
        ]

    @cached_property
    def headline_block(self) -> int:
        """Number on the page of the block that is the headline; -1 where there is none.

        That is the heading most like the title, with some favour for higher levels; where no
        heading is like it, the first block that is.
        """
        declared = (self.head.title, self.meta("og:title"))
        titles = [{*words(text)} for text in dict.fromkeys(declared) if text]
        best, block = 0.0, -1
        for heading in self._headings if any(titles) else ():
            if (score := self._score(heading, self.levels[heading], titles)) > best:
                best, block = score, heading
        if best >= _LIKE_TITLE:
            return block
        wanted = {letters(part) for part in declared if part}
        shortest = min(map(len, wanted), default=_LONGEST_TITLE) // _MOST_FOLDED
        some = self.texts.of_length(shortest, _LONGEST_TITLE) if wanted else ()
        like = (row for row, text in some if letters(text) in wanted)
        return next(like, next((n for n in self._headings if self.levels[n] == 1), -1))

    @cached_property
    def _headings(self) -> list[int]:
        """Numbers of the blocks in headings."""
        numbers: list[int] = np.flatnonzero(self.table.heading_level[self.blocks]).tolist()
        return numbers

    def _score(self, block: int, level: int, titles: Sequence[set[str]]) -> float:
        text = self.texts[block]
        if len(text) > _LONGEST_TITLE:
            return 0.0
        of_text = {*words(text)}
        likeness = 0.0
        for title in titles:
            if common := len(of_text & title):
                either = len(of_text) + len(title) - common  # a title may be huge
                likeness = max(likeness, common / either)
        return likeness + (_FAVOUR / level if likeness else 0.0)

    @cached_property
    def around_headline(self) -> frozenset[int]:
        """The elements around the headline."""
        if self.headline_block < 0:
            return frozenset()
        element = int(self.table.element[self.blocks.start + self.headline_block])
        around = set[int]()
        parents = self.table.elements.parent
        while element not in around and len(around) < _MOST_LEVELS:
            around.add(element)
            element = int(parents[element])
        return frozenset(around)

    @cached_property
    def elsewhere(self) -> Ints:
        """Elements of comments, teasers and margins; none of them has the headline in it."""
        named = self.names.matching(NOT_OF_PAGE).tolist()
        around = self.around_headline
        return np.array([element for element in named if element not in around], dtype=np.int64)

    def of_page(self, elements: Ints) -> Ints:
        """Those of some elements that are not in comments, teasers and margins."""
        if not len(elements):
            return elements
        return elements[~self.are_inside(elements, self.elsewhere)]

    @cached_property
    def own_blocks(self) -> list[bool]:
        """Is each block next to the headline, or else not in comments, teasers and margins."""
        inside = self.are_inside(self.table.element[self.blocks], self.elsewhere)
        is_own: list[bool] = (~inside).tolist()
        if self.headline_block >= 0:
            first, end = max(self.headline_block - _ABOVE, 0), self.headline_block + _BELOW + 1
            is_own[first:end] = [True] * len(is_own[first:end])
        return is_own

    def own_texts(self, first: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
        """Numbers and texts of such blocks, of all or of some."""
        is_own = self.own_blocks
        for block in range(*slice(first, end).indices(len(is_own))):
            if is_own[block]:
                yield block, self.texts[block]

    def dated_texts(self, first: int = 0, end: int | None = None) -> Iterator[str]:
        """Texts of such blocks, of all or of some; those that surely hold no date are left out."""
        blocks = range(*slice(first, end).indices(len(self.texts)))
        may_have_date = self._may_have_date[blocks.start : blocks.stop]
        for block in (np.flatnonzero(may_have_date) + blocks.start).tolist():
            if self.own_blocks[block]:
                yield self.texts[block]
