"""Records are cut out of a stream of bytes, behind its damages, too.

Where a record does not end as its format asks, its length is not believed: it ends where the next
begins, and its page is noted.
"""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from victor.sources.record import Damage, Page
from victor.sources.unpack import Chunk

HEADER_BYTES: Final = 1 << 16
"""What is longer is no header of a record."""
_STEP: Final = 1 << 16


class Stream:
    """Chunks as one buffer, which remembers where members began and where damages are.

    Attributes:
        data: bytes read ahead.
        at: the current position in them.
    """

    def __init__(self, chunks: Iterator[Chunk], *, is_exact: bool = False) -> None:
        self._chunks, self._is_exact = chunks, is_exact
        self.data, self.at, self._n_before = bytearray(), 0, 0
        self._members, self._faults = [(0, 0)], list[tuple[int, str]]()

    def fill(self, n: int) -> int:
        """Read until n bytes lie ahead, as far as the file goes; returns how many do."""
        while len(self.data) - self.at < n and (chunk := next(self._chunks, None)):
            end = self._n_before + len(self.data)
            if chunk.fault:  # of what precedes, if that is a part of the same member
                self._faults.append((end if chunk.starts else end - 1, chunk.fault))
            elif chunk.starts:
                self._members.append((end, chunk.offset))
            self.data += chunk.data
        return len(self.data) - self.at

    def ahead(self, n: int, start: int = 0) -> bytes:
        """At most n bytes from a distance on, of those that were read."""
        with memoryview(self.data) as data:  # a slice of an array is a copy, too
            return bytes(data[self.at + start : self.at + start + n])

    def move(self, n: int) -> None:
        """Go on by at most n bytes that were read ahead."""
        self.at = min(self.at + n, len(self.data))
        if self.at > _STEP:
            del self.data[: self.at]
            self._n_before += self.at
            self.at = 0

    def skip(self, these: bytes) -> bool:
        """Go on behind some bytes; is anything left."""
        while self.fill(1):
            ahead = self.ahead(64)
            rest = ahead.lstrip(these)
            self.move(len(ahead) - len(rest))
            if rest:
                return True
        return False

    def seek(
        self, first: re.Pattern[bytes] | None, keep: int = 0, most: int = sys.maxsize
    ) -> tuple[int, bytes]:
        """Go on to where a pattern begins, but no farther than `most` bytes, or to the end.

        Returns:
            How many bytes that were, and the first `keep` of them.
        """
        size, kept, found = 0, bytearray(), None
        while not found and (ahead := min(self.fill(_STEP + HEADER_BYTES), _STEP, most - size)):
            at = self.at
            found = first and first.search(self.data, at, at + ahead + HEADER_BYTES)
            step = min(ahead, found.start() - at) if found else ahead
            found = found if step < ahead else None
            kept += self.ahead(min(step, keep - len(kept)))
            self.move(step)
            size += step
        return size, bytes(kept)

    @property
    def n_read(self) -> int:
        """How many unpacked bytes are before the current one."""
        return self._n_before + self.at

    def _member(self) -> tuple[int, int]:
        """The byte of the file where a member began last, and how many of its bytes precede."""
        while len(self._members) > 1 and self._members[1][0] <= self.n_read:
            del self._members[0]
        began, offset = self._members[0]
        return offset, self.n_read - began

    @property
    def position(self) -> int:
        """The current byte of the file; in a member, how many bytes of it precede, added to it."""
        return sum(self._member())

    @property
    def origin(self) -> int:
        """The current byte of the file, or the first one of the member."""
        return self.position if self._is_exact else self._member()[0]

    def fault(self, n: int = 0) -> str:
        """What is wrong with the bytes before those that lie n bytes ahead, and was not told."""
        return "; ".join(message for at, message in self._faults if at < self.n_read + n)

    def told(self, n: int = 0) -> str:
        """The same, once."""
        fault = self.fault(n)
        self._faults = [each for each in self._faults if each[0] >= self.n_read + n]
        return fault


class Header(NamedTuple):
    """The header of a record."""

    size: int
    length: int | None  # of the block after it
    fields: Mapping[str, Any]  # by lower-case name
    is_checked: bool = False  # by a sum, so that a length is believed unseen


class Cutter(ABC):
    """Cuts records of a format out of a stream.

    Args:
        source: name of the input.
        limit: bytes of a body; of a longer one, one byte more is kept.
        end: byte from which on records are those of the next stretch; None for no such byte.
    """

    first: ClassVar[re.Pattern[bytes]]  # how a record begins
    gap: ClassVar[bytes]  # what follows its block
    between: ClassVar[bytes]  # what else may be between two records
    look: ClassVar[int] = 64  # bytes after a record in which the next has to begin
    reason: ClassVar[str]  # of damages

    def __init__(self, source: str, limit: int, end: int | None = None) -> None:
        self.source, self.limit = source, limit
        self._end = sys.maxsize if end is None else end

    @abstractmethod
    def header(self, data: bytearray, line: re.Match[bytes]) -> Header | None:
        """The header that begins with this match, if it is whole."""

    @abstractmethod
    def page(self, place: int, header: Header, block: bytes, fault: str) -> Page:
        """The page of a record, with its fault if it has one; or why it holds none."""

    def damage(self, place: int, message: str, header: Header | None = None) -> Damage:
        """A place that gives no page, or the record there."""
        url = header.fields.get("url") if header else None
        return Damage(self.source, place, self.reason, message, url)

    def pages(self, stream: Stream, *, goes_on: bool = False) -> Iterator[Page]:
        """The pages of a stream, which may begin in a record of another stretch."""
        if goes_on and stream.fill(1):
            stream.move(1)
            stream.seek(self.first)
        while stream.skip(self.between):
            place = stream.position
            if fault := stream.told(1):
                yield self.damage(place, fault)
            stream.fill(HEADER_BYTES)
            line = self.first.match(stream.data, stream.at)
            if line and stream.origin >= self._end:
                return
            header = self.header(stream.data, line) if line else None
            if header is None:
                stream.move(1)
                stream.seek(self.first)
                yield self.damage(place, stream.told() or f"no record at byte {place}")
                continue
            stream.move(header.size)
            block, fault = self._block(stream, header)
            if damage := stream.told():
                message = f"the record at byte {place} cannot be trusted: {damage}"
                yield self.damage(place, message, header)
            else:
                yield self.page(place, header, block, fault)
        if fault := stream.told(1):
            yield self.damage(stream.position, fault)

    def _block(self, stream: Stream, header: Header) -> tuple[bytes, str]:
        """The block that begins here, and what is wrong with its length; goes on behind it.

        Of a long one not all is kept. It and one of a wrong length end where the next header is.
        """
        length, most = header.length, self.limit + HEADER_BYTES
        if length is None:
            _, block = stream.seek(self.first, most)
            return block.removesuffix(self.gap), "does not say its length"
        is_long = length > most
        if not is_long and self._ends(stream, length):
            block = stream.ahead(length)
            stream.move(length)
            return block, ""
        if is_long and header.is_checked:
            size, block = stream.seek(None, most, length)
            is_wrong = False
        else:
            size, block = stream.seek(self.first, most)
            is_wrong = not is_long or size > length + self.look
        if size < length:
            fault = f"breaks off: {length} bytes expected, {size} found"
        else:
            fault = "does not end where its length says" if is_wrong else ""
        return block.removesuffix(self.gap) if fault else block, fault

    def _ends(self, stream: Stream, length: int) -> bool:
        """Does a block of this length end where one may.

        Garbage may follow it, and empty lines may be missing. But both are also what a length looks
        like that is too large and has swallowed a part of what follows.
        """
        n_ahead = stream.fill(length + self.look + HEADER_BYTES)
        tail = stream.ahead(self.look, length)
        following = tail.lstrip(self.between)
        size = length + len(tail) - len(following)
        if n_ahead < length or stream.fault(size):
            return False
        has_gap = tail.startswith(self.gap)
        has_next = not following or bool(self.first.match(stream.data, stream.at + size))
        if has_gap and has_next:
            return True
        if not (has_gap or has_next):
            return False
        end = stream.at + length
        inside = self.first.search(stream.data, stream.at, end + HEADER_BYTES)
        return inside is None or inside.start() >= end
