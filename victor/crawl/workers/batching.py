"""Records of a run in order, cut into parts and batches by nothing but that order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final, NamedTuple

from victor.model.extractor import BATCH_BYTES
from victor.sources import Input
from victor.sources.record import Damage, Record

_MOST: Final = 256
"""Most items of a batch: pages may be tiny."""

Item = Record | Damage
Read = Callable[[Input, int, Callable[[IO[bytes]], None]], Iterator[Item]]
"""Items of an input from some number on; a function is given the open input."""


class Place(NamedTuple):
    """Where reading goes on: number of an input, and of an item of it."""

    input: int = 0
    number: int = 0


class Step(NamedTuple):
    """An item with the place after it, and the bytes of its input that had been read by then."""

    after: Place
    item: Item
    position: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that are cleaned together; they belong to one part.

    Attributes:
        items: records, and damages among them.
        after: place of the item that follows.
        ends_part: is it the last one of its part.
        position: bytes of the last item's input that had been read by then, 0 if nobody knows.
    """

    items: Sequence[Item]
    after: Place
    ends_part: bool
    position: int = 0

    @property
    def records(self) -> list[Record]:
        """What there is to clean."""
        return [item for item in self.items if isinstance(item, Record)]


def stream(inputs: Sequence[Input], read: Read, start: Place) -> Iterator[Step]:
    """All items from a place on."""
    for number, each in enumerate(inputs[start.input :], start.input):
        skip = start.number if number == start.input else 0
        files: list[IO[bytes]] = []
        for item in read(each, skip, files.append):
            yield Step(Place(number, item.number + 1), item, _position(files))


def _position(files: Sequence[IO[bytes]]) -> int:
    with suppress(OSError, ValueError):  # a pipe has none, a closed file no longer
        return files[-1].tell() if files else 0
    return 0


def batches(steps: Iterable[Step], part_records: int) -> Generator[Batch, None, None]:
    """Cut items into parts of so many, and these into batches of about `BATCH_BYTES` of markup."""
    batch: list[Item] = []
    size = in_part = position = 0
    after = Place()
    for step in steps:
        cost = size_of(step.item)
        if batch and (size + cost > BATCH_BYTES or len(batch) == _MOST):
            yield Batch(batch, after, False, position)
            batch, size = [], 0
        batch.append(step.item)
        after, position = step.after, step.position
        size, in_part = size + cost, in_part + 1
        if in_part == part_records:
            yield Batch(batch, after, True, position)
            batch, size, in_part = [], 0, 0
    if batch:
        yield Batch(batch, after, True, position)


def size_of(item: Item) -> int:
    """Bytes of markup (of text: characters)."""
    return len(item.body) if isinstance(item, Record) else 0
