"""WARC files to items: one for every page, and one for every place that is damaged.

Records are cut out here, since a damage has to be noticed, reported and passed; what a record
says is parsed by fastwarc. Where a record does not end as the format asks (ISO 28500, 4), its
length is not believed, and reading goes on at the next header. Where every record is a gzip
member of its own, as the standard recommends (Annex D), nothing but the record itself is lost.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import IO, Final

from victor.sources.http_response import check_installed, is_page, page
from victor.sources.inputs import ReadOptions
from victor.sources.items import Item, damage
from victor.sources.resync import stretches
from victor.sources.streams import BEGIN, pieces
from victor.sources.warc_scan import HEADER_BYTES, Header, Section

_REASON: Final = "damaged-warc"
_GAP: Final = b"\r\n\r\n"
_LOOK: Final = 64
"""Bytes after a record in which the next has to begin."""


def items(stream: IO[bytes], head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The pages and damages of a WARC.

    Args:
        stream: the file, compressed or not.
        head: its first bytes, which tell that.
        options: how to read.
    """
    check_installed()
    for section in stretches(pieces(stream, head, BEGIN), Section):
        yield from _items(section, options.max_bytes)


def _items(section: Section, limit: int) -> Iterator[Item]:
    reported = False  # a damage is one item, however far away the next record is
    while section.skip_newlines():
        where, header = section.where, section.header()
        if header is None:
            section.move(1)
            section.seek_header()
            if not reported:
                yield damage(_REASON, f"no WARC record at {where}")
            reported = True
            continue
        wrong = yield from _record(section, header, limit)
        reported = bool(wrong)
        if wrong:
            yield damage(_REASON, f"the record at {where} {wrong}", header.url)
    if section.broken and not reported:
        yield damage(_REASON, section.broken)


def _record(section: Section, header: Header, limit: int) -> Generator[Item, None, str]:
    """The item of a record, if it is a page; goes on behind it, and returns what is wrong."""
    if header.length is None:
        section.move(header.size)
        return "does not say its length"
    if header.length > limit + HEADER_BYTES:
        return (yield from _long_record(section, header, limit))
    size = header.size + header.length
    wrong = _fault(section, size)
    if not wrong and is_page(header):
        yield lambda source, number: page(
            source, number, header, bytes(section.data[section.at : section.at + size]), limit
        )
    section.move(header.size if wrong else size)
    return wrong


def _long_record(section: Section, header: Header, limit: int) -> Generator[Item, None, str]:
    """The same for a record that is not kept whole; a header inside is believed to be the next."""
    begin = bytes(section.data[section.at : section.at + header.size])
    section.move(header.size)
    gone, block = section.seek_header(header.length or 0, limit + HEADER_BYTES)
    wrong = "is shorter than it says" if gone < (header.length or 0) else _fault(section, 0)
    if not wrong and is_page(header):
        yield lambda source, number: page(source, number, header, begin + block, limit)
    return wrong


def _fault(section: Section, size: int) -> str:
    """What is wrong with a record of so many bytes: it or what follows."""
    ahead = section.fill(size + _LOOK)
    if ahead < size:
        return f"breaks off: {section.broken or f'{size} bytes expected, {ahead} found'}"
    tail = bytes(section.data[section.at + size : section.at + size + _LOOK])
    rest = tail.lstrip(b"\r\n")
    if not rest and len(tail) < _LOOK:
        return section.broken and f"cannot be trusted: {section.broken}"
    if not rest or rest.startswith(BEGIN) or tail.startswith(_GAP):
        return ""
    return "does not end where its length says"
