"""Record everything on a page, numbered as in the stream of lean events.

What is kept is enough to write the page again; ordinals of tags, counted as the lean target of
`victor.page.parsing.events` does, say which block a text belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.base.errors import ConfigError
from victor.base.lazy import cached_property
from victor.page.parsing.source_lines import NumberedPage, number_lines
from victor.page.parsing.tags import IDS, LINE, PAGE, VOID, member_mask
from victor.page.table.blocks import BlockTable

_PRE: Final = frozenset({"pre", "listing"})
_TYPES: Final = (np.uint8, np.int64, np.bool_, np.uint8, np.int64, np.int64)
"""Of the columns that the core gives."""


class Kind(IntEnum):
    """What an item of a full record is."""

    DOCTYPE = 0
    START = 1
    END = 2
    TEXT = 3
    COMMENT = 4


class Item(NamedTuple):
    """One piece of a page."""

    kind: Kind
    """What it is. Void elements have no end; processing instructions are comments, as in the
    HTML standard."""
    text: str
    """The element name, the text with entities resolved, or what stands between ``<!--`` and
    ``-->`` or between ``<!DOCTYPE`` and ``>``."""
    attributes: Mapping[str, str]  # of a start tag
    tag: int
    """Ordinal in the page's lean tag stream of this tag or, of anything else, of the last tag
    before it."""
    dropped: bool  # part of an element that is dropped before blocks are cut; it has no tags there


class Markup(Struct, frozen=True, eq=False, dict=True):
    """Everything on a page, in order; m items."""

    kind: Codes  # (m,) uint8 `Kind` of each item
    texts: Sequence[str]  # (m,) as `Item.text`
    attributes: Sequence[Mapping[str, str]]  # (m,) as `Item.attributes`
    tag: Ints  # (m,) int64 as `Item.tag`
    dropped: Bools  # (m,) bool as `Item.dropped`
    n_tags: int  # number of tags in the lean stream of the page
    alt_text: bool  # the ``alt`` of an image is text inside it

    @classmethod
    def of(cls, items: Sequence[Item], n_tags: int, *, alt_text: bool) -> Markup:
        """The record of some items."""
        return cls(
            kind=np.array([item.kind for item in items], dtype=np.uint8),
            texts=[item.text for item in items],
            attributes=[item.attributes for item in items],
            tag=np.array([item.tag for item in items], dtype=np.int64),
            dropped=np.array([item.dropped for item in items], dtype=bool),
            n_tags=n_tags,
            alt_text=alt_text,
        )

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The pieces, for those who look at each several times."""
        return tuple(self.each())

    def each(self) -> Iterator[Item]:
        """The pieces one by one."""
        kinds = [*Kind]
        columns = self.kind.tolist(), self.texts, self.attributes
        rows = zip(*columns, self.tag.tolist(), self.dropped.tolist(), strict=True)
        for kind, text, attributes, tag, dropped in rows:
            yield Item(kinds[kind], text, attributes, tag, dropped)

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
        tags = table.tags_of(page)
        if tags.stop - tags.start != self.n_tags:
            raise ConfigError(
                f"the markup has {self.n_tags} tags but page {page} of the table "
                f"{tags.stop - tags.start}; give the markup that the table was made from"
            )
        segment_of_tag = np.full(self.n_tags + 1, -1, dtype=np.int64)
        inside = np.arange(*np.searchsorted(table.segments.tag, (tags.start, tags.stop)))
        segment_of_tag[table.segments.tag[inside] - tags.start] = inside
        holds_text = self.kind == Kind.TEXT
        if self.alt_text:
            images = np.array([text == "img" for text in self.texts], dtype=bool)
            holds_text |= (self.kind == Kind.START) & images
        return segment_of_tag[np.where(holds_text & ~self.dropped, self.tag, -1)]

    def holds_text(self, item: Item) -> bool:
        """Is an item visible text, or an image whose alternative text counts as such."""
        if item.dropped:
            return False
        is_image = self.alt_text and item.kind is Kind.START and item.text == "img"
        return is_image or item.kind is Kind.TEXT

    def valued(self, name: str, part: str = "") -> dict[int, str]:
        """Item and value of every attribute of some name whose value holds a part, in order."""
        return valued(self.attributes, name, part)

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
        return Markup.of(items, self.n_tags + added, alt_text=self.alt_text)

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
        return Markup.of(items, self.n_tags + added, alt_text=self.alt_text)


def record_full(markup: bytes, *, alt_text: bool = False) -> Markup:
    """The full record of one page.

    Args:
        markup: the page as UTF-8 bytes; one that is no UTF-8 becomes U+FFFD.
        alt_text: the ``alt`` of an image is text inside it.
    """
    valid, columns = recorded(markup, alt_text=alt_text)
    return _as_markup(valid, columns, alt_text=alt_text)


def _as_markup(markup: bytes, recorded: Sequence[Any], *, alt_text: bool) -> Markup:
    *columns, n_tags = recorded
    kind, tag, dropped, *of_texts, places = map(core.array, columns, _TYPES)
    texts = core.compiled.markup_texts(*of_texts)
    return Markup(kind, texts, LazyAttributes(markup, places), tag, dropped, n_tags, alt_text)


def markup_of(table: BlockTable, page: int, markup: bytes) -> Markup:
    """The full record of a page of a table, with the options that the table was made with.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    if table.lines is not None:
        numbered = number_lines(markup)
        return record_full(numbered.markup).with_source_lines(numbered)
    tags = table.tags_of(page)
    full = record_full(markup, alt_text=has_alt_texts(table, page))
    return full if tags.stop - tags.start == full.n_tags else full.with_pre_lines()


def has_alt_texts(table: BlockTable, page: int) -> bool:
    """Is any of the images of a page an element, which holds its alternative text."""
    tags = table.tags_of(page)
    is_image = table.tags.id[tags] == IDS["img"]
    return bool((is_image & (table.tags.step[tags] != 0)).any())


def _pre_step(item: Item) -> int:
    """+1 where preformatted text begins, -1 where it ends."""
    if item.dropped or item.text not in _PRE:
        return 0
    return {Kind.START: 1, Kind.END: -1}.get(item.kind, 0)


# --- The attributes of start tags: mappings are made when asked for -------------------------------

Attributes = Mapping[str, str]
_NONE: Final[Attributes] = {}
_UNCOUNTED: Final = frozenset({"br", LINE, PAGE})
"""Tags without attributes of interest, of which some cuts of a page have more than others."""


class LazyAttributes(Sequence[Attributes]):
    """The attributes of m items; those asked about one by one are kept.

    Args:
        markup: the page, valid UTF-8.
        places: (m,) int64, where the attributes of each item are in it, 0 for none.
    """

    __slots__ = ("_made", "_markup", "_places")

    def __init__(self, markup: bytes, places: Ints) -> None:
        self._markup, self._places = markup, places
        self._made: dict[int, Attributes] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> Attributes:  # type: ignore[override]  # nobody slices it
        made = self._made.get(index)
        if made is None:
            row = range(len(self))[index]
            made = self._made[index] = self._mappings(self._places[row : row + 1])[0]
        return made

    def __iter__(self) -> Iterator[Attributes]:
        return iter(self._mappings(self._places))

    def _mappings(self, places: Ints) -> list[Attributes]:
        mappings: list[Attributes] = core.compiled.markup_attributes(self._markup, places, _NONE)
        return mappings

    def may_have(self, length: int) -> list[int]:
        """The items that may have a value of so many characters, each a byte or more."""
        rows = np.flatnonzero(self._places)
        room = np.diff(self._places[rows], append=len(self._markup))
        found: list[int] = rows[room >= length].tolist()
        return found

    def values(self, name: str, rows: Ints | slice = slice(None)) -> list[str | None]:
        """What some items have as an attribute; no other attribute is resolved."""
        values: list[str | None] = core.compiled.markup_values(
            self._markup, self._places[rows], name
        )
        return values


def valued(attributes: Sequence[Attributes], name: str, part: str = "") -> dict[int, str]:
    """Item and value of every attribute of some name whose value holds a part, in order."""
    if isinstance(attributes, LazyAttributes):
        values = attributes.values(name)
    else:
        values = [each.get(name) for each in attributes]
    return {row: value for row, value in enumerate(values) if value is not None and part in value}


def recorded(
    markup: bytes, *, alt_text: bool = False, only_places: bool = False
) -> tuple[bytes, Any]:
    """What `of_utf8` gives of the record of a page."""
    return of_utf8(core.compiled.markup_record, markup, alt_text, only_places)


def of_utf8(stage: Callable[..., Any], markup: bytes, *options: object) -> tuple[bytes, Any]:
    """A page and what a stage of the core makes of it; one that is no UTF-8 has U+FFFD in it."""
    columns = stage(markup, *options)
    if columns is None:
        markup = markup.decode("utf-8", "replace").encode()
        columns = stage(markup, *options)
    return markup, columns


def mentions(markup: bytes, words: Sequence[bytes]) -> bool:
    """Does a page hold one of a few words, whatever the case of its ASCII letters.

    Args:
        markup: the page as UTF-8 bytes.
        words: at most 64 of at least 4 bytes each, in lower case.
    """
    return bool(core.compiled.markup_mentions(markup, tuple(words)))


class StartTags:
    """The attributes of the start tags of one page, by the ordinals of its table.

    Args:
        table: of one page.
        markup: the page as UTF-8 bytes.
        places: of its start tags, as `BlockTable.places` has them; where they are those of another
            page the page is read again.
    """

    def __init__(self, table: BlockTable, markup: bytes, places: Ints) -> None:
        if not len(places) or places[-1] != len(markup):
            markup, (memory, _) = recorded(markup, only_places=True)
            places = core.array(memory, np.int64)
        # An image that holds its alternative text has an end, too.
        counted = (table.tags.step >= 0) & ~member_mask(_UNCOUNTED)[table.tags.id]
        of_tags = np.zeros(len(counted), dtype=np.int64)
        if np.count_nonzero(counted) == len(places) - 1:  # else the markup is of another page
            of_tags[counted] = places[:-1]
        self._attributes = LazyAttributes(markup, of_tags)

    def of(self, tag: int) -> Attributes:
        """Attributes of a start tag or void element, given its ordinal; none of other tags."""
        return self._attributes[tag]

    def values(self, name: str, tags: Ints) -> list[str | None]:
        """What some tags have as an attribute."""
        return self._attributes.values(name, tags)

    def valued(self, name: str) -> dict[int, str]:
        """Ordinal and value of every start tag with an attribute."""
        return valued(self._attributes, name)


def players(markup: bytes) -> Markup:
    """The record of all tags of frames, videos and sounds of a page, which are dropped."""
    valid, (_, columns) = recorded(markup, only_places=True)
    return _as_markup(valid, columns, alt_text=False)


# --- A page without the parts that cannot hold text -----------------------------------------------

_STAYS: Final = "title"  # no block comes from it, but a valid page has one
_VOID_OBJECTS: Final = frozenset({"bgsound", "embed"})


def precleaned(full: Markup) -> Markup:
    """The record of a page without what holds no text of it.

    Scripts, styles, embedded objects with what they show in their place, and all other elements
    from which no block comes go, but for the title; so do comments, links to style sheets, and the
    attributes that hold styles or scripts.
    """
    items = [_trimmed(item) for item in _staying(full.items)]
    return Markup.of(items, full.n_tags, alt_text=full.alt_text)


def _staying(items: tuple[Item, ...]) -> Iterator[Item]:
    """The items outside of comments and removed elements; a space for an object amid text."""
    depth, outermost, in_object = 0, "", 0
    for item in items:
        if item.text == "object" and item.kind in {Kind.START, Kind.END}:
            in_object += 1 if item.kind is Kind.START else -1
            if not in_object:
                yield item._replace(kind=Kind.TEXT, text=" ", attributes={}, dropped=True)
            continue
        if in_object:
            continue
        if item.dropped and item.kind is Kind.START and not depth:
            outermost = item.text
        if item.dropped and item.text not in VOID:
            depth += {Kind.START: 1, Kind.END: -1}.get(item.kind, 0)
        if _is_void_object(item):
            yield item._replace(kind=Kind.TEXT, text=" ", attributes={}, dropped=True)
        elif item.kind is not Kind.COMMENT and (not item.dropped or outermost == _STAYS):
            yield item


def _is_void_object(item: Item) -> bool:
    """Is it an embedded object, or a link to a style sheet, that has no end."""
    if item.dropped or item.kind is not Kind.START:
        return False
    kinds = item.attributes.get("rel", "").lower().split() if item.text == "link" else ()
    return item.text in _VOID_OBJECTS or "stylesheet" in kinds


def _trimmed(item: Item) -> Item:
    """A start tag without the attributes that hold styles or scripts."""
    if not any(map(_is_code, item.attributes)):
        return item
    attributes = {k: value for k, value in item.attributes.items() if not _is_code(k)}
    return item._replace(attributes=attributes)


def _is_code(attribute: str) -> bool:
    return attribute == "style" or attribute.startswith("on")
