"""Zip and tar files to items: one for every member; the records of the WARCs in a zip (WACZ).

Members of a plain tar are looked for behind a damage, at any byte; tarfile alone ends there. A tar
that is packed is read forward, up to its first damage.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import partial
from stat import S_ISLNK
from typing import IO, Any, Final

from msgspec.structs import replace

from victor.sources import warc
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, Input, ReadOptions, kind_of
from victor.sources.record import Damage, Item, Page, Record, Skipped
from victor.sources.unpack import PACKED, Stream, beginning, chunks

_BLOCK: Final = tarfile.BLOCKSIZE
_PIECE: Final = 1 << 18
_MAGIC: Final = b"ustar"
_MAGIC_AT: Final = 257
_REASON: Final = "damaged-member"
_NO_PAGE: Final = "no-page"
"""Reason of a member whose name is not that of a page."""
_DAMAGE: Final = (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, RuntimeError)
"""What reading a damaged member raises; the last where it is encrypted."""
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
            yield lambda: Damage(source.name, 0, "damaged-archive", message)
        return
    kinds = {kind_of(member.filename) for member in members}
    if kinds.isdisjoint((*PAGES, "warc")) and not start:
        message = f"holds no page ({', '.join(PAGE_SUFFIXES)}) and no WARC"
        yield lambda: Damage(source.name, 0, "no-pages", message)
    for member in members:
        kind, number = kind_of(member.filename), max(member.header_offset, 0)
        if member.is_dir() or number < start or (end is not None and number >= end):
            continue
        if kind == "warc" and not S_ISLNK(member.external_attr >> 16):
            yield from _warc_items(archive, member, source, options)
        elif kind in PAGES and not S_ISLNK(member.external_attr >> 16):
            yield partial(_zip_page, source.name, number, archive, member, options.max_bytes + 1)
        else:
            yield partial(Skipped, source.name, number, _NO_PAGE)


def _warc_items(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: Input, options: ReadOptions
) -> Iterator[Item]:
    """The items of a WARC in the archive, without asking its checksum, which would end reading."""
    try:
        unchecked = copy(member)
        unchecked.CRC = None  # type: ignore[assignment]
        with _opened(archive, unchecked) as stream:
            inside = Input(source.name, "warc")
            for item in warc.items(stream, inside, options):
                yield partial(_placed, item, member.header_offset)
    except _DAMAGE as error:
        message = _message(member, error)
        yield lambda: Damage(source.name, member.header_offset, _REASON, message)


def _placed(item: Item, before: int) -> Page:
    page = item()
    return replace(page, number=page.number + before)


def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    if member.compress_type not in _PLAIN:  # nothing bounds what comes out of them
        raise ValueError("it is neither stored nor deflated; unpack the archive")
    return archive.open(member)


def _zip_page(
    source: str, number: int, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int
) -> Page:
    try:
        with _opened(archive, member) as stream:
            return Record(source, number, stream.read(most), id=member.filename)
    except _DAMAGE as error:
        return Damage(source, number, _REASON, _message(member, error))


def _message(member: zipfile.ZipInfo, error: Exception) -> str:
    return f"member {member.filename} at byte {member.header_offset} is damaged: {error}"


def tar_items(file: IO[bytes], source: Input, options: ReadOptions) -> Iterator[Item]:
    """The members of a tar file, packed or not."""
    head, _ = beginning(file)
    file.seek(0)
    is_packed = head.startswith(PACKED) and not head.startswith(_MAGIC, _MAGIC_AT)
    found = _packed_members(file, head, source.name) if is_packed else _members(file, source.name)
    number, is_empty = 0, True
    for member, stream in found:
        if isinstance(member, Damage):
            is_empty = False
            yield partial(Damage, member.source, number, member.reason, member.message)
        elif member.isdir():
            continue
        elif not member.isreg() or kind_of(member.name) not in PAGES:
            yield partial(Skipped, source.name, number, _NO_PAGE)
        else:
            is_empty = False
            yield partial(_tar_page, source.name, number, member, stream, options.max_bytes + 1)
        number += 1
    if is_empty:
        message = f"holds no page ({', '.join(PAGE_SUFFIXES)})"
        yield lambda: Damage(source.name, number, "no-pages", message)


def _tar_page(
    source: str, number: int, member: tarfile.TarInfo, tar: tarfile.TarFile, most: int
) -> Page:
    try:
        stream = tar.extractfile(member)
        assert stream is not None, "it is a file"
        return Record(source, number, stream.read(most), id=member.name)
    except (tarfile.TarError, *_DAMAGE) as error:
        return Damage(source, number, _REASON, f"member {member.name} is damaged: {error}")


_Found = Iterator[tuple[tarfile.TarInfo | Damage, Any]]
"""Members with the file in which each can be read, and damages."""


def _packed_members(file: IO[bytes], head: bytes, name: str) -> _Found:
    stream = Stream(chunks(file, head))
    try:
        source: Any = _File(stream)
        with tarfile.open(fileobj=source, mode="r|", ignore_zeros=True) as tar:
            for member in tar:
                tar.members = []  # type: ignore[attr-defined]  # else it keeps them all
                yield member, tar
    except (tarfile.TarError, *_DAMAGE) as error:
        yield Damage(name, 0, _REASON, f"ends at {stream.where}: {error}"), None


class _File:
    """A stream as tarfile reads it."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self, n: int) -> bytes:
        """At most n bytes."""
        return self._stream.read(n)


def _members(file: IO[bytes], name: str) -> _Found:
    """The members of a plain tar; the last before a damage is believed if no header is inside."""
    at, size = 0, file.seek(0, 2)
    while at < size:
        last, end, tar = None, at, None
        file.seek(at)
        with suppress(tarfile.TarError, *_DAMAGE):
            tar = tarfile.TarFile(fileobj=file)
            for member in tar:
                tar.members = []  # type: ignore[attr-defined]  # else it keeps them all
                if last is not None:
                    yield last, tar
                last, end = member, -(-(member.offset_data + member.size) // _BLOCK) * _BLOCK
        begin = last.offset_data if last is not None else max(end, at + 1)
        found = _next_member(file, begin)
        if last is not None and end <= size and not begin <= found < end:
            yield last, tar
            begin = end
        elif last is not None:
            message = f"the member {last.name} at byte {last.offset} is not followed by another"
            yield Damage(name, 0, _REASON, message), None
            begin = found
        if not _is_blank(file, max(begin, at), found):
            yield Damage(name, 0, _REASON, f"no member at byte {max(begin, at)}"), None
        at = found


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
