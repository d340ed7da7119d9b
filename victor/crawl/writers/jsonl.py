"""Write JSON lines, plain or compressed: an object per document, with all fields in each."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import IO, Any, Final, cast

import msgspec

from victor.base import optional
from victor.base.files import created
from victor.crawl.writers.base import Writer
from victor.documents.outcome import Outcome

_GZIP_LEVEL: Final = 6
_ZSTD_LEVEL: Final = 3


class JsonLinesWriter(Writer):
    """Writes a line per document.

    Args:
        path: the file.
        compression: ``""``, ``gz`` or ``zst``.
    """

    def __init__(self, path: Path, compression: str) -> None:
        super().__init__()
        compress = _compressor(compression)
        file = self.open.enter_context(created(path))
        self._stream = file if compress is None else self.open.enter_context(compress(file))

    def write(self, page: Outcome) -> None:
        """Add a line."""
        self._stream.write(msgspec.json.encode(page.row) + b"\n")


def _compressor(compression: str) -> Any:  # noqa: ANN401  (a function of a file, or None)
    if compression == "gz":
        return _gzip
    if compression == "zst":
        zstandard = optional.load("zstandard", extra="crawl")
        compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
        return lambda file: compressor.stream_writer(file, closefd=False)
    return None


def _gzip(file: IO[bytes]) -> IO[bytes]:
    """A gzip member without name and time."""
    stream = gzip.GzipFile("", "wb", compresslevel=_GZIP_LEVEL, fileobj=file, mtime=0)
    return cast(IO[bytes], stream)


def build(form: str, path: Path) -> JsonLinesWriter:
    """The writer of ``jsonl``, ``jsonl.gz`` or ``jsonl.zst``."""
    return JsonLinesWriter(path, form.partition(".")[2])
