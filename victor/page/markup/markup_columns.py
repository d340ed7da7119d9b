"""All markup of a page as columns; strings are made when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, overload

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.page.parsing.events import prepared
from victor.page.parsing.tags import VOID, member_mask

NO_ATTRIBUTES: Final[Mapping[str, str]] = {}
"""Those of everything that has none."""


class LazyTexts(Sequence[str]):
    """n texts in UTF-8, one after the other.

    Args:
        utf8: uint8, all of them.
        starts: (n + 1,) int64, where each begins and the last ends.
    """

    __slots__ = ("_bytes", "_starts", "starts", "utf8")

    def __init__(self, utf8: Codes, starts: Ints) -> None:
        self.utf8 = utf8
        self.starts = starts
        self._bytes = utf8.data
        self._starts = starts.data

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        return str(self._bytes[self._starts[row] : self._starts[row + 1]], "utf-8")

    def __iter__(self) -> Iterator[str]:
        texts: list[str] = core.compiled.markup_texts(self.utf8, self.starts)
        return iter(texts)


class LazyAttributes(Sequence[Mapping[str, str]]):
    """The attributes of m items; those asked about one by one are kept.

    Args:
        texts: name, value, name, value, and so on of all attributes.
        starts: (m + 1,) int64, the first attribute of each item, and their number.
        n_players: frames, videos and sounds among what is dropped, if these are no items.
    """

    __slots__ = ("_made", "_starts", "n_players", "starts", "texts")

    def __init__(self, texts: LazyTexts, starts: Ints, n_players: int = 0) -> None:
        self.texts = texts
        self.starts = starts
        self.n_players = n_players
        self._starts = starts.data
        self._made: dict[int, Mapping[str, str]] = {}

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Mapping[str, str]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | list[Mapping[str, str]]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        if self._starts[row] == self._starts[row + 1]:
            return NO_ATTRIBUTES
        made = self._made.get(row)
        if made is None:
            made = self._made[row] = self._mappings(row, row + 1)[0]
        return made

    def valued(self, name: str, part: str) -> dict[int, str]:
        """As the function; no other attribute is read."""
        columns = self.texts.utf8, self.texts.starts, self.starts
        values: dict[int, str] = core.compiled.markup_valued(*columns, name.encode(), part.encode())
        return values

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return iter(self._mappings(0, len(self)))

    def _mappings(self, first: int, end: int) -> list[Mapping[str, str]]:
        columns = self.texts.utf8, self.texts.starts, self.starts
        mappings: list[Mapping[str, str]] = core.compiled.markup_mappings(
            *columns, first, end, NO_ATTRIBUTES
        )
        return mappings


def valued(attributes: Sequence[Mapping[str, str]], name: str, part: str = "") -> dict[int, str]:
    """Item and value of every attribute of some name whose value holds a part, in order."""
    if isinstance(attributes, LazyAttributes):
        return attributes.valued(name, part)
    pairs = enumerate(attributes)
    return {row: each[name] for row, each in pairs if name in each and part in each[name]}


class MarkupColumns(NamedTuple):
    """The m items of a page; what they are says `victor.page.markup.full_record.Markup`.

    Attributes:
        kind: (m,) uint8.
        tag: (m,) int64.
        dropped: (m,) bool.
        texts, attributes: of each item.
        n_tags: in the lean stream of the page.
    """

    kind: Codes
    tag: Ints
    dropped: Bools
    texts: LazyTexts
    attributes: LazyAttributes
    n_tags: int


def markup_columns(markup: bytes, *, alt_text: bool = False) -> MarkupColumns:
    """Record one page.

    Args:
        markup: the page as UTF-8 bytes; one that is no UTF-8 becomes U+FFFD.
        alt_text: the ``alt`` of an image is text inside it.
    """
    *columns, n_tags = _recorded(markup, alt_text, False)
    arrays = [core.array(*column) for column in zip(columns, _TYPES, strict=True)]
    kind, tag, dropped, text, text_starts, value, value_starts, attribute_starts = arrays
    attributes = LazyAttributes(LazyTexts(value, value_starts), attribute_starts)
    texts = LazyTexts(text, text_starts)
    return MarkupColumns(kind, tag, dropped, texts, attributes, n_tags)


def start_tags(markup: bytes) -> LazyAttributes:
    """Attributes of every start tag of a page in order, ``<br>`` and dropped elements left out.

    Args:
        markup: the page as UTF-8 bytes.
    """
    *columns, n_players = _recorded(markup, False, True)
    values, value_starts, starts = map(core.array, columns, (np.uint8, np.int64, np.int64))
    return LazyAttributes(LazyTexts(values, value_starts), starts, n_players)


def _recorded(markup: bytes, alt_text: bool, only_attributes: bool) -> tuple[Any, ...]:
    options = member_mask(VOID), alt_text, only_attributes
    recorded: tuple[Any, ...] | None = core.compiled.markup_record(prepared(markup), *options)
    if recorded is None:
        return _recorded(markup.decode("utf-8", "replace").encode(), alt_text, only_attributes)
    return recorded


_TYPES: Final = (
    *(np.uint8, np.int64, np.bool_),
    *(np.uint8, np.int64) * 2,
    np.int64,
)
