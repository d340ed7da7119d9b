"""One worker process under supervision: it may crash, hang or be killed and costs one page at most.

pebble's process pool was tried first. It survives a worker that exits and one that sleeps in C, but
its workers share one pair of pipes that semaphores guard: a worker killed while it takes a batch
leaves the semaphore taken and half a message in the pipe. At the first such kill of a trial (two
workers, batches of 20 MB, `kill -9` at random) the pool gave up or never answered again. Here every
worker has a pipe of its own, so whatever happens to it can be seen by nobody else.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from typing import Final, NamedTuple

from victor.crawl.documents.document import Outcome
from victor.crawl.workers.worker_main import OUT_OF_MEMORY, Answer, Broken, Reply, Setting, serve
from victor.errors import ConfigError, VictorError
from victor.sources.record import Record

_ATTEMPTS: Final = 4
"""How often a batch, and later each of its pages, is tried while others kill the worker."""
RECYCLE: Final = 500
"""Batches after which a worker is replaced, unless it is said otherwise."""
_PATIENCE: Final = 300.0
"""Seconds that a worker may take to load the labeler."""
_OUTSIDE: Final = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT)
"""Exit statuses that are nobody's fault inside; the kernel's ending of memory hogs is one, too."""


class Death(Exception):  # noqa: N818  (it is no error of the run)
    """A worker ended, or had to be ended, over a batch.

    Attributes:
        reason: ``crashed``, ``timeout`` or ``memory``.
        outside: something else than the batch may have ended it.
    """

    def __init__(self, reason: str, message: str, *, outside: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.outside = outside


def _forking() -> ForkServerContext:
    """The context whose server forks the workers; it finds modules where this process does.

    Python 3.11 starts the server with the present folder first, so that a folder of this package's
    name there would be taken for the package.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["victor.crawl.workers.worker_main"])
    places = os.pathsep.join(os.path.abspath(place) for place in sys.path)
    with _environment(PYTHONSAFEPATH="1", PYTHONPATH=places):
        forkserver.ensure_running()
    return context


@contextmanager
def _environment(**said: str) -> Iterator[None]:
    """Variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in said}
    os.environ.update(said)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Worker:
    """A worker process, which is loading the labeler when this returns."""

    def __init__(self, context: ForkServerContext, setting: Setting) -> None:
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=serve, args=(there, setting), daemon=True)
        self._process.start()
        there.close()
        self._ready = False

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return self._process.pid

    def is_ready(self) -> bool:
        """Has it loaded the labeler, or ended; waits for nothing."""
        return self._ready or self._pipe.poll(0)

    def await_ready(self) -> None:
        """Wait until the labeler is loaded.

        Raises:
            Death: the worker ended before.
            VictorError: the labeler cannot be loaded.
        """
        if not self._ready:
            self._reply(_PATIENCE)
            self._ready = True

    def send(self, records: Sequence[Record]) -> None:
        """Give it a batch; that it is gone shows when the answer is awaited."""
        try:
            self._pipe.send(records)
        except OSError:
            return

    def answer(self, seconds: float) -> Answer:
        """Its answer to a batch.

        Raises:
            Death: there is none within so many seconds, or never will be.
            VictorError: something is wrong that is no fault of a page.
        """
        reply = self._reply(seconds)
        if isinstance(reply, Broken):
            raise Death(reply.reason, reply.message)
        assert isinstance(reply, Answer), "a worker that is ready answers batches"
        return reply

    def _reply(self, seconds: float) -> Reply:
        try:
            if not self._pipe.poll(seconds):
                raise Death("timeout", f"it took more than {seconds:g} s; raise limits.seconds")
            reply: Reply = self._pipe.recv()
        except (EOFError, OSError):
            raise self._death() from None
        if isinstance(reply, VictorError):
            raise reply
        return reply

    def _death(self) -> Death:
        """How a process that closed its pipe came to its end."""
        self._process.join(_PATIENCE)
        status = self._process.exitcode
        if status == OUT_OF_MEMORY:
            return Death("memory", "it needs more memory than a worker may have; raise --memory")
        if status is not None and status < 0:
            name = signal.Signals(-status).name
            return Death("crashed", f"the worker ended by {name}", outside=status in _OUTSIDE)
        return Death("crashed", f"the worker ended with status {status}")

    def kill(self) -> None:
        """End it, whatever it is doing; whoever awaits its answer sees it die."""
        with suppress(ValueError):  # it has been replaced meanwhile
            self._process.kill()

    def stop(self) -> None:
        """End it and release what it held."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


class Aborted(Exception):  # noqa: N818  (it is no error)
    """The run is being given up."""


class Usage(NamedTuple):
    """Processor seconds that workers spent on batches, and the largest resident set of one."""

    seconds: float = 0.0
    peak: int = 0


class Supervisor:
    """Keeps one worker at work: replaces one that died, and each after so many batches.

    Args:
        start: starts a worker.
        seconds: wall clock seconds that a batch may take, and a page that is tried alone.
        recycle: batches after which a worker is replaced; the next one loads while it works.
    """

    def __init__(self, start: Callable[[], Worker], seconds: float, recycle: int) -> None:
        self._start = start
        self._seconds = seconds
        self._recycle = recycle
        self._worker: Worker | None = None
        self._next: Worker | None = None
        self._batches = 0
        self._records: Sequence[Record] = ()
        self._aborted = False
        self.usage = Usage()

    def begin(self, records: Sequence[Record]) -> None:
        """Give the worker a batch to clean.

        Raises:
            VictorError: the labeler cannot be loaded, or workers do not live to see a batch.
        """
        self._records = records
        self._ready().send(records)

    def finish(self) -> list[Outcome]:
        """Outcomes of the batch that was begun, one for each record, in their order.

        Raises:
            VictorError: something is wrong that is no fault of a page.
            Aborted: another thread called `abort`.
        """
        try:
            return self._answer()
        except Death as death:
            return self._after(death, self._records, _ATTEMPTS - 1)

    def _after(self, death: Death, records: Sequence[Record], attempts: int) -> list[Outcome]:
        """Try again what a worker died over: as it is if it was killed, else page by page.

        The whole batch again, for a page might differ in its last digits when it is cleaned alone.
        """
        if death.outside and attempts:
            return self._again(records, attempts - 1)
        if len(records) == 1:
            return [_failed(records[0], death)]
        return [found for record in records for found in self._again([record], _ATTEMPTS - 1)]

    def _again(self, records: Sequence[Record], attempts: int) -> list[Outcome]:
        try:
            self.begin(records)
            return self._answer()
        except Death as death:
            return self._after(death, records, attempts)

    def _answer(self) -> list[Outcome]:
        assert self._worker is not None, "a batch was begun"
        try:
            answer = self._worker.answer(self._seconds)
        except Death:
            self._discard()
            raise
        self._batches += 1
        spent, peak = self.usage
        self.usage = Usage(spent + answer.seconds, max(peak, answer.peak))
        return answer.outcomes

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
            except Death as death:
                last = death
                self._discard()
            else:
                return self._worker
        raise ConfigError(f"workers do not live to see a page: {last}; try a larger --memory")

    def _renew(self) -> None:
        """Replace a worker that has done its share, without waiting for the next one."""
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
        """End the worker from another thread, and start no other one."""
        self._aborted = True
        worker = self._worker
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        """End the workers and release what they held."""
        self._discard()
        if self._next is not None:
            self._next.stop()
        self._next = None


def _failed(record: Record, death: Death) -> Outcome:
    return Outcome(
        record.source, record.number, "failed", death.reason, message=str(death), url=record.url
    )


def starter(setting: Setting) -> Callable[[], Worker]:
    """What starts workers of one setting, in any thread."""
    # Here and not with every worker: the environment is that of all threads.
    context = _forking()
    return lambda: Worker(context, setting)
