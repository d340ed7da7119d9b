"""Segments of a stream: bytes without a fault between them, read ahead as far as needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from victor.sources.decompress import Chunk

STEP: Final = 1 << 16
"""Bytes in which long stretches of data are skipped."""


class Segment:
    """Bytes between two positions where something certainly begins anew.

    Attributes:
        data: bytes read ahead.
        at: the current position in them.
        fault: what is wrong at the end of the segment; empty if nothing is, or not read yet.
        is_exact: positions in the stream are those of the bytes, not of what they are packed in.
    """

    def __init__(self, chunks: Lookahead) -> None:
        self._chunks = chunks
        self.is_exact = True
        self._forgotten = 0
        self._offsets: list[tuple[int, int]] = []  # of bytes here, and of them in the stream
        self.data = bytearray()
        self.at = 0
        self.fault = ""
        self._append(chunks.take())

    @property
    def position(self) -> int:
        """The current position in the stream; of packed bytes, that of what they are packed in."""
        start, offset = self._offset()
        return offset + (self._forgotten + self.at - start if self.is_exact else 0)

    @property
    def where(self) -> str:
        """The current position in words."""
        start, offset = self._offset()
        into = self._forgotten + self.at - start
        if self.is_exact or not into:
            return f"byte {offset + into}"
        return f"byte {into} of what is packed at byte {offset}"

    def fill(self, n: int) -> int:
        """Read until n bytes lie ahead; returns how many do."""
        while len(self.data) - self.at < n and not self.fault:
            if self._chunks.next is None or self._chunks.next.starts:
                break
            self._append(self._chunks.take())
        return len(self.data) - self.at

    def ahead(self, start: int, end: int) -> bytes:
        """The bytes between two distances from the current position that have been read."""
        return bytes(self.data[self.at + start : self.at + end])

    def move(self, n: int) -> None:
        """Go on by n bytes that have been read ahead."""
        self.at += n
        if self.at > STEP:
            self._offset()
            del self.data[: self.at]
            self._forgotten += self.at
            self.at = 0

    def skip(self, n: int) -> int:
        """Go on by n bytes, or to the end; returns how many there were."""
        left = n
        while left and (step := min(self.fill(STEP), left)):
            self.move(step)
            left -= step
        return n - left

    def _offset(self) -> tuple[int, int]:
        """The last known pair of offsets up to the current position; forgets those before."""
        while len(self._offsets) > 1 and self._offsets[1][0] <= self._forgotten + self.at:
            del self._offsets[0]
        return self._offsets[0]

    def _append(self, chunk: Chunk) -> None:
        self.is_exact = chunk.is_exact
        is_known = self._offsets and (chunk.is_exact or self._offsets[-1][1] == chunk.offset)
        if not is_known:
            self._offsets.append((self._forgotten + len(self.data), chunk.offset))
        self.data += chunk.data
        self.fault = chunk.fault


class Lookahead:
    """Chunks, of which the next can be seen.

    Attributes:
        next: the next chunk, None at the end.
    """

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks = chunks
        self.next = next(chunks, None)

    def take(self) -> Chunk:
        """The next chunk, which there has to be."""
        chunk, self.next = self.next, next(self._chunks, None)
        assert chunk is not None
        return chunk


AnySegment = TypeVar("AnySegment", bound=Segment)


def segments(chunks: Iterator[Chunk], kind: type[AnySegment]) -> Iterator[AnySegment]:
    """The segments of a stream; each is to be read to its end before the next is asked for."""
    ahead = Lookahead(chunks)
    while ahead.next is not None:
        yield kind(ahead)
