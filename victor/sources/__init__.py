"""Readers: inputs of a crawl to records, one module per kind of input."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

from victor.sources import jsonl, parquet, tar, warc, zip
from victor.sources.inputs import Input, ReadOptions, expand
from victor.sources.items import Item, Page, damage
from victor.sources.record import Record
from victor.sources.streams import Headed, kind, opened, packing

__all__ = ["Input", "ReadOptions", "expand", "read"]


def read(
    source: Input,
    options: ReadOptions,
    skip: int = 0,
    watch: Callable[[IO[bytes]], None] = lambda stream: None,
) -> Iterator[Page]:
    """The pages of an input, and the places where there should be some.

    Reading the same input again gives the same records with the same numbers.

    Args:
        source: what to read.
        options: how to read it.
        skip: how many records and damages to pass over, for a run that goes on.
        watch: is given the open input, whose position tells how far reading is.

    Yields:
        Records and damages numbered from `skip` on, one at a time and as late as possible.

    Raises:
        ConfigError: a package that this kind of input needs is not installed.
    """
    for number, item in enumerate(_items(source, options, watch)):
        if number >= skip:
            yield item(source.name, number)


def _items(
    source: Input, options: ReadOptions, watch: Callable[[IO[bytes]], None]
) -> Iterator[Item]:
    try:
        with opened(source) as stream:
            watch(stream)
            headed = Headed(stream)
            found = _READERS[kind(source, headed.head, options)]
            head = packing(source, headed.head)
            yield from found(io.BufferedReader(headed), head, options)
    except OSError as error:
        yield damage("unreadable", f"cannot be read: {error.strerror or error}")


def _html(stream: IO[bytes], _head: bytes, options: ReadOptions) -> Iterator[Item]:
    body = stream.read(options.max_bytes + 1)
    yield lambda source, number: Record(source, number, body)


_READERS: Final[dict[str, Any]] = {
    "html": _html,
    "zip": zip.items,
    "tar": tar.items,
    "jsonl": jsonl.items,
    "parquet": parquet.items,
    "warc": warc.items,
}
