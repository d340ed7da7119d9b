"""WARC and ARC files: a page, a damage or a skipped record for everything that is in them.

Records are cut out here, and not by fastwarc: it does not report a record that swallows its
neighbours because its length is too large, gives none of what precedes a damage of a member, and
unpacks a body before it tells how long that is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from victor.base.errors import PageError
from victor.sources.inputs import Input, ReadOptions
from victor.sources.record import Damage, Page, Record, Skipped
from victor.sources.stream import HEADER_BYTES, Cutter, Header, Stream
from victor.sources.unpack import MEMBERS, PACKED, Members, beginning, chunks, packed_as, undo

_REASON: Final = "damaged-warc"
_EMPTY_LINE: Final = re.compile(rb"\n\r?\n")
_FIELD: Final = re.compile(rb"^([\w!#$%&'*+.^`|~-]++)[ \t]*+:[ \t]*+([^\r\n]*)", re.MULTILINE)
_HTTP: Final = "application/http"
_HTML: Final = (_HTTP, "text/html", "application/xhtml+xml")
_PAGE_TYPES: Final = {"response": _HTML, "resource": _HTML, "conversion": ("text/plain",)}
_HTTP_HEAD: Final = re.compile(
    rb"HTTP/(?:[\d.]+[ \t]+(\d{3})\b)?[^\n]*+(?:\n|$)"
    rb"(?:[\w!#$%&'*+.^`|~-]++[ \t]*+:[^\n]*+\n|[ \t][^\n]*+\n)*+(?:\r?\n)?+"
)
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)


def read(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The records that begin between two bytes of a file, and its damages there.

    Whoever reads a stretch goes on until a sound record behind it begins, so that no damage at its
    end is overlooked by two readers.
    """
    head, plain = beginning(file)
    is_arc = plain.startswith(b"filedesc:") or ".arc" in source.name.lower()[-8:]
    cutter = (_Arc if is_arc else _Warc)(source.name, options.max_bytes, end)
    if not head.startswith(PACKED) and not cutter.first.match(head):  # it begins with garbage
        head = packed_as(source.name) or head
    if not head.startswith(PACKED):
        # The byte before tells whether a line begins with the stretch.
        stream = Stream(chunks(file, head, max(start - 1, 0)), is_exact=True)
        yield from cutter.pages(stream, goes_on=start > 0)
    elif not head.startswith(MEMBERS):
        yield from () if start else cutter.pages(Stream(chunks(file, head)))
    else:
        members = Members(file, head, lambda data: cutter.first.match(data) is not None)
        begin = members.find(start, end or sys.maxsize) if start else 0
        if begin is not None:
            yield from cutter.pages(Stream(members.chunks(begin)))


class _Warc(Cutter):
    """Records of WARC (ISO 28500, 4)."""

    first = re.compile(rb"WARC/\d\.\d\d?\r?\n[A-Za-z]")  # drafts are 0.17 and 0.18
    gap, between, reason = b"\r\n\r\n", b"\r\n", _REASON

    def header(self, data: bytearray, line: re.Match[bytes]) -> Header | None:
        """The lines up to an empty one; none if it is missing, or another record begins before."""
        end = _EMPTY_LINE.search(data, line.start(), line.start() + HEADER_BYTES)
        if not end or self.first.search(data, line.end(), end.end()):
            return None
        header = bytes(data[line.start() : end.end()])
        fields = {
            name.lower().decode(): value.strip().decode("utf-8", "replace")
            for name, value in reversed(_FIELD.findall(header))  # the first of a name counts
        }
        if url := fields.get("warc-target-uri", "").strip("<>"):
            fields["url"] = url
        length = fields.get("content-length", "")
        is_length = length.isascii() and length.isdecimal() and len(length) < 19
        return Header(len(header), int(length) if is_length else None, fields)

    def page(self, place: int, header: Header, block: bytes, fault: str) -> Page:
        """Pages are responses, HTML that was stored without one, and texts."""
        fields, name = header.fields, self.source
        kind, url = fields.get("warc-type", "").lower(), fields.get("url")
        media_type = fields.get("content-type", "").lower()
        is_bare = kind == "response" and not media_type
        if not (is_bare or media_type.startswith(_PAGE_TYPES.get(kind, "-"))):
            return Skipped(name, place, f"warc-{kind or 'unknown'}")
        is_http, limit = media_type.startswith(_HTTP), self.limit
        response = Response(block[: limit + 1], media_type)
        try:
            response = parse_response(block, limit) if is_http else response
        except PageError as error:
            return Damage(name, place, error.reason, str(error), url)
        except ValueError as error:
            return self.damage(place, f"no readable HTTP response: {error}", header)
        if not fault and len(block) < (header.length or 0) and len(response.body) <= limit:
            message = f"a block of {header.length} bytes, too long to be read"
            return Damage(name, place, "too-many-bytes", message, url)
        headless = "has no HTTP status line" if is_http and not response.status else ""
        known = {
            "http_status": response.status,
            "truncated": fields.get("warc-truncated"),
            "damaged": "; ".join(filter(None, (fault, response.fault, headless))),
        }
        charset = _CHARSET.search(response.content_type)
        return Record(
            source=name,
            number=place,
            body=response.body,
            url=url,
            id=fields.get("warc-record-id", "").strip("<>") or None,
            charset=charset[1] if charset else None,
            media_type=response.content_type.partition(";")[0].strip().lower() or None,
            date=fields.get("warc-date") or None,
            metadata={name: value for name, value in known.items() if value},
            is_text=kind == "conversion",
        )


class _Arc(_Warc):
    """Records of ARC 1 and 2: in their first line are address, IP, time, media type, length."""

    first = re.compile(
        rb"(?<![^\n])([a-z][a-z0-9+.-]{1,20}:[^\s]{1,8000}) [0-9a-fA-F.:]+ (\d{14}) ([^\s]+)"
        rb"(?: [^\s]+){0,6} (\d{1,12})\r?\n"
    )
    gap = b"\n"

    def header(self, data: bytearray, line: re.Match[bytes]) -> Header:
        """The line as the header of a WARC."""
        url, time, media_type, length = (each.decode("utf-8", "replace") for each in line.groups())
        is_http = url.startswith(("http:", "https:"))
        parts = (time[:4], time[4:6], time[6:8], time[8:10], time[10:12], time[12:])
        fields = {
            "warc-type": "response" if is_http else url.partition(":")[0],
            "url": url,
            "warc-date": "{}-{}-{}T{}:{}:{}Z".format(*parts),
            "content-type": _HTTP if is_http else media_type,
        }
        return Header(len(line[0]), int(length), fields)


class Response(NamedTuple):
    """What a server sent, its codings undone; `fault` is what is wrong behind the body."""

    body: bytes
    content_type: str = ""
    status: int | None = None
    fault: str = ""


def parse_response(block: bytes, limit: int) -> Response:
    """The HTTP response in the block of a record; of a body beyond the limit one byte more is kept.

    Raises:
        ValueError: its body is damaged before its first byte.
        PageError: its codings would cost too much.
    """
    head = _HTTP_HEAD.match(block)
    if head is None:
        return Response(block[: limit + 1])
    fields: dict[str, list[str]] = {}
    for name, value in _FIELD.findall(head[0]):
        fields.setdefault(name.decode().lower(), []).append(value.decode("latin-1").strip())
    names = ("content-encoding", "transfer-encoding")
    codings = ",".join(value for name in names for value in fields.get(name, ()))
    listed = [each.strip().lower() for each in codings.split(",")]
    body, fault = undo(block[head.end() :], listed, limit + 1)
    status = int(head[1]) if head[1] else None
    return Response(body, fields.get("content-type", [""])[0], status, fault)
