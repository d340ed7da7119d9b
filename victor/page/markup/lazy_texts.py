"""Texts and attributes that the compiled core gives as columns; objects are made when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, overload

from victor.base import core
from victor.base.arrays import Codes, Ints

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
    """The attributes of m items.

    Args:
        texts: name, value, name, value, and so on of all attributes.
        starts: (m + 1,) int64, the first attribute of each item, and their number.
    """

    __slots__ = ("_starts", "starts", "texts")

    def __init__(self, texts: LazyTexts, starts: Ints) -> None:
        self.texts = texts
        self.starts = starts
        self._starts = starts.data

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
        first, end = self._starts[row], self._starts[row + 1]
        if first == end:
            return NO_ATTRIBUTES
        texts = self.texts
        mapping: Mapping[str, str] = core.compiled.markup_mapping(
            texts.utf8, texts.starts, first, end
        )
        return mapping

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        texts = self.texts
        mappings: list[Mapping[str, str]] = core.compiled.markup_mappings(
            texts.utf8, texts.starts, self.starts, NO_ATTRIBUTES
        )
        return iter(mappings)
