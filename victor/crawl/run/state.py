"""The folder of a run: its parts, the state of each, and what is needed to resume the run.

```
DIR/data/part-00000.jsonl ...  documents, and nothing else, so that loaders take the folder
DIR/README.md                  card of the dataset (`victor.crawl.run.card`)
DIR/registry                   of verticals: their declaration (`victor.crawl.writers.registry`)
DIR/state/options.json         options of the run; one with other options cannot resume it
DIR/state/part-00000.json ...  totals, failures and the cursor after a part; written after it
DIR/state/dropped-00000.jsonl  dropped pages of a part, if they are kept
DIR/failed.jsonl, run.json     made of the states at the end, like dropped.jsonl
DIR/timing.json                how long it took; nothing else differs between two runs
```

A file gets its name when all of it is on the disk. A part counts as done once its state exists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from victor.crawl.run.counts import Totals
from victor.crawl.workers.batching import Cursor
from victor.errors import ConfigError
from victor.files import UNFINISHED, remove, replaced, write_bytes


@dataclass
class PartState:
    """The state of a finished part.

    Attributes:
        after: cursor where the next part begins.
        totals: of its records.
        failures: source, number, url, reason and message of each that failed.
    """

    after: Cursor = field(default_factory=Cursor)
    totals: Totals = field(default_factory=Totals)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "after": list(self.after),
            "totals": self.totals.to_json(),
            "failures": self.failures,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PartState:
        """The state that `to_json` gave."""
        return cls(Cursor(*data["after"]), Totals.from_json(data["totals"]), data["failures"])


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
        self.data = path / "data"

    def part(self, number: int) -> Path:
        """Documents of a part."""
        return self.data / f"part-{number:05d}{self._extension}"

    def dropped(self, number: int) -> Path:
        """Dropped pages of a part."""
        return self._state / f"dropped-{number:05d}.jsonl"

    def seen(self, number: int) -> Path:
        """State of the search for repeats after a part; only that of the last part is kept."""
        return self._state / f"seen-{number:05d}.npz"

    def _state_of(self, number: int) -> Path:
        return self._state / f"part-{number:05d}.json"

    @contextmanager
    def opened(self, options: Mapping[str, Any]) -> Iterator[None]:
        """Hold the folder for a run with these options.

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
            self._check(options)
            self._clear()
            self.data.mkdir(exist_ok=True)
            yield

    def _begin(self) -> None:
        if self.path.exists() and any(self.path.iterdir()):
            raise ConfigError(f"{self.path} holds other files; choose an empty folder for --out")
        self._state.mkdir(parents=True, exist_ok=True)

    def _check(self, options: Mapping[str, Any]) -> None:
        """Compare the options with those of the run in this folder; a new run stores its own."""
        path = self._state / "options.json"
        current = json.loads(json.dumps(options))  # as they are read
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        if stored == current:
            return
        if stored is None or self._is_empty():
            write_json(path, current)
        elif stored.get("format") != current["format"]:
            raise ConfigError(
                f"{self.path} holds a run of another version of Victor, whose files lie and look "
                "otherwise; choose another folder for --out"
            )
        else:
            raise ConfigError(
                f"{self.path} holds another run; repeat its options to go on with it, or choose "
                f"another folder for --out\n{_difference(stored, current)}"
            )

    def _is_empty(self) -> bool:
        """Did the run in this folder end before it wrote anything."""
        folders = [folder for folder in self._folders() if folder.is_dir()]
        files = {file.name for folder in folders for file in folder.iterdir()}
        return files <= {"state", "data", "lock", "options.json"}

    def _folders(self) -> tuple[Path, ...]:
        return self.path, self._state, self.data

    def _clear(self) -> None:
        """Remove the unfinished files of a run that was killed."""
        for folder in self._folders():
            for path in folder.glob(f"{UNFINISHED}*"):
                remove(path)

    def finished(self) -> int:
        """Number of parts that are done; they are written in order."""
        return sum(1 for _ in self._state.glob("part-*.json"))

    def state(self, number: int) -> PartState:
        """The state of a part."""
        return PartState.from_json(json.loads(self._state_of(number).read_text(encoding="utf-8")))

    def states(self) -> Iterator[PartState]:
        """The states of all parts, in order."""
        return map(self.state, range(self.finished()))

    def size(self) -> int:
        """Bytes of the parts."""
        return sum(file.stat().st_size for file in self.data.rglob("*") if file.is_file())

    def finish(self, number: int, state: PartState) -> None:
        """Count a part as done."""
        write_json(self._state_of(number), state.to_json())
        remove(self.seen(number - 1))


def _difference(stored: Mapping[str, Any], current: Mapping[str, Any]) -> str:
    """One line for each option that differs."""
    keys = sorted({*stored, *current})
    lines = [
        f"{key}: was {json.dumps(stored.get(key))}, is {json.dumps(current.get(key))}"
        for key in keys
        if stored.get(key) != current.get(key)
    ]
    return "\n".join(lines)


def write_json(path: Path, data: object) -> None:
    """Write plain data as JSON, keys in the order given."""
    write_bytes(path, f"{json.dumps(data, indent=1)}\n".encode())


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write plain data as JSON, one a line."""
    with replaced(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
