"""Checksums of the items that were read, so that a run that goes on knows its inputs again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from victor.sources.record import Page, Record


class Reading(NamedTuple):
    """Successive items of an input as they were when they were read.

    Attributes:
        input: number of the input.
        first: number of the first item in it.
        last: number behind the last one.
        checksum: CRC-32 of all of them.
    """

    input: int
    first: int
    last: int
    checksum: int


def checksum(items: Iterable[Page], before: int = 0) -> int:
    """CRC-32 of items with all that is known of them but their numbers.

    Args:
        items: records and damages.
        before: that of the items before them.
    """
    for item in items:
        if isinstance(item, Record):
            body = item.body
            known: object = (
                *(item.url, item.id, item.charset, item.media_type, item.date, item.metadata),
            )
            before = crc32(body.encode(errors="surrogatepass") if isinstance(body, str) else body,
                           before)  # fmt: skip
        else:
            known = (item.reason, item.message, item.url)
        before = crc32(repr(known).encode(errors="surrogatepass"), before)
    return before


def readings(items: Sequence[Page], inputs: Sequence[int]) -> list[Reading]:
    """What was read of each input.

    Args:
        items: in order.
        inputs: number of the input of each.
    """
    found: list[Reading] = []
    for item, number in zip(items, inputs, strict=True):
        before = found.pop() if found and found[-1].input == number else None
        first = item.number if before is None else before.first
        value = checksum([item], 0 if before is None else before.checksum)
        found.append(Reading(number, first, item.number + 1, value))
    return found


def first_change(items: Iterator[Page], known: Iterable[Reading]) -> Reading | None:
    """The first stretch of items that is no longer what it was; None if none is.

    Args:
        items: of an input, from its first one on.
        known: what was read of it, in order; there may be gaps.
    """
    at = 0
    for reading in known:
        before, here = reading.first - at, reading.last - reading.first
        at = reading.last
        stretch = islice(items, before, before + here)
        if checksum(stretch) != reading.checksum:
            return reading
    return None
