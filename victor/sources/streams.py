"""Inputs as streams of bytes: files, standard input and what fsspec opens."""

from __future__ import annotations

import bz2
import io
import lzma
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from victor.sources.decompress import gzip_pieces, raw_pieces, zstd_pieces
from victor.sources.inputs import STDIN, UNKNOWN, Input, ReadOptions, is_remote
from victor.sources.optional import needed
from victor.sources.resync import Pieces

HEAD_BYTES: Final = 1 << 12
BEGIN: Final = b"WARC/"
"""With what a record of a WARC begins."""
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
TAR_MAGIC: Final = b"ustar"
TAR_MAGIC_AT: Final = 257
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

    def seekable(self) -> bool:
        """Is the stream."""
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place of the stream."""
        self._waiting = b""
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """The place in the stream."""
        return self._stream.tell() - len(self._waiting)

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
    plain = _inflated(head)
    if plain.startswith(BEGIN):
        return "warc"
    if plain.startswith(TAR_MAGIC, TAR_MAGIC_AT):
        return "tar"
    return "jsonl" if head.startswith(ZSTD) or plain.lstrip().startswith(b"{") else "html"


def _inflated(head: bytes) -> bytes:
    """What gzip made the first bytes from, as far as they are sound; or themselves."""
    if not head.startswith(GZIP):
        return head
    return next((piece.data for piece in gzip_pieces(io.BytesIO(head))), b"")


def packing(source: Input, head: bytes) -> bytes:
    """The first bytes of an input; where a WARC begins with garbage, those that its name tells."""
    if source.kind != "warc" or _inflated(head).startswith(BEGIN):
        return head
    return GZIP if source.name.lower().endswith(".gz") else BEGIN


def pieces(stream: IO[bytes], head: bytes, member: bytes = b"") -> Pieces:
    """The bytes of a stream, unpacked.

    Args:
        stream: packed with gzip, zstandard, bzip2 or xz, or not.
        head: its first bytes, which tell that.
        member: with what a gzip member begins that starts something new.
    """
    if head.startswith(GZIP):
        return Pieces(gzip_pieces(stream, member), exact=False)
    if head.startswith(ZSTD):
        return Pieces(zstd_pieces(stream), exact=False)
    if head.startswith(_BZ2):
        return Pieces(raw_pieces(bz2.BZ2File(stream)), exact=True)
    if head.startswith(_XZ):
        return Pieces(raw_pieces(lzma.LZMAFile(stream)), exact=True)
    return Pieces(raw_pieces(stream), exact=True)


@contextmanager
def seekable(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """The stream for formats that are read from their end; by a copy if it only goes forward."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(stream, spooled)
        spooled.seek(0)
        yield spooled


def _read_full(stream: IO[bytes], n: int) -> bytes:
    parts, left = [], n
    while left and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
