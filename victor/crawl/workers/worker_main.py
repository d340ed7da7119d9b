"""The main function of a worker process: load the labeler once, then clean batch after batch.

It may crash, hang or run out of memory at any time; `victor.crawl.workers.worker` copes with that.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Final, TypeVar

from victor.base.errors import ConfigError, PageError, VictorError
from victor.crawl.workers.batching import Batch, RangeTask, batches_of_range, merged, size_of
from victor.crawl.workers.readings import checksum
from victor.crawl.writers import encoder
from victor.crawl.writers.base import Encode
from victor.documents.outcome import Outcome
from victor.documents.spec import CrawlSpec, Process
from victor.sources.ranges import RangeReader
from victor.sources.record import Record

OUT_OF_MEMORY: Final = 71
"""Exit status of a worker that has no memory left even for an answer."""
_TOO_LITTLE_MEMORY: Final = "it needs more memory than a worker may have; raise --memory"
_SAMPLE: Final = Record(
    "sample", 0, b"<title>A</title><h1>A page</h1><p>The first of all pages.</p>"
)
"""Cleaned before the first batch: so what is loaded late is loaded, and fits into the memory."""
_PR_SET_PDEATHSIG: Final = 1
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes of a unit of ru_maxrss."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker runs.

    Attributes:
        spec: what cleans.
        memory: bytes of data that the process may hold (RLIMIT_DATA).
        directory: working directory, where relative paths start.
        rows: form of which documents become rows here; None if they stay documents.
    """

    spec: CrawlSpec
    memory: int
    directory: str
    rows: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcomes of a batch, with processor seconds spent and the largest resident set in bytes."""

    outcomes: list[Outcome]
    seconds: float
    peak: int


@dataclass(slots=True)
class RangeAnswer:
    """Outcomes of the items of a range, numbered from 0, with what they cost.

    Attributes:
        outcomes: one for every item.
        sizes: bytes of every item.
        unnamed: numbers of the items without an identifier, whose documents are still to be named.
        batches: how many there were.
        met: where the first record behind the range was met, as `RangeReader` says.
        checksum: of the items, as they were read.
        seconds: processor time.
        peak: the largest resident set in bytes.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    unnamed: list[int] = field(default_factory=list)
    batches: int = 0
    met: int | None = None
    checksum: int = 0
    seconds: float = 0.0
    peak: int = 0

    def add(self, batch: Batch, cleaned: Sequence[Outcome]) -> None:
        """Add a batch with the outcomes of its records."""
        self.outcomes += merged(batch, cleaned)
        self.sizes += map(size_of, batch.items)
        self.unnamed += [record.number for record in batch.records if not record.id]
        self.checksum = checksum(batch.items, self.checksum)
        self.batches += 1


class Working:
    """A sign of life: a batch of a range is finished."""


@dataclass(frozen=True, slots=True)
class BrokenBatch:
    """A batch that cannot be cleaned as a whole; its worker can no longer be trusted."""

    reason: str
    message: str


Reply = Answer | RangeAnswer | Working | BrokenBatch | VictorError | None
"""None means that the worker is ready; a `VictorError` ends the whole run."""


Options = TypeVar("Options")


def serve(pipe: Connection, main: Callable[[Connection, Options], None], options: Options) -> None:
    """Run a process that works for a crawl until the other end of the pipe is closed.

    Args:
        pipe: to the process that runs the crawl.
        main: what it does, e.g. `clean_batches`; it may end by a `MemoryError`.
        options: of that.
    """
    release_server(forkserver)
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    try:
        main(pipe, options)
    except (EOFError, ConnectionError):  # the parent is gone
        return
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def clean_batches(pipe: Connection, options: WorkerOptions) -> None:
    """Load the labeler, then answer batches and ranges.

    Args:
        pipe: where they come from and answers go.
        options: say how.

    Raises:
        EOFError, ConnectionError: the parent is gone.
        MemoryError: there is too little left for an answer.
    """
    os.chdir(options.directory)
    try:
        process = options.spec.load()
        encode = None if options.rows is None else encoder(options.rows)
    except VictorError as error:
        pipe.send(error)
        return
    limit_memory(options.memory)
    first = answer(process, [_SAMPLE], encode)
    if not has_room() or (isinstance(first, BrokenBatch) and first.reason == "memory"):
        pipe.send(ConfigError("a worker needs more memory to begin with; raise --memory"))
        return
    pipe.send(None)
    while True:
        work = pipe.recv()
        if isinstance(work, RangeTask):
            pipe.send(range_answer(process, work, encode, lambda: pipe.send(Working())))
        else:
            pipe.send(answer(process, work, encode))


def range_answer(
    process: Process, task: RangeTask, encode: Encode | None, progress: Callable[[], None]
) -> RangeAnswer | BrokenBatch | VictorError:
    """Outcomes of a range, or what is wrong with one of its batches.

    Args:
        process: cleans records.
        task: says what is read.
        encode: makes rows of documents.
        progress: called after every batch.
    """
    started = time.process_time()
    whole = RangeAnswer()
    reader = RangeReader(task.source, task.reading, task.range)
    try:
        for batch in batches_of_range(reader):
            part = answer(process, batch.records, encode)
            if not isinstance(part, Answer):
                return part
            whole.add(batch, part.outcomes)
            whole.peak = part.peak
            progress()
    except VictorError as error:
        return error
    whole.met = reader.met
    whole.seconds = time.process_time() - started
    return whole


def answer(
    process: Process, records: Sequence[Record], encode: Encode | None = None
) -> Answer | BrokenBatch | VictorError:
    """Outcomes of a batch, or what is wrong with it.

    If one page needs too much memory, the whole batch is broken: what that page left behind could
    cost the others theirs.
    """
    import resource  # POSIX systems have it

    started = time.process_time()
    try:
        outcomes = process(records)
        if encode is not None:
            outcomes = [
                _as_row(outcome, encode) if record.id else outcome
                for record, outcome in zip(records, outcomes, strict=True)
            ]
    except MemoryError:
        return BrokenBatch("memory", _TOO_LITTLE_MEMORY)
    except PageError as error:
        return BrokenBatch(error.reason, str(error))
    except VictorError as error:
        return error
    except Exception as error:  # whatever it is, it may cost one page only
        return BrokenBatch("crashed", f"{type(error).__name__}: {error}")
    if any(outcome.reason == "memory" for outcome in outcomes):
        return BrokenBatch("memory", _TOO_LITTLE_MEMORY)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
    return Answer(outcomes, time.process_time() - started, peak)


def _as_row(outcome: Outcome, encode: Encode) -> Outcome:
    """An outcome with a row in place of its document, if that is to be written."""
    if outcome.status != "written" or outcome.document is None:
        return outcome
    return replace(outcome, document=None, row=encode(outcome.document))


def limit_memory(limit: int) -> None:
    """Limit the data of this process, as far as the hard limit of the system allows."""
    import resource  # POSIX systems have it

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def has_room() -> bool:
    """Is any memory left below the limit: a small page may do with what was freed before."""
    try:
        mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE).close()
    except OSError:
        return False
    return True


def release_server(module: object) -> None:
    """Close the pipe that keeps the server alive which forked this process.

    The server ends when no process holds that pipe any more. The process that runs the crawl holds
    it, and so does every worker, to be able to start further processes. A worker never does that,
    and must not keep the server, its own parent, alive after the end of the run.

    The attribute is private to Python. Without it a worker still ends when it reads from its own
    pipe after the end of the run: at once if it is idle, else after its batch.

    Args:
        module: `multiprocessing.forkserver`.
    """
    server = getattr(module, "_forkserver", None)
    descriptor = getattr(server, "_forkserver_alive_fd", None)
    if isinstance(descriptor, int):
        os.close(descriptor)


def _die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends, whatever code it is in by then.

    The parent is the server that forked it. If the run has ended already, the first read from the
    worker's own pipe says so: no page is cleaned before. On other systems than Linux an idle worker
    ends in this way, too, and a busy one after its batch.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
