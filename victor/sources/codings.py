"""Bodies of HTTP with their codings undone, in steps: no more is unpacked than is wanted.

Servers and crawlers name codings that a body does not have, so a body that does not begin as its
coding does is taken as it stands. What is damaged is unpacked up to the damage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from victor.base import lazy
from victor.base.errors import PageError
from victor.sources.unpack import GZIP, ZSTD, deflated, unpacked, zstd_packing

MOST_CODINGS: Final = 64
"""Of a body, one inside the other; each costs time."""
_SLACK: Final = 1 << 16
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
    for n_left, name in reversed([*enumerate(names)]):
        # What is packed can be longer than what it holds; chunks are never longer than the body.
        room = most
        if n_left:
            room = len(body) + 1 if name == "chunked" else 2 * most + _SLACK
        found = unpack(body, name, room)
        if found is None:
            continue
        if n_left and len(found.data) >= room:
            message = f"{room} bytes or more come out of {name}, and are still packed"
            raise PageError("too-many-bytes", message)
        body, fault = found.data, fault or (found.fault and f"the {name} body {found.fault}")
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
    for undone in _UNPACKERS.get(coding, ()):
        data, fault = undone(body, most)
        if is_text and fault:
            continue  # of a few letters brotli makes something, too
        if data or not fault or body.startswith((GZIP[:2], ZSTD)):
            return Unpacked(data, fault)
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


def _unbrotlied(body: bytes, most: int) -> tuple[bytes, str]:
    """The same of brotli, which keeps to itself what comes out of a step with a damage."""
    brotli = lazy.load("brotli", extra="crawl")
    decoder, data = brotli.Decompressor(), bytearray()
    steps = (body[start : start + 16] for start in range(0, len(body), 16))
    try:
        while len(data) < most and not decoder.is_finished():
            packed = next(steps, None) if decoder.can_accept_more_data() else b""
            if packed is None:
                return bytes(data), "breaks off"
            data += decoder.process(packed, output_buffer_limit=1 << 14)
    except brotli.error:
        return bytes(data), "is damaged"
    return bytes(data[:most]), ""


def _zlib(window_bits: int, magic: bytes = b"") -> Callable[[bytes, int], tuple[bytes, str]]:
    return lambda body, most: unpacked(body, deflated(window_bits, magic), most)


_UNPACKERS: Final[dict[str, tuple[Callable[[bytes, int], tuple[bytes, str]], ...]]] = {
    # 47 tells gzip and zlib apart by their headers; some servers send deflate without one.
    **dict.fromkeys(("gzip", "x-gzip"), (_zlib(47, GZIP[:2]),)),
    "deflate": (_zlib(47, GZIP[:2]), _zlib(-15)),
    "br": (_unbrotlied,),
    "zstd": (lambda body, most: unpacked(body, zstd_packing(), most),),
}
