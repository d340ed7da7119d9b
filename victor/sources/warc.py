"""WARC files to items: one for every page, and one for every place that is damaged.

Records are cut out here, and only what is inside them is parsed by fastwarc. Where a record does
not end as the format asks (ISO 28500, 4), its length is not believed, and reading goes on at the
next header. Where every record is a gzip member of its own, as the standard recommends (Annex D),
a damage costs one record. The iterator of fastwarc was tried instead, restarted at the next member
after an error: it does not report a record that swallows its neighbours because its length is too
large, loses what comes before the damage of a gzip member, refuses zeros between members, and
cannot read headers whose lines end in LF.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Final

from victor.base import optional
from victor.base.errors import PageError
from victor.sources.decompress import GZIP, Chunk, chunks, gzip_chunks, raw_chunks
from victor.sources.http_response import HTTP, parse_response
from victor.sources.inputs import ReadOptions
from victor.sources.record import Damage, Item, Page, Record, damage
from victor.sources.resync import STEP, Segment, segments
from victor.sources.streams import WARC_START

_REASON: Final = "damaged-warc"
_GAP: Final = b"\r\n\r\n"
_LOOK: Final = 64
"""Bytes after a record in which the next has to begin."""
_HEADER_BYTES: Final = 1 << 16
"""What is longer is no header of a record."""
_FIRST_LINE: Final = re.compile(rb"WARC/\d\.\d\d?\r?\n[A-Za-z]")  # drafts are 0.17 and 0.18
_LINE_BYTES: Final = len(b"WARC/0.17\r\nW")
_EMPTY_LINE: Final = re.compile(rb"\n\r?\n")
_FIELD: Final = re.compile(rb"^([A-Za-z-]+):[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_PAGE_TYPES: Final = (HTTP, "text/html", "application/xhtml+xml")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)


def items(stream: IO[bytes], head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damages of a WARC.

    Args:
        stream: the file, compressed or not.
        head: its first bytes, which tell that.
        options: how to read.
    """
    yield from _all_items(chunks(stream, head, WARC_START), options.max_bytes, None)


def range_items(
    stream: IO[bytes], head: bytes, options: ReadOptions, start: int, end: int | None
) -> Generator[Item, None, int | None]:
    """The same of the records that begin in a range of a file.

    Args:
        stream: the file.
        head: its first bytes, which tell that it is packed with gzip, or not packed.
        options: how to read.
        start: where reading begins.
        end: where the record begins that is the first behind the range; None for the end.

    Returns:
        Where that record was met; None at the end of the file. It is not `end` if no record begins
        there after all, or if those before cannot be read as far as there.
    """
    stream.seek(start)
    if head.startswith(GZIP):
        packed = gzip_chunks(stream, WARC_START, start, end)
        return (yield from _all_items(packed, options.max_bytes, end))
    return (yield from _all_items(raw_chunks(stream, start), options.max_bytes, end))


def _all_items(
    chunks: Iterator[Chunk], limit: int, end: int | None
) -> Generator[Item, None, int | None]:
    optional.load("fastwarc.warc", extra="crawl")
    for segment in segments(chunks, _WarcSegment):
        if end is not None and segment.position >= end:
            return segment.position
        met = yield from _items(segment, limit, end)
        if met is not None:
            return met
    return None


def _items(segment: _WarcSegment, limit: int, end: int | None) -> Generator[Item, None, int | None]:
    """The items of a segment; returns where one begins behind the end, if that is known."""
    reported = False  # a damage is one item, however far away the next record is
    while segment.skip_newlines():
        if end is not None and segment.is_exact and segment.position >= end:
            return segment.position
        where, header = segment.where, segment.header()
        if header is None:
            segment.move(1)
            segment.seek_header()
            if not reported:
                yield damage(_REASON, f"no WARC record at {where}")
            reported = True
            continue
        fault = yield from _record(segment, header, limit)
        reported = bool(fault)
        if fault:
            yield damage(_REASON, f"the record at {where} {fault}", header.url)
    if segment.fault and not reported:
        yield damage(_REASON, segment.fault)
    return None


def _record(segment: _WarcSegment, header: _Header, limit: int) -> Generator[Item, None, str]:
    """The item of a record, if it is a page; goes on after it, and returns what is wrong."""
    if header.length is None:
        return (yield from _torn_record(segment, header, limit, "does not say its length"))
    size = header.size + header.length
    if header.length > limit + _HEADER_BYTES:
        return (yield from _torn_record(segment, header, limit))
    if fault := _fault(segment, size):
        return (yield from _torn_record(segment, header, limit, fault))
    if header.is_page:
        yield lambda source, number: _page(
            source, number, header, segment.ahead(header.size, size), limit
        )
    segment.move(size)
    return ""


def _torn_record(
    segment: _WarcSegment, header: _Header, limit: int, fault: str = ""
) -> Generator[Item, None, str]:
    """The same for a record that is not kept whole, or whose length is wrong if there is a fault.

    It ends where the next begins: a header inside is believed to be that. So the page of a wrong
    length is given, with a note, unless bytes before the next record are damaged.
    """
    length = sys.maxsize if fault or header.length is None else header.length
    segment.move(header.size)
    n_skipped, block = segment.seek_header(length, limit + _HEADER_BYTES)
    if n_skipped < length:
        fault = fault or f"is shorter than the {length} bytes that it says"
        block = block.removesuffix(_GAP)
    elif fault := _fault(segment, 0):
        segment.seek_header()
    if not header.is_page or (segment.fault and not segment.fill(1)):
        return fault
    yield lambda source, number: _page(source, number, header, block, limit, fault)
    return ""


def _fault(segment: _WarcSegment, size: int) -> str:
    """What is wrong with a record of so many bytes: it or what follows."""
    n_ahead = segment.fill(size + _LOOK)
    if n_ahead < size:
        return f"breaks off: {segment.fault or f'{size} bytes expected, {n_ahead} found'}"
    tail = segment.ahead(size, size + _LOOK)
    following = tail.lstrip(b"\r\n")
    if not following and len(tail) < _LOOK:
        return segment.fault and f"cannot be trusted: {segment.fault}"
    has_gap, has_next = tail.startswith(_GAP), not following or following.startswith(WARC_START)
    if has_gap and has_next:
        return ""
    # Garbage may follow a record, and empty lines may be missing. But both are also what a length
    # looks like that is too large and has swallowed a part of what follows.
    if (has_gap or has_next) and not _FIRST_LINE.search(segment.ahead(0, size), 1):
        return ""
    return "does not end where its length says"


def _page(
    source: str, number: int, header: _Header, block: bytes, limit: int, fault: str = ""
) -> Page:
    """The page of a record; its fault, if it has one, is noted.

    Of a block far beyond the limit there are only the first bytes, and of a body that is longer
    than the limit one byte more is kept.
    """
    is_http = header.media_type.startswith(HTTP)
    media_type = "" if is_http else header.fields.get("content-type", "")
    is_headless = is_http and not block.startswith(b"HTTP/")
    try:
        response = parse_response(block, media_type, limit)
    except PageError as error:
        return Damage(source, number, error.reason, str(error), header.url)
    except (OSError, ValueError) as error:
        return Damage(source, number, _REASON, f"no readable HTTP response: {error}", header.url)
    if not fault and len(block) < (header.length or 0) and len(response.body) <= limit:
        message = f"a block of {header.length} bytes, too long to be read"
        return Damage(source, number, "too-many-bytes", message, header.url)
    charset = _CHARSET.search(response.content_type)
    metadata = {
        "http_status": response.status,
        "truncated": header.fields.get("warc-truncated"),
        "damaged": "; ".join(
            filter(None, (fault, response.fault, "has no HTTP status line" * is_headless))
        ),
    }
    return Record(
        source=source,
        number=number,
        body=response.body,
        url=header.url,
        id=header.fields.get("warc-record-id", "").strip("<>") or None,
        charset=charset[1] if charset else None,
        media_type=response.content_type.partition(";")[0].strip().lower() or None,
        date=header.fields.get("warc-date") or None,
        metadata={name: value for name, value in metadata.items() if value},
    )


@dataclass(frozen=True, slots=True)
class _Header:
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
        """Can the record hold a page: a response, or HTML that was stored without one."""
        if self.kind == "response" and not self.media_type:
            return True
        return self.kind in ("response", "resource") and self.media_type.startswith(_PAGE_TYPES)


def _parsed(header: bytes) -> _Header:
    fields = {
        name.decode().lower(): value.decode("utf-8", "replace")
        for name, value in reversed(_FIELD.findall(header))
    }
    length = fields.get("content-length", "")
    return _Header(len(header), int(length) if _LENGTH.fullmatch(length) else None, fields)


class _WarcSegment(Segment):
    """A segment of a WARC."""

    def skip_newlines(self) -> bool:
        """Go on to the next byte that ends no line; returns whether there is one."""
        while self.fill(1):
            if self.data[self.at] not in b"\r\n":
                return True
            self.move(1)
        return False

    def header(self) -> _Header | None:
        """The header that begins here, if one does."""
        self.fill(_HEADER_BYTES)
        if not _FIRST_LINE.match(self.data, self.at):
            return None
        empty_line = _EMPTY_LINE.search(self.data, self.at, self.at + _HEADER_BYTES)
        if not empty_line or _FIRST_LINE.search(self.data, self.at + 1, empty_line.end()):
            return None  # no end, or broken off and followed by that of another record
        return _parsed(bytes(self.data[self.at : empty_line.end()]))

    def seek_header(self, most: int = sys.maxsize, keep: int = 0) -> tuple[int, bytes]:
        """Go on to the next header, or by `most` bytes where none comes before.

        Returns:
            How many bytes that were, and the first of them, at most `keep`.
        """
        n_skipped, kept = 0, bytearray()
        while n_skipped < most and (ahead := min(self.fill(2 * STEP), most - n_skipped, STEP)):
            line = _FIRST_LINE.search(self.data, self.at, self.at + ahead + _LINE_BYTES)
            step = min(ahead, line.start() - self.at) if line else ahead
            if not step and self._is_certain():
                break
            step = step or 1
            kept += self.data[self.at : self.at + min(step, keep - len(kept))]
            self.move(step)
            n_skipped += step
        return n_skipped, bytes(kept)

    def _is_certain(self) -> bool:
        header = self.header()
        return header is not None and bool(header.kind)
