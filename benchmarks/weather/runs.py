"""Runs of `victor crawl` in processes of their own, to be watched, killed and compared."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

_VOLATILE: Final = ("timing.json", "state/inputs.jsonl", "state/lock")
"""Files that may differ between two runs: times, and those of the inputs."""
_BETWEEN_LOOKS: Final = 0.05
_PEAK: Final = re.compile(r"VmHWM:\s+(\d+) kB")
_PROGRAM: Final = """
import os
from victor.sources import ranges
ranges.RANGE_BYTES = 20_000  # so that a small file has many ranges
from victor.cli import main
main()
"""


@dataclass(frozen=True)
class Runs:
    """How all runs are started.

    Attributes:
        sources: the WARC, or other inputs.
        jobs: worker processes.
        part_records: records of a part.
        memory: MB of data that a worker may hold, and the process that reads.
    """

    sources: Sequence[Path | str]
    jobs: int
    part_records: int
    memory: int = 2_000

    @property
    def source(self) -> Path:
        """The one input."""
        (source,) = self.sources
        return Path(source)

    def start(
        self,
        out: Path,
        prepare: Callable[[], None] | None = None,
        environment: dict[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """A run, not yet waited for.

        Args:
            out: its folder.
            prepare: called in the new process before it begins.
            environment: further variables.
        """
        options = ["-o", out, "-j", self.jobs, "--part-records", self.part_records]
        options += ["--memory", self.memory]
        command = [sys.executable, "-P", "-c", _PROGRAM, "crawl", *self.sources, *options]
        return subprocess.Popen(
            [*map(str, command), "--keep-dropped"], stderr=subprocess.PIPE, text=True,
            preexec_fn=prepare, env={**os.environ, **(environment or {})},  # noqa: PLW1509
        )  # fmt: skip

    def done(self, out: Path, **more) -> tuple[int, str]:
        """Exit status and last message of a run that ends by itself."""
        with self.start(out, **more) as running:
            _, messages = running.communicate()
        lines = messages.strip().splitlines()
        return running.returncode, lines[-1] if lines else ""


class Peaks(NamedTuple):
    """The largest resident sets, in MB: of the run, and of the largest process below it."""

    run: int
    below: int


def watched(running: subprocess.Popen[str]) -> Peaks:
    """Wait for the end of a run, and look at its memory meanwhile."""
    run, below = 0, [0]
    while running.poll() is None:
        run = max(run, _peak(running.pid))
        below += map(_peak, workers(running.pid))
        time.sleep(_BETWEEN_LOOKS)
    return Peaks(run, max(below))


def _peak(pid: int) -> int:
    with suppress(OSError):
        size = _PEAK.search((Path("/proc") / str(pid) / "status").read_text())
        return int(size[1]) // 1000 if size else 0
    return 0


def written(out: Path) -> dict[str, bytes]:
    """What has to be the same each time."""
    files = {str(path.relative_to(out)): path for path in out.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name not in _VOLATILE}


def workers(pid: int) -> list[int]:
    """Processes two levels below one: those that the server of a run forked."""
    below: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(folder.name))
    return [worker for server in below.get(pid, []) for worker in below.get(server, [])]


def await_part(running: subprocess.Popen[str], out: Path, number: int) -> None:
    """Wait until so many parts are done, or the run."""
    state = out / f"state/part-{number - 1:05d}.json"
    while number and not state.exists() and running.poll() is None:
        time.sleep(0.001)


def stop(running: subprocess.Popen[str], how: signal.Signals) -> int:
    """Send a signal to a run and wait for its end."""
    running.send_signal(how)
    running.communicate()
    return running.returncode
