"""Inputs as streams of bytes: files, standard input and what fsspec opens."""

from __future__ import annotations

import bz2
import io
import lzma
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

from victor.crawl.extras import needed
from victor.crawl.readers.inputs import STDIN, UNKNOWN, Input, ReadOptions, is_remote
from victor.crawl.readers.pieces import Piece, gzip_pieces, raw_pieces, zstd_pieces

HEAD_BYTES: Final = 1 << 12
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_TAR_MAGIC: Final = b"ustar"
_TAR_MAGIC_AT: Final = 257
DAMAGE: Final = (OSError, EOFError, lzma.LZMAError)
"""What reading a damaged stream raises."""
_BZ2: Final = b"BZh"
_XZ: Final = b"\xfd7zXZ\x00"


@contextmanager
def opened(source: Input) -> Iterator[IO[bytes]]:
    """The bytes of an input; standard input stays open.

    Raises:
        OSError: it cannot be opened.
    """
    if source.name == STDIN:
        yield sys.stdin.buffer
    elif is_remote(source.name):
        with needed("fsspec").open(source.name, "rb") as file:
            yield file
    else:
        with open(source.name, "rb") as file:
            yield file


class Headed(io.RawIOBase):
    """A stream of which the first bytes have been read already."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.head = _read_full(stream, HEAD_BYTES)
        self._waiting = self.head

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (any writable buffer)
        """Bytes of the head first."""
        if not self._waiting:
            self._waiting = self._stream.read(len(buffer))
        taken = self._waiting[: len(buffer)]
        buffer[: len(taken)] = taken
        self._waiting = self._waiting[len(taken) :]
        return len(taken)


def kind(source: Input, head: bytes, options: ReadOptions) -> str:
    """The kind of an input: by its name, as the options say, or by its first bytes."""
    if source.kind not in (UNKNOWN, "stdin"):
        return source.kind
    return options.kind or _kind_of_bytes(head)


def _kind_of_bytes(head: bytes) -> str:
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((_BZ2, _XZ)):
        return "tar"
    with suppress(zlib.error):
        head = zlib.decompressobj(31).decompress(head, HEAD_BYTES) if head[:2] == GZIP else head
    if head.startswith(b"WARC/"):
        return "warc"
    if head.startswith(_TAR_MAGIC, _TAR_MAGIC_AT):
        return "tar"
    return "jsonl" if head.startswith(ZSTD) or head.lstrip().startswith(b"{") else "html"


def pieces(stream: IO[bytes], head: bytes) -> Iterator[Piece]:
    """The bytes of a stream with gzip or zstandard undone, by its first bytes."""
    if head.startswith(GZIP):
        return gzip_pieces(stream)
    return zstd_pieces(stream) if head.startswith(ZSTD) else raw_pieces(stream)


def plain(stream: IO[bytes], head: bytes) -> IO[bytes]:
    """The same as a stream, with bzip2 and xz undone as well.

    Reading it raises one of `DAMAGE` where it is damaged.
    """
    if head.startswith(_BZ2):
        return bz2.BZ2File(stream)
    if head.startswith(_XZ):
        return lzma.LZMAFile(stream)
    return io.BufferedReader(_Joined(pieces(stream, head)))


@contextmanager
def seekable(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """The stream in a temporary file, for formats that have to be read from their end."""
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(stream, spooled)
        spooled.seek(0)
        yield spooled


class _Joined(io.RawIOBase):
    """Pieces as a stream that ends with an error where they are damaged."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._waiting = memoryview(b"")
        self._broken = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (any writable buffer)
        while not self._waiting:
            if self._broken:
                raise OSError(self._broken)
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._waiting, self._broken = memoryview(piece.data), piece.broken
        taken = self._waiting[: len(buffer)]
        buffer[: len(taken)] = taken
        self._waiting = self._waiting[len(taken) :]
        return len(taken)


def _read_full(stream: IO[bytes], n: int) -> bytes:
    parts, left = [], n
    while left and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
