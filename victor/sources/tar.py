"""Tar files to items: one for every file in them whose name is that of a page.

Members are cut out here, since Python's tarfile ends in silence at a damaged header; headers are
parsed by it. A member that is neither followed by a header, by zeros or by the end, nor ends in
zeros as it should, is not believed; reading goes on at the next header with a good checksum.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Generator, Iterator
from typing import IO, Final

from victor.sources.inputs import PAGES, ReadOptions
from victor.sources.items import Item, damage
from victor.sources.record import Record
from victor.sources.resync import STEP, Stretch, stretches
from victor.sources.streams import TAR_MAGIC, TAR_MAGIC_AT, pieces

_BLOCK: Final = tarfile.BLOCKSIZE
_REASON: Final = "damaged-member"
_LONG_NAME: Final = tarfile.GNUTYPE_LONGNAME
_EXTENDED: Final = tarfile.XHDTYPE
_PAX_PATH: Final = re.compile(rb"^\d+ path=([^\n]*)\n", re.MULTILINE)
_MOST_NAME: Final = 1 << 16


def items(stream: IO[bytes], head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damages of a tar file, in order.

    Args:
        stream: the file, compressed or not.
        head: its first bytes, which tell that.
        options: how to read.
    """
    found = False
    for stretch in stretches(pieces(stream, head), _Tar):
        for item in _items(stretch, options.max_bytes):
            found = True
            yield item
    if not found:
        yield damage("no-pages", f"holds no page ({', '.join(PAGES)})")


class _Tar(Stretch):
    """A stretch of a tar file."""

    def block(self, at: int = 0) -> bytes:
        """The block so many bytes ahead."""
        self.fill(at + _BLOCK)
        return bytes(self.data[self.at + at : self.at + at + _BLOCK])

    def seek_header(self) -> None:
        """Go on to the next header, or to the end."""
        while (ahead := self.fill(STEP + _BLOCK)) >= _BLOCK:
            found = self.find_header(0, ahead)
            self.move(ahead - _BLOCK + 1 if found is None else found)
            if found is not None:
                return
        self.move(ahead)

    def find_header(self, start: int, end: int) -> int | None:
        """How many bytes ahead a header is that lies between two such places."""
        magic = self.at + start + TAR_MAGIC_AT
        while (magic := self.data.find(TAR_MAGIC, magic, self.at + end)) >= 0:
            ahead = magic - TAR_MAGIC_AT - self.at
            if _header(self.block(ahead)):
                return ahead
            magic += 1
        return None


def _items(tar: _Tar, limit: int) -> Iterator[Item]:
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
        elif member.type in (_LONG_NAME, _EXTENDED) and member.size <= _MOST_NAME:
            name = _name(tar, member)
        else:
            wrong = yield from _member(tar, member, name or member.name, limit)
            name, reported = "", bool(wrong)
            if wrong:
                yield damage(_REASON, f"the member at {where} {wrong}")
    if tar.broken and not reported:
        yield damage(_REASON, tar.broken)


def _member(
    tar: _Tar, member: tarfile.TarInfo, name: str, limit: int
) -> Generator[Item, None, str]:
    """The item of a member, if it is a page; goes on behind it, and returns what is wrong."""
    is_long = member.size > limit  # it is not kept whole, so nobody can go back to its beginning
    wrong = "" if is_long else _fault(tar, member.size)
    if wrong:
        tar.move(_BLOCK)
        return f"({name}) {wrong}"
    if member.isreg() and name.lower().endswith(PAGES):
        size = min(member.size, limit + 1)
        tar.fill(_BLOCK + size)
        yield lambda source, number: Record(
            source, number, bytes(tar.data[tar.at + _BLOCK : tar.at + _BLOCK + size]), id=name
        )
    there = _BLOCK + _padded(member.size)
    return "" if tar.skip(there) == there or not is_long else f"({name}) breaks off {tar.broken}"


def _fault(tar: _Tar, size: int) -> str:
    """What is wrong with a member of so many bytes: it or what follows."""
    end, there = _BLOCK + size, _BLOCK + _padded(size)
    ahead = tar.fill(there + _BLOCK)
    if ahead < end:
        return f"breaks off: {tar.broken or f'{size} bytes expected, {ahead - _BLOCK} found'}"
    following = tar.block(there)
    if not following.strip(b"\0") or _header(following):
        return ""
    is_padded = not tar.data[tar.at + end : tar.at + there].strip(b"\0")
    if is_padded and tar.find_header(1, there + _BLOCK) is None:
        return ""  # it is the next that is damaged
    return "is not followed by another"


def _name(tar: _Tar, member: tarfile.TarInfo) -> str:
    """The name that a member holds for the next one, empty if none; goes on behind it."""
    there = _BLOCK + _padded(member.size)
    tar.fill(there)
    held = bytes(tar.data[tar.at + _BLOCK : tar.at + _BLOCK + member.size])
    tar.move(min(there, len(tar.data) - tar.at))
    if member.type == _EXTENDED:
        found = _PAX_PATH.search(held)
        held = found[1] if found else b""
    return held.rstrip(b"\0").decode("utf-8", "surrogateescape")


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


def _header(block: bytes) -> tarfile.TarInfo | None:
    """The header in a block, if there is one."""
    try:
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return None
    return member if member.size >= 0 else None
