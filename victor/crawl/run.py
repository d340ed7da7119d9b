"""Run a crawl on one machine: inputs in, parts out, every record accounted for.

The same inputs, options and version give the same bytes, with any number of workers and wherever a
run was interrupted: going on is making the parts that are missing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec.structs import replace as changed

from victor.api import Cleaner
from victor.base.errors import ConfigError, OutputError
from victor.base.files import created, replaced, write_bytes
from victor.base.processes import Lost, run
from victor.crawl.making import Order
from victor.crawl.state import Part, RunFolder, State, check_same, note, parts
from victor.crawl.writers import WRITERS, registry
from victor.documents.process import CrawlSpec
from victor.documents.row import TYPES, card_features
from victor.sources.inputs import Input, ReadOptions

FORMAT: Final = 7
"""Version of the state files; a run with files of another version cannot be resumed."""
_MOST_KILLS: Final = 3
"""How often a part is made again as it is if something else ends its worker."""

Watch = Callable[[State, float], None]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """What a run reads, how it cleans, and where it writes.

    Attributes:
        inputs: what is read, in order.
        folder: where the parts are written.
        spec: what cleans.
        form: of the parts, one of `victor.crawl.writers.WRITERS`.
        reading: how inputs are read.
        part_size: bytes of input in a part.
        jobs: number of worker processes.
        memory: bytes of data that a worker may hold.
    """

    inputs: Sequence[Input]
    folder: Path
    spec: CrawlSpec
    form: str = "jsonl"
    reading: ReadOptions = field(default_factory=ReadOptions)
    part_size: int = 16_000_000
    jobs: int = 1
    memory: int = 2_000_000_000


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
    watch: Watch = lambda state, share: None,
    tell: Tell = lambda text: None,
) -> State:
    """Do a job, or go on with it where it was interrupted.

    Args:
        job: the job.
        watch: called after every part with the counts since the run began or was resumed, and the
            share of the bytes of its inputs that has been read by then.
        tell: called with a sentence on what a run that goes on does beside that.

    Returns:
        Counts of all its records, whenever they were read.

    Raises:
        ConfigError: the folder holds another run or other files; an input has changed; an option
            is wrong; this system has no such processes.
        VictorError: the labeler cannot be loaded or breaks its contract.
        OutputError: the output cannot be written.
    """
    if find_spec("fcntl") is None:
        raise ConfigError("crawls need a POSIX system; on Windows use WSL, or `victor clean`")
    cleaner, folder = job.spec.cleaner(), RunFolder(job.folder, job.form)
    try:
        with folder.held():
            return _Run(job, folder, cleaner, watch, tell).done()
    except (OSError, OutputError) as error:
        raise OutputError(
            f"{error}; run the same command again: what is finished is kept"
        ) from error


class _Run:
    """A run under way."""

    def __init__(
        self, job: Job, folder: RunFolder, cleaner: Cleaner, watch: Watch, tell: Tell
    ) -> None:
        self._job, self._folder, self._watch, self._tell = job, folder, watch, tell
        self._inputs = folder.stored(job.inputs)
        self._notes = [note(each) for each in self._inputs]
        self._options, self._seconds = _options(job, cleaner), cleaner.limits.seconds
        self._ended: dict[str, int] = {}
        self._again: list[Part] = []
        self._session, self._read = State(), 0

    def done(self) -> State:
        """Make the parts that are missing, and the files of the whole run."""
        job, folder = self._job, self._folder
        folder.check(self._options, self._notes)
        kept = folder.n_finished
        if kept and not (folder.path / "run.json").exists():
            found = f"kept {kept:,} finished {'part' if kept == 1 else 'parts'}"
            self._tell(f"going on with the run in {folder.path}: {found}")
        order = Order(job.spec, job.reading, folder.path.absolute(), job.form, os.getcwd())
        todo = self._todo()
        made = run(
            order,
            lambda: self._again.pop() if self._again else next(todo, None),
            job.jobs,
            seconds=self._seconds,
            memory=job.memory,
        )
        for part, answer in made:
            if isinstance(answer, Lost):
                again = _again(part, answer)
                if again == part:  # nothing more can be left out
                    raise answer
                self._again.append(again)
            else:
                self._count(part, answer)
        check_same(self._notes, [note(each) for each in self._inputs], folder.path)
        return self._finished()

    def _parts(self) -> Iterator[tuple[Part, State | None]]:
        """All parts, with what they counted if they are done."""
        job = self._job
        for part in parts(self._inputs, job.reading, job.part_size, self._ended):
            state = self._folder.state(part.name)
            if state is not None:
                self._note_end(part, state)
            yield part, state

    def _todo(self) -> Iterator[Part]:
        """The parts that are not done."""
        for part, state in self._parts():
            if state is None:
                yield part
            else:
                self._read += part.bytes

    def _note_end(self, part: Part, state: State) -> None:
        """Remember with which part an input ended whose records are counted."""
        group, _, index = part.name.partition("-")
        if state.ended:
            self._ended[group] = min(self._ended.get(group, int(index)), int(index))

    def _count(self, part: Part, state: State) -> None:
        self._note_end(part, state)
        self._session.add(state)
        self._read += part.bytes
        size = sum(each.size for each in self._notes) or 1
        self._watch(self._session, min(self._read / size, 1.0))

    def _finished(self) -> State:
        """Sum up the parts and write the files of the whole run."""
        folder, total, names = self._folder, State(), list[str]()
        with replaced(folder.path / "failed.jsonl") as path, created(path) as file:
            for part, state in self._parts():
                if state is not None:  # else its input ended before
                    names.append(part.name)
                    total.add(state)
                    file.writelines(f"{json.dumps(row)}\n".encode() for row in state.failures)
        if self._job.spec.keep_dropped:
            with replaced(folder.path / "dropped.jsonl") as path, created(path) as file:
                file.writelines(folder.dropped(name).read_bytes() for name in names)
        text = card(self._job.form, total, self._options["model"])
        write_bytes(folder.path / "README.md", text.encode())
        if self._job.form == "vertical":
            write_bytes(folder.path / "registry", registry().encode())
        known = {"totals": total.totals(), "parts": len(names), "options": self._options}
        write_bytes(folder.path / "run.json", f"{json.dumps(known, indent=1)}\n".encode())
        return total


def _again(part: Part, lost: Lost) -> Part:
    """A part whose worker was lost, without the record that it was at, once that is known."""
    first, count = lost.at
    why = (lost.reason, str(lost))
    if lost.external and part.kills < _MOST_KILLS:
        return changed(part, kills=part.kills + 1)
    if not count:
        return changed(part, stop=(first, *why))
    if count == 1:
        alone = {at: n for at, n in part.alone.items() if not at <= first < at + n}
        return changed(part, without={**part.without, first: why}, alone=alone)
    return changed(part, alone={**part.alone, first: count})


def _options(job: Job, cleaner: Cleaner) -> dict[str, Any]:
    """What the output depends on; processes and memory matter to pages that fail only."""
    reading = job.reading
    return {
        "format": FORMAT,
        "columns": [*reading.columns.values()],
        "kind": reading.kind,
        "output": job.form,
        "part size": job.part_size,
        **job.spec.identity(cleaner),
    }


def card(form: str, totals: State, model: str) -> str:
    """Markdown for people, with a head for ``datasets.load_dataset``.

    `model` is its fingerprint, or the name of the labeler.
    """
    front = ""
    if form != "vertical":  # `datasets` has no loader for it
        found = [{"split": "train", "path": f"data/*{WRITERS[form]}"}]
        # Declared, for the first rows need not show the type of a field that is seldom known.
        head = {
            "configs": [{"config_name": "default", "data_files": found}],
            "dataset_info": {"features": card_features()},
        }
        front = f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n\n"
    return front + "\n".join(_lines(form, totals, model)) + "\n"


def _lines(form: str, totals: State, model: str) -> Iterator[str]:
    yield from ("# Web corpus", "")
    yield (
        f"{totals.written:,} documents of {totals.pages:,} pages, cleaned by Victor (model "
        f"`{model}`). They lie in `data/`, in the form `{form}`; `run.json` has the options, "
        "`failed.jsonl` the records that failed."
    )
    yield from ("", "| outcome | reason | records |", "|---|---|--:|")
    yield f"| written | | {totals.written} |"
    for outcome in ("dropped", "failed", "skipped"):
        for reason, number in sorted(getattr(totals, outcome).items()):
            yield f"| {outcome} | {reason} | {number} |"
    if form.startswith(("jsonl", "parquet")):
        yield from ("", f"Fields of a row: {', '.join(f'`{name}`' for name in TYPES)}.")
