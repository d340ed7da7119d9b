"""WARC records of made-up pages, and kinds of damage to one of them or to the whole file."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import brotli
import zstandard

GAP: Final = b"\r\n\r\n"


class Page(NamedTuple):
    """A page with its place in the file."""

    number: int
    html: bytes

    @property
    def url(self) -> str:
        """Where it is said to come from."""
        return f"http://site{self.number % 17}.example/page/{self.number}"


def made_up(n: int) -> list[Page]:
    """So many pages, all different, of about two kilobytes."""
    words = [f"{word}{number}" for word in ("river", "mill", "bridge") for number in range(90)]
    texts = (" ".join(random.Random(number).sample(words, 200)) for number in range(n))
    return [
        Page(number, f"<h1>{number}</h1><p>{text}".encode()) for number, text in enumerate(texts)
    ]


def response(body: bytes, *headers: bytes) -> bytes:
    """An HTTP answer."""
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", *headers)
    return b"\r\n".join(lines) + GAP + body


def record(page: Page, block: bytes | None = None, *, length: object = None) -> bytes:
    """A record with a block, by default an HTTP answer with the page; `length` is what it says."""
    block = response(page.html) if block is None else block
    lines = [
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:page:{page.number}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: {page.url}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block) if length is None else length}",
    ]
    return "\r\n".join(lines).encode() + GAP + block + GAP


def packed(stored: bytes) -> bytes:
    """A gzip member."""
    return gzip.compress(stored, 6, mtime=0)


Damage = Callable[[Page, random.Random], bytes]
"""Gives the bytes that stand in the file in place of the packed record of a page."""
FileDamage = Callable[[Sequence[bytes], random.Random], bytes]
"""Gives the file made of packed records; all but the last one are to be read whole."""
_BOMB_BYTES: Final = 1_000_000


def _flipped(data: bytes, at: int, bit: int = 3) -> bytes:
    return data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]


def _member(page: Page) -> bytes:
    return packed(record(page))


def _headed(page: Page, line: bytes) -> bytes:
    """The record with one more header line."""
    return packed(record(page).replace(b"WARC-Date", line + b"\r\nWARC-Date", 1))


def _coded(encoding: str, pack: Callable[[bytes], bytes], keep: float = 1.0) -> Damage:
    """A body of this encoding; so much of it is kept."""

    def make(page: Page, luck: random.Random) -> bytes:
        noise = b"<!-- %s -->" % luck.randbytes(30_000).hex().encode()
        body = pack(page.html + noise)
        header = f"Content-Encoding: {encoding}".encode()
        return packed(record(page, response(body[: int(len(body) * keep)], header)))

    return make


def _bomb(encoding: str, pack: Callable[[bytes], bytes]) -> Damage:
    @cache
    def body(size: int) -> bytes:
        return pack(b"<p>" + b"a " * (size // 2))

    header = f"Content-Encoding: {encoding}".encode()
    return lambda page, luck: packed(record(page, response(body(_BOMB_BYTES), header)))


def _length(length: Callable[[int], object]) -> Damage:
    def make(page: Page, luck: random.Random) -> bytes:
        return packed(record(page, length=length(len(response(page.html)))))

    return make


def _chunked(body: bytes, size: int = 999) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def _chunks(change: Callable[[bytes], bytes]) -> Damage:
    header = b"Transfer-Encoding: chunked"
    return lambda page, luck: packed(record(page, response(change(_chunked(page.html)), header)))


def _brotli(body: bytes) -> bytes:
    return brotli.compress(body, quality=3)


def _two(page: Page, luck: random.Random) -> bytes:
    second = Page(page.number + 1_000_000, page.html)
    return packed(record(page) + record(second))


RECORDS: Final[dict[str, Damage]] = {
    "member cut in the middle": lambda page, luck: _member(page)[: len(_member(page)) // 2],
    "member cut in its header": lambda page, luck: _member(page)[:7],
    "member without its trailer": lambda page, luck: _member(page)[:-8],
    "wrong checksum": lambda page, luck: _member(page)[:-8] + b"\1\2\3\4" + _member(page)[-4:],
    "wrong size behind the checksum": lambda page, luck: _member(page)[:-4] + b"\1\2\3\4",
    "bit flipped in the data": lambda page, luck: _flipped(
        _member(page), luck.randrange(40, len(_member(page)) - 40)
    ),
    "bit flipped in the magic number": lambda page, luck: _flipped(_member(page), 0),
    "bit flipped in the method": lambda page, luck: _flipped(_member(page), 2, 0),
    "garbage before a member": lambda page, luck: luck.randbytes(3_000) + _member(page),
    "text before a member": lambda page, luck: b"\r\n<html>lost bytes</html>\r\n" + _member(page),
    "magic numbers before a member": lambda page, luck: b"\x1f\x8b\x08\0" * 50 + _member(page),
    "zeros before a member": lambda page, luck: bytes(5_000) + _member(page),
    "empty members before a member": lambda page, luck: gzip.compress(b"") * 9 + _member(page),
    "two records in a member": _two,
    "a record in two members": lambda page, luck: (
        packed(record(page)[:700]) + packed(record(page)[700:])
    ),
    "a record not packed among members": lambda page, luck: record(page),
    "a WARC in the body": lambda page, luck: packed(
        record(page, response(page.html + _member(page) * 3))
    ),
    "version WARC/9.9": lambda page, luck: packed(b"WARC/9.9" + record(page)[8:]),
    "version WARC/0.17": lambda page, luck: packed(b"WARC/0.17" + record(page)[8:]),
    "no version": lambda page, luck: packed(record(page)[len(b"WARC/1.0\r\n") :]),
    "no header": lambda page, luck: packed(response(page.html) + GAP),
    "header line without colon": lambda page, luck: _headed(page, b"WARC-Nonsense without colon"),
    "header of 5 MB": lambda page, luck: _headed(page, b"X-Long: " + b"y" * 5_000_000),
    "header without end": lambda page, luck: packed(record(page).replace(GAP, b"\r\n", 1)),
    "NUL in the header": lambda page, luck: _headed(page, b"X-Nul: \0\0"),
    "lines that end in LF": lambda page, luck: packed(record(page).replace(b"\r\n", b"\n", 12)),
    "no length": lambda page, luck: packed(record(page).replace(b"Content-Length", b"X-Length", 1)),
    "negative length": _length(lambda size: -size),
    "length 0": _length(lambda size: 0),
    "length too small": _length(lambda size: size // 3),
    "length too small by one": _length(lambda size: size - 1),
    "length too large by one": _length(lambda size: size + 1),
    "length too large": _length(lambda size: size + 100_000),
    "huge length": _length(lambda size: 10**17),
    "length of 400 digits": _length(lambda size: "9" * 400),
    "length that is no number": _length(lambda size: "many"),
    "two lengths": lambda page, luck: _headed(page, b"Content-Length: 5"),
    "no status line": lambda page, luck: packed(record(page, response(page.html)[17:])),
    "HTTP header without end": lambda page, luck: packed(
        record(page, response(page.html).replace(GAP, b"\r\n", 1))
    ),
    "chunks of wrong sizes": _chunks(lambda body: b"zz\r\n" + body[:500] + b"FFFFFFFFFF\r\n"),
    "chunks that break off": _chunks(lambda body: body[: len(body) * 2 // 3]),
    "no gzip, in spite of the header": _coded("gzip", bytes),
    "no brotli, in spite of the header": _coded("br", bytes),
    "no zstandard, in spite of the header": _coded("zstd", bytes),
    "an encoding that nobody knows": _coded("x-secret", bytes),
    "deflate without header": _coded("deflate", lambda body: zlib.compress(body)[2:-4]),
    "gzip body cut": _coded("gzip", gzip.compress, 0.6),
    "brotli body cut": _coded("br", _brotli, 0.6),
    "zstandard body cut": _coded("zstd", zstandard.compress, 0.6),
    "zstandard body cut in its first block": _coded("zstd", zstandard.compress, 0.05),
    "bomb of gzip": _bomb("gzip", gzip.compress),
    "bomb of brotli": _bomb("br", _brotli),
    "bomb of zstandard": _bomb("zstd", zstandard.compress),
    "NUL in the body": lambda page, luck: packed(
        record(page, response(page.html.replace(b" ", b"\0", 3)))
    ),
    "no body": lambda page, luck: packed(record(page, response(b""))),
    "no block": lambda page, luck: packed(record(page, b"")),
}
FILES: Final[dict[str, FileDamage]] = {
    "file cut in its last member": lambda stored, luck: b"".join(stored)[:-300],
    "file cut in its last header": lambda stored, luck: b"".join(stored[:-1]) + stored[-1][:5],
    "junk at the end of the file": lambda stored, luck: b"".join(stored) + luck.randbytes(9_000),
    "junk at the beginning": lambda stored, luck: luck.randbytes(9_000) + b"".join(stored),
    "zeros at the end": lambda stored, luck: b"".join(stored) + bytes(100_000),
    "the file twice": lambda stored, luck: b"".join(stored) * 2,
    "not packed, in spite of the name": lambda stored, luck: b"".join(map(gzip.decompress, stored)),
    "one member for all": lambda stored, luck: packed(b"".join(map(gzip.decompress, stored))),
    "one member for all, cut at its end": lambda stored, luck: packed(
        b"".join(map(gzip.decompress, stored))
    )[:-20],
}
