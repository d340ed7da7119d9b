"""A crawl on one machine: inputs in, parts out, every record accounted for.

The order of everything that is written is that of the inputs. So the same inputs and options give
the same bytes, with any number of processes and wherever a run was ended and went on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from victor.api import Cleaner
from victor.crawl.documents.cleaner_spec import System
from victor.crawl.documents.duplicates import RepeatMarker
from victor.crawl.run.counts import Totals
from victor.crawl.run.part_writer import PartWriter
from victor.crawl.run.state import RunFolder, write_json, write_lines
from victor.crawl.workers.batching import Batch, Place, Read, batches, stream
from victor.crawl.workers.pool import Done, spread
from victor.crawl.workers.worker import RECYCLE, Supervisor, Usage, starter
from victor.crawl.workers.worker_main import Setting
from victor.crawl.writers import WRITERS
from victor.errors import ConfigError
from victor.files import replaced, write_bytes
from victor.sources import Input, ReadOptions, read

FORMAT: Final = 1
"""Of the state files; a run that another format began cannot go on."""

Watch = Callable[[Totals, Batch], None]
"""Told after every batch what was read since the run began or went on."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done.

    Attributes:
        inputs: what is read, in order.
        folder: where the parts go.
        system: what cleans.
        form: of the parts, one of `victor.crawl.writers.WRITERS`.
        reading: how inputs are read.
        part_records: records and damages of a part.
        jobs: worker processes.
        memory: bytes of data that a worker may hold.
        recycle: batches after which a worker is replaced.
        repeats: are paragraphs marked that the run has seen before.
    """

    inputs: Sequence[Input]
    folder: Path
    system: System
    form: str = "jsonl"
    reading: ReadOptions = field(default_factory=ReadOptions)
    part_records: int = 2_000
    jobs: int = 1
    memory: int = 2_000_000_000
    recycle: int = RECYCLE
    repeats: bool = False


@dataclass(slots=True)
class Session:
    """What was done since a run began or went on.

    Attributes:
        totals: of the records read.
        usage: of the workers.
    """

    totals: Totals = field(default_factory=Totals)
    usage: Usage = field(default_factory=Usage)


def shard(inputs: Sequence[Input], number: int, count: int) -> list[Input]:
    """The inputs of one of several runs that share the work: every `count`-th from one on.

    Args:
        inputs: of all shards.
        number: of the shard, from 1.
        count: how many shards there are.

    Raises:
        ConfigError: there are fewer inputs than shards.
    """
    if count > len(inputs):
        raise ConfigError(
            f"{len(inputs)} inputs cannot be shared by {count} shards; take at most "
            f"{len(inputs)}, or split the inputs"
        )
    return list(inputs[number - 1 :: count])


def crawl(job: Job, watch: Watch = lambda totals, batch: None) -> Totals:
    """Do a job, or go on with it where it ended.

    Returns:
        Totals of all its records, whenever they were read.

    Raises:
        ConfigError: the folder holds another run or other files; an option is wrong.
        VictorError: the labeler cannot be loaded or breaks its contract.
        OSError: the output cannot be written.
    """
    begun = time.monotonic()
    cleaner = job.system.cleaner()
    folder = RunFolder(job.folder, WRITERS[job.form])
    options = _options(job, cleaner)
    with folder.opened(options):
        session = _write_parts(job, folder, cleaner, watch)
        totals = _finish(job, folder, options)
        if session.totals.read:
            timing = _timing(session, time.monotonic() - begun, job.jobs)
            write_json(folder.path / "timing.json", timing)
    return totals


def _timing(session: Session, seconds: float, jobs: int) -> dict[str, Any]:
    """How long it took; no part of what is the same every time."""
    totals, usage = session.totals, session.usage
    return {
        "jobs": jobs,
        "records": totals.read,
        "seconds": round(seconds, 3),
        "records per second": round(totals.read / seconds, 2),
        "MB per second": round(totals.bytes / seconds / 1e6, 3),
        "processor seconds of workers": round(usage.seconds, 3),
        "largest worker in MB": round(usage.peak / 1e6, 1),
    }


def _options(job: Job, cleaner: Cleaner) -> dict[str, Any]:
    """What decides about the output; processes and memory do not, but for pages that fail."""
    reading = job.reading
    return {
        "format": FORMAT,
        "inputs": {"count": len(job.inputs), "sha256": _digest(job.inputs)},
        "columns": [
            *(reading.html_column, reading.url_column, reading.id_column, reading.date_column)
        ],
        "kind": reading.kind,
        "output": job.form,
        "part records": job.part_records,
        "repeats": job.repeats,
        **job.system.identity(cleaner),
    }


def _digest(inputs: Sequence[Input]) -> str:
    """Of names and sizes, in order."""
    digest = sha256()
    for each in inputs:
        size = os.path.getsize(each.name) if os.path.isfile(each.name) else 0
        digest.update(f"{each.name}\0{each.kind}\0{size}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _write_parts(job: Job, folder: RunFolder, cleaner: Cleaner, watch: Watch) -> Session:
    """Write all parts that are not there yet."""
    session = Session()
    supervisors = _supervisors(job, cleaner)
    first = folder.finished()
    start = folder.state(first - 1).after if first else Place()
    cut = batches(stream(job.inputs, _reader(job.reading), start), job.part_records)
    with closing(_watched(spread(cut, supervisors), session, watch)) as done:
        _write_all(job, folder, first, done)
    session.usage = Usage(
        sum(each.usage.seconds for each in supervisors),
        max(each.usage.peak for each in supervisors),
    )
    return session


def _reader(options: ReadOptions) -> Read:
    return lambda one, skip, watch: read(one, options, skip, watch)


def _supervisors(job: Job, cleaner: Cleaner) -> list[Supervisor]:
    setting = Setting(job.system, job.memory, os.getcwd())
    start, seconds = starter(setting), cleaner.limits.seconds
    return [Supervisor(start, seconds, job.recycle) for _ in range(job.jobs)]


def _watched(done: Iterator[Done], session: Session, watch: Watch) -> Generator[Done, None, None]:
    """The same batches, counted when they have been dealt with."""
    for each in done:
        yield each
        for item, outcome in zip(each.batch.items, each.outcomes, strict=True):
            session.totals.count(item, outcome)
        watch(session.totals, each.batch)


def _write_all(job: Job, folder: RunFolder, number: int, done: Iterator[Done]) -> None:
    """Write parts from one of that number on."""
    marker = _marker(folder, number) if job.repeats else None
    for first in done:
        with PartWriter(folder, number, job.form, aside=job.system.aside, marker=marker) as part:
            part.add(first)
            for each in _rest(first, done):
                part.add(each)
        if marker is not None:
            write_bytes(folder.seen(number), marker.state())
        folder.finish(number, part.state)
        number += 1


def _marker(folder: RunFolder, number: int) -> RepeatMarker:
    """One that has seen all parts before this one."""
    return RepeatMarker.restored(folder.seen(number - 1).read_bytes()) if number else RepeatMarker()


def _rest(first: Done, done: Iterator[Done]) -> Iterator[Done]:
    """The other batches of a part."""
    last = first
    while not last.batch.ends_part:
        last = next(done)
        yield last


def _finish(job: Job, folder: RunFolder, options: Mapping[str, Any]) -> Totals:
    """Gather what is known of the parts."""
    totals = Totals()
    for state in folder.states():
        totals.add(state.totals)
    failures = (failure for state in folder.states() for failure in state.failures)
    write_lines(folder.path / "failed.jsonl", failures)
    if job.system.aside:
        _gather_dropped(folder)
    run = {"totals": totals.to_json(), "parts": folder.finished(), "options": options}
    write_json(folder.path / "run.json", run)
    return totals


def _gather_dropped(folder: RunFolder) -> None:
    with replaced(folder.path / "dropped.jsonl") as path, path.open("wb") as file:
        for number in range(folder.finished()):
            with folder.dropped(number).open("rb") as part:
                file.writelines(part)
