"""Supervise a worker process: whether it crashes, hangs or is killed, at most one page is lost.

pebble's process pool was tried first. It survives a worker that exits and one that sleeps in C, but
its workers share one pair of pipes guarded by semaphores: a worker that is killed while it reads a
batch leaves the semaphore locked and half a message in the pipe. At the first such kill of a trial
(two workers, batches of 20 MB, `kill -9` at random) the pool gave up or never answered again. Here
each worker has a pipe of its own, so nothing that happens to it can disturb the others.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from multiprocessing import forkserver
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from victor.base.errors import ConfigError, VictorError
from victor.crawl.workers.batching import Item, RangeTask, batches_of_range
from victor.crawl.workers.worker_main import (
    OUT_OF_MEMORY,
    Answer,
    BrokenBatch,
    Options,
    RangeAnswer,
    Reply,
    Working,
    serve,
)
from victor.documents.outcome import Outcome
from victor.sources.record import Record

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

RECYCLE: Final = 500
"""Batches after which a worker is replaced by default."""
_ATTEMPTS: Final = 4
"""How often a batch, and then each of its pages, is tried if something else kills the worker."""
_PATIENCE: Final = 300.0
"""Seconds that a worker may take to load the labeler."""
_EXTERNAL_SIGNALS: Final = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
"""Sent from outside the worker; the kernel sends the first when the machine runs out of memory."""
_POSIX_MODULES: Final = ("fcntl", "resource")
"""The file lock of a run and the memory limits of workers."""


class WorkerFailure(Exception):  # noqa: N818  (the run goes on)
    """A worker ended, or had to be ended, while it cleaned a batch.

    Attributes:
        reason: ``crashed``, ``timeout`` or ``memory``.
        external: something other than the batch may have ended it.
    """

    def __init__(self, reason: str, message: str, *, external: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.external = external


def check_platform() -> None:
    """Refuse systems on which worker processes cannot be supervised.

    Raises:
        ConfigError: Python lacks a module that POSIX systems have.
    """
    missing = [name for name in _POSIX_MODULES if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"crawls need Linux, macOS or another POSIX system: this Python has no module "
            f"{' and no module '.join(missing)}; on Windows use WSL, or `victor clean`"
        )


def _fork_context() -> ForkServerContext:
    """The context whose server forks the workers; it finds modules where this process does.

    Python 3.11 starts the server with the current folder first on its path: a folder there with the
    name of this package would hide the package.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["victor.crawl.workers.worker_main"])
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    with _environment(PYTHONSAFEPATH="1", PYTHONPATH=paths):
        forkserver.ensure_running()
    return context


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Set environment variables for the length of the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Worker:
    """A worker process; it is still loading the labeler when this returns."""

    def __init__(
        self,
        context: ForkServerContext,
        main: Callable[[Connection, Options], None],
        options: Options,
    ) -> None:
        self._pipe, worker_end = context.Pipe()
        arguments = (worker_end, main, options)
        self._process = context.Process(target=serve, args=arguments, daemon=True)
        self._process.start()
        worker_end.close()
        self._ready = False

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return self._process.pid

    def is_ready(self) -> bool:
        """Has it loaded the labeler, or ended; does not wait."""
        return self._ready or self._pipe.poll(0)

    def await_ready(self) -> None:
        """Wait until the labeler is loaded.

        Raises:
            WorkerFailure: the worker ended before that.
            VictorError: the labeler cannot be loaded.
        """
        if not self._ready:
            self.message(_PATIENCE)
            self._ready = True

    def send(self, work: object) -> None:
        """Send it a batch, a range or something to read; if it is gone, its answer says so."""
        try:
            self._pipe.send(work)
        except OSError:
            return

    def answer(self, seconds: float) -> Answer | RangeAnswer:
        """Its answer to a batch or a range.

        Raises:
            WorkerFailure: a batch took more than so many seconds, or the worker ended.
            VictorError: something is wrong that no page is to blame for.
        """
        reply: Reply = self.message(seconds)
        while isinstance(reply, Working):
            reply = self.message(seconds)
        if isinstance(reply, BrokenBatch):
            raise WorkerFailure(reply.reason, reply.message)
        assert isinstance(reply, Answer | RangeAnswer), "a worker that is ready answers"
        return reply

    def message(self, seconds: float | None = None) -> Any:  # noqa: ANN401  (what it was sent for)
        """The next thing that it says.

        Args:
            seconds: how long it may take; None for as long as it takes.

        Raises:
            WorkerFailure: it took longer, or the worker ended.
            VictorError: something is wrong that no page is to blame for.
        """
        try:
            if not self._pipe.poll(seconds):
                raise WorkerFailure(
                    "timeout", f"it took more than {seconds:g} s; raise limits.seconds"
                )
            reply = self._pipe.recv()
        except (EOFError, OSError):
            raise self._failure() from None
        if isinstance(reply, VictorError):
            raise reply
        return reply

    def _failure(self) -> WorkerFailure:
        """Why a process that closed its pipe has ended."""
        self._process.join(_PATIENCE)
        status = self._process.exitcode
        if status == OUT_OF_MEMORY:
            return WorkerFailure(
                "memory", "it needs more memory than a worker may have; raise --memory"
            )
        if status is not None and status < 0:
            name = signal.Signals(-status).name
            external = name in _EXTERNAL_SIGNALS
            return WorkerFailure("crashed", f"the worker ended by {name}", external=external)
        return WorkerFailure("crashed", f"the worker ended with status {status}")

    def kill(self) -> None:
        """End it, whatever it is doing; a thread that waits for its answer gets a failure."""
        with suppress(ValueError):  # another worker has replaced it meanwhile
            self._process.kill()

    def stop(self) -> None:
        """End it and release what it held."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


class RangeItems(Protocol):
    """Items of a range, and then where the first record behind it was met."""

    met: int | None

    def __iter__(self) -> Iterator[Item]:
        """Items, numbered from 0."""


class ReadsRanges(Protocol):
    """Reads ranges of which a batch broke a worker (`victor.crawl.workers.reader.Reader`)."""

    def range(self, task: RangeTask) -> RangeItems:
        """The items of a range."""

    def abort(self) -> None:
        """Read no more, says another thread."""

    def close(self) -> None:
        """Release what was held."""


class Aborted(Exception):  # noqa: N818  (not an error)
    """The run is being stopped."""


class Usage(NamedTuple):
    """Processor seconds that workers spent on batches, and the largest resident set of one."""

    seconds: float = 0.0
    peak: int = 0

    def with_others(self, others: Iterable[Usage]) -> Usage:
        """That of these workers and of others."""
        usages = [self, *others]
        return Usage(sum(usage.seconds for usage in usages), max(usage.peak for usage in usages))


class Supervisor:
    """Keeps one worker running: replaces it when it fails, and after so many batches.

    Args:
        start: starts a worker.
        seconds: wall clock seconds that a batch may take, with reading if the worker reads it, and
            a page that is tried alone.
        recycle: batches after which a worker is replaced; the next one loads while it works.
        reader: reads ranges again; None where none are begun.
    """

    def __init__(
        self,
        start: Callable[[], Worker],
        seconds: float,
        recycle: int,
        reader: ReadsRanges | None = None,
    ) -> None:
        self._start = start
        self._seconds = seconds
        self._recycle = recycle
        self._reader = reader
        self._worker: Worker | None = None
        self._next: Worker | None = None
        self._batches = 0
        self._records: Sequence[Record] = ()
        self._range: RangeTask | None = None
        self._aborted = False
        self.usage = Usage()

    def begin(self, records: Sequence[Record]) -> None:
        """Give the worker a batch to clean.

        Raises:
            VictorError: the labeler cannot be loaded, or workers end before they get a batch.
        """
        self._records = records
        self._ready().send(records)

    def finish(self) -> list[Outcome]:
        """Outcomes of the batch that was begun, one for each record, in their order.

        Raises:
            VictorError: something is wrong that no page is to blame for.
            Aborted: another thread called `abort`.
        """
        try:
            return self._answer()
        except WorkerFailure as failure:
            return self._recover(failure, self._records, _ATTEMPTS - 1)

    def begin_range(self, task: RangeTask) -> None:
        """Give the worker a range to read and clean.

        Raises:
            VictorError: the labeler cannot be loaded, or workers end before they get a range.
        """
        self._range = task
        self._ready().send(task)

    def finish_range(self) -> RangeAnswer:
        """Outcomes of the range that was begun.

        Raises:
            VictorError: something is wrong that no page is to blame for.
            Aborted: another thread called `abort`.
        """
        task, self._range = self._range, None
        assert task is not None, "a range was begun"
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                if attempt > 1:
                    self.begin_range(task)
                return self._range_answer()
            except WorkerFailure as failure:
                if not failure.external:
                    break
        return self._by_batches(task)

    def _by_batches(self, task: RangeTask) -> RangeAnswer:
        """Have the batches of a range cleaned one by one.

        All but the one that the worker failed over give what they gave before.
        """
        assert self._reader is not None, "there is a reader where there are ranges"
        reader = self._reader.range(task)
        whole = RangeAnswer()
        for batch in batches_of_range(reader):
            records = batch.records
            whole.add(batch, self._retry(records, _ATTEMPTS - 1) if records else [])
        whole.met = reader.met
        return whole

    def _recover(
        self, failure: WorkerFailure, records: Sequence[Record], attempts: int
    ) -> list[Outcome]:
        """Try a batch again: as it is if the worker was killed from outside, else page by page.

        As it is, because marginals of a page can differ in the last digits if it is cleaned alone.
        """
        if failure.external and attempts:
            return self._retry(records, attempts - 1)
        if len(records) == 1:
            return [_failed(records[0], failure)]
        return [outcome for record in records for outcome in self._retry([record], _ATTEMPTS - 1)]

    def _retry(self, records: Sequence[Record], attempts: int) -> list[Outcome]:
        try:
            self.begin(records)
            return self._answer()
        except WorkerFailure as failure:
            return self._recover(failure, records, attempts)

    def _answer(self) -> list[Outcome]:
        self._batches += 1
        return self._counted().outcomes

    def _range_answer(self) -> RangeAnswer:
        answer = self._counted()
        assert isinstance(answer, RangeAnswer), "a range was begun"
        self._batches += answer.batches
        return answer

    def _counted(self) -> Answer | RangeAnswer:
        """The worker's answer; what it cost is added up."""
        assert self._worker is not None, "something was begun"
        try:
            answer = self._worker.answer(self._seconds)
        except WorkerFailure:
            self._discard()
            raise
        spent, peak = self.usage
        self.usage = Usage(spent + answer.seconds, max(peak, answer.peak))
        return answer

    def _ready(self) -> Worker:
        """A worker that waits for a batch."""
        self._renew()
        for _ in range(_ATTEMPTS):
            if self._worker is None:
                self._worker, self._next = self._next or self._start(), None
                self._batches = 0
            if self._aborted:
                raise Aborted
            try:
                self._worker.await_ready()
            except WorkerFailure as failure:
                last = failure
                self._discard()
            else:
                return self._worker
        raise ConfigError(f"workers end before their first page: {last}; try a larger --memory")

    def _renew(self) -> None:
        """Replace a worker that has done its share as soon as the next one is ready."""
        if self._worker is None or self._batches < self._recycle:
            return
        if self._next is None:
            self._next = self._start()
        elif self._next.is_ready():
            self._discard()

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.stop()
        self._worker = None

    def abort(self) -> None:
        """End the worker from another thread, and start no other."""
        self._aborted = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        if self._reader is not None:
            self._reader.abort()

    def close(self) -> None:
        """End the workers and release what they held."""
        self._discard()
        if self._next is not None:
            self._next.stop()
        self._next = None
        if self._reader is not None:
            self._reader.close()


def _failed(record: Record, failure: WorkerFailure) -> Outcome:
    reason, message = failure.reason, str(failure)
    return Outcome(record.source, record.number, "failed", reason, message=message, url=record.url)


def starter(options: Options, main: Callable[[Connection, Options], None]) -> Callable[[], Worker]:
    """A function that starts processes with these options, from any thread.

    Args:
        options: of each.
        main: what each does.

    Raises:
        ConfigError: this system has no such processes.
    """
    check_platform()
    # Once and not for each worker: it changes the environment, which all threads share.
    context = _fork_context()
    return lambda: Worker(context, main, options)
