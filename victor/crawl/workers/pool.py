"""Batches to outcomes by several supervised workers at once, in the order of the batches.

Each worker has a lane: a thread that waits for it, and reads the next batch meanwhile. Nothing is
read before a lane can take it, and only so many batches ahead of the first one that is not done;
that bounds what the parent holds.
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
"""Batches per lane that may wait for an earlier one, which hangs; each holds its clean texts."""


class Done(NamedTuple):
    """A batch with its outcomes, one for each item, in their order."""

    batch: Batch
    outcomes: list[Outcome]


class _Numbered(NamedTuple):
    number: int
    batch: Batch


class _Source:
    """Gives batches to lanes, each to one."""

    def __init__(self, batches: Iterator[Batch], ahead: int) -> None:
        self._batches = enumerate(batches)
        self._lock = Lock()
        self._window = Semaphore(ahead)
        self._closed = False

    def take(self, *, wait: bool = True) -> _Numbered | None:
        """The next batch; None if there is no other one, or none yet and nobody waits for it."""
        if not self._window.acquire(blocking=wait):
            return None
        with self._lock:
            found = None if self._closed else next(self._batches, None)
        if found is None:
            self._window.release()
            return None
        return _Numbered(*found)

    def release(self) -> None:
        """Say that the first batch under way is done with."""
        self._window.release()

    def close(self) -> None:
        """Give no more; whoever waits gets nothing."""
        self._closed = True
        self._window.release()


class _Lane(Thread):
    """Has one worker clean batches until there are no more."""

    def __init__(
        self,
        source: _Source,
        supervisor: Supervisor,
        done: SimpleQueue[tuple[int, Done] | BaseException | None],
    ) -> None:
        super().__init__(daemon=True)
        self._source, self._supervisor, self._done = source, supervisor, done

    def run(self) -> None:
        try:
            self._run()
        except Aborted:
            pass
        except BaseException as error:  # raised again where results are awaited
            self._done.put(error)
        finally:
            self._supervisor.close()
            self._done.put(None)

    def _run(self) -> None:
        current = self._source.take()
        while current is not None:
            records = current.batch.records
            if records:
                self._supervisor.begin(records)
            following = self._source.take(wait=False)
            cleaned = self._supervisor.finish() if records else []
            self._done.put((current.number, Done(current.batch, merged(current.batch, cleaned))))
            current = following or self._source.take()


def merged(batch: Batch, cleaned: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes of all items of a batch, given those of its records."""
    later = iter(cleaned)
    return [_lost(item) if isinstance(item, Damage) else next(later) for item in batch.items]


def _lost(item: Damage) -> Outcome:
    return Outcome(item.source, item.number, "failed", item.reason, item.message, item.url)


def spread(
    batches: Generator[Batch, None, None], supervisors: Sequence[Supervisor]
) -> Generator[Done, None, None]:
    """Batches with their outcomes, in order.

    Closing the generator, or an error, ends the workers.

    Raises:
        VictorError: what reading or a supervisor raises.
    """
    source = _Source(batches, _AHEAD * len(supervisors))
    done: SimpleQueue[tuple[int, Done] | BaseException | None] = SimpleQueue()
    lanes = [_Lane(source, supervisor, done) for supervisor in supervisors]
    for lane in lanes:
        lane.start()
    try:
        for each in _in_order(done, len(lanes)):
            yield each
            source.release()
    finally:
        source.close()
        for supervisor in supervisors:
            supervisor.abort()
        for lane in lanes:
            lane.join()
        batches.close()


def _in_order(
    done: SimpleQueue[tuple[int, Done] | BaseException | None], lanes: int
) -> Iterator[Done]:
    waiting: dict[int, Done] = {}
    wanted = 0
    while lanes:
        found = done.get()
        if found is None:
            lanes -= 1
        elif isinstance(found, BaseException):
            raise found
        else:
            waiting[found[0]] = found[1]
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
