"""Decompression of streams; after a damaged gzip member, reading goes on at the next one.

A file of gzip members is read from any stream, forward only. After a damage, the next member that
begins as expected is looked for from one byte after the beginning of the damaged one: inflating
that may have run into sound ones. So the compressed bytes of the current member are kept, at most
`_HISTORY` of them. Neither zlib nor fastwarc does this: both give up at the first damage, and
fastwarc drops what it has inflated before it. Packed JSONL and tar files need it as well as WARC.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import IO, Any, Final, NamedTuple

from victor.base import optional

_CHUNK: Final = 1 << 15
_RAW_CHUNK: Final = 1 << 16
_ZSTD_CHUNK: Final = 1 << 7
"""Small, since nothing bounds what comes out: blocks of four bytes that hold 128 KB each."""
_XZ_MEMORY: Final = 1 << 27
"""The strongest level of xz asks for half of it; what a file asks for is set aside at once."""
_MOST_OUT: Final = 1 << 20
"""Bytes inflated in one go, however well they were compressed."""
_HISTORY: Final = 1 << 23
_MOST_REREAD: Final = 1 << 26
_PROBE: Final = 1 << 10
_MAGIC: Final = b"\x1f\x8b\x08"
_SHORTEST: Final = 18
"""Bytes of a gzip member with nothing in it."""
_MOST_WHOLE: Final = 1 << 23
"""Bytes of a member that is inflated in one go, packed or not."""
_NEXT: Final = b"!"
_NEXT_MEMBER: Final = gzip.compress(_NEXT, mtime=0)
_GZIP_ONLY: Final = 31
"""Window bits with which zlib expects a gzip header."""
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZSTD_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""With this begins the dictionary that may stand before the frames of a WARC."""
_MOST_DICTIONARY: Final = 1 << 23
"""Bytes that the convention asks readers to accept, packed or not."""
BZ2: Final = b"BZh"
XZ: Final = b"\xfd7zXZ\x00"


class Chunk(NamedTuple):
    """Bytes that follow those of the chunk before.

    Attributes:
        data: the bytes, uncompressed.
        offset: byte of the stream where they begin, or where their gzip member does.
        starts: something new begins here, whatever stood before.
        fault: what is wrong if the stream is damaged after these bytes, else empty.
        is_exact: the offset is that of the bytes, not that of what they are packed in.
    """

    data: bytes
    offset: int
    starts: bool
    fault: str = ""
    is_exact: bool = False


def chunks(stream: IO[bytes], head: bytes, member: bytes = b"") -> Iterator[Chunk]:
    """The bytes of a stream, decompressed.

    Args:
        stream: packed with gzip, zstandard, bzip2 or xz, or not.
        head: its first bytes, which tell that.
        member: with what a gzip member or zstandard frame begins that starts something new.
    """
    if head.startswith(GZIP):
        return gzip_chunks(stream, member)
    if head.startswith(ZSTD):
        return zstd_chunks(stream, member)
    if head.startswith(ZSTD_DICTIONARY):
        return _dictionary_chunks(stream, member)
    if head.startswith(BZ2):
        return raw_chunks(bz2.BZ2File(stream))
    if head.startswith(XZ):
        return raw_chunks(_XzFile(stream))
    return raw_chunks(stream)


class _XzFile:
    """The content of an xz file. Unlike that of the standard library it bounds its dictionary."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._packed = b""
        self._decoder: lzma.LZMADecompressor | None = None

    def read(self, n: int) -> bytes:
        """At most n bytes; none at the end.

        Raises:
            OSError, EOFError, LZMAError: it is damaged, breaks off or needs too much memory.
        """
        data = b""
        while not data:
            if self._decoder is None or self._decoder.eof:
                if not self._next_stream(is_first=self._decoder is None):
                    break
            elif self._decoder.needs_input and not self._fill():
                raise EOFError("it breaks off")
            assert self._decoder is not None, "a stream has begun"
            data, self._packed = self._decoder.decompress(self._packed, n), b""
            if self._decoder.eof:
                self._packed = self._decoder.unused_data
        return data

    def _next_stream(self, *, is_first: bool) -> bool:
        """Begin a stream, if there is one behind the padding; garbage after the first is none."""
        while self._packed or self._fill():
            self._packed = self._packed if is_first else self._packed.lstrip(b"\0")
            if self._packed:
                break
        if len(self._packed) < len(XZ):
            self._packed += self._stream.read(_CHUNK)
        if not is_first and not self._packed.startswith(XZ):
            return False
        self._decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
        return True

    def _fill(self) -> bool:
        self._packed = self._stream.read(_CHUNK)
        return bool(self._packed)


def raw_chunks(stream: IO[bytes] | _XzFile, start: int = 0) -> Iterator[Chunk]:
    """A stream as it is, from where it stands; `start` is its position there."""
    offset = start
    while True:
        try:
            data = stream.read(_RAW_CHUNK)
        except (OSError, EOFError, lzma.LZMAError) as error:
            fault = f"cannot be read after byte {offset}: {error}"
            yield Chunk(b"", offset, offset == start, fault, is_exact=True)
            return
        if not data:
            return
        yield Chunk(data, offset, offset == start, is_exact=True)
        offset += len(data)


def gzip_chunks(
    stream: IO[bytes], head: bytes = b"", start: int = 0, end: int | None = None
) -> Iterator[Chunk]:
    """A stream of gzip members, inflated.

    Args:
        stream: the compressed bytes.
        head: with what a member begins that starts something new; after a damage only such a
            member counts. Others continue what the one before began, all of them if it is empty.
        start: the position of the stream, from where it is read.
        end: a position where something new starts. If a member ends there, the last chunk is an
            empty one at this position.
    """
    window, at = _Window(stream, start), start
    while True:
        at = window.after_zeros(at)
        if at == end:
            yield Chunk(b"", at, True)
            return
        if window.ahead(at, len(_MAGIC)) == _MAGIC:
            at = yield from _member(window, at, head)
        elif window.ahead(at, 1):
            garbage, at = at, window.find_member(at, head)
            fault = f"no gzip member at byte {garbage}; read on at byte {at}"
            yield Chunk(b"", garbage, True, fault)
        else:
            break
    if window.error:
        yield Chunk(b"", at, True, f"cannot be read after byte {at}: {window.error}")


def find_member(stream: IO[bytes], start: int, head: bytes, stop: int | None = None) -> int:
    """The position of the next gzip member that inflates to the head.

    Args:
        stream: compressed bytes, which it can seek in.
        start: from where it is looked for.
        head: with what the member begins.
        stop: a position behind which none is looked for.

    Returns:
        The position, that of the end if there is none, or one from `stop` on.
    """
    stream.seek(start)
    return _Window(stream, start).find_member(start, head, stop)


def zstd_chunks(
    stream: IO[bytes],
    head: bytes = b"",
    decompressor: Any = None,  # noqa: ANN401  (zstandard has no types)
    start: int = 0,
) -> Iterator[Chunk]:
    """A stream of zstandard frames, decompressed; it ends at the first damage.

    Args:
        stream: the compressed bytes.
        head: with what a frame begins that starts something new; none does if it is empty.
        decompressor: one that has the dictionary of the frames; None if they need none.
        start: the position of the stream, from where it is read.
    """
    zstandard = optional.load("zstandard", extra="crawl")
    decompressor = decompressor or zstandard.ZstdDecompressor()
    frame, at, packed, fault = decompressor.decompressobj(), start, b"", ""
    begun = False  # has anything come out of the frame
    while not fault:
        try:
            packed = frame.unused_data or stream.read(_ZSTD_CHUNK)
            if frame.eof and packed:
                frame, begun = decompressor.decompressobj(), False
            data = frame.decompress(packed) if packed else b""
        except (OSError, zstandard.ZstdError) as error:
            data, fault = b"", f"is damaged after byte {at}: {error}"
        if not (packed or fault):
            if frame.eof or at == start:
                return
            fault = f"breaks off at byte {at}"
        starts = bool(head) and not begun and (bool(fault) or data.startswith(head))
        yield Chunk(data, at, starts or at == start, fault)
        begun = begun or bool(data)
        at += len(packed) - len(frame.unused_data)


def _dictionary_chunks(stream: IO[bytes], head: bytes) -> Iterator[Chunk]:
    """The frames after a dictionary (IIPC, Zstandard Compression for WARC Files 1.0)."""
    zstandard = optional.load("zstandard", extra="crawl")
    n_header = len(ZSTD_DICTIONARY) + 4
    size = int.from_bytes(stream.read(n_header)[-4:], "little")
    try:
        dictionary = zstandard.ZstdCompressionDict(
            _dictionary(stream, size), zstandard.DICT_TYPE_FULLDICT
        )
        decompressor = zstandard.ZstdDecompressor(dictionary)
        decompressor.decompressobj()  # reads the dictionary
    except (ValueError, zstandard.ZstdError) as error:
        yield Chunk(b"", 0, True, f"has no dictionary that can be read: {error}")
        return
    yield from zstd_chunks(stream, head, decompressor, n_header + size)


def _dictionary(stream: IO[bytes], size: int) -> bytes:
    """The dictionary in so many bytes, packed or not; ValueError if it is damaged or too long."""
    too_long = f"it has more than {_MOST_DICTIONARY} bytes"
    if size > _MOST_DICTIONARY:
        raise ValueError(too_long)
    stored = stream.read(size)
    if len(stored) < size:
        raise ValueError("it breaks off")
    if not stored.startswith(ZSTD):
        return stored
    dictionary = bytearray()
    for piece in zstd_chunks(io.BytesIO(stored)):
        dictionary += piece.data
        if piece.fault or len(dictionary) > _MOST_DICTIONARY:
            raise ValueError(f"it {piece.fault}" if piece.fault else too_long)
    return bytes(dictionary)


def _member(window: _Window, start: int, head: bytes) -> Generator[Chunk, None, int]:
    """The chunks of one member; returns where to read on."""
    if head and (whole := _whole_member(window, start)):
        data, end = whole
        yield Chunk(data, start, data.startswith(head))
        window.keep(end)
        return end
    inflater, at, begun, waiting = zlib.decompressobj(_GZIP_ONLY), start, False, b""
    fault = ""
    while not (inflater.eof or fault):
        window.keep(min(max(start + 1, at - _HISTORY), at))
        data, used, fault = inflated(inflater, window.ahead(at, _CHUNK))
        at += used
        waiting += data
        if fault or not (begun or len(waiting) >= len(head) or inflater.eof):
            continue
        if waiting:
            yield Chunk(waiting, start, bool(head) and not begun and waiting.startswith(head))
            waiting, begun = b"", True
    if fault:
        at = window.find_member(window.back(start + 1, at), head)
        message = f"damaged gzip member at byte {start} ({fault}); read on at byte {at}"
        may_start = not begun and head.startswith(waiting[: len(head)])
        yield Chunk(waiting, start, bool(head) and may_start, message)
    return at


def _whole_member(window: _Window, start: int) -> tuple[bytes, int] | None:
    """What a member inflates to, and its end, if it is sound and ends before the next magic number.

    This is no other result than that of `_member`, which copes with all else, but in half the time:
    the library of fastwarc is faster than zlib. It does not say where a member ends, nor that one
    breaks off; a member of one byte behind it tells that.
    """
    end = window.next_magic(start + _SHORTEST, start + _MOST_WHOLE)
    if end is None or end - start < _SHORTEST:
        return None
    packed = window.ahead(start, end - start)
    size = int.from_bytes(packed[-4:], "little")
    if not 0 < size <= _MOST_WHOLE:
        return None
    stream = io.BytesIO(packed + _NEXT_MEMBER)
    reader = optional.load("fastwarc.stream_io", extra="crawl").GzipReader(stream)
    try:
        data: bytes = reader.read(size)
        is_sound = len(data) == size and reader.read(len(_NEXT) + 1) == _NEXT
    except (OSError, ValueError):
        return None
    return (data, end) if is_sound else None


def inflated(inflater: zlib._Decompress, packed: bytes) -> tuple[bytes, int, str]:
    """What some bytes inflate to as far as they are sound, how many were used, and the fault.

    No more than `_MOST_OUT` bytes come out; those that were not used are to be given again.
    """
    if not packed:
        return b"", 0, "it breaks off"
    before = inflater.copy()
    try:
        data = inflater.decompress(packed, _MOST_OUT)
    except zlib.error as error:
        return *_sound(before, packed), str(error).rpartition(": ")[2]
    rest = inflater.unconsumed_tail or inflater.unused_data
    return data, len(packed) - len(rest), ""


def _sound(inflater: zlib._Decompress, packed: bytes) -> tuple[bytes, int]:
    """What comes out byte by byte before the damage, and how many bytes that took."""
    data, at = bytearray(), 0
    with suppress(zlib.error):
        while at < len(packed) and len(data) < _MOST_OUT:
            data += inflater.decompress(packed[at : at + 1])
            at += 1
    return bytes(data), at


class _Window:
    """The compressed bytes around the current position, by their offsets in the stream."""

    def __init__(self, stream: IO[bytes], start: int) -> None:
        self._stream = stream
        self._data = bytearray()
        self._base = self._start = start
        self._ended = False
        self._reread = 0
        self.error = ""

    def keep(self, start: int) -> None:
        """Forget the bytes before an offset."""
        forget = min(start - self._base, len(self._data))
        if forget > 0:
            del self._data[:forget]
            self._base += forget

    def ahead(self, at: int, n: int) -> bytes:
        """At most n bytes from an offset on; fewer at the end."""
        self._fill(at, n)
        return bytes(self._data[at - self._base : at - self._base + n])

    def after_zeros(self, at: int) -> int:
        """The offset of the next byte that is not padding."""
        while chunk := self.ahead(at, _CHUNK):
            self.keep(at)
            rest = len(chunk.lstrip(b"\0"))
            at += len(chunk) - rest
            if rest:
                break
        return at

    def back(self, start: int, at: int) -> int:
        """Where to look for the next member: from `start`, as long as going back is worth it.

        Bytes read again are counted against those read once, so that a file made for it does
        not cost the square of its length.
        """
        self._reread += at - start
        return (
            max(start, self._base) if self._reread < 2 * (at - self._start) + _MOST_REREAD else at
        )

    def find_member(self, at: int, head: bytes, stop: int | None = None) -> int:
        """The offset of the next member that inflates to the head, else of the end, or `stop`."""
        while True:
            if stop is not None and at >= stop:
                return at
            self.keep(at)
            self._fill(at, _CHUNK)
            index = self._data.find(_MAGIC, at - self._base)
            end = self._base + len(self._data)
            if index < 0 and self._ended:
                return end
            if index < 0:  # the magic number may stand across the end of what has been read
                at = max(at, end - len(_MAGIC) + 1)
            elif self._is_member(self._base + index, head):
                return self._base + index
            else:
                at = self._base + index + 1

    def next_magic(self, at: int, stop: int) -> int | None:
        """The offset of the next magic number, else of the end; None if it is behind `stop`."""
        while True:
            index = self._data.find(_MAGIC, at - self._base)
            end = self._base + len(self._data)
            if index >= 0 or self._ended:
                return end if index < 0 else self._base + index
            if end > stop:
                return None
            at = max(at, end - len(_MAGIC) + 1)
            self._fill(end, _CHUNK)

    def _is_member(self, at: int, head: bytes) -> bool:
        try:
            inflater = zlib.decompressobj(_GZIP_ONLY)
            return inflater.decompress(self.ahead(at, _PROBE), len(head) or 1).startswith(head)
        except zlib.error:
            return False

    def _fill(self, at: int, n: int) -> None:
        while self._base + len(self._data) < at + n and not self._ended:
            try:
                data = self._stream.read(_CHUNK)
            except OSError as error:
                data, self.error = b"", str(error)
            self._data += data
            self._ended = not data
