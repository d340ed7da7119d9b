"""Bodies whose content encoding is damaged: what they were up to the damage.

fastwarc decodes what is sound and faster, but drops what comes before a damage.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from victor.base import optional
from victor.sources.decompress import GZIP, ZSTD

_PIECE: Final = 1 << 12
_SMALL_PIECE: Final = 1 << 4
"""Of libraries that do not give what came out before a damage, or of which much may come out."""
_HEAD: Final = 256
_BREAKS_OFF: Final = "breaks off"
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\f\r\x1b")
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


class Unpacked(NamedTuple):
    """What a body was before it was encoded.

    Attributes:
        data: the bytes before the damage.
        fault: what is wrong behind them; empty if nothing is, or if they were enough.
    """

    data: bytes
    fault: str


def unpack_damaged(body: bytes, encoding: str, most: int) -> Unpacked | None:
    """At most so many bytes of what a body was, up to a damage.

    Args:
        body: as stored.
        encoding: as HTTP names it, lower case.
        most: no more bytes are returned, nor many more held in memory.

    Returns:
        None if the encoding is unknown, or the body is not encoded so. There may be no bytes and a
        fault: it begins as if it were.
    """
    if _is_text(body):
        return None  # of a few letters brotli makes something, too
    for unpack in _UNPACKERS.get(encoding, ()):
        data, fault = bytearray(), ""
        for piece, fault in unpack(body):
            data += piece
            if fault or len(data) >= most:
                break
        if data or body.startswith((GZIP, ZSTD)):
            return Unpacked(bytes(data[:most]), "" if len(data) >= most else fault)
    return None


def _is_text(body: bytes) -> bool:
    """Is it no encoded body: in one, a control character comes soon."""
    return body.startswith(_UTF16) or _CONTROLS.isdisjoint(body[:_HEAD])


_Pieces = Iterator[tuple[bytes, str]]
"""Bytes, each with the fault that comes after them, else empty."""


def _inflated(body: bytes, window_bits: int) -> _Pieces:
    """One stream, or the members of gzip one after the other."""
    inflater, at = zlib.decompressobj(window_bits), 0
    while at < len(body):
        if inflater.eof:
            if not body.startswith(GZIP, at):
                return
            inflater = zlib.decompressobj(window_bits)
        packed = body[at : at + _PIECE]
        before = inflater.copy()
        try:
            yield inflater.decompress(packed, _PIECE), ""
        except zlib.error as error:
            yield _sound(before, packed), str(error).rpartition(": ")[2]
            return
        # Behind a member stands the next; what came out is bounded, and the rest is given again.
        at += len(packed) - len(inflater.unused_data if inflater.eof else inflater.unconsumed_tail)
    if not inflater.eof:
        yield b"", _BREAKS_OFF


def _sound(inflater: zlib._Decompress, packed: bytes) -> bytes:
    """What comes out byte by byte before the damage."""
    data = bytearray()
    try:
        for byte in packed:
            data += inflater.decompress(bytes((byte,)), _PIECE)
    except zlib.error:
        pass
    return bytes(data)


def _gunzipped(body: bytes) -> _Pieces:
    return _inflated(body, 47)  # tells gzip and zlib apart by their headers


def _raw_inflated(body: bytes) -> _Pieces:
    return _inflated(body, -15)


def _unbrotlied(body: bytes) -> _Pieces:
    brotli = optional.load("brotli", extra="crawl")
    decoder = brotli.Decompressor()
    for start in range(0, len(body), _SMALL_PIECE):
        packed = body[start : start + _SMALL_PIECE]
        while packed or not decoder.can_accept_more_data():
            if decoder.is_finished():
                return
            try:
                yield decoder.process(packed, output_buffer_limit=_PIECE), ""
            except brotli.error:
                yield b"", "brotli is damaged"
                return
            packed = b""
    if not decoder.is_finished():
        yield b"", _BREAKS_OFF


def _unzstandarded(body: bytes) -> _Pieces:
    zstandard = optional.load("zstandard", extra="crawl")
    at = 0
    while body.startswith(ZSTD, at) or not at:  # frame after frame
        frame = zstandard.ZstdDecompressor().decompressobj()
        while at < len(body) and not frame.eof:
            try:
                yield frame.decompress(body[at : at + _SMALL_PIECE]), ""
            except zstandard.ZstdError as error:
                yield b"", str(error).rpartition(": ")[2]
                return
            at = min(at + _SMALL_PIECE, len(body)) - len(frame.unused_data)
        if not frame.eof:
            yield b"", _BREAKS_OFF
            return


_UNPACKERS: Final[dict[str, tuple[Callable[[bytes], _Pieces], ...]]] = {
    "gzip": (_gunzipped,),
    "x-gzip": (_gunzipped,),
    "deflate": (_gunzipped, _raw_inflated),
    "br": (_unbrotlied,),
    "zstd": (_unzstandarded,),
}
