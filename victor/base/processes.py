"""Processes that are watched: one that dies, hangs or hoards memory costs what it was at.

Python runs one thread at a time, and a long call into C lets no other in, so only a process can be
ended from outside. Each has a pipe of its own: whatever happens to it disturbs no other. While it
works, a process says by `at` what it is at; whoever lost it knows that, and its time begins anew.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Lock, current_thread, main_thread
from typing import Any, Final, ParamSpec, TypeVar, cast

from victor.base.errors import ConfigError, PageError, VictorError

SECONDS: Final = 60.0
MEMORY: Final = 2 << 30
"""Bytes of data that a process may hold (RLIMIT_DATA)."""
_PATIENCE: Final = 300.0
"""Seconds in which a process has to begin or end, however busy the machine is."""
_GLANCE: Final = 0.2
_ATTEMPTS: Final = 4
_OUT_OF_MEMORY: Final = 71
"""Exit status of a process that has no memory left even for an answer."""
_EXTERNAL: Final = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
"""Sent from outside; the kernel sends the first when the machine runs out of memory."""
_PR_SET_PDEATHSIG: Final = 1
_marks: Any = None

P = ParamSpec("P")
T = TypeVar("T")
Setup = Callable[[], Callable[[Any], Any]]
"""Loads in a process what it needs, and gives what makes an answer of a piece of work."""


class Lost(PageError):  # noqa: N818  (the work may go on)
    """A process ended, or had to be ended, while it worked.

    Attributes:
        at: what it was at, as it said.
        external: something other than the work may have ended it.
    """

    def __init__(
        self, reason: str, message: str, at: tuple[int, int] = (0, 0), *, external: bool = False
    ) -> None:
        super().__init__(reason, message)
        self.at, self.external = at, external


def at(first: int, count: int) -> None:
    """Say in a watched process what it is at from now on."""
    if _marks is not None:
        _marks[:] = [_marks[0] + 1, first, count]


class Process:
    """One process, and the pipe to it; it is still loading when this returns.

    Args:
        setup: what it does; it can be pickled.
        seconds: time for a piece of work, or from one call of `at` to the next.
        memory: bytes of data that it may hold; None for any number.
        niceness: added to that of the process, if nobody waits for it.

    Attributes:
        work: what it is working on; None if it waits for work.
        is_ready: it has loaded all.
    """

    def __init__(
        self, setup: Setup, seconds: float = SECONDS, memory: int | None = MEMORY, niceness: int = 0
    ) -> None:
        context = get_context("spawn")  # threads would not survive a fork
        self._marks = context.RawArray("q", 3)
        self.pipe, theirs = context.Pipe()
        # The kernel ends a child with the thread that started it.
        is_bound = current_thread() is main_thread()
        arguments = (theirs, self._marks, setup, memory, niceness, os.getpid() if is_bound else 0)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        self._seconds, self.is_ready, self.work = seconds, False, None
        self._seen, self._since = 0, time.monotonic()

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return self._process.pid

    def begin(self, work: Any) -> None:  # noqa: ANN401  (what the setup takes)
        """Give it work; if it is gone, its answer says so."""
        self.work, self._seen, self._since = work, self._marks[0], time.monotonic()
        with suppress(OSError):
            self.pipe.send(work)

    def is_alive(self) -> bool:
        """Has it not ended."""
        return self._process.is_alive()

    def is_late(self) -> bool:
        """Has it been at the same for too long; it is ended if so."""
        now, seen = time.monotonic(), self._marks[0]
        if seen != self._seen:
            self._seen, self._since = seen, now
        return now - self._since > (self._seconds if self.is_ready else _PATIENCE)

    def answer(self) -> Any:  # noqa: ANN401  (what the setup gives)
        """Its answer to what was begun, once it has come.

        Raises:
            Lost: it is late, or has ended.
            VictorError: the work raised it.
        """
        while not self.pipe.poll(_GLANCE):
            if self.is_late():
                raise self.late()
        answer = self._received()
        if not self.is_ready:
            self.is_ready, self._since = True, time.monotonic()
            return self.answer()
        self.work = None
        return answer

    def looked_at(self, *, has_come: bool) -> tuple[bool, Any]:
        """Has it answered, and what; does not wait.

        Args:
            has_come: a message of it has come.

        Raises:
            Lost: it is late, or has ended.
            VictorError: the work raised it.
        """
        if not has_come:
            if self.is_late():
                raise self.late()
            return False, None
        if self.is_ready:
            return True, self.answer()
        self._received()
        self.is_ready, self._since = True, time.monotonic()
        return False, None

    def _received(self) -> Any:  # noqa: ANN401
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if isinstance(answer, VictorError):
            self.work = None
            raise answer
        return answer

    def late(self) -> Lost:
        """End it; that it took too long."""
        message = f"it took more than {self._seconds:g} s; raise limits.seconds"
        lost = Lost("timeout", message, (self._marks[1], self._marks[2]))
        self.end()
        return lost

    def _ended(self) -> Lost:
        """Why it ended."""
        mark = (self._marks[1], self._marks[2])
        self._process.join(_PATIENCE)
        status = self._process.exitcode
        self.end()
        if status == _OUT_OF_MEMORY:
            message = "it needs more memory than a process may have; raise --memory"
            return Lost("memory", message, mark)
        if status is not None and status < 0:
            name = signal.Signals(-status).name
            message = f"the process ended by {name}"
            return Lost("crashed", message, mark, external=name in _EXTERNAL)
        return Lost("crashed", f"the process ended with status {status}", mark)

    def join(self) -> None:
        """Wait for its end."""
        self._process.join(_PATIENCE)

    def kill(self) -> None:
        """End it from another thread; who waits for its answer learns it."""
        self._process.kill()

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join(_PATIENCE)
        self.pipe.close()


def run(
    setup: Setup, take: Callable[[], T | None], count: int, *, seconds: float, memory: int | None
) -> Iterator[tuple[T, Any]]:
    """Have some processes work; gives each piece of work with its answer, as they come.

    Args:
        setup: what each does.
        take: gives the next piece; None if there is none now, and no other before an answer.
        count: how many processes there are.
        seconds: see `Process`.
        memory: see `Process`.

    Yields:
        Work and its answer, or what became of its process (`Lost`).

    Raises:
        VictorError: it was raised in a process, or processes end before they work.
    """
    start = partial(Process, setup, seconds, memory)
    processes: list[Process] = []
    failures = 0
    try:
        while True:
            for process in processes:
                if process.work is None and (work := take()) is not None:
                    process.begin(work)
            while len(processes) < count and (work := take()) is not None:
                processes.append(start())
                processes[-1].begin(work)
            busy = [process for process in processes if process.work is not None]
            if not busy:
                return
            ready = wait([process.pipe for process in busy], _GLANCE)
            for process in busy:
                work = cast(T, process.work)
                try:
                    is_done, answer = process.looked_at(has_come=process.pipe in ready)
                except Lost as lost:
                    processes.remove(process)
                    failures = 0 if process.is_ready else failures + 1
                    if failures == _ATTEMPTS:
                        message = f"processes end before their first page: {lost}"
                        raise ConfigError(f"{message}; try a larger --memory") from None
                    if failures:
                        processes.append(start())
                        processes[-1].begin(work)
                    is_done, answer = not failures, lost
                if is_done:
                    yield work, answer
    finally:
        for process in processes:
            process.end()


def ordered(
    setup: Setup, works: Iterator[T], count: int, *, seconds: float, memory: int | None
) -> Iterator[Any]:
    """Answers in the order of the work, which is read as it is needed; see `run`.

    Raises:
        Lost: a process was lost.
    """
    numbered, waiting, wanted = enumerate(works), dict[int, Any](), 0
    taken = 0

    def take() -> tuple[int, T] | None:
        nonlocal taken
        if taken > wanted + 2 * count:
            return None
        work = next(numbered, None)
        taken += work is not None
        return work

    for (number, _), answer in run(
        partial(_second, setup), take, count, seconds=seconds, memory=memory
    ):
        waiting[number] = answer
        while wanted in waiting:
            wanted += 1
            done = waiting.pop(wanted - 1)
            if isinstance(done, Lost):
                raise done
            yield done


def _second(setup: Setup) -> Callable[[Any], Any]:
    job = setup()
    return lambda work: job(work[1])


class Calls:
    """Some processes that threads share for calls; a call waits while all are busy.

    Args:
        count: how many there are.
        preload: modules that a process imports before its first call.
        options: of each `Process`.
    """

    def __init__(self, count: int, *, preload: Sequence[str] = (), **options: Any) -> None:  # noqa: ANN401
        self._start = partial(Process, partial(_caller, tuple(preload)), **options)
        self._lock, self._closed = Lock(), False
        self._processes = {self._start() for _ in range(count)}
        self._idle: SimpleQueue[Process] = SimpleQueue()
        for process in self._processes:
            self._idle.put(process)

    def call(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a job, which is a function of some module; it and the rest are pickled.

        Raises:
            PageError: ``timeout``, ``memory`` or ``crashed``: what became of the process;
                ``failed``: the job raised an error that is not one of Victor.
            VictorError: the job raised it.
        """
        process = self._idle.get()
        if not process.is_alive():  # somebody has killed it
            process = self._replacement(process)
        try:
            process.begin((job, args, kwargs))
            return cast(T, process.answer())
        except Lost:
            process = self._replacement(process)
            raise
        finally:
            self._idle.put(process)

    def _replacement(self, process: Process) -> Process:
        with self._lock:
            if self._closed:
                return process
            self._processes.remove(process)
            self._processes.add(started := self._start())
            return started

    def close(self) -> None:
        """End all processes; a call that one is working on gets an error."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
                process.join()


def _caller(preload: Sequence[str]) -> Callable[[Any], Any]:
    for module in preload:
        import_module(module)
    gc.freeze()
    gc.disable()  # a large page is a million objects, none of them garbage
    return _called


def _called(work: tuple[Callable[..., object], Sequence[Any], dict[str, Any]]) -> object:
    job, args, kwargs = work
    try:
        return job(*args, **kwargs)
    finally:
        gc.collect()


def _serve(
    pipe: Connection,
    marks: Any,  # noqa: ANN401
    setup: Setup,
    memory: int | None,
    niceness: int,
    parent: int,
) -> None:
    """What a process does until the other end of its pipe is closed."""
    global _marks  # noqa: PLW0603  (of this process)
    _marks = marks
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the parent, too
    if parent:
        _die_with(parent)
    if hasattr(os, "nice"):
        os.nice(niceness)
    try:
        if memory is not None:
            _limit_memory(memory)
        answer: object
        try:
            job, answer = setup(), None
        except VictorError as error:
            pipe.send(error)
            return
        with suppress(EOFError, OSError):  # the parent is gone
            while True:
                pipe.send(answer)
                answer = _result(job, pipe.recv())
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


def _result(job: Callable[[Any], Any], work: object) -> object:
    """What a job gives, or the error to raise in its place."""
    try:
        return job(work)
    except VictorError as error:
        return error
    except MemoryError:
        raise
    except Exception as error:  # whatever it is, it may cost one page only
        return PageError("failed", f"it cannot be worked on: {type(error).__name__}: {error}")


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _die_with(parent: int) -> None:
    """Have the kernel end this process with its parent, whatever code it is in by then.

    On other systems than Linux an idle process ends when its pipe is closed, a busy one later.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
