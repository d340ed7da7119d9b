"""WARC files: whatever the bytes, records and damages; in stretches no page is lost."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from pathlib import Path
from typing import Final

from victor.sources import warc
from victor.sources.inputs import Input, ReadOptions
from victor.sources.reading import read
from victor.sources.record import Record

MOST_BYTES: Final = 1 << 14
_LIMIT: Final = 5_000
_OPTIONS: Final = ReadOptions(kind="warc", max_bytes=_LIMIT)
_PAGE: Final = b"<h1>Bees</h1><p>Bees live in colonies, and each of these has one queen.</p>"


def seeds() -> list[bytes]:
    """Files that are not packed, packed record by record, and packed whole."""
    bodies = [
        (_PAGE, b""),
        (gzip.compress(_PAGE, mtime=0), b"Content-Encoding: gzip\r\n"),
        (zlib.compress(_PAGE), b"Content-Encoding: deflate\r\n"),
        (b"%x\r\n%s\r\n0\r\n\r\n" % (len(_PAGE), _PAGE), b"Transfer-Encoding: chunked\r\n"),
        (_PAGE * 100, b""),
    ]
    records = [_record(number, *body) for number, body in enumerate(bodies)]
    return [
        b"".join(records),
        b"".join(gzip.compress(record, mtime=0) for record in records),
        gzip.compress(b"".join(records), mtime=0),
    ]


def one(data: bytes) -> None:
    """Read the file, as it is and packed; then in two stretches."""
    _read(data)
    _read(gzip.compress(data, 1, mtime=0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.warc")
        path.write_bytes(data)
        _read_in_stretches(Input(str(path), "warc"))


def _record(number: int, body: bytes, fields: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"\r\n" + body
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/%d\r\n"
        b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (number, len(block), block)
    )


def _read(data: bytes) -> None:
    for page in warc.read(io.BytesIO(data), Input("f", "warc"), _OPTIONS):
        if isinstance(page, Record):
            assert len(page.body) <= _LIMIT + 1, "a body is not longer than it may be"


def _read_in_stretches(source: Input) -> None:
    whole = {page.body for page in read(source, _OPTIONS) if isinstance(page, Record)}
    middle = Path(source.name).stat().st_size // 2 + 1
    parts = ((0, middle), (middle, None))
    found = [page for part in parts for page in read(source, _OPTIONS, *part)]
    bodies = {page.body for page in found if isinstance(page, Record)}
    assert whole <= bodies, "stretches give what the file gives"
