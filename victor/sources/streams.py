"""Streams of bytes: what kind of input their first bytes are, and seeking in pipes."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import IO, Any, Final

from victor.sources.decompress import BZ2, GZIP, XZ, ZSTD, ZSTD_DICTIONARY, chunks
from victor.sources.inputs import UNKNOWN, Input, ReadOptions

HEAD_BYTES: Final = 1 << 18
"""More than a block of zstandard, of which nothing comes out before its end."""
WARC_START: Final = b"WARC/"
"""With what a record of a WARC begins."""
TAR_MAGIC: Final = b"ustar"
TAR_MAGIC_AT: Final = 257


class Peeked(io.RawIOBase):
    """A stream whose first bytes have been read already, and are read again.

    Attributes:
        head: its first bytes.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.head = self._waiting = read_up_to(stream, HEAD_BYTES)

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """Is the stream."""
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position in the stream."""
        self._waiting = b""
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """The position in the stream."""
        return self._stream.tell() - len(self._waiting)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (any writable buffer)
        """Bytes of the head first."""
        if not self._waiting:
            self._waiting = self._stream.read(len(buffer))
        data, self._waiting = self._waiting[: len(buffer)], self._waiting[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def kind_of_stream(source: Input, head: bytes, options: ReadOptions) -> str:
    """The kind of an input: by its name, as the options say, or by its first bytes."""
    if source.kind not in (UNKNOWN, "stdin"):
        return source.kind
    return options.kind or _kind_of_bytes(head)


def _kind_of_bytes(head: bytes) -> str:
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((BZ2, XZ)):
        return "tar"
    plain = inflated(head)
    if head.startswith(ZSTD_DICTIONARY) or plain.startswith(WARC_START):
        return "warc"
    if plain.startswith(TAR_MAGIC, TAR_MAGIC_AT):
        return "tar"
    return "jsonl" if head.startswith(ZSTD) or plain.lstrip().startswith(b"{") else "html"


def inflated(head: bytes) -> bytes:
    """What gzip or zstandard made the first bytes from, as far as they are sound; or themselves."""
    if not head.startswith((GZIP, ZSTD)):
        return head
    return next((chunk.data for chunk in chunks(io.BytesIO(head), head) if chunk.data), b"")


def compression_magic(source: Input, head: bytes) -> bytes:
    """The first bytes of an input; where a WARC begins with garbage, those that its name tells."""
    if source.kind != "warc" or head.startswith(ZSTD_DICTIONARY):
        return head
    if inflated(head).startswith(WARC_START):
        return head
    return {".gz": GZIP, ".zst": ZSTD}.get(PurePosixPath(source.name.lower()).suffix, WARC_START)


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


def read_up_to(stream: IO[bytes], n: int) -> bytes:
    """The next n bytes, of a stream that may give fewer than it is asked for; less at the end."""
    parts, left = [], n
    while left and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
