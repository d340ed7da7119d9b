"""Several supervised workers do units of work at once; results come in the order of the work.

Each worker has a thread that waits for it and meanwhile takes the next unit, reading it if it is a
batch. None is taken before a thread can, and only so many are taken ahead of the first unfinished
one: that bounds what the parent process holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import Final, NamedTuple

from victor.crawl.workers.batching import Batch, Cursor, RangeTask, Work, merged, size_of
from victor.crawl.workers.reader import Reader
from victor.crawl.workers.readings import Reading, readings
from victor.crawl.workers.worker import Aborted, Supervisor
from victor.crawl.workers.worker_main import RangeAnswer
from victor.documents.outcome import Outcome, unnamed_id

_AHEAD: Final = 32
"""Units per worker that may wait for an earlier one that hangs; each holds its clean texts."""


class Done(NamedTuple):
    """A finished unit of work.

    Attributes:
        outcomes: one for each item, in their order.
        sizes: bytes of each item.
        start: cursor of the first item.
        after: cursor after the last item.
        position: bytes of the input of `after` that had been read by then, 0 if unknown.
        readings: checksums of the items as they were read.
    """

    outcomes: list[Outcome]
    sizes: list[int]
    start: Cursor
    after: Cursor
    position: int
    readings: Sequence[Reading] = ()


class _RangeDone(NamedTuple):
    """A range whose place among the items of its input is not known yet."""

    task: RangeTask
    answer: RangeAnswer


_Result = Done | _RangeDone
_Results = SimpleQueue[tuple[int, _Result] | BaseException | None]
"""Numbers of units with their results, errors, and None for every thread that ended."""


class _WorkSource:
    """Gives units of work to threads, each to one of them."""

    def __init__(self, works: Iterator[Work], ahead: int) -> None:
        self._works = enumerate(works)
        self._lock = Lock()
        self._window = Semaphore(ahead)
        self._closed = False

    def take(self, *, wait: bool = True) -> tuple[int, Work] | None:
        """The next unit and its number; None at the end, or without `wait` if none is due."""
        if not self._window.acquire(blocking=wait):
            return None
        with self._lock:
            numbered = None if self._closed else next(self._works, None)
        if numbered is None:
            self._window.release()
        return numbered

    def release(self) -> None:
        """Say that the first unfinished unit is finished."""
        self._window.release()

    def close(self) -> None:
        """Give no more units; threads that wait for one get None."""
        self._closed = True
        self._window.release()


class WorkerThread(Thread):
    """Has one worker do units of work until there are no more."""

    def __init__(self, source: _WorkSource, supervisor: Supervisor, results: _Results) -> None:
        super().__init__(daemon=True)
        self._source, self._supervisor, self._results = source, supervisor, results

    def run(self) -> None:
        """Do the work; errors go into the queue of results, to be raised where these are read."""
        try:
            self._do_all()
        except Aborted:
            pass
        except BaseException as error:
            self._results.put(error)
        finally:
            self._supervisor.close()
            self._results.put(None)

    def _do_all(self) -> None:
        current = self._source.take()
        while current is not None:
            number, work = current
            self._begin(work)
            following = self._source.take(wait=False)
            self._results.put((number, self._finished(work)))
            current = following or self._source.take()

    def _begin(self, work: Work) -> None:
        if isinstance(work, RangeTask):
            self._supervisor.begin_range(work)
        elif records := work.records:
            self._supervisor.begin(records)

    def _finished(self, work: Work) -> _Result:
        if isinstance(work, RangeTask):
            return _RangeDone(work, self._supervisor.finish_range())
        cleaned = self._supervisor.finish() if work.records else []
        return _done(work, cleaned)


def _done(batch: Batch, cleaned: Sequence[Outcome]) -> Done:
    sizes = [size_of(item) for item in batch.items]
    known = readings(batch.items, batch.inputs)
    return Done(merged(batch, cleaned), sizes, batch.start, batch.after, batch.position, known)


class _Chain:
    """Gives the items of ranges their numbers, given the ranges in order.

    Args:
        spare: cleans a range again that has to begin elsewhere.
    """

    def __init__(self, spare: Supervisor | None) -> None:
        self._spare = spare
        self._number = 0
        self._met: int | None = None

    def done(self, task: RangeTask, answer: RangeAnswer) -> Done:
        """A range as a finished unit."""
        if task.number is not None:
            self._number, self._met = task.number, task.range.start
        if self._met != task.range.start:
            task, answer = self._again(task)
        start = Cursor(task.input, self._number, task.range.start)
        outcomes = [_numbered(each, self._number) for each in answer.outcomes]
        for number in answer.unnamed:
            outcomes[number] = _named(outcomes[number])
        last = self._number + len(outcomes)
        known = [Reading(task.input, self._number, last, answer.checksum)] if outcomes else []
        self._number, self._met = last, answer.met
        if answer.met is None:
            after = Cursor(task.input + 1)
        else:
            after = Cursor(task.input, self._number, answer.met)
        return Done(outcomes, answer.sizes, start, after, answer.met or 0, known)

    def _again(self, task: RangeTask) -> tuple[RangeTask, RangeAnswer]:
        """The rest of a range before whose end the range before it ended, if it did."""
        met, end = self._met, task.range.end
        if met is None or (end is not None and met >= end):
            return task, RangeAnswer(met=met)
        assert self._spare is not None, "there is a spare worker where there are ranges"
        task = replace(task, range=replace(task.range, start=met))
        self._spare.begin_range(task)
        return task, self._spare.finish_range()


def _numbered(outcome: Outcome, before: int) -> Outcome:
    """An outcome of an item before which its input has so many others."""
    return replace(outcome, number=outcome.number + before)


def _named(outcome: Outcome) -> Outcome:
    """The same with a document that is named after the item, as nothing else names it."""
    if outcome.document is None:
        return outcome
    name = unnamed_id(outcome.source, outcome.number)
    return replace(outcome, document=replace(outcome.document, id=name))


def map_in_order(
    works: Generator[Work, None, None],
    supervisors: Sequence[Supervisor],
    spare: Supervisor | None = None,
    reader: Reader | None = None,
) -> Generator[Done, None, None]:
    """Units of work that are finished, in order.

    Closing the generator, or an error, ends the workers.

    Args:
        works: the units.
        supervisors: of the workers that do them.
        spare: of a worker for ranges that have to begin elsewhere; it starts when there is one.
        reader: reads for `works`, in whichever thread takes a unit.

    Raises:
        VictorError: what reading or a supervisor raises.
    """
    source = _WorkSource(works, _AHEAD * len(supervisors))
    results: _Results = SimpleQueue()
    threads = [WorkerThread(source, supervisor, results) for supervisor in supervisors]
    chain = _Chain(spare)
    for thread in threads:
        thread.start()
    try:
        for result in _in_order(results, len(threads)):
            yield chain.done(*result) if isinstance(result, _RangeDone) else result
            source.release()
    finally:
        source.close()
        for supervisor in supervisors:
            supervisor.abort()
        if reader is not None:
            reader.abort()
        for thread in threads:
            thread.join()
        if spare is not None:
            spare.close()
        works.close()
        if reader is not None:
            reader.close()


def _in_order(results: _Results, running: int) -> Iterator[_Result]:
    """Results by their numbers, until all of so many threads have ended."""
    waiting: dict[int, _Result] = {}
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
