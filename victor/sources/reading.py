"""Read an input, of whatever kind it is, as pages, damages and records without a page."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Final

from victor.base.errors import PageError
from victor.page.source import other_format
from victor.sources import archives, rows, warc
from victor.sources.inputs import LEADS_OUT, OUTSIDE, UNKNOWN, UNREAD, Input, ReadOptions, opened
from victor.sources.record import Damage, Page, Record
from victor.sources.unpack import BZ2, PACKED, XZ, ZSTD_DICTIONARY, beginning

_READERS: Final[dict[str, Callable[..., Iterator[Page]]]] = {
    "zip": archives.read_zip,
    "jsonl": rows.read_jsonl,
    "parquet": rows.read_parquet,
    "warc": warc.read,
}
_STARTS: Final = ((b"PK\x03\x04", "zip"), (b"PAR1", "parquet"), (b"WARC/", "warc"),
                  (b"filedesc:", "warc"), (b"{", "jsonl"))  # fmt: skip


def read(
    source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The pages of a stretch of an input, and what else is in it, one at a time.

    Reading the same again gives the same, unless it is a page of the web that has changed.

    Args:
        source: what to read.
        options: how to read it.
        start: byte from which on records begin, if `splits_at_bytes` says so; else how many there
            are before.
        end: the same for the end; None for that of the input.

    Raises:
        ConfigError: a package that this kind of input needs is not installed.
    """
    if splits_at_bytes(source, options):
        return _pages(source, options, start, end)
    return islice(_pages(source, options), start, end)


def splits_at_bytes(source: Input, options: ReadOptions) -> bool:
    """Can stretches of an input be read by themselves: where records begin, or groups of rows."""
    if source.kind == OUTSIDE or _is_web_page(source, options):
        return False
    try:
        with opened(source.path or source.name) as file:
            head, kind = _kind_of(source, file, options)
    except OSError:
        return False
    return kind in ("warc", "parquet", "zip") or (kind == "jsonl" and not head.startswith(PACKED))


def _is_web_page(source: Input, options: ReadOptions) -> bool:
    return source.is_web_page and options.kind in (None, "html")


def _pages(
    source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    name = source.name
    if source.kind == OUTSIDE:
        yield Damage(name, 0, "link-outside", LEADS_OUT)
        return
    if _is_web_page(source, options):
        yield _web_page(name, options.max_bytes)
        return
    try:
        with opened(source.path or name) as stream, _seekable(stream) as file:
            head, kind = _kind_of(source, file, options)
            if kind == UNREAD:
                known = other_format(head) or "of another kind"
                message = f"it is {known}, and nothing here reads it; leave it out, or say --kind"
                yield Damage(name, 0, UNREAD, message)
            elif kind == "html":
                yield Record(name, 0, file.read(options.max_bytes + 1))
            elif kind == "tar":
                yield from archives.read_tar(file, source, options)
            else:
                yield from _READERS[kind](file, source, options, start, end)
    except OSError as error:
        yield Damage(name, 0, "unreadable", f"cannot be read: {error.strerror or error}")


def _web_page(url: str, limit: int) -> Page:
    from victor.sources.download import fetch  # loads HTTP and TLS

    try:
        page = fetch(url, limit=limit)
    except PageError as error:
        return Damage(url, 0, error.reason, str(error), url)
    return Record(
        url, 0, page.content, page.url, charset=page.charset, media_type=page.media_type or None
    )


def _kind_of(source: Input, file: IO[bytes], options: ReadOptions) -> tuple[bytes, str]:
    """The first bytes of an input, and its kind: by its name, as the options say, or by them."""
    head, plain = beginning(file)
    if source.kind not in (UNKNOWN, UNREAD, "stdin"):
        return head, source.kind
    if options.kind or source.kind == UNREAD:
        return head, options.kind or UNREAD
    if head.startswith(ZSTD_DICTIONARY):
        return head, "warc"
    if plain.startswith(b"ustar", 257) or head.startswith((BZ2, XZ)):
        return head, "tar"
    known = (kind for start, kind in _STARTS if plain.lstrip().startswith(start))
    is_other = head.startswith(PACKED) or other_format(head)
    return head, next(known, UNREAD if is_other else "html")


@contextmanager
def _seekable(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """The stream, or a copy if it only goes forward."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as spooled:
        shutil.copyfileobj(stream, spooled)
        spooled.seek(0)
        yield spooled
