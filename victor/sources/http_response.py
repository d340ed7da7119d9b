"""HTTP responses as stored in WARC records: the body, with what HTTP did to it undone.

Chunked and compressed bodies are decoded by fastwarc. Where a header promises what the body does
not keep, as crawlers write that decoded it themselves, the body is taken as it stands; one that
is damaged or was cut off is taken as far as it goes, and that is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from victor.base import optional
from victor.sources.damaged_body import Unpacked, unpack_damaged
from victor.sources.streams import read_up_to

HTTP: Final = "application/http"
"""Media type of the block of a WARC record that holds a response."""
_HEAD_BYTES: Final = 1 << 16
_GAP: Final = b"\r\n\r\n"
_OTHER_GAP: Final = re.compile(rb"\n\r?\n")
_CODING: Final = re.compile(rb"(?<![\w-])(?:content|transfer)-encoding", re.IGNORECASE)
_GZIP: Final = ("gzip", "x-gzip")
_MEMBER: Final = b"\x1f\x8b\x08"
"""How a member of gzip begins."""
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Response(NamedTuple):
    """What a server sent.

    Attributes:
        body: decoded; at most one byte more than the limit.
        content_type: value of the header, empty if there is none.
        status: of HTTP, None if it is not known.
        fault: what is wrong behind the body, which goes as far as it can be decoded; else empty.
    """

    body: bytes
    content_type: str
    status: int | None
    fault: str = ""


def parse_response(block: bytes, content_type: str, limit: int) -> Response:
    """The response in the block of a WARC record.

    Args:
        block: HTTP headers and body, or a body alone.
        content_type: that of a body alone.
        limit: the longest body; of a longer one, one byte more is kept.

    Raises:
        OSError, ValueError: it is no response that can be read.
    """
    if not block.startswith(b"HTTP/"):
        return Response(block[: limit + 1], content_type, None)
    return _plain(block, limit) or _coded(block, limit)


def _plain(block: bytes, limit: int) -> Response | None:
    """A response whose body is what stands after the header; None if that is not certain.

    Only the header is parsed, so that the body is copied once.
    """
    head, gap, _ = block[:_HEAD_BYTES].partition(_GAP)
    if not gap or head.endswith(b"\n") or _OTHER_GAP.search(head) or _CODING.search(head):
        return None
    start = len(head) + len(gap)
    headers = _parsed(block[:start], "none").http_headers
    body = block[start : start + limit + 1]
    return Response(body, headers.get("Content-Type") or "", headers.status_code)


def _coded(block: bytes, limit: int) -> Response:
    """A response as fastwarc decodes it, else as far as it can be decoded here."""
    fault = ""
    try:
        parsed = _parsed(block, "all")
        body = read_up_to(parsed.reader, limit + 1)
        if len(body) <= limit and (unpacked := _other_members(block, parsed, len(body), limit + 1)):
            body, fault = unpacked.data, unpacked.fault and f"the packed body {unpacked.fault}"
    except OSError:
        parsed = _parsed(block, "none")
        stored = read_up_to(parsed.reader, len(block))
        body, fault = _decoded(stored, _lower(parsed), limit + 1)
    headers = parsed.http_headers
    return Response(body, headers.get("Content-Type") or "", headers.status_code, fault)


def _other_members(
    block: bytes,
    parsed: Any,  # noqa: ANN401  (fastwarc has no types)
    size: int,
    most: int,
) -> Unpacked | None:
    """A body of gzip that may have more members than the first, or be cut: fastwarc does not tell.

    None if it has one member, of that size.
    """
    headers = _lower(parsed)
    if "transfer-encoding" in headers or headers.get("content-encoding") not in _GZIP:
        return None
    is_one = block.count(_MEMBER) == 1
    if is_one and int.from_bytes(block[-4:], "little") == size:
        return None
    stored = read_up_to(_parsed(block, "none").reader, len(block))
    return unpack_damaged(stored, "gzip", most)


def _lower(parsed: Any) -> dict[str, str]:  # noqa: ANN401  (fastwarc has no types)
    """The headers of a response, names and values in lower case."""
    return {name.lower(): value.strip().lower() for name, value in parsed.http_headers.items()}


def _parsed(block: bytes, decode: str) -> Any:  # noqa: ANN401  (fastwarc has no types)
    """The block as a record of fastwarc with its HTTP header parsed.

    It gets a header of ours: that of the file may be damaged where it does not matter here.
    """
    warc = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    record = warc % (HTTP.encode(), len(block)) + block
    parsed = optional.load("fastwarc.warc", extra="crawl").WarcRecord.from_bytes(record)
    parsed.parse_http(auto_decode=decode, quirks_mode=True)
    return parsed


def _decoded(body: bytes, headers: Mapping[str, str], most: int) -> tuple[bytes, str]:
    """At most so many bytes of a body, as far as its coding can be undone, and what is wrong."""
    fault = ""
    if "chunked" in headers.get("transfer-encoding", "") and (chunks := _dechunked(body)):
        body, is_whole = chunks
        fault = "" if is_whole else "the chunked body breaks off"
    encoding = headers.get("content-encoding", "")
    unpacked = unpack_damaged(body, encoding, most)
    if unpacked is None:
        return body[:most], fault
    if unpacked.fault:
        fault = f"the {encoding} body: {unpacked.fault}"
    if fault and not unpacked.data:
        raise ValueError(f"{fault}, before anything can be read")
    return unpacked.data, fault


def _dechunked(body: bytes) -> tuple[bytes, bool] | None:
    """The chunks up to the first that is none, and whether that ends them; None without any."""
    at, chunks = 0, []
    while (size := _CHUNK.match(body, at)) and (length := int(size[1], 16)):
        chunks.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += len(b"\r\n") if body.startswith(b"\r\n", at) else 0
    return (b"".join(chunks), size is not None) if chunks else None
