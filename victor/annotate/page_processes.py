"""Processes that work on pages, so that no page can keep the threads of the server waiting.

Python runs one thread at a time, and a long call into C lets no other in. A hostile page could stop
everybody so. Here each job runs in a process of its own, which is ended if it takes too long or too
much memory: then it costs the page that it was for, and a new process takes its place.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock
from typing import Any, Final, ParamSpec, TypeVar, cast

from victor.base.errors import PageError, VictorError

SECONDS: Final = 60.0
"""Time that a job may take."""
_PATIENCE: Final = 300.0
"""Seconds in which a process has to begin or end, however busy the machine is."""
_MEMORY: Final = 2 << 30
"""Bytes of data that a process may hold."""

P = ParamSpec("P")
T = TypeVar("T")


class PageProcesses:
    """Some processes for jobs. Threads may share them; a job waits while all are busy.

    Args:
        count: how many there are.
        seconds: time that a job may take.
        preload: modules that a process imports before its first job.
        niceness: added to that of the processes, if nobody waits for their answers.
        memory: bytes of data that a process may hold; None for any number.
    """

    def __init__(
        self,
        count: int,
        *,
        seconds: float = SECONDS,
        preload: Sequence[str] = (),
        niceness: int = 0,
        memory: int | None = _MEMORY,
    ) -> None:
        self._seconds, self._options = seconds, (tuple(preload), niceness, memory)
        self._lock, self._closed = Lock(), False
        self._processes = {_Process(*self._options) for _ in range(count)}
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for process in self._processes:
            self._idle.put(process)

    def call(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a job, which is a function of some module; it and the rest are pickled.

        Raises:
            PageError: ``timeout``, ``memory`` or ``crashed``: what became of the process;
                ``failed``: the job raised an error that is not one of Victor.
            VictorError: the job raised it.
        """
        process = self._usable(self._idle.get())
        try:
            return cast(T, process.answer((job, args, kwargs), self._seconds))
        finally:
            self._idle.put(self._usable(process))

    def _usable(self, process: _Process) -> _Process:
        return process if process.is_usable() else self._replacement(process)

    def _replacement(self, process: _Process) -> _Process:
        process.kill()
        with self._lock:
            if self._closed:
                return process
            self._processes.remove(process)
            self._processes.add(started := _Process(*self._options))
            return started

    def close(self) -> None:
        """End all processes; a job that one is working on gets an error."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
                process.join()


class _Process:
    """One process, and the pipe to it."""

    def __init__(self, preload: Sequence[str], niceness: int, memory: int | None) -> None:
        context = get_context("spawn")  # a server has threads, which a fork would not survive
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, preload, niceness, memory), daemon=True
        )
        self._process.start()
        theirs.close()
        self._is_ready, self._is_answering = False, False

    def is_usable(self) -> bool:
        """Is it there, and without anything to do."""
        return not self._is_answering and self._process.is_alive()

    def answer(self, work: object, seconds: float) -> object:
        """Its answer to a job; it is usable again unless the job took too long or ended it."""
        self._is_answering = True
        try:
            if not self._is_ready:
                self._read(_PATIENCE)
                self._is_ready = True
            self._pipe.send(work)
            answer = self._read(seconds)
        except (EOFError, OSError):
            raise PageError("crashed", "the process that worked on the page has ended") from None
        self._is_answering = False
        if isinstance(answer, VictorError):
            raise answer
        return answer

    def _read(self, seconds: float) -> object:
        if not self._pipe.poll(seconds):
            raise PageError("timeout", f"the page takes more than {seconds:g} s; leave it out")
        return self._pipe.recv()

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()

    def join(self) -> None:
        """Wait for the end of a process that was killed."""
        self._process.join(_PATIENCE)


def _serve(pipe: Connection, preload: Sequence[str], niceness: int, memory: int | None) -> None:
    """The work of a process: jobs, one after the other, until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the server, too
    if hasattr(os, "nice"):
        os.nice(niceness)
    for module in preload:
        import_module(module)
    if memory is not None:
        _limit_memory(memory)
    gc.freeze()
    gc.disable()  # a large page is a million objects, none of them garbage
    with suppress(EOFError, OSError):
        pipe.send(None)  # from now on it works
        while True:
            pipe.send(_result(*pipe.recv()))
            gc.collect()


def _result(job: Callable[..., object], args: Sequence[Any], kwargs: dict[str, Any]) -> object:
    """What a job returns, or the error to raise in its place."""
    try:
        return job(*args, **kwargs)
    except VictorError as error:
        return error
    except MemoryError:
        return PageError("memory", "the page needs more memory than a process has; leave it out")
    except Exception as error:  # whatever it is, it may cost one page only
        return PageError("failed", f"the page cannot be worked on: {type(error).__name__}: {error}")


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
