"""Bytes of packed files, as they are wanted: no bomb is unpacked farther than it is read.

A file is a row of gzip members or zstandard frames. Behind a damage, reading goes on at the next
one that begins as expected: libraries give up there. Each call of a decoder gets so few bytes that
only little can come out of them, so what precedes a damage is lost within `_STEPS` bytes of it.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from io import BytesIO
from typing import IO, Any, Final, NamedTuple

from victor.base import optional

GZIP: Final = b"\x1f\x8b\x08"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZSTD_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""With this begins the dictionary that may stand before the frames of a WARC."""
BZ2: Final = b"BZh"
XZ: Final = b"\xfd7zXZ\x00"
PACKED: Final = (GZIP, ZSTD, ZSTD_DICTIONARY, BZ2, XZ)
_SKIPPABLE: Final = b"\x2a\x4d\x18"
_STEPS: Final = {GZIP: 1 << 11, ZSTD: 1 << 7}
"""Packed bytes a call: 2 KB of deflate hold 2 MB at most, blocks of four bytes 128 KB each."""
_HEAD: Final = 1 << 12
_BLOCK: Final = 1 << 17
_PROBE: Final = 1 << 15
_MOST_DICTIONARY: Final = 1 << 23
"""Bytes that the convention asks readers to accept, packed or not."""
_MOST_REREAD: Final = 1 << 26
"""What is read again in search of swallowed members, beyond twice what was read."""

Starts = Callable[[bytes], bool]
"""Do these bytes begin something new."""


class Chunk(NamedTuple):
    """Bytes that follow those of the chunk before.

    Attributes:
        data: the bytes, unpacked.
        offset: byte of the file where they begin, or where their member does.
        starts: something new begins here, whatever stood before.
        fault: what is wrong if the file is damaged after these bytes, else empty.
    """

    data: bytes
    offset: int
    starts: bool = False
    fault: str = ""


class Members:
    """A file of gzip members or zstandard frames.

    Args:
        file: the file, in which it can seek.
        head: its first bytes, which tell how it is packed.
        starts: which members begin something new; after a damage only such a member counts.

    Raises:
        ValueError: it begins with a dictionary that cannot be read.
    """

    def __init__(self, file: IO[bytes], head: bytes, starts: Starts = bool) -> None:
        self._file, self.starts = file, starts
        self._data, self._from = b"", -1
        self._magic, self.begin = GZIP, 0
        self._errors: tuple[type[Exception], ...] = (zlib.error, EOFError)
        self._decoder: Callable[[], Any] = lambda: zlib.decompressobj(31)
        if not head.startswith(GZIP):
            zstandard = optional.load("zstandard", extra="crawl")
            self._magic, self._errors = ZSTD, (zstandard.ZstdError, EOFError)
            dictionary = None
            if head.startswith(ZSTD_DICTIONARY):
                dictionary, self.begin = self._dictionary(zstandard)
            self._decoder = lambda: zstandard.ZstdDecompressor(dictionary).decompressobj()

    def _dictionary(self, zstandard: Any) -> tuple[Any, int]:  # noqa: ANN401  (it has no types)
        """The dictionary before the frames, packed or not (IIPC, Zstandard for WARC files 1.0)."""
        self._file.seek(0)
        size = int.from_bytes(self._file.read(8)[4:], "little")
        stored = self._file.read(min(size, _MOST_DICTIONARY))
        data, fault = bytearray(), "it breaks off" if len(stored) < size else ""
        packed = Members(BytesIO(stored), ZSTD).chunks(0) if stored.startswith(ZSTD) else None
        for chunk in packed or [Chunk(stored, 0)]:
            data += chunk.data
            fault = fault or chunk.fault
            if max(size, len(data)) > _MOST_DICTIONARY:
                raise ValueError(f"it has more than {_MOST_DICTIONARY} bytes")
        if fault:
            raise ValueError(fault)
        try:
            made = zstandard.ZstdCompressionDict(bytes(data), zstandard.DICT_TYPE_FULLDICT)
            zstandard.ZstdDecompressor(made).decompressobj()  # reads it
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from None
        return made, 8 + size

    def _bytes(self, at: int, n: int) -> bytes:
        """At most n bytes from a place on. Who goes forward never seeks: packed files cannot."""
        offset = at - self._from
        if not 0 <= offset <= len(self._data):
            self._file.seek(at)
            self._data, offset = b"", 0
        if offset + n > len(self._data):
            self._data = self._data[offset:] + self._file.read(max(n, _BLOCK))
            self._from, offset = at, 0
        return self._data[offset : offset + n]

    def find(self, at: int, stop: int = sys.maxsize) -> int | None:
        """Where the next member begins something new, from `at` on; None if none before `stop`."""
        while at < stop:
            block = self._bytes(at, _BLOCK)
            index = block.find(self._magic)
            if len(block) < len(self._magic):
                return None
            if index < 0:
                at += max(len(block) - len(self._magic) + 1, 1)
            elif self.starts(self._probe(at + index)):
                return at + index if at + index < stop else None
            else:
                at += index + 1
        return None

    def _probe(self, at: int) -> bytes:
        """The first bytes of a member, empty if it is none."""
        decoder, data, step = self._decoder(), b"", _STEPS[self._magic]
        with suppress(*self._errors):
            for start in range(at, at + _PROBE, step):
                data += decoder.decompress(self._bytes(start, step))
                if data or decoder.eof:
                    break
        return data

    def chunks(self, start: int) -> Iterator[Chunk]:
        """The bytes of the members from a byte on."""
        at, reread = max(start, self.begin), 0
        while True:
            gap = at = self._after_padding(at)
            if not (head := self._bytes(at, 8)):
                return
            if self._magic == ZSTD and head[1:4] == _SKIPPABLE and len(head) == 8:
                at += 8 + int.from_bytes(head[4:], "little")
                continue
            broken, begun = f"no packed member at byte {at}", False
            if head.startswith(self._magic):
                end, broken, begun = yield from self._member(at)
                if not broken:
                    at = end
                    continue
                gap, reread = at + 1, reread + end - at
                if reread > 2 * (end - start) + _MOST_REREAD:
                    gap = end
            found = self.find(gap)
            behind = "nothing behind it" if found is None else f"read on at byte {found}"
            # What was begun ends here; what was not is none of what precedes.
            yield Chunk(b"", at, not begun, f"{broken}; {behind}")
            if found is None:
                return
            at = found

    def _member(self, start: int) -> Generator[Chunk, None, tuple[int, str, bool]]:
        """The bytes of one member; returns its end, or where and how it is damaged, if it began."""
        decoder, at, begun, step = self._decoder(), start, False, _STEPS[self._magic]
        while not decoder.eof:
            packed = self._bytes(at, step)
            try:
                if not packed:
                    raise EOFError("it breaks off")
                data = decoder.decompress(packed)
            except self._errors as error:
                reason = str(error).rpartition(": ")[2]
                return at, f"damaged member at byte {start} ({reason})", begun
            at += len(packed)
            if data:
                yield Chunk(data, start, not begun and self.starts(data))
                begun = True
        return at - len(decoder.unused_data), "", begun

    def _after_padding(self, at: int) -> int:
        while (block := self._bytes(at, 64)) and not block[0]:
            at += len(block) - len(block.lstrip(b"\0"))
        return at


def chunks(file: IO[bytes], head: bytes, starts: Starts = bool) -> Iterator[Chunk]:
    """The bytes of a file, unpacked if its first bytes say that it is packed."""
    if head.startswith((GZIP, ZSTD, ZSTD_DICTIONARY)):
        return Members(file, head, starts).chunks(0)
    if head.startswith(BZ2):
        return raw_chunks(bz2.BZ2File(file))
    return raw_chunks(lzma.LZMAFile(file) if head.startswith(XZ) else file)


def beginning(file: IO[bytes]) -> tuple[bytes, bytes]:
    """The first bytes of a file, and what they unpack to as far as they are sound."""
    file.seek(0)
    head = file.read(_HEAD)
    if not head.startswith(PACKED):
        return head, head
    file.seek(0)
    try:
        return head, next(
            (each.data for each in chunks(file, head) if each.data or each.fault), b""
        )
    except ValueError:
        return head, b""


def raw_chunks(file: Any, start: int = 0) -> Iterator[Chunk]:  # noqa: ANN401  (what has `read`)
    """The bytes of a file as it gives them, from where it stands."""
    offset = start
    try:
        while data := file.read(1 << 16):
            yield Chunk(data, offset, offset == start)
            offset += len(data)
    except (OSError, EOFError, lzma.LZMAError) as error:
        yield Chunk(b"", offset, offset == start, f"cannot be read after byte {offset}: {error}")


class Stream:
    """Chunks as one buffer that ends at marks: where something new begins, or behind a damage.

    Attributes:
        data: bytes read ahead.
        at: the current position in them.
        fault: what is wrong at the end of this segment; empty if nothing is, or not read yet.
    """

    def __init__(self, chunks: Iterator[Chunk], *, is_exact: bool = False) -> None:
        self._chunks, self._next = chunks, next(chunks, None)
        self.data, self.at, self.fault, self._is_exact = bytearray(), 0, "", is_exact
        self._base, self._forgotten = 0, 0

    def begin(self) -> bool:
        """Go on to the next segment; is there one."""
        while self.skip(1 << 20):
            pass
        if self._next is None:
            return False
        self.data, self.at, self.fault = bytearray(), 0, ""
        self._base, self._forgotten = self._next.offset, 0
        self._append()
        return True

    def _append(self) -> None:
        chunk = self._next
        assert chunk is not None, "there is a chunk"
        self._next = next(self._chunks, None)
        self.data += chunk.data
        self.fault = chunk.fault

    @property
    def position(self) -> int:
        """The current byte of the file; in a member, how many bytes of it precede, added to it."""
        return self._base + self._forgotten + self.at

    @property
    def origin(self) -> int:
        """The current byte of the file, or the first one of the member."""
        return self.position if self._is_exact else self._base

    @property
    def where(self) -> str:
        """The current position in words."""
        if self._is_exact or not self._forgotten + self.at:
            return f"byte {self.position}"
        return f"byte {self._forgotten + self.at} of what is packed at byte {self._base}"

    def fill(self, n: int) -> int:
        """Read until n bytes lie ahead, as far as the segment goes; returns how many do."""
        while len(self.data) - self.at < n and not self.fault:
            if self._next is None or self._next.starts:
                break
            self._append()
        return len(self.data) - self.at

    def ahead(self, n: int, start: int = 0) -> bytes:
        """At most n bytes from a distance on, of those that were read."""
        return bytes(self.data[self.at + start : self.at + start + n])

    def move(self, n: int) -> None:
        """Go on by n bytes that were read ahead."""
        self.at += n
        if self.at > 1 << 16:
            del self.data[: self.at]
            self._forgotten += self.at
            self.at = 0

    def skip(self, n: int) -> int:
        """Go on by n bytes, or to the end of the segment; returns how many there were."""
        left = n
        while left and (step := min(self.fill(min(left, 1 << 16)), left)):
            self.move(step)
            left -= step
        return n - left

    def read(self, n: int) -> bytes:
        """At most n bytes across segments, for whoever takes this for a file.

        Raises:
            EOFError: a damage precedes.
        """
        while not self.fill(n):
            if self.fault:
                raise EOFError(self.fault)
            if not self.begin():
                return b""
        data = self.ahead(n)
        self.move(len(data))
        return data
