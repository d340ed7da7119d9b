"""Ranges of WARC files, each to be read by itself: by whom, and in which order, changes nothing.

A range holds the records that begin in it. Its borders are where records begin: in a file of gzip
members, each a record of its own, at a member that inflates to the beginning of a record; in one
that is not packed, at the first line of a record. Both may stand inside a record by accident, or
because it holds a WARC. So reading a range tells where the record after it was met; where that is
not the border, the next range has to be read from there instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import IO, Final

from victor.sources.decompress import GZIP, find_member
from victor.sources.inputs import UNKNOWN, Input, ReadOptions, is_remote, opened
from victor.sources.record import Item, Page, damage
from victor.sources.streams import (
    HEAD_BYTES,
    WARC_START,
    compression_magic,
    kind_of_stream,
    read_up_to,
)
from victor.sources.warc import range_items

RANGE_BYTES: Final = 1 << 22
"""Of a file: what borders are apart at least, and about what memory the records of a range need."""
_LONGEST_MEMBER: Final = 8 * RANGE_BYTES
"""A file whose first member is longer is not packed record by record."""
_FIRST_LINE: Final = re.compile(rb"\nWARC/\d\.\d\d?\r?\n[A-Za-z]")
_LINE_BYTES: Final = len(b"\nWARC/0.17\r\nW")
_STEP: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class Range:
    """A range of a WARC file.

    Attributes:
        head: first bytes of the file, which tell how it is packed.
        start: byte where reading begins.
        end: where the first record behind the range should begin; None for the end of the file.
    """

    head: bytes
    start: int
    end: int | None


def head_of(source: Input, options: ReadOptions) -> bytes | None:
    """The first bytes of an input that can be read in ranges; None if it cannot."""
    if is_remote(source.name) or source.kind not in ("warc", UNKNOWN):
        return None
    if not os.path.isfile(source.name):
        return None
    try:
        with opened(source.name) as stream:
            head = read_up_to(stream, HEAD_BYTES)
            if kind_of_stream(source, head, options) != "warc":
                return None
            magic = compression_magic(source, head)
            return magic[: len(WARC_START)] if _has_borders(stream, magic) else None
    except OSError:
        return None


def _has_borders(stream: IO[bytes], head: bytes) -> bool:
    if not head.startswith(GZIP):
        return head.startswith(WARC_START)
    if os.fstat(stream.fileno()).st_size <= RANGE_BYTES:
        return True
    return find_member(stream, 1, WARC_START, _LONGEST_MEMBER) < _LONGEST_MEMBER


def ranges(source: Input, head: bytes, start: int = 0) -> Iterator[Range]:
    """The ranges of an input, from a byte on where one begins; the file alone says where they end.

    If the input cannot be read any more, whoever reads the last range will tell.
    """
    find = _next_member if head.startswith(GZIP) else _next_line
    at = start
    with suppress(OSError), opened(source.name) as stream:
        size = os.fstat(stream.fileno()).st_size
        while (border := find(stream, (at // RANGE_BYTES + 1) * RANGE_BYTES)) < size:
            yield Range(head, at, border)
            at = border
    yield Range(head, at, None)


def _next_member(stream: IO[bytes], start: int) -> int:
    return find_member(stream, start, WARC_START)


def _next_line(stream: IO[bytes], start: int) -> int:
    """The position of the next line that begins a record, else that of the end."""
    at = start - 1  # of the newline before
    stream.seek(at)
    waiting = b""
    while data := stream.read(_STEP):
        waiting += data
        line = _FIRST_LINE.search(waiting)
        if line:
            return at + line.start() + 1
        rest = len(waiting) - min(len(waiting), _LINE_BYTES - 1)
        waiting, at = waiting[rest:], at + rest
    return at + len(waiting)


class RangeReader:
    """Reads the pages of a range, and its damages; once.

    Args:
        source: the file.
        options: how to read.
        range: of the file.

    Attributes:
        met: where the first record behind the range was met, once all was read; None if the file
            ends before.
    """

    def __init__(self, source: Input, options: ReadOptions, range: Range) -> None:
        self._source, self._options, self._range = source, options, range
        self.met: int | None = None

    def __iter__(self) -> Iterator[Page]:
        """Records and damages, numbered from 0."""
        with closing(self.items()) as items:
            for number, item in enumerate(items):
                yield item(self._source.name, number)

    def items(self) -> Generator[Item, None, None]:
        """The same, for whoever wants to know that an item comes before it is made."""
        part = self._range
        try:
            with opened(self._source.name) as stream:
                self.met = yield from range_items(
                    stream, part.head, self._options, part.start, part.end
                )
        except OSError as error:
            yield damage("unreadable", f"cannot be read: {error.strerror or error}")
