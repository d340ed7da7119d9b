"""Zip and tar files to items: one for every member; the records of the WARCs in a zip (WACZ).

Members of a plain tar are looked for behind a damage, at any byte; tarfile alone ends there. A tar
that is packed is read forward, up to its first damage.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from functools import partial
from stat import S_ISLNK
from typing import IO, Any, Final

from msgspec.structs import replace

from victor.sources import warc
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, Input, ReadOptions, kind_of
from victor.sources.record import Damage, Item, Page, Record, Skipped
from victor.sources.unpack import PACKED, Chunk, beginning, chunks

_BLOCK: Final = tarfile.BLOCKSIZE
_PIECE: Final = 1 << 16
_MAGIC: Final = b"ustar"
_MAGIC_AT: Final = 257
_REASON: Final = "damaged-member"
_NO_PAGE: Final = "no-page"
"""Reason of a member whose name is not that of a page."""
_HOLDS_NONE: Final = f"holds no page ({', '.join(PAGE_SUFFIXES)})"
_DAMAGE: Final = (
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError, ValueError),
    RuntimeError,  # where it is encrypted
)
"""What reading a damaged member raises."""
_PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def zip_items(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """The members whose headers stand between two bytes, in the order of the directory."""
    try:
        archive = zipfile.ZipFile(file)
        members = archive.infolist()
    except _DAMAGE as error:
        if not start:
            message = f"no readable zip file: {error}"
            yield partial(Damage, source.name, 0, "damaged-archive", message)
        return
    kinds = {kind_of(member.filename) for member in members}
    if kinds.isdisjoint((*PAGES, "warc")) and not start:
        yield partial(Damage, source.name, 0, "no-pages", f"{_HOLDS_NONE} and no WARC")
    for member in members:
        kind, number = kind_of(member.filename), max(member.header_offset, 0)
        if member.is_dir() or number < start or (end is not None and number >= end):
            continue
        if kind not in (*PAGES, "warc") or S_ISLNK(member.external_attr >> 16):
            yield partial(Skipped, source.name, number, _NO_PAGE)
        elif kind == "warc":
            yield from _warc_items(archive, member, source, options)
        else:
            most = options.max_bytes + 1
            opened = partial(_opened, archive, member)
            yield partial(_page, source.name, number, member.filename, opened, most)


def _warc_items(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: Input, options: ReadOptions
) -> Iterator[Item]:
    """The items of a WARC in the archive, without asking its checksum, which would end reading."""
    number, unchecked = member.header_offset, copy(member)
    unchecked.CRC = None  # type: ignore[assignment]
    try:
        with _opened(archive, unchecked) as stream:
            buffered: Any = io.BufferedReader(stream, _PIECE)
            for item in warc.items(buffered, Input(source.name, "warc"), options):
                yield partial(_placed, item, number)
    except _DAMAGE as error:
        yield partial(Damage, source.name, number, _REASON, f"{member.filename}: {error}")


def _placed(item: Item, before: int) -> Page:
    page = item()
    return replace(page, number=page.number + before)


def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    if member.compress_type not in _PLAIN:  # nothing bounds what comes out of them
        raise ValueError("it is neither stored nor deflated; unpack the archive")
    return archive.open(member)


def _page(source: str, number: int, name: str, opened: Any, most: int) -> Page:  # noqa: ANN401
    try:
        with opened() as stream:
            return Record(source, number, stream.read(most), id=name)
    except _DAMAGE as error:
        return Damage(source, number, _REASON, f"the member {name} is damaged: {error}")


def tar_items(file: IO[bytes], source: Input, options: ReadOptions) -> Iterator[Item]:
    """The members of a tar file, packed or not."""
    head, _ = beginning(file)
    is_packed = head.startswith(PACKED) and not head.startswith(_MAGIC, _MAGIC_AT)
    found = _packed_members(file, head) if is_packed else _members(file)
    name, number, is_empty = source.name, 0, True
    for number, (member, tar) in enumerate(found):
        if isinstance(member, str):
            yield partial(Damage, name, number, _REASON, member)
        elif not member.isreg() or kind_of(member.name) not in PAGES:
            yield partial(Skipped, name, number, _NO_PAGE)
            continue
        else:
            opened = partial(tar.extractfile, member)
            yield partial(_page, name, number, member.name, opened, options.max_bytes + 1)
        is_empty = False
    if is_empty:
        yield partial(Damage, name, number + 1, "no-pages", _HOLDS_NONE)


_Found = Iterator[tuple[tarfile.TarInfo | str, Any]]
"""Members with the file in which each can be read, and messages of damages."""


def _packed_members(file: IO[bytes], head: bytes) -> _Found:
    stream: Any = _Unpacked(chunks(file, head))
    try:
        with tarfile.open(fileobj=stream, mode="r|", ignore_zeros=True) as tar:
            for member in tar:
                tar.members = []  # type: ignore[attr-defined]  # else it keeps them all
                if not member.isdir():
                    yield member, tar
    except _DAMAGE as error:
        yield f"the archive ends here: {error}", None


class _Unpacked:
    """The bytes of a packed file as tarfile reads them, up to a damage."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks, self._data, self._fault = chunks, bytearray(), ""

    def read(self, n: int) -> bytes:
        """At most n bytes."""
        while len(self._data) < n and not self._fault and (chunk := next(self._chunks, None)):
            self._data += chunk.data
            self._fault = chunk.fault
        data = bytes(self._data[:n])
        if self._fault and not data:
            raise EOFError(self._fault)
        del self._data[:n]
        return data


def _members(file: IO[bytes]) -> _Found:
    """The members of a plain tar; one whose end is none is believed if no header is inside."""
    at, size = 0, file.seek(0, 2)
    while at < size:
        begin = _next_member(file, at)
        if not _is_blank(file, at, begin):
            yield f"no member at byte {at}", None
        if begin == size:
            return
        file.seek(begin)
        try:
            tar = tarfile.TarFile(fileobj=file)
            member = tar.next()
        except _DAMAGE:
            member = None
        if member is None:
            yield f"no member at byte {begin}", None
            at = begin + 1
            continue
        data = member.offset_data
        at = data + -(-member.size // _BLOCK) * _BLOCK
        if at > size or not _is_blank(file, at, _next_member(file, at)):
            inside = _next_member(file, data)
            if at > size or inside < at:
                yield f"the member {member.name} at byte {begin} is not followed by another", None
                at = inside
                continue
        if not member.isdir():
            yield member, tar


def _is_blank(file: IO[bytes], at: int, end: int) -> bool:
    file.seek(at)
    pieces = (file.read(min(_PIECE, end - start)) for start in range(at, end, _PIECE))
    return not any(piece.strip(b"\0") for piece in pieces)


def _next_member(file: IO[bytes], at: int) -> int:
    """Where the next header stands, at any byte; the end of the file if there is none."""
    while True:
        file.seek(at)
        data = file.read(_PIECE)
        index = data.find(_MAGIC, _MAGIC_AT) - _MAGIC_AT
        if index < 0 and len(data) < _BLOCK:
            return at + len(data)
        if index < 0:
            at += len(data) - _BLOCK + 1
        elif _is_header(data[index : index + _BLOCK]):
            return at + index
        else:  # the rest of it may not be read yet
            at += index if index + _BLOCK > len(data) and index else index + 1


def _is_header(block: bytes) -> bool:
    try:
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        return member.size >= 0 and bool(member.name)
    except (tarfile.HeaderError, ValueError):
        return False
