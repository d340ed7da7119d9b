"""The page in a WARC record, with what HTTP did to it undone.

Chunked and compressed bodies are undone by fastwarc. Where a header promises what the body does
not keep, as crawlers write that undid it themselves, the body is taken as it stands; one that
was cut off is taken as far as it goes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from victor.sources.optional import needed
from victor.sources.record import Damage, Record
from victor.sources.warc_scan import Header

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
    block = record[header.size :]
    try:
        answer = _answer(block, header, limit)
    except (OSError, ValueError) as error:
        return Damage(source, number, "damaged-warc", f"no readable answer: {error}", header.url)
    if len(block) < (header.length or 0) and len(answer.body) <= limit:
        message = f"a block of {header.length} bytes, too long to be read"
        return Damage(source, number, "too-many-bytes", message, header.url)
    charset = _CHARSET.search(answer.content_type)
    known = {"http_status": answer.status, "truncated": header.fields.get("warc-truncated")}
    return Record(
        source=source,
        number=number,
        body=answer.body,
        url=header.url,
        id=header.fields.get("warc-record-id", "").strip("<>") or None,
        charset=charset[1] if charset else None,
        media_type=answer.content_type.partition(";")[0].strip().lower() or None,
        date=header.fields.get("warc-date") or None,
        metadata={name: value for name, value in known.items() if value},
    )


class _Answer(NamedTuple):
    """What a server sent."""

    body: bytes
    content_type: str
    status: int | None


def _answer(block: bytes, header: Header, limit: int) -> _Answer:
    if not block.startswith(b"HTTP/"):
        media = "" if header.media.startswith(_HTTP) else header.fields.get("content-type", "")
        return _Answer(block[: limit + 1], media, None)
    try:
        parsed = _http(block, "all")
        body = _read(parsed.reader, limit + 1)
    except OSError:
        parsed = _http(block, "none")
        body = undone(_read(parsed.reader, len(block)), _lower(parsed.http_headers), limit + 1)
    headers = parsed.http_headers
    return _Answer(body, headers.get("Content-Type") or "", headers.status_code)


def _http(block: bytes, decode: str) -> Any:  # noqa: ANN401  (fastwarc has no types)
    """The block as a record of fastwarc with its HTTP header parsed.

    It gets a header of ours: that of the file may be damaged where it does not matter here.
    """
    warc = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    record = warc % (_HTTP.encode(), len(block)) + block
    parsed = needed("fastwarc.warc").WarcRecord.from_bytes(record)
    parsed.parse_http(auto_decode=decode, quirks_mode=True)
    return parsed


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


def _read(reader: Any, most: int) -> bytes:  # noqa: ANN401
    parts, left = [], most
    while left and (part := reader.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _lower(headers: Any) -> dict[str, str]:  # noqa: ANN401
    return {name.lower(): value for name, value in headers.items()}
