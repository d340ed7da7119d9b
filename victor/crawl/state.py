"""What a run keeps beside its parts: its options, its inputs, and what each part counted."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from victor.base.errors import ConfigError
from victor.base.files import replaced, sweep, write_bytes
from victor.crawl.parts import Note, check_same
from victor.crawl.writers import WRITERS
from victor.sources.inputs import STDIN, Input

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
        if not any(self._state.glob("part-*.json")):
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
        if path.is_dir():
            return sum(file.stat().st_size for file in path.iterdir())
        return path.stat().st_size if path.exists() else -1

    def size(self) -> int:
        """Bytes of the parts."""
        return sum(file.stat().st_size for file in self.data.rglob("*") if file.is_file())
