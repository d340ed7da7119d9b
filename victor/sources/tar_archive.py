"""Tar files to items: one for every file in them whose name is that of a page.

Members are cut out here; only their headers are parsed by Python's tarfile. A member that is
neither followed by a header, by zeros or by the end, nor ends in zeros as it should, is not
believed; reading goes on at the next header with a good checksum. Reading with tarfile and its
``ignore_zeros`` was tried instead: it looks for headers at multiples of 512 bytes only, so that it
lost sound members after 3 of 4 random damages, and it reports nothing.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Generator, Iterator
from typing import IO, Final

from victor.sources.decompress import chunks, raw_chunks
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, ReadOptions, kind_of
from victor.sources.record import Item, Record, damage
from victor.sources.resync import STEP, Segment, segments
from victor.sources.streams import TAR_MAGIC, TAR_MAGIC_AT

_BLOCK: Final = tarfile.BLOCKSIZE
_REASON: Final = "damaged-member"
_PAX_PATH: Final = re.compile(rb"^\d+ path=([^\n]*)\n", re.MULTILINE)
_MOST_NAME: Final = 1 << 16


def items(stream: IO[bytes], head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damages of a tar file, in order.

    Args:
        stream: the file, compressed or not.
        head: its first bytes, which tell that.
        options: how to read.
    """
    is_empty = True
    pieces = raw_chunks(stream) if _is_plain(head[: 8 * _BLOCK]) else chunks(stream, head)
    for segment in segments(pieces, _TarSegment):
        for item in _items(segment, options.max_bytes):
            is_empty = False
            yield item
    if is_empty:
        yield damage("no-pages", f"holds no page ({', '.join(PAGE_SUFFIXES)})")


def _is_plain(head: bytes) -> bool:
    """Is there a header that nothing packs, even if the damaged first bytes are a packer's magic.

    What packs little of it shows a header, too; it is packed if one comes out.
    """
    unpacked = (chunk.data for chunk in chunks(io.BytesIO(head), head))
    return TAR_MAGIC in head and not any(TAR_MAGIC in data for data in unpacked)


class _TarSegment(Segment):
    """A segment of a tar file."""

    def block(self, at: int = 0) -> bytes:
        """The block so many bytes ahead."""
        self.fill(at + _BLOCK)
        return self.ahead(at, at + _BLOCK)

    def seek_header(self) -> None:
        """Go on to the next header, or to the end."""
        while (n_ahead := self.fill(STEP + _BLOCK)) >= _BLOCK:
            distance = self.find_header(0, n_ahead)
            self.move(n_ahead - _BLOCK + 1 if distance is None else distance)
            if distance is not None:
                return
        self.move(n_ahead)

    def find_header(self, start: int, end: int) -> int | None:
        """How many bytes ahead a header is, between two such distances."""
        magic = self.at + start + TAR_MAGIC_AT
        while (magic := self.data.find(TAR_MAGIC, magic, self.at + end)) >= 0:
            distance = magic - TAR_MAGIC_AT - self.at
            if _header(self.block(distance)):
                return distance
            magic += 1
        return None


def _items(tar: _TarSegment, limit: int) -> Iterator[Item]:
    name, reported = "", False
    while block := tar.block():
        where, member = tar.where, _header(block)
        if not block.strip(b"\0"):
            tar.move(len(block))
        elif member is None:
            tar.move(1)
            tar.seek_header()
            if not reported:
                yield damage(_REASON, f"no member at {where}")
            reported = True
        elif (
            member.type in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE) and member.size <= _MOST_NAME
        ):
            name = _name(tar, member)
        else:
            fault = yield from _member(tar, member, name or member.name, limit)
            name, reported = "", bool(fault)
            if fault:
                yield damage(_REASON, f"the member at {where} {fault}")
    if tar.fault and not reported:
        yield damage(_REASON, tar.fault)


def _member(
    tar: _TarSegment, member: tarfile.TarInfo, name: str, limit: int
) -> Generator[Item, None, str]:
    """The item of a member, if it is a page; goes on after it, and returns what is wrong."""
    is_long = member.size > limit  # it is not kept whole, so nobody can go back to its beginning
    fault = "" if is_long else _fault(tar, member.size)
    if fault:
        tar.move(_BLOCK)
        return f"({name}) {fault}"
    if member.isreg() and kind_of(name) in PAGES:
        end = _BLOCK + min(member.size, limit + 1)
        tar.fill(end)
        yield lambda source, number: Record(source, number, tar.ahead(_BLOCK, end), id=name)
    size = _BLOCK + _padded(member.size)
    return "" if tar.skip(size) == size or not is_long else f"({name}) breaks off {tar.fault}"


def _fault(tar: _TarSegment, size: int) -> str:
    """What is wrong with a member of so many bytes: it or what follows."""
    end, next_start = _BLOCK + size, _BLOCK + _padded(size)
    n_ahead = tar.fill(next_start + _BLOCK)
    if n_ahead < end:
        return f"breaks off: {tar.fault or f'{size} bytes expected, {n_ahead - _BLOCK} found'}"
    following = tar.block(next_start)
    if not following.strip(b"\0") or _header(following):
        return ""
    is_padded = not tar.ahead(end, next_start).strip(b"\0")
    # A member whose padding is where it should be is whole, even if a header follows too late.
    late = next_start + (_BLOCK if end == next_start else TAR_MAGIC_AT + len(TAR_MAGIC) - 1)
    if is_padded and tar.find_header(1, late) is None:
        return ""  # it is the next that is damaged
    return "is not followed by another"


def _name(tar: _TarSegment, member: tarfile.TarInfo) -> str:
    """The name that a member holds for the next one, empty if none; goes on after it."""
    n_ahead = tar.fill(_BLOCK + _padded(member.size))
    content = tar.ahead(_BLOCK, _BLOCK + member.size)
    tar.move(min(_BLOCK + _padded(member.size), n_ahead))
    if member.type == tarfile.XHDTYPE:
        path = _PAX_PATH.search(content)
        content = path[1] if path else b""
    return content.rstrip(b"\0").decode("utf-8", "surrogateescape")


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


def _header(block: bytes) -> tarfile.TarInfo | None:
    """The header in a block, if there is one."""
    try:
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return None
    return member if member.size >= 0 and member.name else None
