"""What a worker process does: load the labeler once, then clean batch after batch.

It may crash, hang or run out of memory at any time; `victor.crawl.workers.worker` deals with that.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Final

from victor.crawl.documents.cleaner_spec import Process, System
from victor.crawl.documents.document import Outcome
from victor.errors import ConfigError, PageError, VictorError
from victor.sources.record import Record

OUT_OF_MEMORY: Final = 71
"""Exit status of a worker that has no memory left even for an answer."""
_TOO_LITTLE: Final = "it needs more memory than a worker may have; raise --memory"
_SAMPLE: Final = Record(
    "sample", 0, b"<title>A</title><h1>A page</h1><p>The first of all pages.</p>"
)
"""Cleaned before the first batch: so what is loaded late is loaded, and fits into the memory."""
_PR_SET_PDEATHSIG: Final = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """How a worker runs.

    Attributes:
        system: what cleans.
        memory: bytes of data that the process may hold (RLIMIT_DATA).
        directory: relative paths start there.
    """

    system: System
    memory: int
    directory: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcomes of a batch, with processor seconds spent and the largest resident set in bytes."""

    outcomes: list[Outcome]
    seconds: float
    peak: int


@dataclass(frozen=True, slots=True)
class Broken:
    """A batch that cannot be cleaned together; the worker is not to be trusted any more."""

    reason: str
    message: str


Reply = Answer | Broken | VictorError | None
"""None says that the worker is ready; an error of this package is one of the whole run."""


def serve(pipe: Connection, setting: Setting) -> None:
    """Be a worker until the other end of the pipe is closed."""
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    try:
        _serve(pipe, setting)
    except (EOFError, ConnectionError):  # the parent is gone
        return
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def _serve(pipe: Connection, setting: Setting) -> None:
    os.chdir(setting.directory)
    try:
        process = setting.system.load()
    except VictorError as error:
        pipe.send(error)
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_lower(setting.memory, hard), hard))
    first = answer(process, [_SAMPLE])
    if isinstance(first, Broken) and first.reason == "memory":
        pipe.send(ConfigError("a worker needs more memory to begin with; raise --memory"))
        return
    pipe.send(None)
    while True:
        pipe.send(answer(process, pipe.recv()))


def answer(process: Process, records: Sequence[Record]) -> Answer | Broken | VictorError:
    """Outcomes of a batch, or what is wrong with it.

    A batch of which one page wants too much memory is broken as a whole: what that page left behind
    may cost the others theirs.
    """
    started = time.process_time()
    try:
        outcomes = process(records)
    except MemoryError:
        return Broken("memory", _TOO_LITTLE)
    except PageError as error:
        return Broken(error.reason, str(error))
    except VictorError as error:
        return error
    except Exception as error:  # whatever it is, it may cost one page only
        return Broken("crashed", f"{type(error).__name__}: {error}")
    if any(outcome.reason == "memory" for outcome in outcomes):
        return Broken("memory", _TOO_LITTLE)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Answer(outcomes, time.process_time() - started, peak)


def _lower(limit: int, hard: int) -> int:
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def _die_with_parent() -> None:
    """Have the kernel end this process with its parent, whatever code it is in by then.

    The parent is the server that forked it. That one ends when nobody holds a pipe any more, which
    the process that runs the crawl holds and every worker gets, so as to start further ones: it is
    closed here. If the run has ended already, the first read from the worker's own pipe says so: no
    page is cleaned before. Elsewhere than on Linux this is how an idle worker notices, too, and a
    busy one after its batch.
    """
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
