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
from victor.sources.decompress import GZIP, ZSTD, inflated, zstd_chunks

MOST_CODINGS: Final = 64
"""Of a body, one inside the other; each costs time."""
_SLACK: Final = 1 << 16
_PIECE: Final = 1 << 14
_BROTLI_PIECE: Final = 1 << 4
"""Small: brotli keeps to itself what comes out of a piece with a damage."""
_HEAD: Final = 256
_BREAKS_OFF: Final = "breaks off"
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\f\r\x1b")
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_NO_CODING: Final = ("", "identity")


class Unpacked(NamedTuple):
    """What a body was before it was encoded.

    Attributes:
        data: the bytes before the damage.
        fault: what is wrong behind them; empty if nothing is, or if they were enough.
    """

    data: bytes
    fault: str


def undo(body: bytes, codings: Sequence[str], most: int) -> Unpacked:
    """At most so many bytes of what a body was before it was encoded.

    One coding is undone after the other, so that only two stages of a body are in memory at once.

    Args:
        body: as stored.
        codings: as HTTP names them, lower case, in the order in which they were applied; unknown
            ones, and those that the body does not have, are passed over.
        most: no more bytes are returned.

    Raises:
        PageError: there are too many codings, or what is packed twice is too long in between.
        ValueError: it is damaged before the first byte.
    """
    names = [name for name in codings if name not in _NO_CODING]
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

    Args:
        body: as stored.
        coding: as HTTP names it, lower case.
        most: no more bytes are returned, nor many more held in memory.

    Returns:
        None if the coding is unknown, or the body does not have it. There may be no bytes and a
        fault: it begins as if it had.
    """
    if coding == "chunked":
        return _dechunked(body, most)
    is_text = _is_text(body)
    for pieces_of in _UNPACKERS.get(coding, ()):
        data, fault = bytearray(), ""
        for piece, fault in pieces_of(body):
            data += piece
            if fault or len(data) >= most:
                break
        if is_text and fault:
            continue  # of a few letters brotli makes something, too
        if data or not fault or body.startswith((GZIP, ZSTD)):
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
    return Unpacked(bytes(data[:most]), "" if size else _BREAKS_OFF)


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
        data, used, fault = inflated(inflater, body[at : at + _PIECE])
        yield data, fault and f"is damaged ({fault})"
        at += used
    if not inflater.eof:  # the last bits of what has no checksum may stand for many bytes
        rest = inflater.decompress(b"", _PIECE)
        yield rest, "" if inflater.eof else _BREAKS_OFF


def _gunzipped(body: bytes) -> _Pieces:
    return _inflated(body, 47)  # tells gzip and zlib apart by their headers


def _raw_inflated(body: bytes) -> _Pieces:
    return _inflated(body, -15)  # some servers send deflate without a header


def _unbrotlied(body: bytes) -> _Pieces:
    brotli = optional.load("brotli", extra="crawl")
    decoder = brotli.Decompressor()
    for start in range(0, len(body), _BROTLI_PIECE):
        packed = body[start : start + _BROTLI_PIECE]
        while packed or not decoder.can_accept_more_data():
            if decoder.is_finished():
                return
            try:
                yield decoder.process(packed, output_buffer_limit=_PIECE), ""
            except brotli.error:
                yield b"", "is damaged"
                return
            packed = b""
    if not decoder.is_finished():
        yield b"", _BREAKS_OFF


def _unzstandarded(body: bytes) -> _Pieces:
    return ((chunk.data, chunk.fault) for chunk in zstd_chunks(BytesIO(body)))


_UNPACKERS: Final[dict[str, tuple[Callable[[bytes], _Pieces], ...]]] = {
    "gzip": (_gunzipped,),
    "x-gzip": (_gunzipped,),
    "deflate": (_gunzipped, _raw_inflated),
    "br": (_unbrotlied,),
    "zstd": (_unzstandarded,),
}
