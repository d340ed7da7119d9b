"""WARC files: whatever the bytes, records and damages; in ranges the same as whole."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

from victor.sources import ranges
from victor.sources.inputs import Input, ReadOptions
from victor.sources.ranges import Range, RangeReader, head_of
from victor.sources.record import Page, Record
from victor.sources.warc import items

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
    """Read the file, as it is and packed; then each as two ranges."""
    _read(data)
    _read(gzip.compress(data, 1, mtime=0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.warc")
        path.write_bytes(data)
        _read_in_ranges(Input(str(path), "warc"))


def _record(number: int, body: bytes, fields: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"\r\n" + body
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/%d\r\n"
        b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (number, len(block), block)
    )


def _read(data: bytes) -> None:
    pages = [item("f", n) for n, item in enumerate(items(io.BytesIO(data), data[:4096], _OPTIONS))]
    for page in pages:
        if isinstance(page, Record):
            assert len(page.body) <= _LIMIT + 1, "a body is not longer than it may be"


def _read_in_ranges(source: Input) -> None:
    head = head_of(source, _OPTIONS)
    if head is None:
        return
    expected = [_what(page) for page in RangeReader(source, _OPTIONS, Range(head, 0, None))]
    for n_parts in (9, 2):
        pages: list[Any] = []
        for part in _parts(source, head, n_parts):
            reader = RangeReader(source, _OPTIONS, part)
            pages += map(_what, reader)
            if part.end is not None and reader.met != part.end:
                break  # no record begins at the border: whoever reads goes on from there
        else:
            assert pages == expected, "ranges give what the file gives"


def _parts(source: Input, head: bytes, n_parts: int) -> list[Range]:
    """The ranges of a file if they were so short that it had about so many."""
    usual = ranges.RANGE_BYTES
    ranges.RANGE_BYTES = max(Path(source.name).stat().st_size // n_parts, 1)
    try:
        return [*ranges.ranges(source, head)]
    finally:
        ranges.RANGE_BYTES = usual


def _what(page: Page) -> tuple[Any, ...]:
    """What is compared of a record, or of a damage."""
    if isinstance(page, Record):
        return page.url, page.body, page.id, page.charset
    return (page.reason, page.url)
