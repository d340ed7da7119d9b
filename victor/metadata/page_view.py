"""One page as the fields read it: its head, its JSON-LD, its blocks and its named elements."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit
from weakref import WeakKeyDictionary

import numpy as np

from victor.base.lazy import cached_property
from victor.metadata.schema_org import Graph, Node, types
from victor.metadata.texts import clean, letters, words
from victor.page.names.name_groups import ATTRIBUTES, without_whole_page
from victor.page.names.name_groups import words as shipped_words
from victor.page.parsing.heads import Head, base_address, web_address
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
_ABOVE, _BELOW = 3, 6  # blocks next to the headline, which are of the page however they are named
_ENDS: Final = (".", "?", "!", ")")
_FOOT: Final = 50_000  # bytes at the end of a page in which it links to its licence
_LONGEST_TAG: Final = 2_000
_ANCHOR: Final = re.compile(rb"<a\s[^<>]*?\bhref\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
_LONGEST_TITLE: Final = 300
_MOST_FOLDED: Final = 3  # characters that one becomes at most without case
_LIKE_TITLE: Final = 0.3
_FAVOUR: Final = 0.2
_MOST_LEVELS: Final = 200
_MARGINS: Final = ("related", "navigation", "footer", "aside")
_BELOW_TEXT: Final = ("comment", "review", "teaser")
"""Names of what is not of the page, and of what is not if it is no thread: posts are named so."""


def _bar(before: str, after: str) -> str:
    return "|" if before.isalpha() and after.isalpha() else ""


def _space(before: str, after: str) -> str:
    """A space where a word that begins touches the one before."""
    return " " if after.isupper() and (before.islower() or before in _ENDS) else ""


@dataclass(frozen=True, eq=False)
class PageView:
    """One page of a table."""

    table: BlockTable  # blocks of a batch
    page: int  # of the page there
    url: str | None  # where the page comes from
    markup: bytes  # of the page in UTF-8, or b""

    @cached_property
    def head(self) -> Head:
        """What the page declares."""
        return self.table.heads[self.page]

    @cached_property
    def batch(self) -> Batch:
        """What is found for all pages of the batch at once."""
        return Batch.of(self.table)

    # --- Texts ------------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> slice:
        """Its blocks."""
        starts = self.table.page_starts
        return slice(int(starts[self.page]), int(starts[self.page + 1]))

    @cached_property
    def n_blocks(self) -> int:
        """How many blocks it has."""
        return int(self.blocks.stop - self.blocks.start)

    @cached_property
    def _before(self) -> int:
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

    def length(self, block: int) -> int:
        """Characters of a block by its number on the page."""
        row = self.blocks.start + block
        return int(self.batch.ends[row] - self.batch.starts[row])

    def spaced_text(self, block: int, between: Callable[[str, str], str] = _bar) -> str:
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

    def _segment_texts(self, first: int, last: int) -> Iterator[tuple[int, int, str]]:
        """Extents in the text of the batch, and texts, of some segments."""
        starts, ends = self.batch.segment_start, self.batch.segment_end
        whole, before = self.whole, self._before
        for segment in range(first, last):
            start, end = starts[segment], ends[segment]
            yield start, end, whole[start - before : end - before]

    def short_texts(self, first: int, end: int, longest: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the page's own blocks among some that have so many characters."""
        for block in range(*slice(first, end).indices(self.n_blocks)):
            if self.length(block) <= longest and self.is_own(block):
                yield block, self.text(block)

    def dated_texts(self, longest: int, first: int, end: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the page's own blocks of so many characters that may have a date."""
        for block in self.dated[_within(self.dated, slice(first, end))]:
            if self.length(block) <= longest and self.is_own(block):
                yield block, self.text(block)

    @cached_property
    def dated(self) -> list[int]:
        """Numbers of the blocks that may have a date in them."""
        return self._numbers(self.batch.dated)

    def labelled(
        self, label: re.Pattern[str], blocks: Iterable[int], longest: int
    ) -> Iterator[tuple[int, str]]:
        """Own blocks of so many characters that begin with a label, and what follows it."""
        for block in blocks:
            if self.length(block) <= longest:
                text = self.text(block)
                if (match := label.match(text)) and self.is_own(block):
                    yield block, text[match.end() :]

    def _numbers(self, rows: list[int]) -> list[int]:
        return [row - self.blocks.start for row in rows[_within(rows, self.blocks)]]

    # --- What the head and the scripts declare ----------------------------------------------------

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        """Contents of ``<meta>`` by lower-case name, those that say something."""
        by_name: dict[str, list[str]] = {}
        for name, content in self.head.metas:
            if text := clean(content):
                by_name.setdefault(name.strip(), []).append(text)
        return by_name

    def meta(self, name: str) -> str:
        """First content of a name, or ""."""
        return self.metas[name][0] if name in self.metas else ""

    @cached_property
    def graph(self) -> Graph:
        """Its JSON-LD."""
        in_metas = self.metas.get("script:ld+json", ())
        return Graph.of([*self.head.json_ld, *in_metas][:_MOST_SCRIPTS])

    @cached_property
    def main(self) -> Node:
        """The thing of the JSON-LD that the page is about; may be empty."""
        if not self.graph.top:
            return {}
        titles = [self.head.title, self.meta("og:title"), *self.first_headings]
        return self.graph.main([title for title in titles if title], self.addresses)

    @cached_property
    def things(self) -> tuple[Node, ...]:
        """The main thing and the page itself, those that the JSON-LD names."""
        return tuple(node for node in (self.main, self.graph.page) if node)

    @cached_property
    def is_forum(self) -> bool:
        """Is it a thread of a forum, or questions and answers: authors are log-ins there."""
        if any(_FORUM_TYPES & {*types(node)} for node in self.things):
            return True
        kinds = {name.rpartition("/")[2].strip().lower() for name in self.item_types}
        if not _FORUM_TYPES.isdisjoint(kinds) and "faqpage" not in kinds:
            return True
        return any(_FORUM_ADDRESS.search(address[:300]) for address in self.addresses)

    @cached_property
    def addresses(self) -> list[str]:
        """Addresses of the page, the surest first."""
        known = (self.url, self.head.canonical, self.meta("og:url"))
        return [address for address in known if address]

    @cached_property
    def host(self) -> str:
        """Host of the page, "" where it is not known."""
        known = (*self.addresses, self.head.base or "")
        return next(filter(None, map(_host_of, known)), "")

    def absolute(self, address: str) -> str | None:
        """An address that is as absolute as the page lets it be; None for what is none."""
        return _absolute(address, self._root)

    @cached_property
    def _root(self) -> str | None:
        return _root_of(base_address(self.head), self.url)

    @property
    def licence_in_foot(self) -> str:
        """Address of the first link at the end of the page that is one to its licence, or ""."""
        foot = self.markup[-_FOOT:]  # a search of all pages whole would take as long as their dates
        place = foot.find(b'rel="license"')
        if place < 0:
            return ""
        start = foot.rfind(b"<", max(place - _LONGEST_TAG, 0), place)
        tag = foot[max(start, 0) : foot.find(b">", place, place + _LONGEST_TAG)]
        href = _ANCHOR.match(tag)
        return clean(href[1].decode("utf-8", "replace")) if href else ""

    # --- Elements ---------------------------------------------------------------------------------

    @cached_property
    def elements(self) -> slice:
        """Its elements."""
        return self.table.elements_of(self.page)

    def named(self, group: str) -> list[int]:
        """Elements that are named as a group of `features/class_groups.yaml`, in order."""
        named = self.batch.named(group)
        return named[_within(named, self.elements)] if named else named

    @cached_property
    def item_types(self) -> list[str]:
        """Different values of ``itemtype`` in their order."""
        elements, values = self.batch.item_types
        return [*dict.fromkeys(values[_within(elements, self.elements)])]

    @cached_property
    def times(self) -> dict[int, str]:
        """Element to date of its ``<time>`` elements, in order."""
        if not self.head.times:
            return {}
        first: int = self.batch.opens[self.elements.start]
        element = self.table.tags.element
        return {int(element[first + tag]): when for tag, when in self.head.times if when}

    def text_of_element(self, element: int) -> str:
        """Text inside an element, clean; "" where it is long."""
        first, last = self._segments_of(element)
        batch = self.batch
        if (
            first == last
            or batch.segment_end[last - 1] - batch.segment_start[first] > _LONGEST_TEXT
        ):
            return ""
        pieces = self._segment_texts(first, min(last, first + _MOST_SEGMENTS))
        return clean(" ".join([piece for _, _, piece in pieces]))

    def _segments_of(self, element: int) -> tuple[int, int]:
        """First of the segments inside an element, and one past the last."""
        batch, page = self.batch, self._segments
        first = bisect_left(batch.segment_tag, batch.opens[element], page.start, page.stop)
        return first, bisect_left(batch.segment_tag, batch.closes[element], first, page.stop)

    @cached_property
    def _segments(self) -> slice:
        starts = self.batch.segment_starts
        return slice(starts[self.blocks.start], starts[self.blocks.stop])

    def block_of_element(self, element: int) -> int:
        """Number on the page of the block with the first text after the start of an element."""
        segment, blocks = self._segments_of(element)[0], self.blocks
        after = bisect_right(self.batch.segment_starts, segment, blocks.start, blocks.stop + 1)
        return int(min(after - 1 - blocks.start, max(self.n_blocks - 1, 0)))

    def inside(self, element: int, others: Collection[int]) -> list[int]:
        """Those of some elements that are inside an element, or it."""
        end = self.batch.closes[element]
        return [other for other in others if other >= element and self.batch.closes[other] <= end]

    # --- The headline, and what is not of the page ------------------------------------------------

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
    def headline_block(self) -> int:
        """Number on the page of the block that is the headline; -1 where there is none.

        That is the heading most like the title, with some favour for higher levels; where no
        heading is like it, the first block that is.
        """
        declared = (self.head.title, self.meta("og:title"))
        titles = [{*words(text)} for text in dict.fromkeys(declared) if text]
        best, block = 0.0, -1
        for heading in self._headings if any(titles) else ():
            if (score := self._score(heading, titles)) > best:
                best, block = score, heading
        if best >= _LIKE_TITLE:
            return block
        wanted = {letters(part) for part in declared if part}
        shortest = min(map(len, wanted), default=_LONGEST_TITLE) // _MOST_FOLDED
        like = (
            row
            for row in range(self.n_blocks if wanted else 0)
            if shortest <= self.length(row) <= _LONGEST_TITLE and letters(self.text(row)) in wanted
        )
        return next(like, next((n for n in self._headings if self.level(n) == 1), -1))

    def level(self, block: int) -> int:
        """Level of the heading that a block is, or 0."""
        return int(self.batch.heading_level[self.blocks.start + block])

    @cached_property
    def _headings(self) -> list[int]:
        return self._numbers(self.batch.headings)

    def _score(self, block: int, titles: Sequence[set[str]]) -> float:
        if self.length(block) > _LONGEST_TITLE:
            return 0.0
        of_text = {*words(self.text(block))}
        likeness = 0.0
        for title in titles:
            if common := len(of_text & title):
                either = len(of_text) + len(title) - common  # a title may be huge
                likeness = max(likeness, common / either)
        return likeness + (_FAVOUR / self.level(block) if likeness else 0.0)

    @cached_property
    def _around_headline(self) -> frozenset[int]:
        if self.headline_block < 0:
            return frozenset()
        element = self.batch.element[self.blocks.start + self.headline_block]
        around = set[int]()
        while element not in around and len(around) < _MOST_LEVELS:
            around.add(element)
            element = self.batch.parents[element]
        return frozenset(around)

    def _is_elsewhere(self, element: int) -> bool:
        """Is an element in comments, teasers or margins that do not hold the headline, too."""
        named = self._elsewhere[element]
        return named >= 0 and named not in self._around_headline

    @cached_property
    def _elsewhere(self) -> memoryview[int]:
        groups = _MARGINS if self.is_forum else (*_MARGINS, *_BELOW_TEXT)
        return self.batch.nearest(groups)

    def of_page(self, elements: Iterable[int]) -> list[int]:
        """Those of some elements that are not in comments, teasers and margins."""
        return [element for element in elements if not self._is_elsewhere(element)]

    def is_own(self, block: int) -> bool:
        """Is a block next to the headline, or else not in comments, teasers and margins."""
        if self.headline_block >= 0 and -_ABOVE <= block - self.headline_block <= _BELOW:
            return True
        return not self._is_elsewhere(self.batch.element[self.blocks.start + block])


def _within(places: list[int], extent: slice) -> slice:
    first = bisect_left(places, extent.start)
    return slice(first, bisect_left(places, extent.stop, first))


# --- What is found for all pages of a batch at once -----------------------------------------------

_ASIDE: Final = frozenset({"aside", "footer", "nav"})


class Batch:
    """Columns of a batch, without its table, which they are kept for.

    Those that are read one value at a time are memories, which give integers of Python.
    """

    def __init__(self, table: BlockTable) -> None:
        segments, elements = table.segments, table.elements
        self._chars, self._elements = table.chars, elements
        self._bundles, self._attributes = table.bundle_columns, table.attributes
        self._masks = np.zeros(len(elements), dtype=np.uint64)
        if {*ATTRIBUTES} <= {*table.attributes}:
            self._masks = without_whole_page(table, table.names[elements.bundle])
        self.starts, self.ends = table.start.data, table.end.data  # (n,) extents of the blocks
        self.heading_level = table.heading_level  # (n,) 0 for none
        self.element = table.element.data  # (n,) innermost around each block
        self.segment_starts = table.segment_starts.data  # (n + 1,) first segment of each block
        self.segment_tag, self.segment_start = segments.tag.data, segments.start.data  # (S,)
        self.segment_end = segments.end.data  # (S,)
        self.opens, self.closes = elements.open.data, elements.close.data  # (E,)
        self.parents = elements.parent.data  # (E,)
        # blocks that are headings of level one, and is each in a footer or the like
        highest = np.flatnonzero(table.heading_level == 1)
        is_elsewhere = elements.inside(_ASIDE, table.element[highest])
        self.first_headings: tuple[list[int], list[bool]]
        self.first_headings = highest.tolist(), is_elsewhere.tolist()
        self._named: dict[str, list[int]] = {}
        self._nearest: dict[tuple[str, ...], memoryview[int]] = {}

    @classmethod
    def of(cls, table: BlockTable) -> Batch:
        """The columns of a table; made once while the table lives."""
        known = _KNOWN.get(table)
        if known is None:
            known = _KNOWN[table] = cls(table)
        return known

    def named(self, group: str) -> list[int]:
        """Elements that are named as a group, in order."""
        if group not in self._named:
            bit = shipped_words().groups[group]
            self._named[group] = [*np.flatnonzero(self._masks & bit).tolist()]
        return self._named[group]

    def is_named(self, element: int, group: str) -> bool:
        """Is an element named as a group."""
        return bool(self._masks[element] & shipped_words().groups[group])

    def nearest(self, groups: tuple[str, ...]) -> memoryview[int]:
        """(E,) the innermost element around each, or it, that is named as one of some groups."""
        if groups not in self._nearest:
            bits = np.bitwise_or.reduce([shipped_words().groups[group] for group in groups])
            self._nearest[groups] = self._elements.nearest(self._masks & bits != 0).data
        return self._nearest[groups]

    @cached_property
    def item_types(self) -> tuple[list[int], list[str]]:
        """Elements with an ``itemtype``, in order, and its value."""
        if "itemtype" not in self._attributes:
            return [], []
        column, width = self._attributes.index("itemtype"), self._bundles.width
        offsets = self._bundles.offsets
        has_type = np.append(np.diff(offsets)[column::width] > 1, False)
        elements = np.flatnonzero(has_type[self._elements.bundle])
        rows = self._elements.bundle[elements].tolist()
        value = {row: self._bundles.value(row, column) or "" for row in {*rows}}
        return elements.tolist(), [value[row] for row in rows]

    @cached_property
    def headings(self) -> list[int]:
        """Blocks in headings."""
        return [*np.flatnonzero(self.heading_level).tolist()]

    @cached_property
    def dated(self) -> list[int]:
        """Blocks that may have a date in them: digits, another character and two digits.

        What is beyond ASCII, and what cleaning changes, may be a digit.
        """
        small = np.minimum(self._chars, ord("\x7f")).astype(np.uint8)
        digit = (small - np.uint8(ord("0")) < 10) | (small == ord("\x7f"))
        digit |= (small < ord(" ")) | (small == ord("&"))
        places = np.flatnonzero(digit[:-3] & digit[2:-1] & digit[3:])
        blocks = np.searchsorted(np.asarray(self.starts), places, side="right") - 1
        may_have_date = np.zeros(len(self.starts), dtype=bool)
        may_have_date[blocks[blocks >= 0]] = True
        return [*np.flatnonzero(may_have_date).tolist()]


_KNOWN: Final[WeakKeyDictionary[BlockTable, Batch]] = WeakKeyDictionary()


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
    try:
        host = urlsplit(address[:_LONGEST_ADDRESS].strip()).hostname or ""
    except ValueError:
        return ""
    return host.lower().removeprefix("www.")
