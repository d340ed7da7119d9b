"""Parse markup in one pass and without a tree, into one string of text and private tag codes.

The tokeniser of the core knows the tokens of the HTML standard, and which element ends or implies
which other as libxml2 2.14 has it. Text stays as it comes; every start or end tag is one lone
surrogate, a code point that text can never hold because it would be U+FFFD there. The codes are
the only thing later stages read, so nothing is lost after a stray ``</html>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntFlag
from itertools import islice
from typing import TYPE_CHECKING, AnyStr, Final, overload

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Ints, ReadOnlyColumns
from victor.base.lazy import cached_property
from victor.page.parsing.heads import Head, Heads, noted_head

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines

TAG_BASE: Final = 0xD800  # code of tag id i: base + 3 i + one of the three kinds below
OPEN: Final = 0
CLOSE: Final = 1
OPEN_WITH_ATTRIBUTES: Final = 2
"""A start tag whose attributes of interest follow: one more code point, 0x10000 + bundle row."""
BUNDLE_BASE: Final = 0x10000
MOST_BUNDLES: Final = 0xF0000 - 1

ATTRIBUTES: Final = (
    "class", "id", "role", "itemprop", "itemtype", "property", "style", "hidden", "aria-hidden",
)  # fmt: skip
"""Attributes that features read; a bundle is the tuple of their values, None where absent."""

LENGTH: Final = "#length"
"""Pseudo-attribute of every start tag that has attributes: how many characters they have.

They count with their entities resolved, each with a space, an equals sign and two quotes.
"""

_TEX: Final = "math/tex"
_COLUMNS: Final = (
    "codes", "bundles.values", "bundles.offsets", "notes.rows", "notes.values", "notes.bytes",
    "starts", "notes.starts", "page_signs",
)  # fmt: skip
"""What the core gives of an event stream, in order."""
_NOTED_ELEMENTS: Final = ("base", "html", "link", "meta", "script", "table", "td", "time", "title")
_NOTED: Final = (
    "property", "name", "itemprop", "http-equiv", "content", "rel", "href", "type", "hreflang",
    "title", "lang", "xml:lang", "datetime", "border", "width", "role", "colspan", "rowspan",
    "text",
)  # fmt: skip
"""Elements and attributes by their numbers in notes, as in core/parsing/head_notes.h."""


class AltText(IntFlag):
    """Which images become elements that may hold their alternative text."""

    NONE = 0
    ELSEWHERE = 1
    """Those outside of links hold it."""
    IN_LINKS = 2
    """Those inside ``<a href>`` hold it."""
    ALL = 3
    BUNDLED = 4
    """All are elements, whose attributes are recorded."""


class Events(Struct, frozen=True, eq=False):
    """The event stream of a batch of pages."""

    codes: NDArray[np.uint32]
    """(N,) uint32; text code points and tag codes. Every page is one balanced ``#page`` element."""
    page_starts: Ints  # (P + 1,) int64 positions in `codes`
    attributes: tuple[str, ...]  # names of the recorded attributes
    bundles: Sequence[Bundle]  # their values by bundle row
    heads: Sequence[Head]  # (P,) what each page declares
    lines: SourceLines | None = None
    """Lines of the sources, if they were recorded (`victor.page.parsing.source_lines`)."""


def record(
    pages: Iterable[bytes],
    *,
    alt_text: AltText | bool = AltText.NONE,
    attributes: tuple[str, ...] = ATTRIBUTES,
) -> Events:
    """Events of a batch of pages given as UTF-8 bytes; a page without markup or text is empty.

    Args:
        pages: their markup; a byte that is no UTF-8 becomes U+FFFD.
        alt_text: the images whose ``alt`` becomes text inside the image element; True for all.
        attributes: which attributes make a bundle, and `LENGTH`. Names are ASCII without spaces,
            below 64 characters.

    Raises:
        ValueError: an attribute has another name.
    """
    pages = [*pages]
    mode = int(AltText.ALL if alt_text is True else alt_text)
    found = core.compiled.events((*pages,), attributes, mode, MOST_BUNDLES)
    if found is None:
        valid = [page.decode("utf-8", "replace").encode() for page in pages]
        return record(valid, alt_text=alt_text, attributes=attributes)
    columns = dict(zip(_COLUMNS, found, strict=True))
    return Events(
        codes=core.array(columns["codes"], np.uint32),
        page_starts=core.array(columns["starts"], np.int64),
        attributes=attributes,
        bundles=bundles_of(columns.__getitem__, len(attributes)),
        heads=heads_of(columns.__getitem__, len(pages)),
    )


def bundles_of(column: Callable[[str], memoryview], width: int) -> Sequence[Bundle]:
    """The bundles of a batch with so many attributes, given what gives its columns by name."""
    if not width:
        return ()
    values, offsets = column("bundles.values"), column("bundles.offsets")
    return BundleColumns(core.array(values, np.uint8), core.array(offsets, np.int64), width)


def heads_of(column: Callable[[str], memoryview], n_pages: int) -> Heads:
    """The heads of pages, of the notes that the core took.

    Args:
        column: gives a column of the notes by its name.
        n_pages: number of the pages.
    """
    rows, values, text = map(column, ("notes.rows", "notes.values", "notes.bytes"))
    starts = core.array(column("notes.starts"), np.int64)
    return Heads(_NotedHeads([rows, values, text], starts), range(n_pages))


class _NotedHeads:
    """Makes the heads of pages of which the core took notes, each once.

    Args:
        notes: three arrays as the core has them.
        starts: (P + 1,) int64 where the notes of each page begin.
    """

    def __init__(self, notes: list[memoryview], starts: Ints) -> None:
        rows, values, self._text = notes
        self._rows = core.array(rows, np.int64).reshape(-1, 3)
        self._values = core.array(values, np.int64).reshape(-1, 3)
        self._starts = starts
        self._made: dict[int, Head] = {}

    def __call__(self, page: int) -> Head:
        head = self._made.get(page)
        if head is None:
            self._made[page] = head = noted_head(
                self._notes(*self._starts[page : page + 2].tolist())
            )
        return head

    def _notes(self, first: int, end: int) -> Iterator[tuple[str, dict[str, str], int]]:
        """Name of the element, attributes and number of each of some notes."""
        elements, numbers, ends = self._rows[first:end].T.tolist()
        start = int(self._rows[first - 1, 2]) if first else 0
        names, starts, stops = self._values[start : ends[-1] if ends else start].T.tolist()
        offset = starts[0] if starts else 0
        text = bytes(memoryview(self._text)[offset : stops[-1]]) if starts else b""
        texts = [text[a - offset : b - offset].decode() for a, b in zip(starts, stops, strict=True)]
        values = zip(map(_NOTED.__getitem__, names), texts, strict=True)
        for element, number, stop in zip(elements, numbers, ends, strict=True):
            yield _NOTED_ELEMENTS[element], dict(islice(values, stop - start)), number
            start = stop


def is_tex(name: str, attributes: Mapping[str, str]) -> bool:
    """Does an element hold TeX for MathJax 2; it is then no dropped one but an annotation."""
    return name == "script" and attributes.get("type", "").lower().startswith(_TEX)


# --- The values of a few attributes of each element, as columns or as tuples ----------------------

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
        self._found: dict[bytes, Ints] = {}
        self._says: dict[int, Bools] = {}

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

    def says(self, number: int) -> Bools:
        """(B + 1,) is an attribute there, and not empty; False for row -1."""
        if number not in self._says:
            starts = self.offsets[number : -1 : self.width]
            ends = self.offsets[number + 1 :: self.width]
            self._says[number] = np.append(ends - starts > 1, False)
        return self._says[number]

    def rows_with(self, text: bytes) -> Ints:
        """Rows of which some value holds a text; makes no strings, which takes long.

        A text is looked for once, whatever page of a batch asks.
        """
        if text not in self._found:
            starts = [match.start() for match in re.finditer(re.escape(text), self.values.data)]
            cells = np.searchsorted(self.offsets, starts, side="right") - 1
            rows = sorted({*(cells // self.width).tolist()})  # `np.unique` loads masked arrays
            self._found[text] = np.array(rows, dtype=np.int64)
        return self._found[text]

    def _strings(self, starts: Ints, ends: Ints) -> list[str | None]:
        """The values in some extents."""
        encoded = self.values.data
        return [
            None if a == b else str(encoded[a : b - 1], "utf-8")
            for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

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


def places(written: AnyStr, text: AnyStr) -> Iterator[int]:
    """Where a text stands; it does not overlap itself."""
    start = written.find(text)
    while start >= 0:
        yield start
        start = written.find(text, start + len(text))
