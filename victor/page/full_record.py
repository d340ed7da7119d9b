"""Record everything on a page, numbered as in the stream of lean events.

The lean target of `victor.page.events` sees every event first, exactly as on the hot path; what is
kept beside it is enough to write the page again and to say which block a text belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np

from victor.arrays import Ints
from victor.errors import ConfigError
from victor.page.blocks import BlockTable
from victor.page.events import Bundles, PageTarget, parse
from victor.page.source_lines import NumberedPage, number_lines
from victor.page.tags import VOID, tag_id

_PRE: Final = frozenset({"pre", "listing"})
_NO_ATTRIBUTES: Final[Mapping[str, str]] = {}


class Kind(IntEnum):
    """What an item of a full record is."""

    DOCTYPE = 0
    START = 1
    END = 2
    TEXT = 3
    COMMENT = 4


class Item(NamedTuple):
    """One piece of a page.

    Attributes:
        kind: what it is. Void elements have no end; processing instructions are comments, as in
            the HTML standard.
        text: the element name, the text with entities resolved, or what stands between ``<!--``
            and ``-->`` or between ``<!DOCTYPE`` and ``>``.
        attributes: of a start tag.
        tag: ordinal in the page's lean tag stream of this tag or, of anything else, of the last
            tag before it.
        dropped: part of an element that is dropped before blocks are cut; it has no tags there.
    """

    kind: Kind
    text: str
    attributes: Mapping[str, str]
    tag: int
    dropped: bool


@dataclass(frozen=True, slots=True, eq=False)
class Markup:
    """Everything on a page, in order.

    Attributes:
        items: the pieces.
        n_tags: number of tags in the lean stream of the page.
        alt_text: the ``alt`` of an image is text inside it.
    """

    items: tuple[Item, ...]
    n_tags: int
    alt_text: bool

    def blocks(self, table: BlockTable, page: int) -> Ints:
        """(len(items),) block that each text is part of, -1 for none; as `segments`."""
        return np.append(table.block_of_segment, -1)[self.segments(table, page)]

    def segments(self, table: BlockTable, page: int) -> Ints:
        """(len(items),) segment that each text is, -1 for none.

        The white space around a segment counts as part of it. With `alt_text` an image is part of
        the segment that its alternative text is.

        Raises:
            ConfigError: the table was made of another page or with other options.
        """
        root = table.page_roots[page]
        first, last = int(table.elements.open[root]), int(table.elements.close[root])
        if last + 1 - first != self.n_tags:
            raise ConfigError(
                f"the markup has {self.n_tags} tags but page {page} of the table "
                f"{last + 1 - first}; give the markup that the table was made from"
            )
        segment_of_tag = np.full(self.n_tags + 1, -1, dtype=np.int64)
        inside = np.arange(*np.searchsorted(table.segments.tag, (first, last)))
        segment_of_tag[table.segments.tag[inside] - first] = inside
        tags = (item.tag if self.holds_text(item) else -1 for item in self.items)
        return segment_of_tag[np.fromiter(tags, dtype=np.int64, count=len(self.items))]

    def holds_text(self, item: Item) -> bool:
        """Is an item visible text, or an image whose alternative text counts as such."""
        if item.dropped:
            return False
        is_image = self.alt_text and item.kind is Kind.START and item.text == "img"
        return is_image or item.kind is Kind.TEXT

    def with_pre_lines(self) -> Markup:
        """The record for a table cut with `pre_lines`: newlines inside ``<pre>`` count as tags.

        An image there whose alternative text has several lines goes with the first of them.
        """
        items: list[Item] = []
        added = depth = 0
        for item in self.items:
            if item.dropped or item.kind is not Kind.TEXT or not depth:
                items.append(item._replace(tag=item.tag + added))
                depth += _pre_step(item)
                if depth and self.holds_text(item):
                    added += item.attributes.get("alt", "").count("\n")
                continue
            first, *lines = item.text.split("\n")
            items.append(item._replace(text=first, tag=item.tag + added))
            for line in lines:
                added += 1
                items.append(item._replace(text="\n" + line, tag=item.tag + added))
        return Markup(tuple(items), self.n_tags + added, self.alt_text)

    def with_source_lines(self, page: NumberedPage) -> Markup:
        """The record of a numbered page for a table cut at lines of the source.

        The numbers are taken out of it, and count as tags where another line begins. The first
        tag is that of the line in which the page begins.
        """
        items: list[Item] = []
        added, line = 1, page.opening
        for item in self.items:
            if item.dropped or item.kind is not Kind.TEXT:
                values = {k: page.without_numbers(v) for k, v in item.attributes.items()}
                text = page.without_numbers(item.text)
                items.append(item._replace(text=text, attributes=values, tag=item.tag + added))
                continue
            for number, text in page.pieces(item.text, line):
                added += number != line
                line = number
                items.append(item._replace(text=text, tag=item.tag + added))
        return Markup(tuple(items), self.n_tags + added, self.alt_text)


def record_full(markup: bytes, *, alt_text: bool = False) -> Markup:
    """The full record of one page given as UTF-8 bytes."""
    target = FullTarget(alt_text=alt_text)
    parse(markup, target)
    return target.markup()


def markup_of(table: BlockTable, page: int, markup: bytes) -> Markup:
    """The full record of a page of a table, with the options that the table was made with.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    if table.lines is not None:
        numbered = number_lines(markup)
        return record_full(numbered.markup).with_source_lines(numbered)
    root = table.page_roots[page]
    tags = slice(table.elements.open[root], table.elements.close[root] + 1)
    is_image = table.tags.id[tags] == tag_id("img")
    full = record_full(markup, alt_text=bool((is_image & (table.tags.step[tags] != 0)).any()))
    n_tags = tags.stop - tags.start
    return full if n_tags == full.n_tags else full.with_pre_lines()


_Noted = tuple[Kind, str, Mapping[str, str], int, bool]
"""The fields of an item; its tag is still a position in the list of lean events."""


class FullTarget(PageTarget):
    """Parser target that keeps everything on one page; `markup` returns it at the end.

    Args:
        alt_text: the ``alt`` of an image becomes text inside the image element.
    """

    __slots__ = ("_noted",)

    def __init__(self, *, alt_text: bool = False) -> None:
        super().__init__(Bundles(), alt_text=alt_text)
        self._noted: list[_Noted] = []
        self.start = self._noting_start(self.start)
        self.end = self._noting_end(self.end)
        self.data = self._noting_data(self.data)

    def doctype(self, name: str | None, public: str | None, system: str | None) -> None:
        """A document type declaration."""
        keyword = " PUBLIC" if public is not None else " SYSTEM" if system is not None else ""
        parts = [_quoted(value) for value in (public, system) if value is not None]
        self._add(Kind.DOCTYPE, " ".join([(name or "") + keyword, *parts]))

    def comment(self, text: str) -> None:
        """A comment, or anything that HTML takes for one."""
        self._add(Kind.COMMENT, text)

    def pi(self, target: str, data: str | None = None) -> None:
        """A processing instruction, from versions of the parser that know them."""
        self.comment(f"?{target} {data or ''}")

    def markup(self) -> Markup:
        """All items of the page."""
        self.codes()
        is_tag = [0xD800 <= ord(event[0]) < 0xE000 if event else False for event in self.events]
        # An image with alternative text is two tags, its text is an event between them.
        ordinal = (np.cumsum(is_tag) - 1).tolist()
        items = tuple(
            Item(kind, text, attributes, ordinal[position], dropped)
            for kind, text, attributes, position, dropped in self._noted
        )
        return Markup(items, ordinal[-1] + 1, self._alt_text)

    def _add(self, kind: Kind, text: str) -> None:
        """Note what the lean events do not contain."""
        item = (kind, text, _NO_ATTRIBUTES, self._last(), self._dropped_depth > 0)
        self._noted.append(item)

    def _last(self) -> int:
        """Position of the last lean event that stays."""
        return (self._dropped_at if self._dropped_depth else len(self.events)) - 1

    def _noting_start(
        self, lean: Callable[[str, Mapping[str, str]], None]
    ) -> Callable[[str, Mapping[str, str]], None]:
        events, add = self.events, self._noted.append

        def start(name: str, attributes: Mapping[str, str]) -> None:
            at = len(events)
            lean(name, attributes)
            dropped = self._dropped_depth > 0
            add((Kind.START, name, attributes, self._last() if dropped else at, dropped))

        return start

    def _noting_end(self, lean: Callable[[str], None]) -> Callable[[str], None]:
        add = self._noted.append

        def end(name: str) -> None:
            dropped = self._dropped_depth > 0
            lean(name)
            if name not in VOID:
                add((Kind.END, name, _NO_ATTRIBUTES, self._last(), dropped))

        return end

    def _noting_data(self, lean: Callable[[str], None]) -> Callable[[str], None]:
        add = self._noted.append

        def data(text: str) -> None:
            lean(text)
            add((Kind.TEXT, text, _NO_ATTRIBUTES, self._last(), self._dropped_depth > 0))

        return data


def _pre_step(item: Item) -> int:
    """+1 where preformatted text begins, -1 where it ends."""
    if item.dropped or item.text not in _PRE:
        return 0
    return {Kind.START: 1, Kind.END: -1}.get(item.kind, 0)


def _quoted(identifier: str) -> str:
    quote = "'" if '"' in identifier else '"'
    return f"{quote}{identifier}{quote}"
