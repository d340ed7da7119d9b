"""HTTP responses as stored in WARC records: the body, with what HTTP did to it undone.

fastwarc parses the header. It undoes no coding, for it would unpack a whole body before it tells
how long that is. Where a header promises what the body does not keep, as crawlers write that
decoded it themselves, the body is taken as it stands; one that is damaged or was cut off is taken
as far as it goes, and that is told.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from victor.base import optional
from victor.sources.codings import undo
from victor.sources.streams import read_up_to

HTTP: Final = "application/http"
"""Media type of the block of a WARC record that holds a response."""
_HEAD_BYTES: Final = 1 << 16
_GAP: Final = b"\r\n\r\n"
_OTHER_GAP: Final = re.compile(rb"\n\r?\n")


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
        PageError: its codings would cost too much.
    """
    if not block.startswith(b"HTTP/"):
        return Response(block[: limit + 1], content_type, None)
    parsed, body = _split(block)
    names = ("Content-Encoding", "Transfer-Encoding")
    data, fault = undo(body, [each for name in names for each in _listed(parsed, name)], limit + 1)
    headers = parsed.http_headers
    return Response(data, headers.get("Content-Type") or "", headers.status_code, fault)


def _split(block: bytes) -> tuple[Any, bytes]:
    """The parsed header, and the body."""
    head, gap, _ = block[:_HEAD_BYTES].partition(_GAP)
    if gap and not head.endswith(b"\n") and not _OTHER_GAP.search(head):
        start = len(head) + len(gap)
        return _parsed(block[:start]), block[start:]  # so the body is copied once
    parsed = _parsed(block)
    return parsed, read_up_to(parsed.reader, len(block))


def _listed(parsed: Any, name: str) -> list[str]:  # noqa: ANN401  (fastwarc has no types)
    """The values of a header that may stand several times, in order, lower case."""
    lines = [value for key, value in parsed.http_headers.items() if key.lower() == name.lower()]
    return [value.strip().lower() for line in lines for value in line.split(",")]


def _parsed(block: bytes) -> Any:  # noqa: ANN401  (fastwarc has no types)
    """The block as a record of fastwarc with its HTTP header parsed.

    It gets a header of ours: that of the file may be damaged where it does not matter here.
    """
    warc = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    record = warc % (HTTP.encode(), len(block)) + block
    parsed = optional.load("fastwarc.warc", extra="crawl").WarcRecord.from_bytes(record)
    parsed.parse_http(auto_decode="none", quirks_mode=True)
    return parsed
