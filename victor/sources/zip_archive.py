"""Zip files to items: one for every member whose name is that of a page."""

from __future__ import annotations

import bz2
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from functools import partial
from lzma import LZMAError
from stat import S_ISLNK
from typing import IO, Final

from victor.sources.inputs import PAGE_SUFFIXES, PAGES, ReadOptions, kind_of
from victor.sources.record import Damage, Item, Page, Record, damage
from victor.sources.streams import seekable

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
            members = [
                each
                for each in archive.infolist()
                if kind_of(each.filename) in PAGES and not S_ISLNK(each.external_attr >> 16)
            ]
            yield from (
                partial(_page, archive=archive, member=member, most=options.max_bytes + 1)
                for member in members
            )
            if not members:
                yield damage("no-pages", f"holds no page ({', '.join(PAGE_SUFFIXES)})")


def _page(
    source: str, number: int, *, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int
) -> Page:
    name = member.filename
    try:
        return Record(source, number, _unpacked(archive, member, most), id=name)
    except _DAMAGE as error:
        message = f"member {name} at byte {member.header_offset} is damaged: {error}"
        return Damage(source, number, "damaged-member", message)


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
    stored = copy(member)
    stored.compress_type, stored.file_size = zipfile.ZIP_STORED, member.compress_size
    stored.CRC = None  # type: ignore[assignment]
    return stored
