"""Zip files to items: one for every member whose name is that of a page."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from lzma import LZMAError
from typing import IO, Final

from victor.sources.inputs import PAGE_SUFFIXES, PAGES, ReadOptions, kind_of
from victor.sources.record import Damage, Item, Page, Record, damage
from victor.sources.streams import seekable

_DAMAGE: Final = (
    OSError, EOFError, LZMAError, zlib.error, zipfile.BadZipFile,
    ValueError, RuntimeError, NotImplementedError,
)  # fmt: skip
"""What reading a damaged member raises; the last two where it is encrypted or packed oddly."""


def items(stream: IO[bytes], _head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damaged members of a zip file, in the order of its directory."""
    with seekable(stream) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE as error:
            yield damage("damaged-archive", f"no readable zip file: {error}")
            return
        with archive:
            members = [each for each in archive.infolist() if kind_of(each.filename) in PAGES]
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
        with archive.open(member) as file:
            return Record(source, number, file.read(most), id=name)
    except _DAMAGE as error:
        message = f"member {name} at byte {member.header_offset} is damaged: {error}"
        return Damage(source, number, "damaged-member", message)
