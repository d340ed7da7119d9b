"""Bodies of HTTP with their codings undone, in pieces: no more is unpacked than is wanted.

Servers and crawlers name codings that a body does not have, so a body that does not begin as its
coding does is taken as it stands. What is damaged is unpacked up to the damage.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Final, NamedTuple

from victor.base import optional
from victor.base.errors import PageError
from victor.sources.unpack import GZIP, ZSTD, Members

MOST_CODINGS: Final = 64
"""Of a body, one inside the other; each costs time."""
_SLACK: Final = 1 << 16
_STEP: Final = 1 << 11
_BROTLI_STEP: Final = 1 << 4
"""Small: brotli keeps to itself what comes out of a step with a damage."""
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\f\r\x1b")
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Unpacked(NamedTuple):
    """The bytes before a damage; what is wrong behind them, empty if they were enough."""

    data: bytes
    fault: str


def undo(body: bytes, codings: Sequence[str], most: int) -> Unpacked:
    """At most so many bytes of what a body was before it was encoded.

    Args:
        body: as stored.
        codings: as HTTP names them, lower case, in the order in which they were applied; unknown
            ones, and those that the body does not have, are passed over.
        most: no more bytes are returned.

    Raises:
        PageError: there are too many codings, or what is packed twice is too long in between.
        ValueError: it is damaged before the first byte.
    """
    names = [name for name in codings if name not in ("", "identity")]
    if len(names) > MOST_CODINGS:
        message = f"the body has {len(names)} codings; at most {MOST_CODINGS} are undone"
        raise PageError("too-many-bytes", message)
    fault = ""
    for n_left, name in zip(range(len(names))[::-1], names[::-1], strict=True):
        # What is packed can be longer than what it holds; chunks are never longer than the body.
        packed_room = len(body) + 1 if name == "chunked" else 2 * most + _SLACK
        room = packed_room if n_left else most
        unpacked = unpack(body, name, room)
        if unpacked is None:
            continue
        if n_left and len(unpacked.data) >= room:
            message = f"{room} bytes or more come out of {name}, and are still packed"
            raise PageError("too-many-bytes", message)
        body, fault = unpacked.data, fault or (unpacked.fault and f"the {name} body {unpacked[1]}")
        if fault and not body:
            raise ValueError(f"{fault}, before anything can be read")
    return Unpacked(body[:most], fault)


def unpack(body: bytes, coding: str, most: int) -> Unpacked | None:
    """At most so many bytes of what a body was before one coding, up to a damage.

    None if the coding is unknown, or the body does not have it.
    """
    if coding == "chunked":
        return _dechunked(body, most)
    is_text = body.startswith(_UTF16) or _CONTROLS.isdisjoint(body[:256])
    for pieces_of in _UNPACKERS.get(coding, ()):
        data, fault = bytearray(), ""
        for piece, fault in pieces_of(body):
            data += piece
            if fault or len(data) >= most:
                break
        if is_text and fault:
            continue  # of a few letters brotli makes something, too
        if data or not fault or body.startswith((GZIP[:2], ZSTD)):
            return Unpacked(bytes(data[:most]), "" if len(data) >= most else fault)
    return None


def _dechunked(body: bytes, most: int) -> Unpacked | None:
    """The chunks up to the first that is none; None if there is not even a first one."""
    at, data = 0, bytearray()
    while (size := _CHUNK.match(body, at)) and (length := int(size[1], 16)) and len(data) < most:
        data += body[size.end() : size.end() + length]
        at = size.end() + length
        at += len(b"\r\n") if body.startswith(b"\r\n", at) else 0
    if size is None and not at:
        return None
    return Unpacked(bytes(data[:most]), "" if size else "breaks off")


_Pieces = Iterator[tuple[bytes, str]]
"""Bytes, each with the fault that comes after them, else empty."""


def _inflated(body: bytes, window_bits: int) -> _Pieces:
    """One stream, or the members of gzip one after the other."""
    inflater, at = zlib.decompressobj(window_bits), 0
    while at < len(body) and not (inflater.eof and not body.startswith(GZIP[:2], at)):
        if inflater.eof:
            inflater = zlib.decompressobj(window_bits)
        packed = body[at : at + _STEP]
        before = inflater.copy()
        try:
            data = inflater.decompress(packed)
        except zlib.error as error:
            yield _sound(before, packed), f"is damaged ({str(error).rpartition(': ')[2]})"
            return
        at += len(packed) - len(inflater.unused_data)
        yield data, ""
    if not inflater.eof:
        yield b"", "breaks off"


def _sound(inflater: zlib._Decompress, packed: bytes) -> bytes:
    """What comes out byte by byte before the damage."""
    data = bytearray()
    try:
        for at in range(len(packed)):
            data += inflater.decompress(packed[at : at + 1])
    except zlib.error:
        return bytes(data)
    return bytes(data)


def _unbrotlied(body: bytes) -> _Pieces:
    brotli = optional.load("brotli", extra="crawl")
    decoder = brotli.Decompressor()
    for start in range(0, len(body), _BROTLI_STEP):
        packed = body[start : start + _BROTLI_STEP]
        while packed or not decoder.can_accept_more_data():
            if decoder.is_finished():
                return
            try:
                yield decoder.process(packed, output_buffer_limit=1 << 14), ""
            except brotli.error:
                yield b"", "is damaged"
                return
            packed = b""
    if not decoder.is_finished():
        yield b"", "breaks off"


def _unzstandarded(body: bytes) -> _Pieces:
    if not body.startswith(ZSTD):
        yield b"", "is damaged"
        return
    for chunk in Members(BytesIO(body), ZSTD).chunks(0):
        yield chunk.data, chunk.fault and "is damaged or breaks off"


_UNPACKERS: Final[dict[str, tuple[Callable[[bytes], _Pieces], ...]]] = {
    # 47 tells gzip and zlib apart by their headers; some servers send deflate without one.
    "gzip": (lambda body: _inflated(body, 47),),
    "x-gzip": (lambda body: _inflated(body, 47),),
    "deflate": (lambda body: _inflated(body, 47), lambda body: _inflated(body, -15)),
    "br": (_unbrotlied,),
    "zstd": (_unzstandarded,),
}
