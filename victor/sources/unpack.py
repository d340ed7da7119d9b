"""Bytes of packed files and bodies, as they are wanted: no bomb is unpacked farther than is read.

A file is a row of gzip members or zstandard frames. Behind a damage, reading goes on at the next
one that begins as expected: libraries give up there. Each call of a decoder gets so few bytes that
only little can come out of them, so what precedes a damage is lost within a step of it.

Servers and crawlers name codings that a body does not have, so a body that does not begin as its
coding does is taken as it stands. What is damaged is unpacked up to the damage.
"""

from __future__ import annotations

import bz2
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import IO, Any, Final, NamedTuple

from victor.base import lazy
from victor.base.errors import PageError

GZIP: Final = b"\x1f\x8b\x08"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZSTD_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""With this begins the dictionary that may stand before the frames of a WARC."""
BZ2: Final = b"BZh"
XZ: Final = b"\xfd7zXZ\x00"
MEMBERS: Final = (GZIP, ZSTD, ZSTD_DICTIONARY)
PACKED: Final = (*MEMBERS, BZ2, XZ)
_SKIPPABLE: Final = b"\x2a\x4d\x18"
_HEAD: Final = 1 << 12
_BLOCK: Final = 1 << 17
_MOST_DICTIONARY: Final = 1 << 23
"""Bytes that the convention asks readers to accept, packed or not."""

Starts = Callable[[bytes], bool]
"""Do these bytes begin something new."""


class Packing(NamedTuple):
    """A way to pack."""

    magic: bytes  # with which a member begins
    step: int  # packed bytes for one call
    decoder: Callable[[], Any]
    error: type[Exception]


def deflated(window_bits: int, magic: bytes = b"", step: int = 1 << 8) -> Packing:
    """Deflate, in what zlib knows by that number of bits; 4 KB of it hold 4 MB at most."""
    return Packing(magic, step, partial(zlib.decompressobj, window_bits), zlib.error)


def zstd_packing(dictionary: Any = None) -> Packing:  # noqa: ANN401  (zstandard has no types)
    """Zstandard, whose blocks of four bytes hold 128 KB each."""
    zstandard = lazy.load("zstandard", extra="crawl")
    decoder = zstandard.ZstdDecompressor(dictionary).decompressobj
    return Packing(ZSTD, 1 << 7, decoder, zstandard.ZstdError)


def _pieces(
    read: Callable[[int, int], bytes], start: int, packing: Packing
) -> Iterator[tuple[bytes, int, str]]:
    """What comes out of one member, where the packed bytes of each piece end, and a damage there.

    `read` gives at most so many packed bytes from a place on.
    """
    decoder, at = packing.decoder(), start
    while not decoder.eof:
        packed = read(at, packing.step)
        if not packed:
            yield b"", at, "breaks off"
            return
        try:
            data = decoder.decompress(packed)
        except packing.error as error:
            yield b"", at, f"is damaged ({str(error).rpartition(': ')[2]})"
            return
        at += len(packed) - len(decoder.unused_data)
        yield data, at, ""


def unpacked(body: bytes, packing: Packing, most: int) -> tuple[bytes, str]:
    """At most so many bytes of the members that a body begins with, and the damage behind them."""
    data, at = bytearray(), 0
    while not at or (packing.magic and body.startswith(packing.magic, at)):
        for piece, end, fault in _pieces(lambda start, n: body[start : start + n], at, packing):
            data += piece
            if fault or len(data) >= most:
                return bytes(data[:most]), "" if len(data) >= most else fault
            at = end
    return bytes(data), ""


class Chunk(NamedTuple):
    """Unpacked bytes that follow those of the chunk before."""

    data: bytes
    offset: int  # byte of the file where they begin, or where their member does
    starts: bool = False  # something new begins here, whatever stood before
    fault: str = ""  # what is wrong if the file is damaged after these bytes


class Members:
    """A file of gzip members or zstandard frames, as its first bytes tell.

    `starts` says which members begin something new; after a damage only such a member counts.
    """

    def __init__(self, file: IO[bytes], head: bytes, starts: Starts = bool) -> None:
        self._file, self._starts, self._begin, self._fault = file, starts, 0, ""
        dictionary = None
        if head.startswith(ZSTD_DICTIONARY):
            try:
                dictionary, self._begin = _dictionary(file)
            except ValueError as error:
                self._fault = f"has no dictionary that can be read: {error}"
        is_gzip = head.startswith(GZIP)
        self._packing = deflated(31, GZIP, 1 << 12) if is_gzip else zstd_packing(dictionary)

    def _bytes(self, at: int, n: int) -> bytes:
        self._file.seek(at)  # mostly in its buffer
        return self._file.read(n)

    def find(self, at: int, stop: int = sys.maxsize) -> int | None:
        """Where the next member begins something new, from `at` on; None if none before `stop`."""
        magic = self._packing.magic
        at = stop if self._fault else at
        while at < stop and len(block := self._bytes(at, _BLOCK)) >= len(magic):
            index = block.find(magic)
            if index < 0:
                at += len(block) - len(magic) + 1
            elif self._starts(unpacked(self._bytes(at + index, _BLOCK), self._packing, _HEAD)[0]):
                return at + index if at + index < stop else None
            else:
                at += index + 1
        return None

    def chunks(self, start: int) -> Iterator[Chunk]:
        """The bytes of the members from a byte on; none if their dictionary cannot be read."""
        at = max(start, self._begin)
        if self._fault:
            yield Chunk(b"", 0, starts=True, fault=self._fault)
        while not self._fault and (head := self._bytes(at, _HEAD)):
            if padding := len(head) - len(head.lstrip(b"\0")):
                at += padding
            elif self._packing.magic == ZSTD and head[1:4] == _SKIPPABLE:
                at += 8 + int.from_bytes(head[4:8], "little")
            elif (end := (yield from self._member(at, head))) is not None:
                at = end
            else:
                return

    def _member(self, start: int, head: bytes) -> Generator[Chunk, None, int | None]:
        """The bytes of a member; returns where to read on, None if that is nowhere."""
        begun, end, fault = False, start, f"no packed member at byte {start}"
        if head.startswith(self._packing.magic):
            for data, after, broken in _pieces(self._bytes, start, self._packing):
                end, fault = after, broken and f"the member at byte {start} {broken}"
                if data:
                    yield Chunk(data, start, not begun and self._starts(data))
                    begun = True
        if not fault:
            return end
        # It may have swallowed others, but who looks too far back reads for ever.
        found = self.find(max(start + 1, end - _BLOCK))
        behind = "nothing behind it" if found is None else f"read on at byte {found}"
        # What was begun ends here; what was not is none of what precedes.
        yield Chunk(b"", start, not begun, f"{fault}; {behind}")
        return found


def _dictionary(file: IO[bytes]) -> tuple[Any, int]:
    """The dictionary before the frames, packed or not (IIPC, Zstandard for WARC files 1.0)."""
    zstandard = lazy.load("zstandard", extra="crawl")
    file.seek(0)
    size = int.from_bytes(file.read(8)[4:], "little")
    data = file.read(min(size, _MOST_DICTIONARY))
    fault = "breaks off" if len(data) < size else ""
    if data.startswith(ZSTD):
        data, fault = unpacked(data, zstd_packing(), _MOST_DICTIONARY + 1)
    if max(size, len(data)) > _MOST_DICTIONARY:
        fault = f"has more than {_MOST_DICTIONARY} bytes"
    if fault:
        raise ValueError(f"it {fault}")
    try:
        made = zstandard.ZstdCompressionDict(data, zstandard.DICT_TYPE_FULLDICT)
        zstandard.ZstdDecompressor(made).decompressobj()  # reads it
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    return made, 8 + size


def chunks(file: IO[bytes], head: bytes, start: int = 0) -> Iterator[Chunk]:
    """The bytes of a file from one on, unpacked if its first bytes say that it is packed."""
    if head.startswith(MEMBERS):
        yield from Members(file, head).chunks(start)
        return
    file.seek(start)
    stream: Any = file
    if head.startswith((BZ2, XZ)):
        stream = bz2.BZ2File(file) if head.startswith(BZ2) else lzma.LZMAFile(file)  # noqa: SIM115
    offset = start
    try:
        while data := stream.read(1 << 16):
            yield Chunk(data, offset, offset == start)
            offset += len(data)
    except (OSError, EOFError, lzma.LZMAError) as error:
        yield Chunk(b"", offset, offset == start, f"cannot be read after byte {offset}: {error}")


def beginning(file: IO[bytes]) -> tuple[bytes, bytes]:
    """The first bytes of a file, and what they unpack to as far as they are sound."""
    file.seek(0)
    head = plain = file.read(_HEAD)
    if head.startswith(PACKED):
        plain = next((each.data for each in chunks(file, head) if each.data or each.fault), b"")
    file.seek(0)
    return head, plain


def packed_as(name: str) -> bytes | None:
    """How a file of this name begins if it is packed."""
    return {".gz": GZIP, ".zst": ZSTD}.get(name[name.rfind(".") :].lower())


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
