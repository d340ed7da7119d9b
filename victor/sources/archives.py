"""Zip and tar files: a page for every member that is one; the records of the WARCs in a zip (WACZ).

Members of a tar are looked for behind a damage, at any byte; tarfile alone ends there.
"""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from stat import S_ISLNK
from typing import IO, Any, Final

from msgspec.structs import replace

from victor.sources import warc
from victor.sources.inputs import PAGES, Input, ReadOptions, kind_of
from victor.sources.record import Damage, Page, Record, Skipped
from victor.sources.stream import HEADER_BYTES, Cutter, Header, Stream
from victor.sources.unpack import beginning, chunks

_REASON: Final = "damaged-member"
_NO_PAGE: Final = "no-page"
"""Reason of a member whose name is not that of a page."""
_DAMAGE: Final = (
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError, ValueError),
    RuntimeError,  # where it is encrypted
)
"""What reading a damaged member raises."""
_PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_zip(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The members whose headers stand between two bytes, in the order of the directory."""
    name = source.name
    try:
        archive = zipfile.ZipFile(file)
    except _DAMAGE as error:
        if not start:
            yield Damage(name, 0, "damaged-archive", f"no readable zip file: {error}")
        return
    for member in archive.infolist():
        kind, number = kind_of(member.filename), max(member.header_offset, 0)
        if number < start or (end is not None and number >= end):
            continue
        is_link = S_ISLNK(member.external_attr >> 16)
        if kind not in (*PAGES, "warc") or is_link or member.is_dir():
            yield Skipped(name, number, _NO_PAGE)
            continue
        try:
            if member.compress_type not in _PLAIN:  # nothing bounds what comes out of them
                raise ValueError("it is neither stored nor deflated; unpack the archive")
            if kind == "warc":
                member.CRC = None  # type: ignore[assignment]  # a wrong one would end reading
            with archive.open(member) as stream:
                if kind == "warc":
                    buffered: Any = io.BufferedReader(stream)
                    for page in warc.read(buffered, Input(name, "warc"), options):
                        yield replace(page, number=page.number + number)
                else:
                    yield Record(
                        name, number, stream.read(options.max_bytes + 1), id=member.filename
                    )
        except _DAMAGE as error:
            yield Damage(name, number, _REASON, f"{member.filename}: {error}")


def read_tar(file: IO[bytes], source: Input, options: ReadOptions) -> Iterator[Page]:
    """The members of a tar file, packed or not."""
    head, _ = beginning(file)
    head = b"" if _Tar.first.match(head) else head  # a name may begin as packed bytes do
    return _Tar(source.name, options.max_bytes).pages(Stream(chunks(file, head)))


class _Tar(Cutter):
    """Members of a tar, whose headers have checksums."""

    first = re.compile(rb"(?s).{257}ustar")
    gap, between, reason = b"", b"\0", _REASON
    look = 2 * tarfile.BLOCKSIZE  # with so many zeros it ends

    def header(self, data: bytearray, line: re.Match[bytes]) -> Header | None:
        """The header with what belongs to it: long names, and fields of PAX."""
        ahead = io.BytesIO(data[line.start() : line.start() + HEADER_BYTES])
        try:
            tar = tarfile.TarFile(fileobj=ahead)
            member = tar.next()
        except _DAMAGE:
            return None
        if member is None or not member.name or member.size < 0:
            return None
        begin = member.offset_data
        return Header(begin, tar.offset - begin, {"member": member}, is_checked=True)

    def page(self, place: int, header: Header, block: bytes, fault: str) -> Page:
        """A file whose name is that of a page."""
        member = header.fields["member"]
        if not member.isreg() or kind_of(member.name) not in PAGES:
            return Skipped(self.source, place, _NO_PAGE)
        body = block[: min(member.size, self.limit + 1)]
        metadata = {"damaged": fault} if fault else {}
        return Record(self.source, place, body, id=member.name, metadata=metadata)
