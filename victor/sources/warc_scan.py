"""Stretches of a WARC, and the headers of records in them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from victor.sources.resync import STEP, Stretch

HEADER_BYTES: Final = 1 << 16
"""A longer header of a record is none."""
_FIRST_LINE: Final = re.compile(rb"WARC/\d\.\d\r?\n[A-Za-z]")
_LINE_BYTES: Final = len(b"WARC/1.0\r\nW")
_FIELD: Final = re.compile(rb"^([A-Za-z-]+):[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_MOST_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Header:
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
    def media(self) -> str:
        """Its Content-Type, lower case."""
        return self.fields.get("content-type", "").lower()

    @property
    def url(self) -> str | None:
        """Its WARC-Target-URI."""
        return self.fields.get("warc-target-uri", "").strip("<>") or None


class Section(Stretch):
    """A stretch of a WARC."""

    def skip_newlines(self) -> bool:
        """Go on to the next byte that ends no line; returns whether there is one."""
        while self.fill(1):
            if self.data[self.at] not in b"\r\n":
                return True
            self.move(1)
        return False

    def header(self) -> Header | None:
        """The header that begins here, if one does."""
        self.fill(HEADER_BYTES)
        if not _FIRST_LINE.match(self.data, self.at):
            return None
        end = _after_empty_line(self.data, self.at, self.at + HEADER_BYTES)
        if not end or _FIRST_LINE.search(self.data, self.at + 1, end):
            return None  # no end, or broken off and followed by that of another record
        return _parsed(bytes(self.data[self.at : end]))

    def seek_header(self, most: int = sys.maxsize, keep: int = 0) -> tuple[int, bytes]:
        """Go on to the next header, or by `most` bytes where none comes before.

        Returns:
            How many bytes that were, and the first of them, at most `keep`.
        """
        gone, kept = 0, bytearray()
        while gone < most and (ahead := min(self.fill(2 * STEP), most - gone, STEP)):
            found = _FIRST_LINE.search(self.data, self.at, self.at + ahead + _LINE_BYTES)
            step = min(ahead, found.start() - self.at) if found else ahead
            if not step and self._is_certain():
                break
            step = step or 1
            kept += self.data[self.at : self.at + min(step, keep - len(kept))]
            self.move(step)
            gone += step
        return gone, bytes(kept)

    def _is_certain(self) -> bool:
        header = self.header()
        return header is not None and bool(header.kind)


def _after_empty_line(data: bytearray, start: int, end: int) -> int:
    """The place after the first empty line, 0 if there is none."""
    place = data.find(b"\n\r\n", start, end)
    bare = data.find(b"\n\n", start, end if place < 0 else place)
    if bare >= 0:
        return bare + len(b"\n\n")
    return place + len(b"\n\r\n") if place >= 0 else 0


def _parsed(header: bytes) -> Header:
    fields = {
        name.decode().lower(): value.decode("utf-8", "replace")
        for name, value in reversed(_FIELD.findall(header))
    }
    digits = fields.get("content-length", "")
    known = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return Header(len(header), int(digits) if known else None, fields)
