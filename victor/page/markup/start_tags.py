"""The attributes of all start tags of a page: mappings are made when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from victor.base import core
from victor.base.arrays import Codes, Ints
from victor.page.parsing.events import prepared
from victor.page.parsing.tags import LINE, PAGE, VOID, member_mask
from victor.page.table.blocks import BlockTable

Attributes = Mapping[str, str]
_NONE: Final[Attributes] = {}
_UNCOUNTED: Final = frozenset({"br", LINE, PAGE})
"""Tags without attributes of interest, of which some cuts of a page have more than others."""


class LazyAttributes(Sequence[Attributes]):
    """The attributes of m items; those asked about one by one are kept.

    Args:
        utf8: uint8, names and values in turn, one after the other.
        text_starts: int64, where each name and value begins and the last ends.
        starts: (m + 1,) int64, the first attribute of each item, and their number.
        n_players: frames, videos and sounds among what is dropped, if these are no items.
    """

    __slots__ = ("_columns", "_made", "_starts", "n_players", "utf8")

    def __init__(self, utf8: Codes, text_starts: Ints, starts: Ints, n_players: int = 0) -> None:
        self.utf8 = utf8
        self.n_players = n_players
        self._columns = utf8, text_starts, starts
        self._starts = starts.data
        self._made: dict[int, Attributes] = {}

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> Attributes:  # type: ignore[override]  # nobody slices it
        row = range(len(self))[index]
        if self._starts[row] == self._starts[row + 1]:
            return _NONE
        made = self._made.get(row)
        if made is None:
            made = self._made[row] = self._mappings(row, row + 1)[0]
        return made

    def __iter__(self) -> Iterator[Attributes]:
        return iter(self._mappings(0, len(self)))

    def _mappings(self, first: int, end: int) -> list[Attributes]:
        mappings: list[Attributes] = core.compiled.markup_mappings(
            *self._columns, first, end, _NONE
        )
        return mappings

    def valued(self, name: str, part: str) -> dict[int, str]:
        """As the function; no other attribute is read."""
        values: dict[int, str] = core.compiled.markup_valued(
            *self._columns, name.encode(), part.encode()
        )
        return values

    def with_long_values(self, first: str, least: int) -> list[int]:
        """Items with a value of so many bytes that begins with one of some ASCII characters."""
        utf8, text_starts, starts = self._columns
        begins, ends = text_starts[1:-1:2], text_starts[2::2]
        (long,) = (ends - begins >= least).nonzero()
        if not len(long):  # as on most pages
            return []
        chosen = long[np.isin(utf8[begins[long]], [*first.encode()])]
        found: list[int] = np.searchsorted(starts, chosen, side="right").tolist()
        return sorted({row - 1 for row in found})


def valued(attributes: Sequence[Attributes], name: str, part: str = "") -> dict[int, str]:
    """Item and value of every attribute of some name whose value holds a part, in order."""
    if isinstance(attributes, LazyAttributes):
        return attributes.valued(name, part)
    pairs = enumerate(attributes)
    return {row: each[name] for row, each in pairs if name in each and part in each[name]}


def start_tags(markup: bytes) -> LazyAttributes:
    """Attributes of every start tag of a page in order, ``<br>`` and dropped elements left out.

    Args:
        markup: the page as UTF-8 bytes.
    """
    *columns, n_players = recorded(markup, only_attributes=True)
    utf8, text_starts, starts = map(core.array, columns, (np.uint8, np.int64, np.int64))
    return LazyAttributes(utf8, text_starts, starts, n_players)


def recorded(markup: bytes, *, alt_text: bool = False, only_attributes: bool = False) -> Any:  # noqa: ANN401
    """What the core makes of a page; one that is no UTF-8 is read with U+FFFD in it."""
    options = member_mask(VOID), alt_text, only_attributes
    columns = core.compiled.markup_record(prepared(markup), *options)
    if columns is None:
        valid = prepared(markup.decode("utf-8", "replace").encode())
        columns = core.compiled.markup_record(valid, *options)
    return columns


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
        attributes: of its start tags; those of another page, or none at all, belong to no tag.
    """

    def __init__(self, table: BlockTable, attributes: Sequence[Attributes]) -> None:
        # An image that holds its alternative text has an end, too.
        counted = (table.tags.step >= 0) & ~member_mask(_UNCOUNTED)[table.tags.id]
        rows = np.where(counted, np.cumsum(counted) - 1, -1)
        is_of_page = int(rows.max(initial=-1)) + 1 == len(attributes)
        self._row_of_tag = (rows if is_of_page else np.full_like(rows, -1)).data
        self._tag_of_row = np.flatnonzero(rows >= 0) if is_of_page else rows[:0]
        self._attributes = attributes

    @property
    def may_have_players(self) -> bool:
        """May the page have frames, videos or sounds, which are dropped."""
        return not isinstance(self._attributes, LazyAttributes) or self._attributes.n_players > 0

    def of(self, tag: int) -> Attributes:
        """Attributes of a start tag or void element, given its ordinal; none of other tags."""
        row = self._row_of_tag[tag]
        return self._attributes[row] if row >= 0 else _NONE

    def valued(self, name: str, part: str = "") -> dict[int, str]:
        """Ordinal and value of every start tag with an attribute whose value holds a part."""
        tags = self._tag_of_row
        if not len(tags):
            return {}
        values = valued(self._attributes, name, part)
        return {int(tags[row]): value for row, value in values.items()}
