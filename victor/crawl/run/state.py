"""The folder of a run: its parts, the state of each, and what is needed to resume the run.

```
DIR/data/part-00000.jsonl ...  documents, and nothing else, so that loaders take the folder
DIR/README.md                  card of the dataset (`victor.crawl.run.card`)
DIR/registry                   of verticals: their declaration (`victor.crawl.writers.registry`)
DIR/state/options.json         options of the run; one with other options cannot resume it
DIR/state/inputs.jsonl         the inputs as they were when the run began
DIR/state/part-00000.json ...  totals, failures and the cursor after a part; written after it, with
                               checksums of what was read for it and of its files
DIR/state/dropped-00000.jsonl  dropped pages of a part, if they are kept
DIR/failed.jsonl, run.json     made of the states at the end, like dropped.jsonl
DIR/timing.json                how long it took; nothing else differs between two runs
```

A file gets its name when all of it is on the disk. A part counts as done once its state exists. Its
files are held against that state whenever the run goes on.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from victor.base.errors import ConfigError
from victor.base.files import created, replaced, sweep, write_bytes
from victor.crawl.run.counts import Totals
from victor.crawl.run.inputs import InputNote, difference, from_lines, some, to_lines
from victor.crawl.run.part_files import FileNote, faults, noted
from victor.crawl.workers.batching import Cursor
from victor.crawl.workers.readings import Reading

_AGAIN: Final = "choose another folder for --output"


@dataclass
class PartState:
    """The state of a finished part.

    Attributes:
        after: cursor where the next part begins.
        totals: of its records.
        failures: source, number, url, reason and message of each that failed.
        readings: checksums of what was read for it.
        files: sizes and checksums of its files, by their paths in the folder of the run.
    """

    after: Cursor = field(default_factory=Cursor)
    totals: Totals = field(default_factory=Totals)
    failures: list[dict[str, Any]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    files: dict[str, FileNote] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain data, with a checksum of itself."""
        data = {
            "after": list(self.after),
            "totals": self.totals.to_json(),
            "failures": self.failures,
            "readings": [" ".join(map(str, each)) for each in self.readings],
            "files": {name: list(each) for name, each in self.files.items()},
        }
        return {**data, "checksum": _checksum(data)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PartState:
        """The state that `to_json` gave.

        Raises:
            ValueError: it is damaged.
        """
        kept = {key: value for key, value in data.items() if key != "checksum"}
        if data.get("checksum") != _checksum(kept):
            raise ValueError("its checksum is wrong")
        return cls(
            Cursor(*data["after"]),
            Totals.from_json(data["totals"]),
            data["failures"],
            [Reading(*map(int, each.split())) for each in data["readings"]],
            {name: FileNote(*each) for name, each in data["files"].items()},
        )


def _checksum(data: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(data).encode())


class RunFolder:
    """Names and files of a run.

    Args:
        path: the folder.
        extension: of its parts.

    Attributes:
        path: the folder.
        data: where its parts lie.
    """

    def __init__(self, path: Path, extension: str) -> None:
        self.path = path
        self._extension = extension
        self._state = path / "state"
        self._options = self._state / "options.json"
        self._inputs = self._state / "inputs.jsonl"
        self.data = path / "data"

    def part(self, number: int) -> Path:
        """Documents of a part."""
        return self.data / f"part-{number:05d}{self._extension}"

    def dropped(self, number: int) -> Path:
        """Dropped pages of a part."""
        return self._state / f"dropped-{number:05d}.jsonl"

    def _state_of(self, number: int) -> Path:
        return self._state / f"part-{number:05d}.json"

    @contextmanager
    def opened(self, options: Mapping[str, Any], inputs: Sequence[InputNote]) -> Iterator[None]:
        """Hold the folder for a run with these options and inputs.

        Raises:
            ConfigError: the folder holds another run or other files, or is in use by a run.
        """
        import fcntl  # POSIX systems have it

        if not self._state.is_dir():
            self._begin()
        with (self._state / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ConfigError(f"another run is using {self.path}; wait for it") from None
            self._clear()
            self._check(options, inputs)
            self.data.mkdir(exist_ok=True)
            yield

    def was_begun(self) -> bool:
        """Has a run stored its options in this folder."""
        return self._options.exists()

    def _begin(self) -> None:
        if self.path.exists() and any(self.path.iterdir()):
            raise ConfigError(f"{self.path} holds other files; choose an empty folder for --output")
        self._state.mkdir(parents=True, exist_ok=True)

    def _check(self, options: Mapping[str, Any], inputs: Sequence[InputNote]) -> None:
        """Compare the options with those of the run in this folder; a new run stores its own."""
        current = json.loads(json.dumps(options))  # as they are read
        if self._is_empty():
            write_bytes(self._inputs, to_lines(inputs))
            write_json(self._options, current)
            return
        stored = _loaded(self._options)
        if stored is None:
            raise ConfigError(
                f"{self._options} is missing or damaged, so that nothing tells which run "
                f"{self.path} holds; bring it back, or {_AGAIN}"
            )
        if stored.get("format") != current["format"]:
            raise ConfigError(
                f"{self.path} holds a run of another version of Victor, whose files lie and look "
                f"otherwise; {_AGAIN}"
            )
        if stored != current:
            raise ConfigError(
                f"{self.path} holds another run; repeat its options and inputs to go on with it, "
                f"or {_AGAIN}\n{self._difference(stored, current, inputs)}"
            )

    def _difference(
        self, stored: Mapping[str, Any], current: Mapping[str, Any], inputs: Sequence[InputNote]
    ) -> str:
        """One line for each option or input that differs."""
        keys = [key for key in sorted({*stored, *current}) if stored.get(key) != current.get(key)]
        before = self.inputs() if "inputs" in keys else None
        lines = [
            f"{key}: was {json.dumps(stored.get(key))}, is {json.dumps(current.get(key))}"
            for key in keys
            if key != "inputs" or before is None
        ]
        return "\n".join([*lines, *(difference(before, inputs) if before else ())])

    def inputs(self) -> list[InputNote] | None:
        """The inputs as they were when the run began; None if that is not known any more."""
        return from_lines(self._inputs)

    def _is_empty(self) -> bool:
        """Did the run in this folder end before it wrote anything."""
        folders = [folder for folder in self._folders() if folder.is_dir()]
        files = {file.name for folder in folders for file in folder.iterdir()}
        return files <= {"state", "data", "lock", "options.json", "inputs.jsonl"}

    def _folders(self) -> tuple[Path, ...]:
        return self.path, self._state, self.data

    def _clear(self) -> None:
        """Remove the unfinished files of a run that was killed."""
        for folder in self._folders():
            sweep(folder)

    def finished(self) -> int:
        """Number of parts that are done; some of them may be lost since, but not the last one."""
        known = [int(path.stem.partition("-")[2]) for path in self._state.glob("part-*.json")]
        number = max(known, default=-1) + 1
        while number and self.known_state(number - 1) is None:
            number -= 1
        return number

    def known_state(self, number: int) -> PartState | None:
        """The state of a part; None if it is missing or damaged."""
        data = _loaded(self._state_of(number))
        try:
            return None if data is None else PartState.from_json(data)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def state(self, number: int) -> PartState:
        """The state of a part.

        Raises:
            ConfigError: it is missing or damaged.
        """
        state = self.known_state(number)
        if state is None:
            raise ConfigError(
                f"{self._state_of(number)} was lost while the run was under way; run the same "
                "command again"
            )
        return state

    def readings(self, number: int) -> Sequence[Reading]:
        """What was read for a part, as far as that is known."""
        state = self.known_state(number)
        return () if state is None else state.readings

    def states(self) -> Iterator[PartState]:
        """The states of all parts, in order."""
        return map(self.state, range(self.finished()))

    def lost(self) -> dict[int, list[str]]:
        """Finished parts of which files are missing or empty: their numbers, and these files.

        Raises:
            ConfigError: a file of a part holds something else than was written.
        """
        lost: dict[int, list[str]] = {}
        altered: list[str] = []
        for number in range(self.finished()):
            state = self.known_state(number)
            if state is None:
                lost[number] = [self._name(self._state_of(number))]
                continue
            missing, changed = faults(self.path, state.files)
            altered += changed
            if missing:
                lost[number] = missing
        if altered:
            raise ConfigError(
                f"{self.path} was changed since it was written; bring these files back, or delete "
                "them and run the same command again, which makes them again\n"
                + "\n".join(some(altered))
            )
        return lost

    def _name(self, path: Path) -> str:
        return path.relative_to(self.path).as_posix()

    def size(self) -> int:
        """Bytes of the parts."""
        return sum(file.stat().st_size for file in self.data.rglob("*") if file.is_file())

    def finish(self, number: int, state: PartState) -> None:
        """Count a part as done.

        Raises:
            ConfigError: the part was made again, and is not what it was.
        """
        paths = (self.part(number), self.dropped(number))
        notes = {self._name(path): noted(path) for path in paths}
        state.files = {name: each for name, each in notes.items() if each is not None}
        before = self.known_state(number)
        if before is not None and before != state:
            raise ConfigError(
                f"part {number} of {self.path} was lost, and made again it is not what it was: "
                f"inputs or packages are others; bring it back, or {_AGAIN}"
            )
        write_json(self._state_of(number), state.to_json())


def _loaded(path: Path) -> dict[str, Any] | None:
    """A JSON object; None if the file is missing or damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def write_json(path: Path, data: object) -> None:
    """Write plain data as JSON, keys in the order given."""
    write_bytes(path, f"{json.dumps(data, indent=1)}\n".encode())


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write plain data as JSON, one a line."""
    with replaced(path) as unfinished, created(unfinished) as file:
        file.writelines(f"{json.dumps(row)}\n".encode() for row in rows)
