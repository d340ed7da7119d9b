"""The page in a WARC record, with what HTTP did to it undone.

Chunked and compressed bodies are undone by fastwarc. Where a header promises what the body does
not keep, as crawlers write that undid it themselves, the body is taken as it stands; one that
was cut off is taken as far as it goes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from victor.crawl.extras import needed
from victor.crawl.readers.sections import Header
from victor.crawl.record import Damage, Record

_HTML: Final = ("text/html", "application/xhtml+xml")
_HTTP: Final = "application/http"
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_WINDOWS: Final = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}
"""Window bits for zlib; servers send deflate with and without its header."""


def check_installed() -> None:
    """Raise ConfigError if the package that parses records is missing."""
    needed("fastwarc.warc")


def is_page(header: Header) -> bool:
    """Can a record hold a page: a response, or HTML that was stored without one."""
    if header.kind == "response":
        return not header.media or header.media.startswith((_HTTP, *_HTML))
    return header.kind == "resource" and header.media.startswith((_HTTP, *_HTML))


def page(source: str, number: int, header: Header, record: bytes, limit: int) -> Record | Damage:
    """The page of a record.

    Args:
        source: name of the input.
        number: of the record in it.
        header: the header of the record.
        record: header and block; of a block far beyond the limit, its first bytes.
        limit: the longest body; of a longer one, one byte more is kept.
    """
    try:
        parsed = _Parsed(record, header, limit)
    except OSError as error:
        return Damage(source, number, "damaged-warc", f"no readable record: {error}", header.url)
    is_cut = len(record) - header.size < (header.length or 0)
    if is_cut and len(parsed.body) <= limit:
        message = f"a block of {header.length} bytes, too long to be read"
        return Damage(source, number, "too-many-bytes", message, header.url)
    charset = _CHARSET.search(parsed.content_type)
    return Record(
        source=source,
        number=number,
        body=parsed.body,
        url=header.url,
        id=parsed.id,
        charset=charset[1] if charset else None,
        media_type=parsed.content_type.partition(";")[0].strip().lower() or None,
        date=parsed.date,
        metadata=parsed.metadata,
    )


class _Parsed:
    """What a record says."""

    def __init__(self, record: bytes, header: Header, limit: int) -> None:
        parse = needed("fastwarc.warc").WarcRecord.from_reader
        parsed = parse(BytesIO(record), quirks_mode=True)
        headers = parsed.headers
        self.id = (parsed.record_id or "").strip("<>") or None
        self.date = headers.get("WARC-Date")
        self.metadata: dict[str, Any] = {}
        if truncated := headers.get("WARC-Truncated"):
            self.metadata["truncated"] = truncated
        if not record.startswith(b"HTTP/", header.size):
            self.body = record[header.size : header.size + limit + 1]
            self.content_type = "" if header.media.startswith(_HTTP) else header.media
            return
        try:
            parsed.parse_http(auto_decode="all", quirks_mode=True)
            self.body = _read(parsed.reader, limit + 1)
        except OSError:
            parsed = parse(BytesIO(record), quirks_mode=True)
            parsed.parse_http(auto_decode="none", quirks_mode=True)
            stored = _read(parsed.reader, len(record))
            self.body = undone(stored, _lower(parsed.http_headers), limit + 1)
        self.content_type = parsed.http_headers.get("Content-Type") or ""
        if parsed.http_headers.status_code:
            self.metadata["http_status"] = parsed.http_headers.status_code


def undone(body: bytes, headers: Mapping[str, str], most: int) -> bytes:
    """A body as far as its chunks and its compression can be undone.

    Args:
        body: as stored.
        headers: of HTTP, names lower case.
        most: no more bytes are returned.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _dechunked(body)
    for window in _WINDOWS.get(headers.get("content-encoding", "").strip().lower(), ()):
        try:
            return zlib.decompressobj(window).decompress(body, most)
        except zlib.error:
            continue
    return body[:most]


def _dechunked(body: bytes) -> bytes:
    """The chunks, up to the first that is none; the body itself if it does not begin with one."""
    at, chunks = 0, []
    while (size := _CHUNK.match(body, at)) and (length := int(size[1], 16)):
        chunks.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += len(b"\r\n") if body.startswith(b"\r\n", at) else 0
    return b"".join(chunks) or body


def _read(reader: Any, most: int) -> bytes:  # noqa: ANN401  (fastwarc has no types)
    parts, left = [], most
    while left and (part := reader.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _lower(headers: Any) -> dict[str, str]:  # noqa: ANN401
    return {name.lower(): value for name, value in headers.items()}
