"""Read in a process of its own: a record that crashes it or takes all its memory is one damage.

The process that runs a crawl unpacks nothing itself, and outlives whoever does. When a reader ends,
another one reads on; it announces each record before it makes it. So the second end names the
record, and a third reader passes it by. If there is no record to be passed by, because the archive
itself cannot be read on, the rest of the input is the damage.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Final

from victor.base.errors import ConfigError
from victor.crawl.workers.batching import Item, RangeTask, Watch
from victor.crawl.workers.reader_main import AllRead, Announced, Read, ReadTask
from victor.crawl.workers.worker import Aborted, Worker, WorkerFailure
from victor.sources import Input, ReadOptions, read
from victor.sources.inputs import PAGES, STDIN
from victor.sources.record import Damage

_ATTEMPTS: Final = 4
"""How often a record is tried if something else kills the reader."""
_OWN_MEMORY: Final = "memory://"
"""A file system of fsspec that no other process can see."""


class Reader:
    """Reads in a process that is started when there is something to read.

    Args:
        start: starts such a process.
    """

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._start = start
        self._process: Worker | None = None
        self._aborted = False
        self._position = 0

    def tell(self) -> int:
        """How many bytes of the input had been read for the last item, 0 if unknown."""
        return self._position

    def read(
        self,
        source: Input,
        options: ReadOptions,
        skip: int = 0,
        watch: Watch = lambda stream: None,
    ) -> Iterator[Item]:
        """The same as `victor.sources.read`, which reads here what is one page or only here.

        Args:
            source: what to read.
            options: how to read it.
            skip: how many records and damages to pass over.
            watch: is given what tells how far reading is.
        """
        is_one_page = source.kind in PAGES or source.is_web_page
        if is_one_page or source.name == STDIN or source.name.startswith(_OWN_MEMORY):
            yield from read(source, options, skip, watch)
        else:
            watch(self)
            yield from _Reading(self, ReadTask(source, options, skip=skip))

    def range(self, task: RangeTask) -> _Reading:
        """The items of a range, like `victor.sources.ranges.RangeReader`."""
        return _Reading(self, ReadTask(task.source, task.reading, task.range))

    def messages(self, task: ReadTask) -> Iterator[Announced | Read | AllRead]:
        """What a process says about a task, up to its end.

        Raises:
            WorkerFailure: it ended before.
            VictorError: something is wrong that no record is to blame for.
            Aborted: another thread called `abort`.
        """
        is_done = False
        try:
            process = self._ready()
            process.send(task)
            while not is_done:
                message = process.message()
                is_done = isinstance(message, AllRead)
                if isinstance(message, Read):
                    self._position = message.position
                yield message
        except WorkerFailure:
            if self._aborted:
                raise Aborted from None
            raise
        finally:
            if not is_done:
                self.close()

    def _ready(self) -> Worker:
        if self._aborted:
            raise Aborted
        if self._process is None:
            self._process = self._start()
            try:
                self._process.await_ready()
            except WorkerFailure as failure:
                if failure.external or self._aborted:
                    raise
                message = f"readers end before their first record: {failure}; try a larger --memory"
                raise ConfigError(message) from None
        return self._process

    def abort(self) -> None:
        """End the process from another thread, and start no other."""
        self._aborted = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process and release what it held."""
        if self._process is not None:
            self._process.stop()
        self._process = None


class _Reading:
    """The items of a task; where a process ended over one, a damage.

    Attributes:
        met: where the first record behind the range was met, once all was read.
    """

    def __init__(self, reader: Reader, task: ReadTask) -> None:
        self._reader, self._task = reader, task
        self._announced = -1
        self._tries = 0
        self.met: int | None = None

    def __iter__(self) -> Iterator[Item]:
        """Records and damages."""
        while (failure := (yield from self._items())) is not None:
            self._tries += 1
            is_tried = self._task.is_careful and (not failure.external or self._tries >= _ATTEMPTS)
            self._task = replace(self._task, is_careful=True)
            if not is_tried:
                continue
            is_rest = self._announced < self._task.skip  # it ended on the way to the next record
            number = self._announced + is_rest
            if number >= self._task.skip:
                yield self._damage(number, failure, is_rest=is_rest)
            if is_rest:
                self.met = None if self._task.range is None else self._task.range.end
                return
            self._task, self._tries = replace(self._task, skip=number + 1), 0

    def _damage(self, number: int, failure: WorkerFailure, *, is_rest: bool) -> Damage:
        what = "what is left cannot be read" if is_rest else "it cannot be read"
        return Damage(self._task.source.name, number, failure.reason, f"{what}: {failure}")

    def _items(self) -> Generator[Item, None, WorkerFailure | None]:
        """Items up to the end, or to that of the process."""
        self._announced = -1
        try:
            for message in self._reader.messages(self._task):
                if isinstance(message, Announced):
                    self._announced = message.number
                elif isinstance(message, AllRead):
                    self.met = message.met
                else:
                    last = message.items[-1].number
                    self._task, self._tries = replace(self._task, skip=last + 1), 0
                    yield from message.items
        except WorkerFailure as failure:
            return failure
        return None
