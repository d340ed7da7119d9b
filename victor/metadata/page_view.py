"""One page as the fields read it: its head, its JSON-LD, its blocks and its named elements."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Final, cast
from urllib.parse import urljoin, urlsplit

import numpy as np

from victor.base import core
from victor.base.arrays import Hashes
from victor.base.lazy import cached_property
from victor.metadata.schema_org import Graph, Node, types
from victor.metadata.texts import Place, clean, letters, places_of_metas, words
from victor.page.names.name_groups import ATTRIBUTES, without_whole_page
from victor.page.names.name_groups import words as shipped_words
from victor.page.parsing.heads import Head, base_address, web_address
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

_MOST_SCRIPTS: Final = 200
_MOST_SEGMENTS: Final = 40
_LONGEST_TEXT: Final = 2_000
_FORUM_TYPES: Final = frozenset({"discussionforumposting", "qapage", "question"})
_FORUM_ADDRESS: Final = re.compile(
    r"forums?[./]|/forums?|/threads?[/.-]|viewtopic|showthread|showtopic|/topics?/|//community\.|"
    r"/community/|//discuss|//boards?\.|/questions/\d"
)
"""What addresses of forums hold, in lower case: a pattern for either case is five times as slow."""
_ASIDE: Final = frozenset(IDS[name] for name in ("aside", "footer", "nav"))
_ABOVE, _BELOW = 3, 6  # blocks next to the headline, which are of the page however they are named
_ENDS: Final = (".", "?", "!", ")")
_MAY_BE_DIGITS: Final = bytes(
    ord("0") if chr(code).isdigit() or chr(code) in "&?" or code < ord(" ") else ord(" ")
    for code in range(256)
)
"""0 for what is a digit or may be one: what cleaning changes and, as ``?``, what is not ASCII."""
_MAY_BE_DATE: Final = re.compile(rb"0(?=.00)")  # a digit, another character and two digits
_FOOT: Final = 50_000  # bytes at the end of a page in which it links to its licence
_TO_LICENCE: Final = b'rel="license"'
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


def _singly(path: str) -> cached_property[memoryview[int]]:
    """A column of the batch whose values are read one by one: a memory gives integers of Python."""
    column = attrgetter(path)
    return cached_property(lambda view: column(view.table).data)


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

    # --- Texts ------------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> slice:
        """Its blocks."""
        starts = self.table.page_starts
        return slice(int(starts[self.page]), int(starts[self.page + 1]))

    _starts = _singly("start")  # (n,) where the blocks of the batch begin in its text
    _ends = _singly("end")

    @cached_property
    def _before(self) -> int:
        """Where it begins in the text of the batch."""
        return int(self._starts[self.blocks.start]) if self.n_blocks else 0

    @cached_property
    def n_blocks(self) -> int:
        """How many blocks it has."""
        return int(self.blocks.stop - self.blocks.start)

    @cached_property
    def whole(self) -> str:
        """Its text from the first block to the last."""
        end = self._ends[self.blocks.stop - 1] if self.n_blocks else 0
        return text_of(self.table.chars[self._before : end])

    def text(self, block: int) -> str:
        """Text of a block by its number on the page."""
        row, before = self.blocks.start + block, self._before
        return self.whole[self._starts[row] - before : self._ends[row] - before]

    def length(self, block: int) -> int:
        """Characters of a block by its number on the page."""
        row = self.blocks.start + block
        return int(self._ends[row] - self._starts[row])

    def spaced_text(self, block: int, between: Callable[[str, str], str] = _bar) -> str:
        """Text of a block; of the characters that touch at a tag follows what stands between."""
        row, starts = self.blocks.start + block, self._segment_starts
        first, last = starts[row], starts[row + 1]
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
        whole, before, segments = self.whole, self._before, self.table.segments
        starts, ends = segments.start[first:last].tolist(), segments.end[first:last].tolist()
        for start, end in zip(starts, ends, strict=True):
            yield start, end, whole[start - before : end - before]

    def short_texts(self, first: int, end: int, longest: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the blocks among some that have so many characters."""
        for block in range(*slice(first, end).indices(self.n_blocks)):
            if self.length(block) <= longest:
                yield block, self.text(block)

    def dated_texts(self, longest: int, first: int, end: int) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the page's own blocks of so many characters that may have a date."""
        for block in self.dated[bisect_left(self.dated, first) : bisect_left(self.dated, end)]:
            if self.length(block) <= longest and self.is_own(block):
                yield block, self.text(block)

    @cached_property
    def dated(self) -> list[int]:
        """Numbers of the blocks that may have a date in them."""
        starts, before = self._starts, self._before
        first, stop = self.blocks.start, self.blocks.stop
        may_be = self.whole.encode("ascii", "replace").translate(_MAY_BE_DIGITS)
        blocks, row, at = list[int](), first, 0
        while row < stop and (place := _MAY_BE_DATE.search(may_be, at)):
            row = bisect_right(starts, place.start() + before, row, stop)
            blocks.append(row - 1 - first)
            at = starts[row] - before if row < stop else len(may_be)
        return blocks

    def labelled(
        self, label: re.Pattern[str], blocks: Iterable[int], longest: int
    ) -> Iterator[tuple[int, str]]:
        """Own blocks of so many characters that begin with a label, and what follows it."""
        for block in blocks:
            if self.length(block) <= longest:
                text = self.text(block)
                if (match := label.match(text)) and self.is_own(block):
                    yield block, text[match.end() :]

    def blocks_with(self, word: str) -> list[int]:
        """Numbers of the blocks that hold a word in small letters, as a title, or in capitals."""
        found, first, stop = set[int](), self.blocks.start, self.blocks.stop
        for written in (word, word.title(), word.upper()):
            place = self.whole.find(written)
            while place >= 0:
                row = bisect_right(self._starts, place + self._before, first, stop) - 1
                found.add(row - first)
                place = self.whole.find(written, max(place + 1, self._ends[row] - self._before))
        return sorted(found)

    # --- What the head and the scripts declare ----------------------------------------------------

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        """Contents of ``<meta>`` by lower-case name, those that say something that is asked for."""
        by_name: dict[str, list[str]] = {}
        asked_for = places_of_metas()
        for name, content in self.head.metas:
            key = name.strip()
            if key in asked_for and (text := clean(content)):
                by_name.setdefault(key, []).append(text)
        return by_name

    @cached_property
    def places(self) -> dict[str, list[Place]]:
        """The meta elements that say something of a field, by its name."""
        by_field: dict[str, list[Place]] = {}
        for name in self.metas:
            for field, place in places_of_metas()[name]:
                by_field.setdefault(field, []).append(place)
        return by_field

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
        return any(_FORUM_ADDRESS.search(address[:300].lower()) for address in self.addresses)

    @cached_property
    def addresses(self) -> list[str]:
        """Addresses of the page, the surest first."""
        known = (self.url, self.head.canonical, self.meta("og:url"))
        return [*dict.fromkeys(filter(None, known))]

    @cached_property
    def host(self) -> str:
        """Host of the page, "" where it is not known."""
        known = (*self.addresses, self.head.base or "")
        return next(filter(None, map(_host_of, known)), "")

    @cached_property
    def targets(self) -> dict[str, list[str]]:
        """Addresses of the links in its head by relation, as they are written."""
        by_relation: dict[str, list[str]] = {}
        for link in self.head.links:
            for relation in link.rel.split():
                by_relation.setdefault(relation, []).append(link.href)
        return by_relation

    def absolute(self, address: str) -> str | None:
        """An address that is as absolute as the page lets it be; None for what is none."""
        return _absolute(address, self._root)

    @cached_property
    def _root(self) -> str | None:
        return _root_of(base_address(self.head), self.url)

    @property
    def licence_in_foot(self) -> str:
        """Address of the first link at the end of the page that is one to its licence, or ""."""
        foot = max(len(self.markup) - _FOOT, 0)  # to search whole pages would take too long
        if self.markup.rfind(_TO_LICENCE, foot) < 0:  # takes half as long as a search forwards
            return ""
        place = self.markup.find(_TO_LICENCE, foot)
        start = self.markup.rfind(b"<", max(place - _LONGEST_TAG, foot), place)
        href = _ANCHOR.match(self.markup, max(start, foot))
        return clean(href[1].decode("utf-8", "replace")) if href else ""

    # --- Elements ---------------------------------------------------------------------------------

    @cached_property
    def elements(self) -> slice:
        """Its elements."""
        return self.table.elements_of(self.page)

    @cached_property
    def _masks(self) -> Hashes:
        """Bits of the groups by which each of its elements is named, <html> and <body> left out."""
        table, elements = self.table, self.elements
        if not {*ATTRIBUTES} <= {*table.attributes}:
            return np.zeros(elements.stop - elements.start, dtype=np.uint64)
        names = table.names[table.elements.bundle[elements]]
        return without_whole_page(table, names, elements)

    @cached_property
    def _groups(self) -> int:
        """Bits of the groups by which any of its elements is named."""
        return int(np.bitwise_or.reduce(self._masks))

    def named(self, group: str) -> list[int]:
        """Elements that are named as a group of `features/class_groups.yaml`, in order."""
        bit = _bits(group)
        if not self._groups & bit:
            return []
        elements = np.flatnonzero(self._masks & np.uint64(bit)) + self.elements.start
        return cast("list[int]", elements.tolist())

    def is_named(self, element: int, group: str) -> bool:
        """Is an element named as a group."""
        return bool(int(self._masks[element - self.elements.start]) & _bits(group))

    @cached_property
    def item_types(self) -> list[str]:
        """Different values of ``itemtype`` in their order."""
        table = self.table
        if "itemtype" not in table.attributes:
            return []
        columns, rows = table.bundle_columns, table.elements.bundle[self.elements]
        column = table.attributes.index("itemtype")
        chosen = dict.fromkeys(rows[columns.says(column)[rows]].tolist())
        return [*dict.fromkeys(columns.value(row, column) or "" for row in chosen)]

    @cached_property
    def times(self) -> dict[int, str]:
        """Element to date of its ``<time>`` elements, in order."""
        if not self.head.times:
            return {}
        first = int(self.table.elements.open[self.elements.start])
        element = self.table.tags.element
        return {int(element[first + tag]): when for tag, when in self.head.times if when}

    def text_of_element(self, element: int) -> str:
        """Text inside an element, clean; "" where it is long."""
        first, last = self._segments_of(element)
        segments = self.table.segments
        if first == last or segments.end[last - 1] - segments.start[first] > _LONGEST_TEXT:
            return ""
        pieces = self._segment_texts(first, min(last, first + _MOST_SEGMENTS))
        return clean(" ".join([piece for _, _, piece in pieces]))

    def _segments_of(self, element: int) -> tuple[int, int]:
        """First of the segments inside an element, and one past the last."""
        tags, page = self._segment_tags, self._segments
        first = bisect_left(tags, self.opens[element], page.start, page.stop)
        return first, bisect_left(tags, self._closes[element], first, page.stop)

    @cached_property
    def _segments(self) -> slice:
        return slice(*(self._segment_starts[at] for at in (self.blocks.start, self.blocks.stop)))

    def block_of_element(self, element: int) -> int:
        """Number on the page of the block with the first text after the start of an element."""
        segment, blocks = self._segments_of(element)[0], self.blocks
        after = bisect_right(self._segment_starts, segment, blocks.start, blocks.stop + 1)
        return int(min(after - 1 - blocks.start, max(self.n_blocks - 1, 0)))

    def inside(self, element: int, others: Collection[int]) -> list[int]:
        """Those of some elements that are inside an element, or it."""
        end = self._closes[element]
        return [other for other in others if other >= element and self._closes[other] <= end]

    parents = _singly("elements.parent")  # (E,) the element around each
    _tags = _singly("elements.tag")
    _elements_of_blocks = _singly("element")
    opens = _singly("elements.open")  # (E,) ordinal of the tag that begins each
    _closes = _singly("elements.close")
    _segment_tags = _singly("segments.tag")
    _segment_starts = _singly("segment_starts")

    # --- The headline, and what is not of the page ------------------------------------------------

    @cached_property
    def first_headings(self) -> list[str]:
        """Texts of the level-one headings, at most a few; in footers and the like only if alone."""
        highest = [block for block, level in self.levels.items() if level == 1]
        both = [(self._is_in_margin(block), self.spaced_text(block, _space)) for block in highest]
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
        for heading, level in self.levels.items() if any(titles) else ():
            is_better_possible = 1 + _FAVOUR / level > best
            if is_better_possible and (score := self._score(heading, titles)) > best:
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
        return next(like, next((n for n, level in self.levels.items() if level == 1), -1))

    @cached_property
    def levels(self) -> dict[int, int]:
        """Numbers of the blocks that are headings, and their levels."""
        of_blocks = self.table.heading_level[self.blocks]
        headings = np.flatnonzero(of_blocks)
        return dict(zip(headings.tolist(), of_blocks[headings].tolist(), strict=True))

    def _score(self, block: int, titles: Sequence[set[str]]) -> float:
        text = self.text(block)
        of_text = {*words(text)} if len(text) <= _LONGEST_TITLE else set()
        likeness = 0.0
        for title in titles:
            if common := len(of_text & title):
                either = len(of_text) + len(title) - common  # a title may be huge
                likeness = max(likeness, common / either)
        return likeness + (_FAVOUR / self.levels[block] if likeness else 0.0)

    @cached_property
    def _around_headline(self) -> frozenset[int]:
        if self.headline_block < 0:
            return frozenset()
        return frozenset(self._up_from(self._element_of(self.headline_block)))

    def _element_of(self, block: int) -> int:
        return int(self._elements_of_blocks[self.blocks.start + block])

    def _up_from(self, element: int) -> Iterator[int]:
        """An element and those around it, at most so many as pages nest in earnest."""
        for _ in range(_MOST_LEVELS):
            yield element
            if (parent := self.parents[element]) == element:
                return
            element = parent

    def _is_in_margin(self, block: int) -> bool:
        """Is a block in a footer or the like."""
        tags = self._tags
        return any(tags[each] in _ASIDE for each in self._up_from(self._element_of(block)))

    def _is_elsewhere(self, element: int) -> bool:
        """Is an element in comments, teasers or margins that do not hold the headline, too."""
        named = self._nearest[element - self.elements.start]
        return named >= 0 and named not in self._around_headline

    @cached_property
    def _nearest(self) -> memoryview[int]:
        """The innermost around each of its elements, or it, that is named as beside it, or -1."""
        groups = _MARGINS if self.is_forum else (*_MARGINS, *_BELOW_TEXT)
        beside = (self._masks & np.uint64(_bits(*groups))) != 0
        own = np.where(beside, np.arange(self.elements.start, self.elements.stop), -1)
        parents = self.table.elements.parent[self.elements] - self.elements.start
        return core.array(core.compiled.handed_down(parents, own, False), np.int64).data

    def of_page(self, elements: Iterable[int]) -> list[int]:
        """Those of some elements that are not in comments, teasers and margins."""
        return [element for element in elements if not self._is_elsewhere(element)]

    def is_own(self, block: int) -> bool:
        """Is a block next to the headline, or else not in comments, teasers and margins."""
        if self.headline_block >= 0 and -_ABOVE <= block - self.headline_block <= _BELOW:
            return True
        return not self._is_elsewhere(self._element_of(block))


@cache
def _bits(*groups: str) -> int:
    return reduce(or_, (int(shipped_words().groups[group]) for group in groups))


# --- Addresses ------------------------------------------------------------------------------------

_LONGEST_ADDRESS: Final = 2_048
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+:")
_PLAIN: Final = re.compile(
    r"https?://[\w.-]+(?::\d+)?/[\w./~%+@,=:!*'()&-]*(?:\?[\w./~%+@,=:!*'()&-]+)?", re.ASCII
)
"""Addresses that are absolute and that nothing changes."""
_PLAIN_HOST: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)")


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
    address = "%20".join(address.split())
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
    address = address[:_LONGEST_ADDRESS].strip()
    if plain := _PLAIN_HOST.match(address):  # to split an address takes eight times as long
        return plain[1].removeprefix("www.")
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return host.lower().removeprefix("www.")
