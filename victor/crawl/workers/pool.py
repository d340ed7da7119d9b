"""Several supervised workers clean batches at once; results come in the order of the batches.

Each worker has a thread that waits for it and meanwhile reads the next batch. No batch is read
before a thread can take it, and only so many batches are read ahead of the first unfinished one:
that bounds what the parent process holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import Final, NamedTuple

from victor.crawl.documents.document import Outcome
from victor.crawl.workers.batching import Batch
from victor.crawl.workers.worker import Aborted, Supervisor
from victor.sources.record import Damage

_AHEAD: Final = 64
"""Batches per worker that may wait for an earlier one that hangs; each holds its clean texts."""


class Done(NamedTuple):
    """A batch with its outcomes, one for each item, in their order."""

    batch: Batch
    outcomes: list[Outcome]


_Results = SimpleQueue[tuple[int, Done] | BaseException | None]
"""Numbers of batches with their outcomes, errors, and None for every thread that ended."""


class _BatchSource:
    """Gives batches to threads, each batch to one of them."""

    def __init__(self, batches: Iterator[Batch], ahead: int) -> None:
        self._batches = enumerate(batches)
        self._lock = Lock()
        self._window = Semaphore(ahead)
        self._closed = False

    def take(self, *, wait: bool = True) -> tuple[int, Batch] | None:
        """The next batch and its number; None at the end, or without `wait` if none is due."""
        if not self._window.acquire(blocking=wait):
            return None
        with self._lock:
            numbered = None if self._closed else next(self._batches, None)
        if numbered is None:
            self._window.release()
        return numbered

    def release(self) -> None:
        """Say that the first unfinished batch is finished."""
        self._window.release()

    def close(self) -> None:
        """Give no more batches; threads that wait for one get None."""
        self._closed = True
        self._window.release()


class WorkerThread(Thread):
    """Has one worker clean batches until there are no more."""

    def __init__(self, source: _BatchSource, supervisor: Supervisor, results: _Results) -> None:
        super().__init__(daemon=True)
        self._source, self._supervisor, self._results = source, supervisor, results

    def run(self) -> None:
        """Clean batches; errors go into the queue of results, to be raised where these are read."""
        try:
            self._clean_batches()
        except Aborted:
            pass
        except BaseException as error:
            self._results.put(error)
        finally:
            self._supervisor.close()
            self._results.put(None)

    def _clean_batches(self) -> None:
        current = self._source.take()
        while current is not None:
            number, batch = current
            records = batch.records
            if records:
                self._supervisor.begin(records)
            following = self._source.take(wait=False)
            cleaned = self._supervisor.finish() if records else []
            self._results.put((number, Done(batch, merged(batch, cleaned))))
            current = following or self._source.take()


def merged(batch: Batch, cleaned: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes of all items of a batch, given those of its records."""
    outcomes = iter(cleaned)
    return [_lost(item) if isinstance(item, Damage) else next(outcomes) for item in batch.items]


def _lost(item: Damage) -> Outcome:
    return Outcome(item.source, item.number, "failed", item.reason, item.message, item.url)


def map_in_order(
    batches: Generator[Batch, None, None], supervisors: Sequence[Supervisor]
) -> Generator[Done, None, None]:
    """Batches with their outcomes, in order.

    Closing the generator, or an error, ends the workers.

    Raises:
        VictorError: what reading or a supervisor raises.
    """
    source = _BatchSource(batches, _AHEAD * len(supervisors))
    results: _Results = SimpleQueue()
    threads = [WorkerThread(source, supervisor, results) for supervisor in supervisors]
    for thread in threads:
        thread.start()
    try:
        for done in _in_order(results, len(threads)):
            yield done
            source.release()
    finally:
        source.close()
        for supervisor in supervisors:
            supervisor.abort()
        for thread in threads:
            thread.join()
        batches.close()


def _in_order(results: _Results, running: int) -> Iterator[Done]:
    """Results by their numbers, until all of so many threads have ended."""
    waiting: dict[int, Done] = {}
    wanted = 0
    while running:
        result = results.get()
        if result is None:
            running -= 1
        elif isinstance(result, BaseException):
            raise result
        else:
            number, done = result
            waiting[number] = done
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
