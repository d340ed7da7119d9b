"""WARC and ARC files to items: one for every record, and one for every place that is damaged.

Records are cut out here, and not by fastwarc: it does not report a record that swallows its
neighbours because its length is too large, gives none of what precedes a damage of a member, and
unpacks a body before it tells how long that is. Where a record does not end as the format asks (ISO
28500, 4), its length is not believed: it ends where the next begins, and its page is noted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import IO, Final, NamedTuple

from victor.base.errors import PageError
from victor.sources.codings import undo
from victor.sources.inputs import Input, ReadOptions
from victor.sources.record import Damage, Item, Page, Record, Skipped
from victor.sources.unpack import MEMBERS, PACKED, Members, Stream, beginning, chunks, packed_as

_REASON: Final = "damaged-warc"
_GAP: Final = b"\r\n\r\n"
_LOOK: Final = 64
"""Bytes after a record in which the next has to begin."""
_HEADER_BYTES: Final = 1 << 16
"""What is longer is no header of a record."""
_STEP: Final = 1 << 16
_WARC: Final = re.compile(rb"WARC/\d\.\d\d?\r?\n[A-Za-z]")  # drafts are 0.17 and 0.18
_ARC: Final = re.compile(
    rb"(?<![^\n])([a-z][a-z0-9+.-]{1,20}:[^\s]{1,8000}) [0-9a-fA-F.:]+ (\d{14}) ([^\s]+)"
    rb"(?: [^\s]+){0,6} (\d{1,12})\r?\n"
)
"""The first line of a record of ARC 1 and 2: address, IP, time, media type, length."""
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


def items(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """The records that begin between two bytes of a file, and its damages there.

    Whoever reads a stretch goes on until a sound record behind it begins, so that no damage at its
    end is overlooked by two readers.
    """
    head, plain = beginning(file)
    is_arc = plain.startswith(b"filedesc:") or ".arc" in source.name.lower()[-8:]
    first = _ARC if is_arc else _WARC
    if not head.startswith(PACKED) and not first.match(head):  # it begins with garbage
        head = packed_as(source.name) or head
    reader = _Reader(source.name, options.max_bytes, first, end)
    if not head.startswith(PACKED):
        # The byte before tells whether a line begins with the stretch.
        stream = Stream(chunks(file, head, max(start - 1, 0)), is_exact=True)
        yield from reader.items(stream, goes_on=start > 0)
    elif not head.startswith(MEMBERS):
        yield from () if start else reader.items(Stream(chunks(file, head)))
    else:
        try:
            members = Members(file, head, lambda data: first.match(data) is not None)
        except ValueError as error:
            if not start:
                message = f"has no dictionary that can be read: {error}"
                yield partial(Damage, source.name, 0, _REASON, message)
            return
        begin = members.find(start, end or sys.maxsize) if start else 0
        if begin is not None:
            yield from reader.items(Stream(members.chunks(begin)))


class _Reader:
    """Cuts records out of a stream.

    Args:
        name: of the input.
        limit: bytes of a body; of a longer one, one byte more is kept.
        first: first line of a record.
        end: byte from which on records are those of the next stretch.
    """

    def __init__(self, name: str, limit: int, first: re.Pattern[bytes], end: int | None) -> None:
        self._name, self._limit, self._first = name, limit, first
        self._end = sys.maxsize if end is None else end

    def items(self, stream: Stream, *, goes_on: bool = False) -> Iterator[Item]:
        """The items of a stream, which may begin in a record of another stretch."""
        if goes_on and stream.fill(1):
            stream.move(1)
            self._seek(stream)
        while stream.skip(b"\r\n"):
            place = stream.position
            if fault := stream.passed(1):
                yield partial(Damage, self._name, place, _REASON, fault)
            stream.fill(_HEADER_BYTES)
            line = self._first.match(stream.data, stream.at)
            if line and stream.origin >= self._end:
                return
            header = self._header(stream, line) if line else None
            if header is None:
                stream.move(1)
                self._seek(stream)
                message = stream.passed() or f"no WARC record at byte {place}"
                yield partial(Damage, self._name, place, _REASON, message)
                continue
            stream.move(header.size)
            block, fault = self._block(stream, header.length)
            if damage := stream.passed():
                message = f"the record at byte {place} cannot be trusted: {damage}"
                yield partial(Damage, self._name, place, _REASON, message, header.url)
            else:
                yield partial(_page, self._name, place, header, block, fault, self._limit)
        if fault := stream.passed(1):
            yield partial(Damage, self._name, stream.position, _REASON, fault)

    def _header(self, stream: Stream, line: re.Match[bytes]) -> _Header | None:
        """The header that begins with this line, if its end is not missing."""
        if self._first is _ARC:
            return _arc_header(line)
        end = _EMPTY_LINE.search(stream.data, line.start(), line.start() + _HEADER_BYTES)
        if not end or _WARC.search(stream.data, line.end(), end.end()):
            return None  # no end, or broken off and followed by that of another record
        header = bytes(stream.data[line.start() : end.end()])
        found = {name.lower(): value.strip() for name, value in reversed(_FIELD.findall(header))}
        return _Header(
            len(header),
            {name.decode(): value.decode("utf-8", "replace") for name, value in found.items()},
        )

    def _block(self, stream: Stream, length: int | None) -> tuple[bytes, str]:
        """The block that begins here, and what is wrong with its length; goes on behind it.

        Of a long one not all is kept. It and one of a wrong length end where the next header is.
        """
        most = self._limit + _HEADER_BYTES
        if length is not None and length <= most and self._ends(stream, length):
            block = stream.ahead(length)
            stream.move(length)
            return block, ""
        size, block = self._seek(stream, most)
        if length is None:
            fault = "does not say its length"
        elif size < length:
            fault = f"breaks off: {length} bytes expected, {size} found"
        else:
            is_wrong = size > length + _LOOK or length <= most
            fault = "does not end where its length says" if is_wrong else ""
        return block.removesuffix(_GAP) if fault else block, fault

    def _ends(self, stream: Stream, length: int) -> bool:
        """Does a block of this length end where one may.

        Garbage may follow it, and empty lines may be missing. But both are also what a length looks
        like that is too large and has swallowed a part of what follows.
        """
        n_ahead = stream.fill(length + _LOOK + _HEADER_BYTES)
        tail = stream.ahead(_LOOK, length)
        following = tail.lstrip(b"\r\n")
        size = length + len(tail) - len(following)
        if n_ahead < length or stream.fault(size):
            return False
        has_gap = tail.startswith(b"\n" if self._first is _ARC else _GAP)
        has_next = not following or bool(self._first.match(stream.data, stream.at + size))
        if has_gap and has_next:
            return True
        end = stream.at + length
        return (has_gap or has_next) and not self._first.search(stream.data, stream.at, end)

    def _seek(self, stream: Stream, keep: int = 0) -> tuple[int, bytes]:
        """Go on to the next header; how many bytes precede it, and the first of them."""
        size, kept, line = 0, bytearray(), None
        while not line and (ahead := min(stream.fill(_STEP + _HEADER_BYTES), _STEP)):
            at = stream.at
            line = self._first.search(stream.data, at, at + ahead + _HEADER_BYTES)
            step = min(ahead, line.start() - at) if line else ahead
            line = line if step < ahead else None
            kept += stream.ahead(min(step, keep - len(kept)))
            stream.move(step)
            size += step
        return size, bytes(kept)


class _Header(NamedTuple):
    """Bytes of the header of a record, and its fields by lower-case name, the first of a name."""

    size: int
    fields: Mapping[str, str]

    @property
    def length(self) -> int | None:
        """Bytes of the block after it, None if that is not said or no number."""
        length = self.fields.get("content-length", "")
        is_length = length.isascii() and length.isdecimal() and len(length) < 19
        return int(length) if is_length else None

    @property
    def url(self) -> str | None:
        """Its WARC-Target-URI."""
        return self.fields.get("warc-target-uri", "").strip("<>") or None


def _arc_header(line: re.Match[bytes]) -> _Header:
    url, time, media_type, length = (each.decode("utf-8", "replace") for each in line.groups())
    is_http = url.startswith(("http:", "https:"))
    parts = (time[:4], time[4:6], time[6:8], time[8:10], time[10:12], time[12:])
    fields = {
        "warc-type": "response" if is_http else url.partition(":")[0],
        "warc-target-uri": url,
        "warc-date": "{}-{}-{}T{}:{}:{}Z".format(*parts),
        "content-type": _HTTP if is_http else media_type,
        "content-length": length,
    }
    return _Header(len(line[0]), fields)


def _page(name: str, place: int, header: _Header, block: bytes, fault: str, limit: int) -> Page:
    """The page of a record, with its fault if it has one; or why it holds none.

    Pages are responses, HTML that was stored without one, and texts.
    """
    kind = header.fields.get("warc-type", "").lower()
    media_type = header.fields.get("content-type", "").lower()
    is_bare = kind == "response" and not media_type
    if not (is_bare or media_type.startswith(_PAGE_TYPES.get(kind, "-"))):
        return Skipped(name, place, f"warc-{kind or 'unknown'}")
    is_http = media_type.startswith(_HTTP)
    response = Response(block[: limit + 1], media_type)
    try:
        response = parse_response(block, limit) if is_http else response
    except PageError as error:
        return Damage(name, place, error.reason, str(error), header.url)
    except ValueError as error:
        message = f"no readable HTTP response: {error}"
        return Damage(name, place, _REASON, message, header.url)
    if not fault and len(block) < (header.length or 0) and len(response.body) <= limit:
        message = f"a block of {header.length} bytes, too long to be read"
        return Damage(name, place, "too-many-bytes", message, header.url)
    headless = "has no HTTP status line" if is_http and not response.status else ""
    known = {
        "http_status": response.status,
        "truncated": header.fields.get("warc-truncated"),
        "damaged": "; ".join(filter(None, (fault, response.fault, headless))),
    }
    charset = _CHARSET.search(response.content_type)
    return Record(
        source=name,
        number=place,
        body=response.body,
        url=header.url,
        id=header.fields.get("warc-record-id", "").strip("<>") or None,
        charset=charset[1] if charset else None,
        media_type=response.content_type.partition(";")[0].strip().lower() or None,
        date=header.fields.get("warc-date") or None,
        metadata={name: value for name, value in known.items() if value},
        is_text=kind == "conversion",
    )


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
