"""Bundles of attributes: the values of a few attributes of an element, as columns or as tuples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import AnyStr, overload

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints, ReadOnlyColumns, span_indices
from victor.base.lazy import cached_property

Bundle = tuple[str | None, ...]
"""Values in the order of the attributes, None where absent; the empty tuple has none."""


class BundleColumns(ReadOnlyColumns, Sequence[Bundle]):
    """Bundles that become tuples when they are asked for; equal to the sequence of these.

    Args:
        values: (V,) uint8 UTF-8 of all values, bundle by bundle, a space after each.
        offsets: (B * width + 1,) int64 where each value begins in `values`, and the end; what is
            absent has not even the space.
        width: number of attributes, at least 1.
    """

    def __init__(self, values: NDArray[np.uint8], offsets: Ints, width: int) -> None:
        self.values = values
        self.offsets = offsets
        self.width = width
        self._columns: dict[int, list[str | None]] = {}
        self._found: dict[tuple[bytes, ...], Ints] = {}

    @classmethod
    def of(cls, bundles: Sequence[Bundle], width: int) -> BundleColumns:
        """Bundles of so many attributes as columns, which they may be already."""
        if isinstance(bundles, BundleColumns):
            return bundles
        values = [value for row in bundles for value in row or (None,) * width]
        written = ["" if value is None else f"{value} " for value in values]
        encoded = [value.encode("utf-8", "surrogatepass") for value in written]
        offsets = np.cumsum([0, *map(len, encoded)])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets, width)

    def column(self, number: int) -> list[str | None]:
        """(B,) values of one attribute."""
        if number not in self._columns:
            starts, ends = (
                self.offsets[number : -1 : self.width],
                self.offsets[number + 1 :: self.width],
            )
            self._columns[number] = self._strings(starts, ends)
        return self._columns[number]

    def value(self, row: int, number: int) -> str | None:
        """One value, without making strings of the others."""
        start, end = self.offsets[row * self.width + number :][:2].tolist()
        return None if start == end else str(self.values.data[start : end - 1], "utf-8")

    def rows_with(self, *texts: bytes) -> Ints:
        """Rows of which some value has one of some texts; makes no strings, which takes long.

        The same texts are looked for once, whatever page of a batch asks.
        """
        if texts not in self._found:
            self._found[texts] = self._rows_with(texts)
        return self._found[texts]

    def _rows_with(self, texts: tuple[bytes, ...]) -> Ints:
        starts = [start for text in texts for start in places(self.written, text)]
        if not starts:  # as on most pages
            return np.zeros(0, dtype=np.int64)
        # `np.unique` would load masked arrays when a process starts.
        after = sorted({*np.searchsorted(self.offsets, starts, side="right").tolist()})
        return (np.array(after, dtype=np.int64) - 1) // self.width

    def only(self, rows: Ints) -> BundleColumns:
        """Some of the bundles."""
        cells = (rows[:, None] * self.width + np.arange(self.width)).ravel()
        lengths = self.offsets[cells + 1] - self.offsets[cells]
        values = self.values[span_indices(self.offsets[cells], lengths)]
        return BundleColumns(values, np.append(0, np.cumsum(lengths)), self.width)

    def _strings(self, starts: Ints, ends: Ints) -> list[str | None]:
        """The values in some extents."""
        encoded = self.values.data
        return [
            None if a == b else str(encoded[a : b - 1], "utf-8")
            for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

    @cached_property
    def written(self) -> bytes:
        """All values, to be searched at once: to make strings of them takes long."""
        return self.values.tobytes()

    @cached_property
    def _rows(self) -> tuple[Bundle, ...]:
        columns = zip(*map(self.column, range(self.width)), strict=True)
        nothing = (None,) * self.width
        return tuple(() if row == nothing else row for row in columns)

    def __len__(self) -> int:
        return (len(self.offsets) - 1) // self.width

    @overload
    def __getitem__(self, row: int) -> Bundle: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Bundle, ...]: ...
    def __getitem__(self, row: int | slice) -> Bundle | tuple[Bundle, ...]:
        return self._rows[row]

    def __iter__(self) -> Iterator[Bundle]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._rows == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"BundleColumns{self._rows!r}"


def rows_with(bundles: Sequence[Bundle], *texts: bytes) -> Ints:
    """Rows of some bundles of which some value has one of some texts."""
    if isinstance(bundles, BundleColumns):
        return bundles.rows_with(*texts)
    parts = [text.decode() for text in texts]
    rows = [
        row
        for row, bundle in enumerate(bundles)
        if any(part in value for value in bundle if value for part in parts)
    ]
    return np.array(rows, dtype=np.int64)


def places(written: AnyStr, text: AnyStr) -> Iterator[int]:
    """Where a text stands; it does not overlap itself."""
    start = written.find(text)
    while start >= 0:
        yield start
        start = written.find(text, start + len(text))
