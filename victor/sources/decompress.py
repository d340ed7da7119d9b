"""Bytes of a stream in pieces, gzip undone; where a gzip member is damaged the next one is found.

A file of gzip members is read from any stream, forward only. After a damage, reading goes on at
the next member that begins as expected, looked for from one byte after the beginning of the
damaged member on: inflating it may have run into good ones. So the compressed bytes of the
present member are kept, at most `_HISTORY` of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from lzma import LZMAError
from typing import IO, Final, NamedTuple

from victor.sources.optional import needed

_CHUNK: Final = 1 << 15
_RAW_CHUNK: Final = 1 << 16
_ZSTD_CHUNK: Final = 1 << 11
"""Small, since nothing bounds what comes out."""
_MOST_OUT: Final = 1 << 20
"""Bytes inflated in one go, however well they were compressed."""
_HISTORY: Final = 1 << 23
_VAIN: Final = 1 << 26
_PROBE: Final = 1 << 10
_MAGIC: Final = b"\x1f\x8b\x08"
_GZIP: Final = 31
"""Window bits with which zlib expects a gzip header."""


class Piece(NamedTuple):
    """Bytes that follow those of the piece before.

    Attributes:
        data: the bytes, uncompressed.
        offset: byte of the stream where they begin, or where their gzip member does.
        starts: here begins something new whatever stood before.
        broken: what is wrong, if the stream is damaged after these bytes, else empty.
    """

    data: bytes
    offset: int
    starts: bool
    broken: str = ""


def raw_pieces(stream: IO[bytes]) -> Iterator[Piece]:
    """A stream as it is."""
    offset = 0
    while True:
        try:
            data = stream.read(_RAW_CHUNK)
        except (OSError, EOFError, LZMAError) as error:
            yield Piece(b"", offset, offset == 0, f"cannot be read after byte {offset}: {error}")
            return
        if not data:
            return
        yield Piece(data, offset, offset == 0)
        offset += len(data)


def gzip_pieces(stream: IO[bytes], head: bytes = b"") -> Iterator[Piece]:
    """A stream of gzip members, inflated.

    Args:
        stream: the compressed bytes.
        head: with what a member begins that starts something new; after a damage only such a
            member counts. Others continue what the one before began, all of them if it is empty.
    """
    window, at = _Window(stream), 0
    while True:
        at = window.after_zeros(at)
        if window.ahead(at, len(_MAGIC)) == _MAGIC:
            at = yield from _member(window, at, head)
        elif window.ahead(at, 1):
            there = window.find_member(at, head)
            yield Piece(b"", at, True, f"no gzip member at byte {at}; read on at byte {there}")
            at = there
        else:
            break
    if window.error:
        yield Piece(b"", at, True, f"cannot be read after byte {at}: {window.error}")


def zstd_pieces(stream: IO[bytes]) -> Iterator[Piece]:
    """A stream of zstandard frames, decompressed; it ends at the first damage."""
    zstandard = needed("zstandard")
    frame, at, chunk, wrong = zstandard.ZstdDecompressor().decompressobj(), 0, b"", ""
    while not wrong:
        try:
            chunk = frame.unused_data or stream.read(_ZSTD_CHUNK)
            if frame.eof and chunk:
                frame = zstandard.ZstdDecompressor().decompressobj()
            data = frame.decompress(chunk) if chunk else b""
        except (OSError, zstandard.ZstdError) as error:
            data, wrong = b"", f"damaged after byte {at}: {error}"
        if not (chunk or wrong):
            wrong = "" if frame.eof or not at else f"breaks off at byte {at}"
            if not wrong:
                return
        yield Piece(data, at, at == 0, wrong)
        at += len(chunk) - len(frame.unused_data)


def _member(window: _Window, start: int, head: bytes) -> Generator[Piece, None, int]:
    """The pieces of one member; returns where to read on."""
    inflater, at, begun, waiting = zlib.decompressobj(_GZIP), start, False, b""
    wrong = ""
    while not (inflater.eof or wrong):
        window.keep(min(max(start + 1, at - _HISTORY), at))
        inflater, data, used, wrong = _inflated(inflater, window.ahead(at, _CHUNK))
        at += used
        waiting += data
        if wrong or not (begun or len(waiting) >= len(head) or inflater.eof):
            continue
        if waiting:
            yield Piece(waiting, start, bool(head) and not begun and waiting.startswith(head))
            waiting, begun = b"", True
    if wrong:
        there = window.find_member(window.back(start + 1, at), head)
        message = f"damaged gzip member at byte {start} ({wrong}); read on at byte {there}"
        may_start = not begun and head.startswith(waiting[: len(head)])
        yield Piece(waiting, start, bool(head) and may_start, message)
        return there
    return at


def _inflated(inflater: zlib._Decompress, chunk: bytes) -> tuple[zlib._Decompress, bytes, int, str]:
    """What a chunk inflates to as far as it is sound, the bytes used, and what is wrong."""
    if not chunk:
        return inflater, b"", 0, "it breaks off"
    before = inflater.copy()
    try:
        data = inflater.decompress(chunk, _MOST_OUT)
    except zlib.error as error:
        return before, *_sound(before, chunk), _said(error)
    rest = inflater.unconsumed_tail or inflater.unused_data
    return inflater, data, len(chunk) - len(rest), ""


def _sound(inflater: zlib._Decompress, chunk: bytes) -> tuple[bytes, int]:
    """The bytes that come out before the damage, and the bytes used for them."""
    out, at, size = b"", 0, len(chunk) // 2
    while size and len(out) < _MOST_OUT:
        before = inflater.copy()
        try:
            out += inflater.decompress(chunk[at : at + size], _MOST_OUT)
            at += size - len(inflater.unconsumed_tail)
        except zlib.error:
            inflater, size = before, size // 2
    return out, at


def _said(error: zlib.error) -> str:
    return str(error).rpartition(": ")[2]


class _Window:
    """The compressed bytes around the place of reading, by their offsets in the stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._data = bytearray()
        self._base = 0
        self._ended = False
        self._vain = 0
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
        self._vain += at - start
        return max(start, self._base) if self._vain < 2 * at + _VAIN else at

    def find_member(self, at: int, head: bytes) -> int:
        """The offset of the next member that inflates to the head, else of the end."""
        while True:
            self.keep(at)
            self._fill(at, _CHUNK)
            place = self._data.find(_MAGIC, at - self._base)
            end = self._base + len(self._data)
            if place < 0 and self._ended:
                return end
            if place < 0:  # the magic number may stand across the end of what has been read
                at = max(at, end - len(_MAGIC) + 1)
            elif self._is_member(self._base + place, head):
                return self._base + place
            else:
                at = self._base + place + 1

    def _is_member(self, at: int, head: bytes) -> bool:
        try:
            inflater = zlib.decompressobj(_GZIP)
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
