"""Names to inputs, inputs to pages: files, folders, archives, tables, WARC and the web."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import IO, Final

from victor.base.errors import PageError
from victor.page.decoding.other_formats import other_format
from victor.sources.inputs import (
    LEADS_OUT,
    OUTSIDE,
    UNKNOWN,
    UNREAD,
    Input,
    ReadOptions,
    expand,
    opened,
)
from victor.sources.record import Damage, Item, Page, Record
from victor.sources.unpack import BZ2, PACKED, XZ, ZSTD_DICTIONARY, beginning

__all__ = ["Input", "ReadOptions", "expand", "items", "read", "splits_at_bytes"]

_READERS: Final = {
    "zip": ("archives", "zip_items"),
    "tar": ("archives", "tar_items"),
    "jsonl": ("rows", "json_items"),
    "parquet": ("rows", "parquet_items"),
    "warc": ("warc", "items"),
}
"""Modules of this package and their functions; loaded when such an input is read."""
_STARTS: Final = ((b"PK\x03\x04", "zip"), (b"PAR1", "parquet"), (b"WARC/", "warc"),
                  (b"filedesc:", "warc"), (b"{", "jsonl"))  # fmt: skip


def read(
    source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The records of an input, and the places where there should be some, see `items`."""
    return (item() for item in items(source, options, start, end))


def items(
    source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """What makes the records of a stretch of an input, one at a time and as late as possible.

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
    if source.kind == OUTSIDE:
        found = _single(Damage(source.name, 0, "link-outside", LEADS_OUT))
    elif source.is_web_page and options.kind in (None, "html"):
        found = iter([partial(_web_page, source.name, options.max_bytes)])
    else:
        found = _file_items(source, options, start, end)
        if splits_at_bytes(source, options):
            yield from found
            return
    for number, item in enumerate(found):
        if end is not None and number >= end:
            return
        if number >= start:
            yield item


def _single(page: Page) -> Iterator[Item]:
    yield lambda: page


def splits_at_bytes(source: Input, options: ReadOptions) -> bool:
    """Can stretches of an input be read by themselves: where records begin, or groups of rows."""
    if source.is_web_page and options.kind in (None, "html"):
        return False
    try:
        with opened(source.path or source.name) as file:
            head, kind = _kind_of(source, file, options)
    except OSError:
        return False
    return kind in ("warc", "parquet", "zip") or (kind == "jsonl" and not head.startswith(PACKED))


def _web_page(url: str, limit: int) -> Page:
    from victor.sources.download import fetch  # loads HTTP and TLS

    try:
        page = fetch(url, limit=limit)
    except PageError as error:
        return Damage(url, 0, error.reason, str(error), url)
    return Record(
        url, 0, page.content, page.url, charset=page.charset, media_type=page.media_type or None
    )


def _file_items(source: Input, options: ReadOptions, start: int, end: int | None) -> Iterator[Item]:
    try:
        with (
            opened(source.path or source.name) as stream,
            _seekable(stream) as file,
        ):
            head, kind = _kind_of(source, file, options)
            file.seek(0)
            if kind == UNREAD:
                message = f"{_named(head)}, and nothing here reads it; leave it out, or say --kind"
                yield from _single(Damage(source.name, 0, UNREAD, message))
            elif kind == "html":
                body = file.read(options.max_bytes + 1)
                yield from _single(Record(source.name, 0, body))
            else:
                module, name = _READERS[kind]
                reader: Callable[..., Iterator[Item]]
                reader = getattr(import_module(f"{__name__}.{module}"), name)
                stretch = () if kind == "tar" else (start, end)
                yield from reader(file, source, options, *stretch)
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        yield from _single(Damage(source.name, 0, "unreadable", message))


def _kind_of(source: Input, file: IO[bytes], options: ReadOptions) -> tuple[bytes, str]:
    """The first bytes of an input, and its kind: by its name, as the options say, or by them."""
    head, plain = beginning(file)
    if source.kind not in (UNKNOWN, UNREAD, "stdin"):
        return head, source.kind
    return head, options.kind or (UNREAD if source.kind == UNREAD else _kind_of_bytes(head, plain))


def _kind_of_bytes(head: bytes, plain: bytes) -> str:
    known = (kind for start, kind in _STARTS if plain.lstrip().startswith(start))
    if head.startswith(ZSTD_DICTIONARY):
        return "warc"
    if plain.startswith(b"ustar", 257) or head.startswith((BZ2, XZ)):
        return "tar"
    is_other = head.startswith(PACKED) or other_format(head)
    return next(known, UNREAD if is_other else "html")


def _named(head: bytes) -> str:
    return f"it is {other_format(head) or 'of another kind'}"


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
