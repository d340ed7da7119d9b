"""Cut the records of a run into parts and batches, by their order and sizes alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final, NamedTuple

from victor.model.extractor import BATCH_BYTES
from victor.sources import Input
from victor.sources.record import Damage, Record

_MOST_ITEMS: Final = 256
"""Of a batch: pages may be tiny."""

Item = Record | Damage
Read = Callable[[Input, int, Callable[[IO[bytes]], None]], Iterator[Item]]
"""Reads the items of an input from a number on, and passes the open file to the function."""


class Cursor(NamedTuple):
    """Where reading goes on: the number of an input and the number of an item in it."""

    input: int = 0
    number: int = 0


class ReadItem(NamedTuple):
    """An item with the cursor after it, and how many bytes of its input had been read by then."""

    after: Cursor
    item: Item
    position: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that are cleaned together; they belong to one part.

    Attributes:
        items: records, and damages among them.
        after: cursor after the last item.
        ends_part: is it the last batch of its part.
        position: bytes of the last item's input that had been read by then, 0 if unknown.
    """

    items: Sequence[Item]
    after: Cursor
    ends_part: bool
    position: int = 0

    @property
    def records(self) -> list[Record]:
        """The items that can be cleaned."""
        return [item for item in self.items if isinstance(item, Record)]


def stream(inputs: Sequence[Input], read: Read, start: Cursor) -> Iterator[ReadItem]:
    """All items from a cursor on."""
    for number, source in enumerate(inputs[start.input :], start.input):
        skip = start.number if number == start.input else 0
        files: list[IO[bytes]] = []
        for item in read(source, skip, files.append):
            yield ReadItem(Cursor(number, item.number + 1), item, _position(files))


def _position(files: Sequence[IO[bytes]]) -> int:
    with suppress(OSError, ValueError):  # pipes have no position, nor do closed files
        return files[-1].tell() if files else 0
    return 0


def batches(items: Iterable[ReadItem], part_records: int) -> Generator[Batch, None, None]:
    """Cut items into parts of so many, and these into batches of about `BATCH_BYTES` of markup."""
    batch: list[Item] = []
    size = in_part = position = 0
    after = Cursor()
    for each in items:
        item_size = size_of(each.item)
        if batch and (size + item_size > BATCH_BYTES or len(batch) == _MOST_ITEMS):
            yield Batch(batch, after, False, position)
            batch, size = [], 0
        batch.append(each.item)
        after, position = each.after, each.position
        size, in_part = size + item_size, in_part + 1
        if in_part == part_records:
            yield Batch(batch, after, True, position)
            batch, size, in_part = [], 0, 0
    if batch:
        yield Batch(batch, after, True, position)


def input_size(source: Input) -> int:
    """Bytes of an input that is a file, else 0."""
    return os.path.getsize(source.name) if os.path.isfile(source.name) else 0


def size_of(item: Item) -> int:
    """Bytes of markup; characters if it is text; 0 for a damage."""
    return len(item.body) if isinstance(item, Record) else 0
