"""What a run keeps beside its parts: its options, its inputs, and what each part counted.

What a part holds follows from the inputs and the size of parts alone, so that it is the same
whoever makes it, and when. An input that can be read from any byte on is cut by bytes. Others are
read from their beginning, and a part is so many of their records: a worker keeps such an input open
and passes over what others make. Files that are one page each are put together.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.base.files import replaced, sweep, write_bytes
from victor.crawl.writers import WRITERS
from victor.page.plain_data import valid
from victor.sources.inputs import OUTSIDE, PAGES, STDIN, UNREAD, Input, ReadOptions, is_remote
from victor.sources.reading import splits_at_bytes

_AGAIN: Final = "choose another folder for --output, or delete this one"


class State(msgspec.Struct):
    """Records of a run or of a part, by outcome and reason: those read are those of these four."""

    written: int = 0
    dropped: Counter[str] = msgspec.field(default_factory=Counter)
    failed: Counter[str] = msgspec.field(default_factory=Counter)
    skipped: Counter[str] = msgspec.field(default_factory=Counter)  # they held no page
    bytes: int = 0  # markup of all records; characters of those that came as text
    foreign_paragraphs: int = 0  # of documents, dropped because of their language
    failures: list[dict[str, Any]] = msgspec.field(default_factory=list)  # as in ``failed.jsonl``
    ended: bool = False  # the input ended with this part, as far as its records are counted
    size: int = 0  # bytes of the file of the part

    @property
    def read(self) -> int:
        """All records and damages."""
        return self.pages + self.skipped.total()

    @property
    def pages(self) -> int:
        """Those that hold a page, or should."""
        return self.written + self.dropped.total() + self.failed.total()

    def add(self, other: State) -> None:
        """Add the counts of another part."""
        for name in ("written", "dropped", "failed", "skipped", "bytes", "foreign_paragraphs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def totals(self) -> dict[str, Any]:
        """The counts as plain data, reasons sorted."""
        counts: dict[str, Any] = {"read": self.read, "written": self.written}
        for name in ("dropped", "failed", "skipped"):
            counts[name] = dict(sorted(getattr(self, name).items()))
        return {**counts, "bytes": self.bytes, "foreign paragraphs": self.foreign_paragraphs}


_decode: Final = msgspec.json.Decoder(State, dec_hook=lambda kind, data: Counter(data)).decode


class RunFolder:
    """Names and files of a run, whose parts have a form and lie in `data`."""

    def __init__(self, path: Path, form: str) -> None:
        self.path, self.data = path, path / "data"
        self._extension, self._state = WRITERS[form], path / "state"
        self._options, self._inputs = self._state / "options.json", self._state / "inputs.jsonl"

    def part(self, name: str) -> Path:
        """Documents of a part."""
        return self.data / f"part-{name}{self._extension}"

    def dropped(self, name: str) -> Path:
        """Dropped pages of a part."""
        return self._state / f"dropped-{name}.jsonl"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder for a run.

        Raises:
            ConfigError: it holds other files, or is in use by a run.
        """
        import fcntl  # POSIX systems have it

        if not self._state.is_dir():
            if self.path.exists() and any(self.path.iterdir()):
                message = f"{self.path} holds other files; choose an empty folder for --output"
                raise ConfigError(message)
            self._state.mkdir(parents=True, exist_ok=True)
        with (self._state / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ConfigError(f"another run is using {self.path}; wait for it") from None
            self._sweep()
            yield
            self._sweep()

    def _sweep(self) -> None:
        """Remove the unfinished files of processes that were killed."""
        for folder in (self.path, self._state, self.data):
            sweep(folder)

    def stored(self, inputs: Sequence[Input]) -> list[Input]:
        """Inputs with standard input as a file, which workers and a run that goes on can read."""
        if all(each.name != STDIN for each in inputs):
            return [*inputs]
        path = self._state / "stdin"
        with replaced(path) as copy, copy.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        kept = Input(STDIN, "stdin", str(path.absolute()))
        return [kept if each.name == STDIN else each for each in inputs]

    def check(self, options: Mapping[str, Any], inputs: Sequence[Note]) -> None:
        """Compare options and inputs with those of the run in this folder; a new one stores them.

        Raises:
            ConfigError: they are those of another run.
        """
        current = json.loads(json.dumps(options))  # as they are read
        if not self.n_finished:
            write_bytes(self._inputs, msgspec.json.Encoder().encode_lines(inputs))
            write_bytes(self._options, json.dumps(current, indent=1).encode())
            self.data.mkdir(exist_ok=True)
            return
        try:
            stored = json.loads(self._options.read_text(encoding="utf-8"))
            notes = msgspec.json.Decoder(Note).decode_lines(self._inputs.read_bytes())
        except (OSError, ValueError):
            raise ConfigError(
                f"{self._options} or inputs.jsonl beside it is missing or damaged, so that nothing "
                f"tells which run {self.path} holds; bring it back, or {_AGAIN}"
            ) from None
        keys = [key for key in sorted({*stored, *current}) if stored.get(key) != current.get(key)]
        if keys:
            lines = [f"{key}: was {stored.get(key)!r}, is {current.get(key)!r}" for key in keys]
            raise ConfigError(
                f"{self.path} holds another run; repeat its options to go on with it, or {_AGAIN}\n"
                + "\n".join(lines)
            )
        check_same(notes, inputs, self.path)
        self.data.mkdir(exist_ok=True)

    @property
    def n_finished(self) -> int:
        """How many parts are done."""
        return sum(1 for _ in self._state.glob("part-*.json"))

    def state(self, name: str) -> State | None:
        """The state of a part; None if it is not done, or a file of it is not what was written."""
        try:
            state = _decode((self._state / f"part-{name}.json").read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        return state if self._size(self.part(name)) == state.size else None

    def finish(self, name: str, state: State) -> None:
        """Count a part as done."""
        state.size = self._size(self.part(name))
        write_bytes(self._state / f"part-{name}.json", msgspec.json.encode(state))

    @staticmethod
    def _size(path: Path) -> int:
        return path.stat().st_size if path.exists() else -1

    def size(self) -> int:
        """Bytes of the parts."""
        return sum(file.stat().st_size for file in self.data.glob("part-*"))


RECORDS: Final = 1_000
"""Of a part of an input that cannot be cut by bytes, and the most pages of one of files."""
_MOST_NAMED: Final = 5


class Part(Struct, frozen=True):
    """A part of a run.

    Attributes:
        name: sorts parts in the order of the inputs.
        sources: what is read; several if each is one page.
        start, end: where reading of the only source begins and ends, as `read` takes it.
        bytes: of its input, 0 if its records are counted.
        is_counted: these are numbers of records; others are bytes.
        without: records that are not cleaned, by their place in the part, with reason and message.
        alone: first places of batches that are cleaned one by one, and how many they have.
        stop: place from which on nothing is read, with reason and message.
        kills: how often something else ended a worker that made it.
    """

    name: str
    sources: Sequence[Input]
    start: int = 0
    end: int | None = None
    bytes: int = 0
    is_counted: bool = False
    without: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    alone: Mapping[int, int] = field(default_factory=dict)
    stop: tuple[int, str, str] | None = None
    kills: int = 0


def parts(
    inputs: Sequence[Input], reading: ReadOptions, size: int, ended: Mapping[str, int]
) -> Iterator[Part]:
    """The parts of inputs, in their order.

    Args:
        inputs: of the run.
        reading: how they are read.
        size: bytes of a part.
        ended: first halves of names to the second half of the part with which that input ended;
            asked before each part of an input whose records are counted.
    """
    for number, (group, n_bytes) in enumerate(_groups(inputs, size)):
        names = (f"{number:05d}-{index:05d}" for index in range(1 << 30))
        if len(group) > 1 or group[0].kind in (*PAGES, OUTSIDE, UNREAD):
            yield Part(next(names), group, bytes=n_bytes)
        elif splits_at_bytes(group[0], reading):
            borders = [*range(0, max(n_bytes, 1), size), None]
            for start, end in pairwise(borders):
                last = n_bytes if end is None else end
                yield Part(next(names), group, start or 0, end, last - (start or 0))
        else:
            for index, name in enumerate(names):
                start = index * RECORDS
                yield Part(name, group, start, start + RECORDS, is_counted=True)
                if index >= ended.get(f"{number:05d}", index + 1):
                    break


def _groups(inputs: Sequence[Input], size: int) -> Iterator[tuple[list[Input], int]]:
    """Inputs one by one, but files that are one page each together, with the sum of their bytes."""
    group: list[Input] = []
    total = 0
    for each in inputs:
        n_bytes, is_page = note(each).size, each.kind in PAGES
        if group and (not is_page or total + n_bytes > size or len(group) == RECORDS):
            yield group, total
            group, total = [], 0
        if is_page:
            group.append(each)
            total += n_bytes
        else:
            yield [each], n_bytes
    if group:
        yield group, total


class Note(Struct, frozen=True):
    """What tells whether an input is still the same: its size, and a stamp of its time."""

    name: str
    kind: str
    size: int = 0
    stamp: str = ""


def note(source: Input) -> Note:
    """What is known of an input now."""
    size, stamp = 0, ""
    if is_remote(source.name) and not source.is_web_page:
        core: Any = lazy.load("fsspec.core", extra="crawl")
        with suppress(Exception):  # file systems raise errors of their own
            files, path = core.url_to_fs(source.name)
            size, stamp = files.size(path) or 0, str(files.ukey(path))
    elif not source.is_web_page:
        with suppress(OSError, ValueError):
            status = os.stat(source.path or source.name)
            size = 0 if os.path.isdir(source.name) else status.st_size
            stamp = "" if source.name == STDIN else str(status.st_mtime_ns)
    return Note(valid(source.name), source.kind, size, stamp)


def check_same(before: Sequence[Note], now: Sequence[Note], folder: object) -> None:
    """Hold the inputs of a run against what they were when it began.

    Raises:
        ConfigError: names, sizes or times differ.
    """
    if before == now:
        return
    changed = sorted({each.name for each in {*before} ^ {*now}})[:_MOST_NAMED]
    names = ", ".join(changed) or "their order"
    raise ConfigError(
        f"the inputs of {folder} are not what they were ({names}); bring the old ones back to go "
        "on, or choose another folder for --output"
    )
