"""Run a crawl on one machine: inputs in, parts out, every record accounted for.

Everything is written in the order of the inputs. So the same inputs and options give the same
bytes, with any number of processes and wherever a run was interrupted and resumed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from victor.api import Cleaner
from victor.base.errors import ConfigError, OutputError
from victor.base.files import created, replaced, write_bytes
from victor.crawl.run.card import card
from victor.crawl.run.counts import Totals
from victor.crawl.run.inputs import InputNote, changes, note, some, touched
from victor.crawl.run.part_writer import PartWriter
from victor.crawl.run.pieces import Piece, pieces
from victor.crawl.run.state import RunFolder, write_json, write_lines
from victor.crawl.workers.batching import Cursor, works
from victor.crawl.workers.pool import map_in_order
from victor.crawl.workers.reader import Reader
from victor.crawl.workers.reader_main import ReaderOptions, read_tasks
from victor.crawl.workers.worker import RECYCLE, Supervisor, Usage, check_platform, starter
from victor.crawl.workers.worker_main import WorkerOptions, clean_batches
from victor.crawl.writers import WITH_ROWS, WRITERS
from victor.crawl.writers.registry import registry
from victor.documents.spec import CrawlSpec
from victor.sources import Input, ReadOptions
from victor.sources.inputs import STDIN

FORMAT: Final = 5
"""Version of the state files; a run with files of another version cannot be resumed."""

Watch = Callable[[Totals, Piece], None]
"""Called after every piece of a part with the totals since the run began or was resumed."""
Tell = Callable[[str], None]
"""Called with a sentence on what a run that goes on does beside that."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a run reads, how it cleans, and where it writes.

    Attributes:
        inputs: what is read, in order.
        folder: where the parts are written.
        spec: what cleans.
        form: of the parts, one of `victor.crawl.writers.WRITERS`.
        reading: how inputs are read.
        part_records: records and damages in a part.
        jobs: number of worker processes.
        memory: bytes of data that a worker, or a process that reads, may hold.
        recycle: batches after which a worker is replaced.
    """

    inputs: Sequence[Input]
    folder: Path
    spec: CrawlSpec
    form: str = "jsonl"
    reading: ReadOptions = field(default_factory=ReadOptions)
    part_records: int = 1_000
    jobs: int = 1
    memory: int = 2_000_000_000
    recycle: int = RECYCLE


@dataclass(slots=True)
class Session:
    """What was done since a run began or was resumed.

    Attributes:
        totals: of the records read.
        usage: processor time and memory of the workers.
    """

    totals: Totals = field(default_factory=Totals)
    usage: Usage = field(default_factory=Usage)


def shard(inputs: Sequence[Input], number: int, count: int) -> list[Input]:
    """Every `count`-th input from one on: the inputs of one of several runs that share the work.

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


def crawl(
    job: Job,
    watch: Watch = lambda totals, piece: None,
    tell: Tell = lambda text: None,
) -> Totals:
    """Do a job, or resume it where it was interrupted.

    Parts that are missing are made again; inputs that have changed since are refused.

    Args:
        job: the job.
        watch: called after every piece.
        tell: called with what is done beside that.

    Returns:
        Totals of all its records, whenever they were read.

    Raises:
        ConfigError: the folder holds another run, other files, or parts that somebody changed; an
            input has changed; an option is wrong; this system has no such processes.
        VictorError: the labeler cannot be loaded or breaks its contract.
        OutputError: the output cannot be written.
    """
    check_platform()
    started = time.monotonic()
    cleaner = job.spec.cleaner()
    session = Session()
    try:
        with _written(job, cleaner, session, watch, tell) as (folder, options):
            totals = _finish(job, folder, options)
            if session.totals.read:
                timing = _timing(session, time.monotonic() - started, job.jobs)
                write_json(folder.path / "timing.json", timing)
    except (OSError, OutputError) as error:
        raise OutputError(
            f"{error}; run the same command again: what is finished is kept"
        ) from error
    return totals


@contextmanager
def _written(
    job: Job,
    cleaner: Cleaner,
    session: Session,
    watch: Watch,
    tell: Tell,
) -> Iterator[tuple[RunFolder, dict[str, Any]]]:
    """Write all parts that are not there; gives their folder, which is held, and its options."""
    folder = RunFolder(job.folder, WRITERS[job.form])
    notes = [note(each) for each in job.inputs]
    options = _options(job, cleaner, notes)
    was_begun, was_finished = folder.was_begun(), (folder.path / "run.json").exists()
    with folder.opened(options, notes):
        if was_begun and not was_finished:
            tell(_going_on(folder))
        lost = folder.lost()
        _check_inputs(job, folder, folder.inputs(), notes, tell)
        watched = _Watched(session, watch)
        if lost:
            names = some([name for names in lost.values() for name in names])
            tell(f"made again, for they are missing, empty or damaged: {', '.join(names)}")
            _remake(job, folder, cleaner, [*lost], watched)
        _write_parts(job, folder, cleaner, watched)
        _check_inputs(job, folder, notes, [note(each) for each in job.inputs], tell)
        yield folder, options


def _going_on(folder: RunFolder) -> str:
    """What is said when a run goes on that ended before it was done."""
    states = [folder.known_state(part_index) for part_index in range(folder.finished())]
    n_records = sum(state.totals.read for state in states if state is not None)
    parts = f"{len(states):,} finished {'part' if len(states) == 1 else 'parts'}"
    return f"going on with the run in {folder.path}: kept {parts} with {n_records:,} records"


def _check_inputs(
    job: Job,
    folder: RunFolder,
    before: Sequence[InputNote] | None,
    now: Sequence[InputNote],
    tell: Tell,
) -> None:
    """Hold inputs that may have changed between two moments against what was read of them.

    Raises:
        ConfigError: one has changed.
    """
    known = (each for number in range(folder.finished()) for each in folder.readings(number))
    doubtful = [*touched(known, before, now)]
    if doubtful:
        tell(
            f"{len(doubtful):,} inputs are other files than before, or their dates are; comparing "
            "them with what was read"
        )
    for number, readings in doubtful:
        source = job.inputs[number]
        with closing(_reader(job)) as reader:
            change = changes(reader.read(source, job.reading), source, readings)
        if change:
            raise ConfigError(
                f"{change}; bring the old file back to go on with {folder.path}, or choose another "
                "folder for --output"
            )


def _timing(session: Session, seconds: float, jobs: int) -> dict[str, Any]:
    """How long a session took; unlike all other output this differs between two runs."""
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


def _options(job: Job, cleaner: Cleaner, notes: Sequence[InputNote]) -> dict[str, Any]:
    """What the output depends on; processes and memory matter to pages that fail only."""
    reading = job.reading
    return {
        "format": FORMAT,
        "inputs": {"count": len(job.inputs), "sha256": _digest(notes)},
        "columns": [
            *(reading.html_column, reading.url_column, reading.id_column, reading.date_column)
        ],
        "kind": reading.kind,
        "output": job.form,
        "part records": job.part_records,
        **job.spec.identity(cleaner),
    }


def _digest(inputs: Sequence[InputNote]) -> str:
    """SHA-256 of names, kinds and sizes, in order."""
    digest = sha256()
    for each in inputs:
        line = "\0".join(map(str, each.identity))
        digest.update(f"{line}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _remake(
    job: Job, folder: RunFolder, cleaner: Cleaner, lost: Sequence[int], watch: _Watched
) -> None:
    """Write parts again that were finished and lost, those that follow each other together."""
    if any(each.name == STDIN for each in job.inputs):
        raise ConfigError(
            f"parts of {folder.path} are lost, and standard input cannot be read twice; bring them "
            "back, or choose another folder for --output"
        )
    for number in lost:
        if number - 1 not in lost:
            last = number
            while last + 1 in lost:
                last += 1
            _write_parts(job, folder, cleaner, watch, range(number, last + 1))


def _write_parts(
    job: Job, folder: RunFolder, cleaner: Cleaner, watch: _Watched, numbers: range | None = None
) -> None:
    """Write parts of some numbers, or all that are not finished."""
    *supervisors, spare = _supervisors(job, cleaner)
    first = folder.finished() if numbers is None else numbers[0]
    start = folder.state(first - 1).after if first else Cursor()
    known = [each for number in range(first) for each in folder.readings(number)]
    reader = _reader(job)
    todo = works(job.inputs, job.reading, start, known, reader.read)
    with closing(map_in_order(todo, supervisors, spare, reader)) as units:
        cut = pieces(units, job.part_records, start.done)
        count = None if numbers is None else len(numbers)
        _write_all(job, folder, first, watch(cut), count)
    watch.add(each.usage for each in (*supervisors, spare))


def _supervisors(job: Job, cleaner: Cleaner) -> list[Supervisor]:
    """Those of the workers, and a spare one."""
    rows = job.form if job.form in WITH_ROWS else None
    start = starter(WorkerOptions(job.spec, job.memory, os.getcwd(), rows), clean_batches)
    seconds = cleaner.limits.seconds
    return [Supervisor(start, seconds, job.recycle, _reader(job)) for _ in range(job.jobs + 1)]


def _reader(job: Job) -> Reader:
    return Reader(starter(ReaderOptions(job.memory, os.getcwd()), read_tasks))


class _Watched:
    """Counts what a session does.

    Args:
        session: where it is counted.
        watch: called after every piece.
    """

    def __init__(self, session: Session, watch: Watch) -> None:
        self._session, self._watch = session, watch

    def __call__(self, cut: Iterator[Piece]) -> Iterator[Piece]:
        """The same pieces; each is counted once the caller is finished with it."""
        totals = self._session.totals
        for piece in cut:
            yield piece
            for outcome, size in zip(piece.outcomes, piece.sizes, strict=True):
                totals.count(outcome, size)
            self._watch(totals, piece)

    def add(self, usages: Iterable[Usage]) -> None:
        """Add what workers cost."""
        self._session.usage = self._session.usage.with_others(usages)


def _write_all(
    job: Job, folder: RunFolder, number: int, cut: Iterator[Piece], count: int | None
) -> None:
    """Write parts, beginning with the one of that number: so many, or all."""
    for first in islice(cut, count):
        with PartWriter(folder, number, job.form, keep_dropped=job.spec.keep_dropped) as part:
            part.add(first)
            for each in _rest(first, cut):
                part.add(each)
        folder.finish(number, part.state)
        number += 1


def _rest(first: Piece, cut: Iterator[Piece]) -> Iterator[Piece]:
    """The other pieces of a part."""
    last: Piece | None = first
    while last is not None and not last.ends_part:
        last = next(cut, None)
        if last is not None:
            yield last


def _finish(job: Job, folder: RunFolder, options: Mapping[str, Any]) -> Totals:
    """Sum up the parts and write the files of the whole run."""
    totals = Totals()
    for state in folder.states():
        totals.add(state.totals)
    failures = (failure for state in folder.states() for failure in state.failures)
    write_lines(folder.path / "failed.jsonl", failures)
    if job.spec.keep_dropped:
        _gather_dropped(folder)
    card_text = card(job.form, totals, options["model"])
    write_bytes(folder.path / "README.md", card_text.encode())
    if job.form == "vertical":
        declared = registry(job.spec.filter.languages)
        write_bytes(folder.path / "registry", declared.encode())
    run = {
        "totals": totals.to_json(),
        "parts": folder.finished(),
        "options": options,
    }
    write_json(folder.path / "run.json", run)
    return totals


def _gather_dropped(folder: RunFolder) -> None:
    with replaced(folder.path / "dropped.jsonl") as path, created(path) as file:
        for number in range(folder.finished()):
            with folder.dropped(number).open("rb") as part:
                file.writelines(part)
