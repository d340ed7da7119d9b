"""WARC and ARC files to items: one for every record, and one for every place that is damaged.

Records are cut out here, and not by fastwarc: it does not report a record that swallows its
neighbours because its length is too large, gives none of what precedes a damage of a member, and
unpacks a body before it tells how long that is. Where a record does not end as the format asks (ISO
28500, 4), its length is not believed: it ends where the next begins, and its page is noted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator, Mapping
from typing import IO, Final, NamedTuple

from victor.base.errors import PageError
from victor.sources.codings import undo
from victor.sources.inputs import Input, ReadOptions
from victor.sources.record import Damage, Item, Page, Record, Skipped
from victor.sources.unpack import GZIP, PACKED, ZSTD, Members, Stream, beginning, chunks, raw_chunks

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
_FIELD: Final = re.compile(rb"^([A-Za-z-]+):[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_HTTP: Final = "application/http"
_PAGE_TYPES: Final = (_HTTP, "text/html", "application/xhtml+xml")
_STATUS: Final = re.compile(rb"HTTP/[\d.]+[ \t]+(\d{3})\b")
_LINE: Final = re.compile(rb"([\w!#$%&'*+.^`|~-]++)[ \t]*+:([^\r\n]*+)\r?\n|[ \t][^\r\n]*+\r?\n")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)


def items(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """The records that begin between two bytes of a file, and its damages there.

    Whoever reads a stretch goes on until a sound record behind it begins, so that no damage at its
    end is overlooked by two readers.
    """
    head, plain = beginning(file)
    name = source.name.lower()
    is_arc = plain.startswith(b"filedesc:") or ".arc" in name[-8:]
    first = _ARC if is_arc else _WARC
    if not head.startswith(PACKED) and not first.match(head):  # it begins with garbage
        head = {".gz": GZIP, ".zst": ZSTD}.get(name[name.rfind(".") :], head)
    reader = _Reader(source.name, options.max_bytes, first, end)
    try:
        stream = _stream(file, head, first, start, end)
    except ValueError as error:
        if not start:
            message = f"has no dictionary that can be read: {error}"
            yield lambda: Damage(source.name, 0, _REASON, message)
        return
    if stream is not None:
        yield from reader.items(stream)


def _stream(
    file: IO[bytes], head: bytes, first: re.Pattern[bytes], start: int, end: int | None
) -> Stream | None:
    """The bytes from the first record of a stretch on; None if none begins there."""
    begin: int | None = 0
    if head.startswith(PACKED[:3]):
        members = Members(file, head, lambda data: first.match(data) is not None)
        begin = members.find(start, end or sys.maxsize) if start else 0
        return None if begin is None else Stream(members.chunks(begin))
    if head.startswith(PACKED):
        file.seek(0)
        return None if start else Stream(chunks(file, head))
    begin = _next_header(file, first, start) if start else 0
    if begin is None or (end is not None and begin >= end):
        return None
    file.seek(begin)
    return Stream(raw_chunks(file, begin), is_exact=True)


def _next_header(file: IO[bytes], first: re.Pattern[bytes], start: int) -> int | None:
    """Where the next record of a file begins that is not packed."""
    at, waiting = start - 1, b""  # ARC looks at the byte before
    file.seek(at)
    while data := file.read(_STEP):
        waiting += data
        if found := first.search(waiting, 1):
            return at + found.start()
        forget = max(len(waiting) - _HEADER_BYTES, 0)
        waiting, at = waiting[forget:], at + forget
    return None


class _Reader:
    """Cuts records out of a stream.

    Args:
        name: of the input.
        limit: bytes of a body; of a longer one, one byte more is kept.
        first: first line of a record.
        end: byte from which on records are those of the next stretch.
    """

    def __init__(self, name: str, limit: int, first: re.Pattern[bytes], end: int | None) -> None:
        self._name, self._limit, self._first, self._end = name, limit, first, end

    def items(self, stream: Stream) -> Iterator[Item]:
        """The items of a stream."""
        while stream.begin():
            told = False  # a damage is one item, however far away the next record is
            while self._skip_newlines(stream):
                if self._is_behind(stream):
                    return
                header = self._header(stream)
                if header is None:
                    if not told:
                        yield self._damage(stream, f"no WARC record at {stream.where}")
                    stream.move(1)
                    self._seek(stream)
                    told = True
                else:
                    told = yield from self._record(stream, header)
            if stream.fault and not told:
                yield self._damage(stream, stream.fault)

    def _is_behind(self, stream: Stream) -> bool:
        is_behind = self._end is not None and stream.origin >= self._end
        return is_behind and bool(stream.fill(_LOOK)) and self._is_first(stream)

    def _is_first(self, stream: Stream) -> bool:
        stream.fill(_HEADER_BYTES)
        return self._first.match(stream.data, stream.at) is not None

    def _damage(self, stream: Stream, message: str, url: str | None = None) -> Item:
        number = stream.position
        return lambda: Damage(self._name, number, _REASON, message, url)

    @staticmethod
    def _skip_newlines(stream: Stream) -> bool:
        """Go on to the next byte that ends no line; returns whether there is one."""
        while stream.fill(1):
            if stream.data[stream.at] not in b"\r\n":
                return True
            stream.move(1)
        return False

    def _header(self, stream: Stream) -> _Header | None:
        """The header that begins here, if one does."""
        if not self._is_first(stream):
            return None
        data, at = stream.data, stream.at
        if self._first is _ARC:
            return _arc_header(self._first.match(data, at))
        empty_line = _EMPTY_LINE.search(data, at, at + _HEADER_BYTES)
        if not empty_line or _WARC.search(data, at + 1, empty_line.end()):
            return None  # no end, or broken off and followed by that of another record
        return _warc_header(bytes(data[at : empty_line.end()]))

    def _record(self, stream: Stream, header: _Header) -> Generator[Item, None, bool]:
        """The item of a record; goes on after it, and returns whether a damage was told."""
        place, where = stream.position, stream.where
        length, size = header.length, header.size + (header.length or 0)
        fault = "does not say its length" if length is None else ""
        if length is not None and length <= self._limit + _HEADER_BYTES:
            fault = self._fault(stream, size)
            if not fault:
                block = stream.ahead(header.length or 0, header.size)
                yield lambda: self._page(place, header, block, "")
                stream.move(size)
                return False
        # It is not kept whole, or its length is wrong: it ends where the next header is.
        stream.move(header.size)
        most = sys.maxsize if fault or length is None else length
        n_skipped, block = self._seek(stream, most, self._limit + _HEADER_BYTES)
        if n_skipped < most:
            fault = fault or f"is shorter than the {length} bytes that it says"
            block = block.removesuffix(_GAP)
        elif fault := self._fault(stream, 0):
            self._seek(stream)
        if not (stream.fault and not stream.fill(1)):
            yield lambda: self._page(place, header, block, fault)
            return False
        message = f"the record at {where} {fault}"
        yield lambda: Damage(self._name, place, _REASON, message, header.url)
        return True

    def _fault(self, stream: Stream, size: int) -> str:
        """What is wrong with a record of so many bytes: it or what follows."""
        n_ahead = stream.fill(size + _LOOK)
        if n_ahead < size:
            return f"breaks off: {stream.fault or f'{size} bytes expected, {n_ahead} found'}"
        tail = stream.ahead(_LOOK, size)
        following = tail.lstrip(b"\r\n")
        if not following and len(tail) < _LOOK:
            return stream.fault and f"cannot be trusted: {stream.fault}"
        gap = b"\n" if self._first is _ARC else _GAP
        stream.fill(size + _LOOK + _HEADER_BYTES)
        at = stream.at + size + len(tail) - len(following)
        has_next = not following or self._starts(stream, at)
        # Garbage may follow a record, and empty lines may be missing. But both are also what a
        # length looks like that is too large and has swallowed a part of what follows.
        if has_next and tail.startswith(gap):
            return ""
        is_whole = not self._first.search(stream.data, stream.at + 1, stream.at + size)
        if is_whole and (has_next or tail.startswith(gap)):
            return ""
        return "does not end where its length says"

    def _starts(self, stream: Stream, at: int) -> bool:
        """Does a record begin here, be its version known or not."""
        return stream.data.startswith(b"WARC/", at) or bool(self._first.match(stream.data, at))

    def _seek(self, stream: Stream, most: int = sys.maxsize, keep: int = 0) -> tuple[int, bytes]:
        """Go on to the next header, or by `most` bytes where none comes before.

        Returns:
            How many bytes that were, and the first of them, at most `keep`.
        """
        n_skipped, kept = 0, bytearray()
        while n_skipped < most and (ahead := min(stream.fill(2 * _STEP), most - n_skipped, _STEP)):
            at = stream.at
            line = self._first.search(stream.data, at, at + ahead + _STEP)
            step = min(ahead, line.start() - at) if line else ahead
            if not step and (header := self._header(stream)) and header.kind:
                break
            step = step or 1
            kept += stream.data[at : at + min(step, keep - len(kept))]
            stream.move(step)
            n_skipped += step
        return n_skipped, bytes(kept)

    def _page(self, place: int, header: _Header, block: bytes, fault: str) -> Page:
        """The page of a record, with its fault if it has one; or why it holds none."""
        if not header.is_page:
            return Skipped(self._name, place, f"warc-{header.kind or 'unknown'}")
        is_http = header.media_type.startswith(_HTTP)
        try:
            response = parse_response(block, self._limit) if is_http else None
        except PageError as error:
            return Damage(self._name, place, error.reason, str(error), header.url)
        except ValueError as error:
            message = f"no readable HTTP response: {error}"
            return Damage(self._name, place, _REASON, message, header.url)
        response = response or Response(block[: self._limit + 1], header.media_type)
        if not fault and len(block) < (header.length or 0) and len(response.body) <= self._limit:
            message = f"a block of {header.length} bytes, too long to be read"
            return Damage(self._name, place, "too-many-bytes", message, header.url)
        headless = "has no HTTP status line" if is_http and not response.status else ""
        known = {
            "http_status": response.status,
            "truncated": header.fields.get("warc-truncated"),
            "damaged": "; ".join(filter(None, (fault, response.fault, headless))),
        }
        charset = _CHARSET.search(response.content_type)
        return Record(
            source=self._name,
            number=place,
            body=response.body,
            url=header.url,
            id=header.fields.get("warc-record-id", "").strip("<>") or None,
            charset=charset[1] if charset else None,
            media_type=response.content_type.partition(";")[0].strip().lower() or None,
            date=header.fields.get("warc-date") or None,
            metadata={name: value for name, value in known.items() if value},
            is_text=header.kind == "conversion",
        )


class _Header(NamedTuple):
    """What has to be known of the header of a record to read it.

    Attributes:
        size: bytes of the header with the empty line after it.
        length: bytes of the block after it, None if that is not said or no number.
        fields: values by lower-case name; of a name that stands twice, the first.
    """

    size: int
    length: int | None
    fields: Mapping[str, str]

    @property
    def kind(self) -> str:
        """Its WARC-Type, lower case."""
        return self.fields.get("warc-type", "").lower()

    @property
    def media_type(self) -> str:
        """Its Content-Type, lower case."""
        return self.fields.get("content-type", "").lower()

    @property
    def url(self) -> str | None:
        """Its WARC-Target-URI."""
        return self.fields.get("warc-target-uri", "").strip("<>") or None

    @property
    def is_page(self) -> bool:
        """Can the record hold a page: a response, HTML that was stored without one, or text."""
        if self.kind == "conversion":
            return self.media_type.startswith("text/plain")
        if self.kind == "response" and not self.media_type:
            return True
        return self.kind in ("response", "resource") and self.media_type.startswith(_PAGE_TYPES)


def _warc_header(header: bytes) -> _Header:
    fields = {
        name.decode().lower(): value.decode("utf-8", "replace")
        for name, value in reversed(_FIELD.findall(header))
    }
    length = fields.get("content-length", "")
    is_length = length.isascii() and length.isdecimal() and len(length) < 19
    return _Header(len(header), int(length) if is_length else None, fields)


def _arc_header(line: re.Match[bytes] | None) -> _Header:
    assert line is not None, "it was met"
    url, time, media_type, length = (each.decode("utf-8", "replace") for each in line.groups())
    is_http = url.startswith(("http:", "https:"))
    parts = (time[:4], time[4:6], time[6:8], time[8:10], time[10:12], time[12:])
    fields = {
        "warc-type": "response" if is_http else url.partition(":")[0],
        "warc-target-uri": url,
        "warc-date": "{}-{}-{}T{}:{}:{}Z".format(*parts),
        "content-type": _HTTP if is_http else media_type,
    }
    return _Header(len(line[0]), int(length), fields)


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
    status = _STATUS.match(block)
    if not block.startswith(b"HTTP/"):
        return Response(block[: limit + 1])
    at = block.find(b"\n") + 1 or len(block)
    fields: dict[str, list[str]] = {}
    while at < _HEADER_BYTES and (line := _LINE.match(block, at)):
        name, value = ((each or b"").decode("latin-1") for each in line.groups())
        fields.setdefault(name.lower(), []).append(value.strip())
        at = line.end()
    if empty := re.compile(rb"\r?\n").match(block, at):
        at = empty.end()
    names = ("content-encoding", "transfer-encoding")
    codings = ",".join(value for name in names for value in fields.get(name, ()))
    listed = [each.strip().lower() for each in codings.split(",")]
    body, fault = undo(block[at:], listed, limit + 1)
    content_type = fields.get("content-type", [""])[0]
    return Response(body, content_type, int(status[1]) if status else None, fault)
