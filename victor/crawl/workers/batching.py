"""Cut the records of a run into units of work, by their order and sizes alone.

Records that the parent reads are cut into batches of so much markup. Of an input that can be read
in ranges the parent reads nothing: a worker reads a range and cuts it into batches in the same way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final, NamedTuple, Protocol

from victor.base.errors import ConfigError
from victor.crawl.workers.readings import Reading, checksum
from victor.documents.outcome import Outcome
from victor.model.extractor import BATCH_BYTES
from victor.sources import Input, ReadOptions, read
from victor.sources.inputs import STDIN
from victor.sources.ranges import Range, head_of, ranges
from victor.sources.record import Damage, Record

_MOST_ITEMS: Final = 256
"""Of a batch: pages may be tiny."""

Item = Record | Damage


class HasPosition(Protocol):
    """What tells how far reading is."""

    def tell(self) -> int:
        """Bytes of the input that have been read."""


Watch = Callable[[HasPosition], None]
Read = Callable[[Input, ReadOptions, int, Watch], Iterator[Item]]
"""Reads the items of an input from a number on, like `victor.sources.read`."""
ReadOn = Callable[[Input, int, Watch], Iterator[Item]]
"""The same with its options."""


class Cursor(NamedTuple):
    """Where reading goes on.

    Attributes:
        input: number of an input.
        number: of the item in it with which a unit of work begins.
        offset: byte where that unit begins, if it is a range.
        done: items of the unit that are finished already.
    """

    input: int = 0
    number: int = 0
    offset: int = 0
    done: int = 0


class ReadItem(NamedTuple):
    """An item with the cursor after it, and how many bytes of its input had been read by then."""

    after: Cursor
    item: Item
    position: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that are cleaned together.

    Attributes:
        items: records, and damages among them.
        start: cursor of the first item.
        after: cursor after the last item.
        position: bytes of the last item's input that had been read by then, 0 if unknown.
        inputs: number of the input of each item.
    """

    items: Sequence[Item]
    start: Cursor
    after: Cursor
    position: int = 0
    inputs: Sequence[int] = ()

    @property
    def records(self) -> list[Record]:
        """The items that can be cleaned."""
        return [item for item in self.items if isinstance(item, Record)]


@dataclass(frozen=True, slots=True)
class RangeTask:
    """A range of an input that a worker reads and cleans.

    Attributes:
        source: the input.
        reading: how it is read.
        range: of the input.
        input: number of the input.
        number: of the first item in the input; None if the range before will tell.
    """

    source: Input
    reading: ReadOptions
    range: Range
    input: int
    number: int | None


Work = Batch | RangeTask


def works(
    inputs: Sequence[Input],
    reading: ReadOptions,
    start: Cursor,
    known: Sequence[Reading] = (),
    read: Read = read,
) -> Generator[Work, None, None]:
    """All units of work from the one on with which a cursor begins.

    Args:
        inputs: of the run.
        reading: how they are read.
        start: the cursor.
        known: what was read before. Standard input is held against it while it is passed over,
            for it cannot be read twice.
        read: reads the inputs that are not read in ranges.

    Raises:
        ConfigError: a package that an input needs is not installed, or standard input is another.
    """
    piped = [each for each in known if inputs[each.input].name == STDIN]
    left = [*enumerate(inputs)][start.input :]
    heads = ((number, source, head_of(source, reading)) for number, source in left)
    for is_split, group in groupby(heads, key=lambda each: each[2] is not None):
        if is_split:
            for number, source, head in group:
                begin = start if number == start.input else Cursor(number)
                yield from _range_tasks(source, head or b"", reading, begin)
        else:
            numbered = ((number, source) for number, source, _ in group)
            yield from batches(stream(numbered, _reader(read, reading, piped), start))


def _range_tasks(
    source: Input, head: bytes, reading: ReadOptions, start: Cursor
) -> Iterator[RangeTask]:
    number: int | None = start.number
    for part in ranges(source, head, start.offset):
        yield RangeTask(source, reading, part, start.input, number)
        number = None


def _reader(read: Read, options: ReadOptions, known: Sequence[Reading]) -> ReadOn:
    def read_on(one: Input, skip: int, watch: Watch) -> Iterator[Item]:
        if one.name == STDIN and known:
            return _compared(read(one, options, 0, watch), known, skip)
        return read(one, options, skip, watch)

    return read_on


def _compared(items: Iterator[Item], known: Sequence[Reading], skip: int) -> Iterator[Item]:
    """Standard input from an item on, as long as it is what it was."""
    for reading in known:
        stretch = list(islice(items, reading.last - reading.first))
        if checksum(stretch) != reading.checksum:
            raise ConfigError(
                f"standard input is another than before, at record {reading.first} or behind it; "
                "give the same again, or choose another folder for --output"
            )
        yield from (item for item in stretch if item.number >= skip)
    yield from items


def stream(inputs: Iterable[tuple[int, Input]], read: ReadOn, start: Cursor) -> Iterator[ReadItem]:
    """All items of numbered inputs, of the one of a cursor from its number on."""
    for number, source in inputs:
        skip = start.number if number == start.input else 0
        files: list[HasPosition] = []
        for item in read(source, skip, files.append):
            yield ReadItem(Cursor(number, item.number + 1), item, _position(files))


def _position(files: Sequence[HasPosition]) -> int:
    with suppress(OSError, ValueError):  # pipes have no position, nor do closed files
        return files[-1].tell() if files else 0
    return 0


def batches(items: Iterable[ReadItem]) -> Generator[Batch, None, None]:
    """Cut items into batches of about `BATCH_BYTES` of markup."""
    batch: list[ReadItem] = []
    size = 0
    for each in items:
        item_size = size_of(each.item)
        if batch and (size + item_size > BATCH_BYTES or len(batch) == _MOST_ITEMS):
            yield _batch(batch)
            batch, size = [], 0
        batch.append(each)
        size += item_size
    if batch:
        yield _batch(batch)


def _batch(items: Sequence[ReadItem]) -> Batch:
    first, last = items[0], items[-1]
    start = Cursor(first.after.input, first.after.number - 1)
    inputs = [each.after.input for each in items]
    return Batch([each.item for each in items], start, last.after, last.position, inputs)


def batches_of_range(reader: Iterable[Item]) -> Generator[Batch, None, None]:
    """The batches of a range; their cursors count its items from 0."""
    return batches(ReadItem(Cursor(0, item.number + 1), item) for item in reader)


def merged(batch: Batch, cleaned: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes of all items of a batch, given those of its records."""
    outcomes = iter(cleaned)
    return [_lost(item) if isinstance(item, Damage) else next(outcomes) for item in batch.items]


def _lost(item: Damage) -> Outcome:
    return Outcome(item.source, item.number, "failed", item.reason, item.message, item.url)


def input_size(source: Input) -> int:
    """Bytes of an input that is a file, else 0."""
    return os.path.getsize(source.name) if os.path.isfile(source.name) else 0


def size_of(item: Item) -> int:
    """Bytes of markup; characters if it is text; 0 for a damage."""
    return len(item.body) if isinstance(item, Record) else 0
