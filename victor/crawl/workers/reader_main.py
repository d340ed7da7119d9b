"""The main function of a process that reads archives and tables for a crawl.

It may crash or run out of memory at any record; `victor.crawl.workers.reader` copes with that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import IO, Final, NamedTuple

from victor.base.errors import ConfigError, VictorError
from victor.crawl.workers.batching import Item, size_of
from victor.crawl.workers.worker_main import has_room, limit_memory
from victor.model.extractor import BATCH_BYTES
from victor.sources import Input, ReadOptions, items
from victor.sources.ranges import Range, RangeReader

_MOST_ITEMS: Final = 256


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """How a reader runs.

    Attributes:
        memory: bytes of data that the process may hold (RLIMIT_DATA).
        directory: working directory, where relative paths start.
    """

    memory: int
    directory: str


@dataclass(frozen=True, slots=True)
class ReadTask:
    """Something to be read.

    Attributes:
        source: the input.
        reading: how it is read.
        range: of the input, if it is not read as a whole.
        skip: items that are passed over.
        is_careful: each item is announced before it is made, and sent alone.
    """

    source: Input
    reading: ReadOptions
    range: Range | None = None
    skip: int = 0
    is_careful: bool = False


class Announced(NamedTuple):
    """The number of the item that comes next, or is passed over."""

    number: int


class Read(NamedTuple):
    """Items that were read, and how many bytes of the input by then; 0 if that is unknown."""

    items: list[Item]
    position: int


class AllRead(NamedTuple):
    """The end of a task; where the first record behind the range was met."""

    met: int | None


def read_tasks(pipe: Connection, options: ReaderOptions) -> None:
    """Read what is asked for, task after task.

    Args:
        pipe: where tasks come from; for each go `Announced` and `Read`, then `AllRead`, or what is
            wrong, a `VictorError`.
        options: say how.

    Raises:
        EOFError, ConnectionError: the parent is gone.
        MemoryError: a record needs too much.
    """
    os.chdir(options.directory)
    limit_memory(options.memory)
    if not has_room():
        pipe.send(ConfigError("a reader needs more memory to begin with; raise --memory"))
        return
    pipe.send(None)
    while True:
        task: ReadTask = pipe.recv()
        try:
            met = _read(pipe, task)
        except VictorError as error:
            pipe.send(error)
        else:
            pipe.send(AllRead(met))


def _read(pipe: Connection, task: ReadTask) -> int | None:
    """Send the items of a task; returns where the first record behind its range was met."""
    files: list[IO[bytes]] = []
    reader = None if task.range is None else RangeReader(task.source, task.reading, task.range)
    makers = items(task.source, task.reading, files.append) if reader is None else reader.items()
    waiting: list[Item] = []
    size = position = 0
    for make in _announced(pipe, task, makers):
        waiting.append(make())
        size, position = size + size_of(waiting[-1]), _position(files)
        if task.is_careful or size >= BATCH_BYTES or len(waiting) >= _MOST_ITEMS:
            pipe.send(Read(waiting, position))
            waiting, size = [], 0
    if waiting:
        pipe.send(Read(waiting, position))
    return None if reader is None else reader.met


def _announced(
    pipe: Connection, task: ReadTask, makers: Iterator[Callable[[str, int], Item]]
) -> Iterator[Callable[[], Item]]:
    """What makes the items that are not passed over."""
    for number, make in enumerate(makers):
        if task.is_careful:
            pipe.send(Announced(number))
        if number >= task.skip:
            yield partial(make, task.source.name, number)


def _position(files: list[IO[bytes]]) -> int:
    with suppress(OSError, ValueError):  # closed files have no position
        return files[-1].tell() if files else 0
    return 0
