"""One page as the fields read it: its head, its JSON-LD, its blocks and the names of elements."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final
from urllib.parse import urljoin, urlsplit

from victor.base.cached import cached_property
from victor.metadata.batches import Batch
from victor.metadata.element_names import NOT_OF_PAGE, NamePattern
from victor.metadata.schema_org import Graph, Node, types
from victor.metadata.texts import clean, letters, words
from victor.page.parsing.base_address import base_address, web_address
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

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


def by_name(text: str) -> dict[str, str]:
    """Names of meta elements, the surest first, to the codes of their sources.

    Args:
        text: words between spaces: codes with a colon, each before the names that are of it.
    """
    sources: dict[str, str] = {}
    code = ""
    for word in text.split():
        if word.endswith(":"):
            code = word.removesuffix(":")
        else:
            sources[word] = code
    return sources


def bar(before: str, after: str) -> str:
    """A bar between two letters."""
    return "|" if before.isalpha() and after.isalpha() else ""


def _space(before: str, after: str) -> str:
    """A space where a word that begins touches the one before."""
    return " " if after.isupper() and (before.islower() or before in _ENDS) else ""


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
    def n_blocks(self) -> int:
        """How many blocks it has."""
        return int(self.blocks.stop - self.blocks.start)

    @cached_property
    def _before(self) -> int:
        """Characters of the batch before its own."""
        return self.batch.starts[self.blocks.start] if self.n_blocks else 0

    @cached_property
    def whole(self) -> str:
        """Its text from the first block to the last."""
        if not self.n_blocks:
            return ""
        return text_of(self.table.chars[self._before : self.batch.ends[self.blocks.stop - 1]])

    def text(self, block: int) -> str:
        """Text of a block by its number on the page."""
        row, before = self.blocks.start + block, self._before
        return self.whole[self.batch.starts[row] - before : self.batch.ends[row] - before]

    def start(self, block: int) -> int:
        """Where a block begins in the whole text."""
        return int(self.batch.starts[self.blocks.start + block] - self._before)

    def block_at(self, place: int) -> int:
        """The last block that begins at a place of the whole text or before it."""
        starts, first = self.batch.starts, int(self.blocks.start)
        return bisect_right(starts, place + self._before, first, first + self.n_blocks) - 1 - first

    @cached_property
    def segments(self) -> slice:
        """Its runs of text between two tags."""
        starts = self.batch.segment_starts
        return slice(starts[self.blocks.start], starts[self.blocks.stop])

    def _segment_texts(self, first: int, last: int) -> Iterator[tuple[int, int, str]]:
        """Extents in the text of the batch, and texts, of some segments."""
        starts, ends = self.batch.segment_start, self.batch.segment_end
        whole, before = self.whole, self._before
        for segment in range(first, last):
            start, end = starts[segment], ends[segment]
            yield start, end, whole[start - before : end - before]

    def spaced_text(self, block: int, between: Callable[[str, str], str] = bar) -> str:
        """Text of a block; of the characters that touch at a tag follows what stands between."""
        block_starts, row = self.batch.segment_starts, self.blocks.start + block
        first, last = block_starts[row], block_starts[row + 1]
        if last - first == 1 or last - first > _MOST_SEGMENTS:
            return self.text(block)
        text, behind = "", -1
        for start, end, piece in self._segment_texts(first, last):
            if start == behind:
                text += between(text[-1:], piece[:1])
            text += " " * (start > behind > 0) + piece
            behind = end
        return clean(text)

    def level(self, block: int) -> int:
        """Level of the heading that a block is, or 0."""
        return int(self.batch.heading_level[self.blocks.start + block])

    @cached_property
    def elements(self) -> slice:
        """Its elements."""
        return self.table.elements_of(self.page)

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
    def publisher(self) -> str:
        """Who publishes the page or the site, as the JSON-LD names it, or ""."""
        nodes = (*self.things, self.graph.site)
        names = (self.graph.text(node.get("publisher")) for node in nodes)
        return next(filter(None, names), "")

    @cached_property
    def first_headings(self) -> list[str]:
        """Texts of the level-one headings, at most a few; in footers and the like only if alone."""
        highest, is_elsewhere = self.batch.first_headings
        rows = _within(highest, self.blocks)
        both = [
            (is_inside, self.spaced_text(block - self.blocks.start, _space))
            for block, is_inside in zip(highest[rows], is_elsewhere[rows], strict=True)
        ]
        outside = [text for is_inside, text in both if not is_inside and text]
        return (outside or [text for _, text in both if text])[:10]

    @cached_property
    def is_forum(self) -> bool:
        """Is it a thread of a forum, or questions and answers: authors are log-ins there."""
        if any(_FORUM_TYPES & {*types(node)} for node in self.things):
            return True
        kinds = {name.rpartition("/")[2].strip().lower() for name in self.item_types}
        if not _FORUM_TYPES.isdisjoint(kinds) and "faqpage" not in kinds:
            return True
        addresses = (self.url, self.head.canonical, self.meta("og:url"))
        return any(address and _FORUM_ADDRESS.search(address[:300]) for address in addresses)

    @cached_property
    def host(self) -> str:
        """Host of the page, "" where it is not known."""
        known = (self.url, self.head.canonical, self.meta("og:url"), self.head.base)
        return next((host for address in known if address and (host := _host_of(address))), "")

    def absolute(self, address: str) -> str | None:
        """An address that is as absolute as the page lets it be; None for what is none."""
        return _absolute(address, self._root)

    @cached_property
    def _root(self) -> str | None:
        return _root_of(base_address(self.head), self.url)

    def linked(self, relation: str) -> Iterator[str]:
        """Addresses of the links of the head with a relation."""
        for link in self.head.links:
            if (
                relation in link.rel
                and relation in link.rel.split()
                and (address := self.absolute(link.href))
            ):
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

    def named(self, wanted: NamePattern) -> list[int]:
        """Elements with a class or id that a pattern is found in, in order."""
        return self._of_batch(self.batch.names.matching(wanted))

    def with_property(self, pattern: re.Pattern[str]) -> list[int]:
        """Elements with an ``itemprop`` that a pattern is found in, in order."""
        return self._of_batch(self.batch.names.with_property(pattern))

    @cached_property
    def item_types(self) -> list[str]:
        """Different values of ``itemtype``, in the order in which they first stand in the batch."""
        names = self.batch.names
        rows = {int(names.bundle[element]) for element in self._of_batch(names.having("itemtype"))}
        return [names.value("itemtype", row) for row in sorted(rows)]

    def _of_batch(self, elements: list[int]) -> list[int]:
        """Those of some elements of the batch that are of the page."""
        return elements[_within(elements, self.elements)] if elements else elements

    @cached_property
    def times(self) -> dict[int, str]:
        """Element to date of its ``<time>`` elements, in order."""
        if not self.head.times:
            return {}
        first: int = self.batch.opens[self.elements.start]
        element = self.table.tags.element
        return {int(element[first + tag]): when for tag, when in self.head.times if when}

    def text_of_element(self, element: int) -> str:
        """Text inside an element, clean and cut off where it is long."""
        first, last = self.segments_of(element)
        batch = self.batch
        if (
            first == last
            or batch.segment_end[last - 1] - batch.segment_start[first] > _LONGEST_TEXT
        ):
            return ""
        pieces = self._segment_texts(first, min(last, first + _MOST_SEGMENTS))
        return clean(" ".join([piece for _, _, piece in pieces]))

    def may_have_date(self, element: int) -> bool:
        """May the text inside an element have a date in it."""
        first, last = self.segments_of(element)
        if first == last:
            return False
        starts, dated = self.batch.segment_starts, self.batch.dated
        blocks = bisect_right(starts, first) - 1, bisect_left(starts, last)
        return bisect_left(dated, blocks[0]) < bisect_left(dated, blocks[1])

    def segments_of(self, element: int) -> tuple[int, int]:
        """First of the segments inside an element, and one past the last."""
        batch, page = self.batch, self.segments
        first = bisect_left(batch.segment_tag, batch.opens[element], page.start, page.stop)
        return first, bisect_left(batch.segment_tag, batch.closes[element], first, page.stop)

    def block_of_element(self, element: int) -> int:
        """Number on the page of the block with the first text after the start of an element."""
        segment, blocks = self.segments_of(element)[0], self.blocks
        after = bisect_right(self.batch.segment_starts, segment, blocks.start, blocks.stop + 1)
        return int(min(after - 1 - blocks.start, max(self.n_blocks - 1, 0)))

    def inside(self, element: int, others: Collection[int]) -> list[int]:
        """Those of some elements that are inside an element, or it."""
        end = self.batch.closes[element]
        return [other for other in others if other >= element and self.batch.closes[other] <= end]

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
            if (score := self._score(heading, self.level(heading), titles)) > best:
                best, block = score, heading
        if best >= _LIKE_TITLE:
            return block
        wanted = {letters(part) for part in declared if part}
        shortest = min(map(len, wanted), default=_LONGEST_TITLE) // _MOST_FOLDED
        texts = map(self.text, range(self.n_blocks) if wanted else ())
        like = (
            row
            for row, text in enumerate(texts)
            if shortest <= len(text) <= _LONGEST_TITLE and letters(text) in wanted
        )
        return next(like, next((n for n in self._headings if self.level(n) == 1), -1))

    @cached_property
    def _headings(self) -> list[int]:
        """Numbers of the blocks in headings."""
        headings = self.batch.headings
        return [block - self.blocks.start for block in headings[_within(headings, self.blocks)]]

    def _score(self, block: int, level: int, titles: Sequence[set[str]]) -> float:
        text = self.text(block)
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
        element = self.batch.element[self.blocks.start + self.headline_block]
        around = set[int]()
        while element not in around and len(around) < _MOST_LEVELS:
            around.add(element)
            element = self.batch.parents[element]
        return frozenset(around)

    @cached_property
    def _elsewhere(self) -> tuple[list[int], list[int]]:
        """Elements of comments, teasers and margins, and where they and those before them end.

        None of them has the headline in it.
        """
        named = self.named(NOT_OF_PAGE)
        around = self.around_headline if named else ()
        elements = [element for element in named if element not in around]
        return elements, [*accumulate(map(self.batch.closes.__getitem__, elements), max)]

    def _is_elsewhere(self, element: int) -> bool:
        elements, ends = self._elsewhere
        before = bisect_right(elements, element) - 1
        return before >= 0 and ends[before] >= self.batch.closes[element]

    def of_page(self, elements: Iterable[int]) -> list[int]:
        """Those of some elements that are not in comments, teasers and margins."""
        return [element for element in elements if not self._is_elsewhere(element)]

    def is_own(self, block: int) -> bool:
        """Is a block next to the headline, or else not in comments, teasers and margins."""
        if self.headline_block >= 0 and -_ABOVE <= block - self.headline_block <= _BELOW:
            return True
        return not self._is_elsewhere(self.batch.element[self.blocks.start + block])

    def short_texts(self, first: int, end: int, longest: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of such blocks among some that have so many characters."""
        for block in range(*slice(first, end).indices(self.n_blocks)):
            text = self.text(block)
            if len(text) <= longest and self.is_own(block):
                yield block, text

    def dated_texts(
        self, longest: int, first: int = 0, end: int | None = None
    ) -> Iterator[tuple[int, str]]:
        """Numbers and short texts of any blocks, those left out that surely hold no date."""
        start, dated = self.blocks.start, self.batch.dated
        blocks = range(*slice(first, end).indices(self.n_blocks))
        for row in dated[_within(dated, slice(start + blocks.start, start + blocks.stop))]:
            text = self.text(row - start)
            if len(text) <= longest:
                yield row - start, text


def _within(places: list[int], extent: slice) -> slice:
    """Which of some ascending places are in an extent."""
    first = bisect_left(places, extent.start)
    return slice(first, bisect_left(places, extent.stop, first))


# --- Addresses ------------------------------------------------------------------------------------

_LONGEST_ADDRESS: Final = 2_048
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+:")
_SPACE: Final = re.compile(r"\s++")
_PLAIN: Final = re.compile(
    r"https?://[\w.-]+(?::\d+)?/[\w./~%+@,=:!*'()&-]*(?:\?[\w./~%+@,=:!*'()&-]+)?", re.ASCII
)
"""Addresses that are absolute and that nothing changes."""


def _root_of(base: str, url: str | None) -> str | None:
    """What addresses of a page are relative to, "" where that is not known; None for what is none.

    Args:
        base: target of ``<base>``, itself relative to `url`.
        url: address of the page.
    """
    try:
        joined = urljoin(web_address(url), base)
        urlsplit(joined)
    except ValueError:
        return None
    return joined


def _absolute(address: str, root: str | None) -> str | None:
    """An http address made absolute against the `root` of its page.

    Args:
        address: as written; it stays relative where the root is not absolute.
        root: of the page.

    Returns:
        None for what is no address, is of another scheme (``data:``, ``javascript:``) or too long.
    """
    address = _SPACE.sub("%20", address.strip())
    if root is None or not address or address.startswith("#") or len(address) > _LONGEST_ADDRESS:
        return None
    if _PLAIN.fullmatch(address):
        return address
    try:
        joined = urljoin(root, address) if root else address
        parts = urlsplit(joined)
    except ValueError:
        return None
    if _SCHEME.match(joined) and (parts.scheme not in ("http", "https") or not parts.netloc):
        return None
    return joined


def _host_of(address: str) -> str:
    """Host of an address without ``www.`` and port, "" where it has none."""
    try:
        host = urlsplit(address[:_LONGEST_ADDRESS].strip()).hostname or ""
    except ValueError:
        return ""
    return host.lower().removeprefix("www.")
