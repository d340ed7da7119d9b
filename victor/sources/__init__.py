"""Names to inputs, inputs to pages: files, folders, archives, tables, WARC and the web."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import IO, Final

from victor.base.errors import PageError
from victor.sources.inputs import LEADS_OUT, OUTSIDE, Input, ReadOptions, expand, opened
from victor.sources.record import Damage, Item, Page, Record, damage

__all__ = ["Input", "ReadOptions", "expand", "items", "read"]

_READERS: Final = {
    "zip": "zip_archive",
    "tar": "tar_archive",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "warc": "warc",
}
"""Modules of this package, each with a function ``items``; loaded when such an input is read."""


def read(
    source: Input,
    options: ReadOptions,
    skip: int = 0,
    watch: Callable[[IO[bytes]], None] = lambda stream: None,
) -> Iterator[Page]:
    """The pages of an input, and the places where there should be some.

    Reading the same input again gives the same records with the same numbers, unless it is a page
    of the web that has changed.

    Args:
        source: what to read.
        options: how to read it.
        skip: how many records and damages to pass over, for a run that goes on.
        watch: is given the open input, whose position tells how far reading is; not for URLs of
            pages.

    Yields:
        Records and damages numbered from `skip` on, one at a time and as late as possible.

    Raises:
        ConfigError: a package that this kind of input needs is not installed.
    """
    for number, item in enumerate(items(source, options, watch)):
        if number >= skip:
            yield item(source.name, number)


def items(
    source: Input, options: ReadOptions, watch: Callable[[IO[bytes]], None] = lambda stream: None
) -> Iterator[Item]:
    """The same as `read`, for whoever wants to know that an item comes before it is made."""
    if source.is_web_page and options.kind in (None, "html"):
        yield lambda name, number: _web_page(name, number, options.max_bytes)
    else:
        yield from _file_items(source, options, watch)


def _web_page(url: str, number: int, limit: int) -> Page:
    from victor.sources.download import fetch  # loads HTTP and TLS

    try:
        page = fetch(url, limit=limit)
    except PageError as error:
        return Damage(url, number, error.reason, str(error), url)
    return Record(
        url, number, page.content, page.url, charset=page.charset,
        media_type=page.media_type or None,
    )  # fmt: skip


def _file_items(
    source: Input, options: ReadOptions, watch: Callable[[IO[bytes]], None]
) -> Iterator[Item]:
    from victor.sources.streams import Peeked, compression_magic, kind_of_stream

    if source.kind == OUTSIDE:
        yield damage("link-outside", LEADS_OUT)
        return
    try:
        with opened(source.name) as stream:
            watch(stream)
            peeked = Peeked(stream)
            kind, file = kind_of_stream(source, peeked.head, options), io.BufferedReader(peeked)
            if kind == "html":
                body = file.read(options.max_bytes + 1)
                yield lambda name, number: Record(name, number, body)
                return
            reader = import_module(f"{__name__}.{_READERS[kind]}")
            yield from reader.items(file, compression_magic(source, peeked.head), options)
    except OSError as error:
        yield damage("unreadable", f"cannot be read: {error.strerror or error}")
