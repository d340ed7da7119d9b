"""Records of a run in order, cut into parts and batches by nothing but that order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from victor.analysis import BATCH_BYTES
from victor.crawl.readers import Input
from victor.crawl.record import Damage, Record

_MOST: Final = 256
"""Most items of a batch: pages may be tiny."""

Item = Record | Damage
Read = Callable[[Input, int], Iterator[Item]]
"""Items of an input from some number on."""


class Place(NamedTuple):
    """Where reading goes on: number of an input, and of an item of it."""

    input: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that are cleaned together; they belong to one part.

    Attributes:
        items: records, and damages among them.
        after: place of the item that follows.
        ends_part: is it the last one of its part.
    """

    items: Sequence[Item]
    after: Place
    ends_part: bool

    @property
    def records(self) -> list[Record]:
        """What there is to clean."""
        return [item for item in self.items if isinstance(item, Record)]


def stream(inputs: Sequence[Input], read: Read, start: Place) -> Iterator[tuple[Place, Item]]:
    """All items from a place on, each with the place after it."""
    for number, each in enumerate(inputs[start.input :], start.input):
        skip = start.number if number == start.input else 0
        for item in read(each, skip):
            yield Place(number, item.number + 1), item


def batches(items: Iterable[tuple[Place, Item]], part_records: int) -> Generator[Batch, None, None]:
    """Cut items into parts of so many, and these into batches of about `BATCH_BYTES` of markup."""
    batch: list[Item] = []
    size = in_part = 0
    after = Place()
    for following, item in items:
        cost = size_of(item)
        if batch and (size + cost > BATCH_BYTES or len(batch) == _MOST):
            yield Batch(batch, after, ends_part=False)
            batch, size = [], 0
        batch.append(item)
        after, size, in_part = following, size + cost, in_part + 1
        if in_part == part_records:
            yield Batch(batch, after, ends_part=True)
            batch, size, in_part = [], 0, 0
    if batch:
        yield Batch(batch, after, ends_part=True)


def size_of(item: Item) -> int:
    """Bytes of markup (of text: characters)."""
    return len(item.body) if isinstance(item, Record) else 0
