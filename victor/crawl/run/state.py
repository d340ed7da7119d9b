"""The folder of a run: parts, what is known of each, and what makes a run go on where it ended.

```
DIR/part-00000.jsonl ...       documents
DIR/state/options.json         what the run is; another one may not go on with what it wrote
DIR/state/part-00000.json ...  counts, failures and the place after a part; written after it
DIR/state/dropped-00000.jsonl  dropped pages of a part, if they are asked for
DIR/failed.jsonl, run.json     made of the states when all is done, and dropped.jsonl
DIR/timing.json                how long it took: all that is not the same every time
```

A file appears under its name when all of it is on the disk. A part counts once its state is there.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from victor.crawl.run.counts import Totals
from victor.crawl.workers.batching import Place
from victor.errors import ConfigError
from victor.files import UNFINISHED, remove, replaced, write_bytes


@dataclass
class PartState:
    """What is known of a finished part.

    Attributes:
        after: where the next part begins.
        totals: of its records.
        failures: source, number, url, reason and message of each that failed.
    """

    after: Place = field(default_factory=Place)
    totals: Totals = field(default_factory=Totals)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "after": list(self.after),
            "totals": self.totals.to_json(),
            "failures": self.failures,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PartState:
        """What `to_json` gave."""
        return cls(Place(*data["after"]), Totals.from_json(data["totals"]), data["failures"])


class RunFolder:
    """Names and files of a run.

    Args:
        path: the folder.
        extension: of its parts.
    """

    def __init__(self, path: Path, extension: str) -> None:
        self.path = path
        self._extension = extension
        self._state = path / "state"

    def part(self, number: int) -> Path:
        """Documents of a part."""
        return self.path / f"part-{number:05d}{self._extension}"

    def dropped(self, number: int) -> Path:
        """Dropped pages of a part."""
        return self._state / f"dropped-{number:05d}.jsonl"

    def seen(self, number: int) -> Path:
        """What the search for duplicates knows after a part; only that of the last is kept."""
        return self._state / f"seen-{number:05d}.npz"

    def _state_of(self, number: int) -> Path:
        return self._state / f"part-{number:05d}.json"

    @contextmanager
    def opened(self, options: Mapping[str, Any]) -> Iterator[None]:
        """Hold the folder for a run with these options.

        Raises:
            ConfigError: the folder holds what another run wrote or other files, or a run is under
                way in it.
        """
        if not self._state.is_dir():
            self._begin()
        with (self._state / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ConfigError(f"a run is under way in {self.path}; wait for it") from None
            self._check(options)
            self._clear()
            yield

    def _begin(self) -> None:
        if self.path.exists() and any(self.path.iterdir()):
            raise ConfigError(f"{self.path} holds other files; choose an empty folder for --out")
        self._state.mkdir(parents=True, exist_ok=True)

    def _check(self, options: Mapping[str, Any]) -> None:
        """Is this the run that was begun here; a new one leaves its options."""
        path = self._state / "options.json"
        asked = json.loads(json.dumps(options))  # as they are read
        if not path.exists():
            write_json(path, asked)
            return
        begun = json.loads(path.read_text(encoding="utf-8"))
        if begun != asked and self._holds_nothing():
            write_json(path, asked)
        elif begun != asked:
            raise ConfigError(
                f"{self.path} holds another run; repeat its options to go on with it, or choose "
                f"another folder for --out\n{_difference(begun, asked)}"
            )

    def _holds_nothing(self) -> bool:
        """Did the run that was begun here end before it wrote anything."""
        files = {file.name for folder in (self.path, self._state) for file in folder.iterdir()}
        return files <= {"state", "lock", "options.json"}

    def _clear(self) -> None:
        """Remove what a run that was killed had not finished."""
        for folder in (self.path, self._state):
            for path in folder.glob(f"{UNFINISHED}*"):
                remove(path)

    def finished(self) -> int:
        """Number of parts that are done; they are written in order."""
        return sum(1 for _ in self._state.glob("part-*.json"))

    def state(self, number: int) -> PartState:
        """What is known of a part."""
        return PartState.from_json(json.loads(self._state_of(number).read_text(encoding="utf-8")))

    def states(self) -> Iterator[PartState]:
        """What is known of all parts, one after the other."""
        return map(self.state, range(self.finished()))

    def finish(self, number: int, state: PartState) -> None:
        """Count a part as done."""
        write_json(self._state_of(number), state.to_json())
        remove(self.seen(number - 1))


def _difference(begun: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """One line for each option that is not the same."""
    keys = sorted({*begun, *asked})
    lines = [
        f"{key}: was {json.dumps(begun.get(key))}, is {json.dumps(asked.get(key))}"
        for key in keys
        if begun.get(key) != asked.get(key)
    ]
    return "\n".join(lines)


def write_json(path: Path, data: object) -> None:
    """Write plain data as JSON, keys in the order given."""
    write_bytes(path, f"{json.dumps(data, indent=1)}\n".encode())


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write plain data as JSON, one a line."""
    with replaced(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
