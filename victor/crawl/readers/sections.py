"""Stretches of a WARC without a break inside, to be looked at as far ahead as needed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from victor.crawl.readers.pieces import Piece

HEADER_BYTES: Final = 1 << 16
"""A longer header of a record is none."""
_STEP: Final = 1 << 16
_FIRST_LINE: Final = re.compile(rb"WARC/\d\.\d\r?\n[A-Za-z]")
_LINE_BYTES: Final = len(b"WARC/1.0\r\nW")
_END: Final = re.compile(rb"\r?\n\r?\n")
_FIELD: Final = re.compile(
    rb"^(content-(?:length|type)|warc-t(?:ype|arget-uri)):[ \t]*(.*?)[ \t\r]*$", re.I | re.M
)
_MOST_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Header:
    """What has to be known of the header of a record to read it.

    Attributes:
        size: bytes of the header with the empty line after it.
        length: bytes of the block after it, None if that is not said or no number.
        kind: its WARC-Type, lower case.
        media: its Content-Type, lower case.
        url: its WARC-Target-URI.
    """

    size: int
    length: int | None
    kind: str
    media: str
    url: str | None


class Section:
    """Bytes between two places where something certainly begins anew.

    Attributes:
        data: bytes read ahead.
        at: the present place in them.
        broken: what is wrong at the end of the section; empty where nothing is, or not read yet.
    """

    def __init__(self, pieces: _Pieces, exact: bool) -> None:
        self._pieces = pieces
        self._exact = exact
        self._ended = False
        self._marks: list[tuple[int, int]] = []
        self.data = bytearray()
        self.at = 0
        self.broken = ""
        self._take(pieces.next())

    @property
    def offset(self) -> int:
        """Byte of the input where the present place is, or where its gzip member begins."""
        while len(self._marks) > 1 and self._marks[1][0] <= self.at:
            del self._marks[0]
        place, offset = self._marks[0]
        return offset + (self.at - place if self._exact else 0)

    def fill(self, n: int) -> int:
        """Read until n bytes lie ahead; returns how many do."""
        while len(self.data) - self.at < n and not self._ended:
            piece = self._pieces.peek()
            if piece is None or piece.starts:
                self._ended = True
            else:
                self._take(self._pieces.next())
        return len(self.data) - self.at

    def move(self, n: int) -> None:
        """Go on by n bytes that have been read ahead."""
        self.at += n
        if self.at > _STEP:
            self._forget()

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
        end = _END.search(self.data, self.at, self.at + HEADER_BYTES)
        return _parsed(bytes(self.data[self.at : end.end()])) if end else None

    def seek_header(self, most: int = sys.maxsize, keep: int = 0) -> tuple[int, bytes]:
        """Go on to the next header, or by `most` bytes where none comes before.

        Returns:
            How many bytes that were, and the first of them, at most `keep`.
        """
        gone, kept = 0, bytearray()
        while gone < most and (ahead := min(self.fill(2 * _STEP), most - gone, _STEP)):
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

    def _forget(self) -> None:
        _ = self.offset
        del self.data[: self.at]
        self._marks = [(place - self.at, offset) for place, offset in self._marks]
        self.at = 0

    def _take(self, piece: Piece) -> None:
        if not self._marks or not self._exact:
            self._marks.append((len(self.data), piece.offset))
        self.data += piece.data
        self.broken = piece.broken
        self._ended = bool(piece.broken)


def sections(pieces: Iterator[Piece], exact: bool) -> Iterator[Section]:
    """The sections of an input; each has to be read to its end before the next is asked for.

    Args:
        pieces: the bytes of the input.
        exact: offsets of pieces are those of their bytes, not those of the member they are in.
    """
    ahead = _Pieces(pieces)
    while ahead.peek() is not None:
        yield Section(ahead, exact)


def _parsed(header: bytes) -> Header:
    fields = {
        name.lower(): value.decode("utf-8", "replace")
        for name, value in reversed(_FIELD.findall(header))
    }
    digits = fields.get(b"content-length", "")
    known = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return Header(
        size=len(header),
        length=int(digits) if known else None,
        kind=fields.get(b"warc-type", "").lower(),
        media=fields.get(b"content-type", "").lower(),
        url=fields.get(b"warc-target-uri", "").strip("<>") or None,
    )


class _Pieces:
    """Pieces of which the next can be seen."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._next: Piece | None = None

    def peek(self) -> Piece | None:
        if self._next is None:
            self._next = next(self._pieces, None)
        return self._next

    def next(self) -> Piece:
        piece, self._next = self.peek(), None
        if piece is None:
            raise EOFError
        return piece
