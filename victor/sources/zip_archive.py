"""Zip files to items: one for every member whose name is that of a page, those of every WARC."""

from __future__ import annotations

import bz2
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from functools import partial
from io import BufferedReader
from lzma import LZMAError
from stat import S_ISLNK
from typing import IO, Final

from victor.sources import warc
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, Input, ReadOptions, kind_of
from victor.sources.record import Damage, Item, Page, Record, damage
from victor.sources.streams import Peeked, compression_magic, seekable

_DAMAGE: Final = (
    OSError, EOFError, LZMAError, zlib.error, zipfile.BadZipFile,
    ValueError, RuntimeError, NotImplementedError,
)  # fmt: skip
"""What reading a damaged member raises; the last two where it is encrypted or packed oddly."""
_PIECE: Final = 1 << 8
"""Bytes packed with LZMA that are unpacked in one go."""


def items(stream: IO[bytes], _head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damaged members of a zip file, in the order of its directory."""
    with seekable(stream) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE as error:
            yield damage("damaged-archive", f"no readable zip file: {error}")
            return
        with archive:
            is_empty = True
            for member in archive.infolist():
                kind = kind_of(member.filename)
                if kind not in (*PAGES, "warc") or S_ISLNK(member.external_attr >> 16):
                    continue
                is_empty = False
                if kind == "warc":
                    yield from _warc_items(archive, member, options)
                else:
                    most = options.max_bytes + 1
                    yield partial(_page, archive=archive, member=member, most=most)
            if is_empty:
                yield damage("no-pages", f"holds no page ({', '.join(PAGE_SUFFIXES)}) and no WARC")


def _warc_items(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, options: ReadOptions
) -> Iterator[Item]:
    """The items of a WARC in the archive; a WACZ holds its pages so.

    The checksum of the member is not asked: it tells of a damage, but not where.
    """
    try:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NotImplementedError("a WARC is read if it is stored or deflated")
        with archive.open(_unchecked(member)) as stream:
            peeked = Peeked(stream)
            head = compression_magic(Input(member.filename, "warc"), peeked.head)
            yield from warc.items(BufferedReader(peeked), head, options)
    except _DAMAGE as error:
        yield damage("damaged-member", _message(member, error))


def _page(
    source: str, number: int, *, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int
) -> Page:
    name = member.filename
    try:
        return Record(source, number, _unpacked(archive, member, most), id=name)
    except _DAMAGE as error:
        return Damage(source, number, "damaged-member", _message(member, error))


def _message(member: zipfile.ZipInfo, error: Exception) -> str:
    return f"member {member.filename} at byte {member.header_offset} is damaged: {error}"


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """At most so many bytes of a member.

    zipfile unpacks what it has read of a member as a whole if it is packed with bzip2, of which 50
    bytes may hold 45 MB, or with LZMA, which gives at most 7,000 times what it is given.
    """
    if member.compress_type == zipfile.ZIP_BZIP2:
        with archive.open(_as_stored(member)) as packed, bz2.BZ2File(packed) as plain:
            return plain.read(most)
    with archive.open(member) as file:
        if member.compress_type != zipfile.ZIP_LZMA:
            return file.read(most)
        file.MIN_READ_SIZE = _PIECE  # type: ignore[attr-defined]  # of zipfile.ZipExtFile
        data = bytearray()
        while len(data) < most and (piece := file.read1(_PIECE)):  # type: ignore[attr-defined]
            data += piece
        return bytes(data[:most])


def _as_stored(member: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The same member as if it were not packed; bzip2 has checksums of its own."""
    stored = _unchecked(member)
    stored.compress_type, stored.file_size = zipfile.ZIP_STORED, member.compress_size
    return stored


def _unchecked(member: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The same member without its checksum."""
    unchecked = copy(member)
    unchecked.CRC = None  # type: ignore[assignment]
    return unchecked
