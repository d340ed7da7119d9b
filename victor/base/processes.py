"""Processes that are watched: one that dies, hangs or hoards memory costs what it was at.

Python runs one thread at a time, and a long call into C lets no other in, so only a process can be
ended from outside. A thread waits for each. While it works, a process says by `at` what it is at;
whoever lost it knows that, and its time begins anew.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, current_thread, main_thread
from typing import Any, Final, ParamSpec, TypeVar, cast

from victor.base.errors import ConfigError, PageError, VictorError

SECONDS: Final = 60.0
MEMORY: Final = 2 << 30  # bytes of data that a process may hold (RLIMIT_DATA)
_PATIENCE: Final = 300.0
"""Seconds in which a process has to begin or end, however busy the machine is."""
_GLANCE: Final = 0.2
_ATTEMPTS: Final = 4
_OUT_OF_MEMORY: Final = 71  # exit status of a process that has no memory left even for an answer
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


class _Process:
    """One process and the pipe to it; it is started again when it is lost and there is work."""

    def __init__(
        self, setup: Setup, seconds: float, memory: int | None, niceness: int, *, is_bound: bool
    ) -> None:
        self._setup, self._seconds, self._is_bound = setup, seconds, is_bound
        self._limits = memory, niceness
        self._lock, self._closed = Lock(), False
        self._child: Any = None

    def start(self) -> None:
        """Begin to load; in another process, so this returns at once."""
        context = get_context("spawn")  # threads would not survive a fork
        # The kernel ends a child with the thread that started it.
        is_bound = self._is_bound or current_thread() is main_thread()
        with self._lock:
            if self._closed:
                return
            self._is_ready, self._marks = False, context.RawArray("q", 3)
            self._pipe, theirs = context.Pipe()
            parent = os.getpid() if is_bound else 0
            arguments = (theirs, self._marks, self._setup, *self._limits, parent)
            self._child = context.Process(target=_serve, args=arguments, daemon=True)
            self._child.start()
            theirs.close()

    def call(self, work: object) -> Any:  # noqa: ANN401  (what the setup gives)
        """The answer to a piece of work; see `Pool.call`."""
        message = "the process was ended"
        for _ in range(_ATTEMPTS):
            if self._child is None or not self._child.is_alive():
                self.start()
            if self._closed:
                raise Lost("crashed", message)
            with suppress(OSError):  # if it is gone, its answer says so
                self._pipe.send(work)
            try:
                return self._answer()
            except Lost as lost:
                if self._is_ready:
                    raise
                message = str(lost)
        raise ConfigError(
            f"processes end before their first page: {message}; try a larger --memory"
        )

    def _answer(self) -> Any:  # noqa: ANN401
        seen, since = self._marks[0], time.monotonic()
        while True:
            if self._pipe.poll(_GLANCE):
                try:
                    answer = self._pipe.recv()
                except (EOFError, OSError):
                    raise self._ended() from None
                if isinstance(answer, VictorError):
                    raise answer
                if self._is_ready:
                    return answer
                self._is_ready, since = True, time.monotonic()
            elif seen != self._marks[0]:
                seen, since = self._marks[0], time.monotonic()
            elif time.monotonic() - since > (self._seconds if self._is_ready else _PATIENCE):
                self.end()
                message = f"it took more than {self._seconds:g} s; raise limits.seconds"
                raise Lost("timeout", message, (self._marks[1], self._marks[2]))

    def _ended(self) -> Lost:
        mark = (self._marks[1], self._marks[2])
        self._child.join(_PATIENCE)
        status = self._child.exitcode
        self.end()
        if status == _OUT_OF_MEMORY:
            message = "it needs more memory than a process may have (--memory of `victor crawl`)"
            return Lost("memory", message, mark)
        if status is not None and status < 0:
            name = signal.Signals(-status).name
            message = f"the process ended by {name}"
            return Lost("crashed", message, mark, external=name in _EXTERNAL)
        return Lost("crashed", f"the process ended with status {status}", mark)

    def end(self) -> None:
        """End it, whatever it is doing."""
        if self._child is not None:
            self._child.kill()
            self._child.join(_PATIENCE)

    def close(self) -> None:
        """End it for good; who waits for its answer learns it."""
        with self._lock:
            self._closed = True
        self.end()


class Pool:
    """Some processes that threads share; work waits while all are busy.

    Args:
        setup: what each does; it can be pickled.
        count: how many there are at most; each is started for its first work.
        seconds: time for a piece of work, or from one call of `at` to the next.
        memory: bytes of data that each may hold; None for any number.
        niceness: added to that of the processes, if nobody waits for them.
        is_bound: they die with the threads that call them, as else with the main thread only.
    """

    def __init__(
        self,
        setup: Setup,
        count: int,
        *,
        seconds: float = SECONDS,
        memory: int | None = MEMORY,
        niceness: int = 0,
        is_bound: bool = False,
    ) -> None:
        start = partial(_Process, setup, seconds, memory, niceness, is_bound=is_bound)
        self.processes = [start() for _ in range(count)]
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for process in self.processes:
            self._idle.put(process)

    def answer(self, work: object) -> Any:  # noqa: ANN401  (what the setup gives)
        """The answer to a piece of work, which is pickled as its answer is.

        Raises:
            Lost: ``timeout``, ``memory`` or ``crashed``: what became of the process.
            PageError: ``failed``: the work raised an error that is not one of Victor.
            VictorError: the work raised it, or processes end before they work.
        """
        process = self._idle.get()
        try:
            return process.call(work)
        finally:
            self._idle.put(process)

    def close(self) -> None:
        """End all processes; whoever waits for one gets an error."""
        for process in self.processes:
            process.close()


class Calls(Pool):
    """Processes for calls of functions; they start at once.

    Args:
        count: how many there are.
        preload: modules that a process imports before its first call.
        options: see `Pool`.
    """

    def __init__(self, count: int, *, preload: Sequence[str] = (), **options: Any) -> None:  # noqa: ANN401
        super().__init__(partial(_caller, tuple(preload)), count, **options)
        for process in self.processes:
            process.start()

    def call(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a job, which is a function of some module; see `Pool.answer`."""
        return cast(T, self.answer((job, args, kwargs)))


def run(
    setup: Setup, take: Callable[[], T | None], count: int, *, seconds: float, memory: int | None
) -> Iterator[tuple[T, Any]]:
    """Have some processes work; gives each piece of work with its answer, as they come.

    Args:
        setup: what each does.
        take: gives the next piece; None if there is none now, and no other before an answer.
        count: how many processes there are.
        seconds: see `Pool`.
        memory: see `Pool`.

    Yields:
        Work and its answer, or what became of its process (`Lost`).

    Raises:
        VictorError: it was raised in a process, or processes end before they work.
    """
    works: dict[Future[Any], T] = {}
    with _workers(setup, count, seconds, memory) as submit:
        while True:
            while len(works) < count and (work := take()) is not None:
                works[submit(work)] = work
            if not works:
                return
            for done in wait_for(works, return_when=FIRST_COMPLETED).done:
                yield works.pop(done), _answer_of(done)


def ordered(
    setup: Setup, works: Iterable[T], count: int, *, seconds: float, memory: int | None
) -> Iterator[Any]:
    """The answers of `run` in the order of the work, which is read as it is needed."""
    waiting: deque[Future[Any]] = deque()
    with _workers(setup, count, seconds, memory) as submit:
        for work in works:
            waiting.append(submit(work))
            if len(waiting) > 3 * count:
                yield _answer_of(waiting.popleft())
        while waiting:
            yield _answer_of(waiting.popleft())


@contextmanager
def _workers(
    setup: Setup, count: int, seconds: float, memory: int | None
) -> Iterator[Callable[[Any], Future[Any]]]:
    """Gives what has a thread wait for the answer to a piece of work."""
    pool = Pool(setup, count, seconds=seconds, memory=memory, is_bound=True)
    with ThreadPoolExecutor(count) as threads:
        try:
            yield lambda work: threads.submit(pool.answer, work)
        finally:
            pool.close()


def _answer_of(done: Future[Any]) -> Any:  # noqa: ANN401
    try:
        return done.result()
    except Lost as lost:
        return lost


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
