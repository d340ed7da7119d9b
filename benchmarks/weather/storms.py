"""What happens to a run from outside: kills, full disks, other inputs, lost files, other clocks."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weather.runs import Runs, await_part, stop, workers, written

_LONGEST_WAIT: Final = 0.3
"""Seconds between a part that is done and what happens then."""
_CLOCK: Final = """
import random, time
_begun, _luck = time.time(), random.Random(1)
time.time = lambda: _begun + _luck.uniform(-1e9, 1e9)
time.time_ns = lambda: int(time.time() * 1e9)
"""


@dataclass(frozen=True)
class Sky:
    """Where storms happen.

    Attributes:
        runs: how runs are started.
        scratch: an empty folder.
        wanted: files of the undisturbed run.
        count: its parts.
        luck: tells moments.
    """

    runs: Runs
    scratch: Path
    wanted: dict[str, bytes]
    count: int
    luck: random.Random

    def out(self, name: str) -> Path:
        """A new folder for a run."""
        folder = self.scratch / name.replace(" ", "-")
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def stopped(self, name: str) -> Path:
        """A run that was killed in its middle."""
        out = self.out(name)
        with self.runs.start(out) as running:
            await_part(running, out, self.count // 2)
            stop(running, signal.SIGKILL)
        return out

    def finished(self, name: str) -> Path:
        """A run that is done."""
        out = self.out(name)
        self.runs.done(out)
        return out

    def ends_well(self, out: Path) -> bool:
        """Does the same command now give the same bytes."""
        self.runs.done(out)
        return written(out) == self.wanted


Storm = Callable[[Sky], tuple[str, bool]]
"""What was seen, and whether the bytes are the same in the end."""


def killed(what: str, how: signal.Signals) -> Storm:
    """The run, or one of its workers, gets a signal at a random moment; then it goes on."""

    def storm(sky: Sky) -> tuple[str, bool]:
        out = sky.out(f"killed {what} {how.name}")
        part = sky.luck.randrange(sky.count - 1)
        with sky.runs.start(out) as running:
            await_part(running, out, part)
            while not (pids := workers(running.pid)) and running.poll() is None:
                time.sleep(0.001)
            time.sleep(sky.luck.uniform(0, _LONGEST_WAIT))
            if what == "run":
                status = stop(running, how)
            else:
                with suppress(ProcessLookupError, IndexError):
                    os.kill(sky.luck.choice(pids), how)
                running.communicate()
                status = running.returncode
        done = len([*out.glob("state/part-*.json")])
        return f"status {status} with {done} of {sky.count} parts", sky.ends_well(out)

    return storm


def paused(sky: Sky) -> tuple[str, bool]:
    """The run and its workers are stopped for a while."""
    out = sky.out("paused")
    with sky.runs.start(out) as running:
        await_part(running, out, 2)
        pids = [running.pid, *workers(running.pid)]
        for how in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, how)
            time.sleep(1)
        running.communicate()
    return f"status {running.returncode}", written(out) == sky.wanted


def limited(sky: Sky) -> tuple[str, bool]:
    """No file may be longer than a few bytes: what a quota does."""
    out = sky.out("limited")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, resource.RLIM_INFINITY))

    status, message = sky.runs.done(out, prepare=limit)
    return f"status {status}: {_short(message, out)}", sky.ends_well(out)


@contextmanager
def _mounted(sky: Sky, name: str, size: int) -> Iterator[Path]:
    """A file system of so many bytes.

    Raises:
        PermissionError: this user may mount none.
    """
    place = sky.out(name)
    place.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
    if os.geteuid() or subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode:
        raise PermissionError("this user may mount nothing")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def _remount(place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", place], check=True)


def full(sky: Sky) -> tuple[str, bool]:
    """The disk is full in the middle; later it has room."""
    size = sum(map(len, sky.wanted.values())) // 2
    with _mounted(sky, "full", size) as place:
        status, message = sky.runs.done(place / "out")
        left = [*place.rglob(".unfinished*")]
        _remount(place, "size=1G")
        same = sky.ends_well(place / "out")
    return f"status {status}: {_short(message, place)}; unfinished files {len(left)}", same


def read_only(sky: Sky) -> tuple[str, bool]:
    """The disk may not be written to; later it may."""
    with _mounted(sky, "read-only", 1 << 30) as place:
        with sky.runs.start(place / "out") as running:
            await_part(running, place / "out", 2)
            stop(running, signal.SIGTERM)
        _remount(place, "ro")
        status, message = sky.runs.done(place / "out")
        _remount(place, "rw")
        same = sky.ends_well(place / "out")
    return f"status {status}: {_short(message, place)}", same


def twice_at_once(sky: Sky) -> tuple[str, bool]:
    """A second run in the same folder."""
    out = sky.out("twice")
    with sky.runs.start(out) as running:
        await_part(running, out, 1)
        os.kill(running.pid, signal.SIGSTOP)
        status, message = sky.runs.done(out)
        os.kill(running.pid, signal.SIGCONT)
        running.communicate()
    return f"the second: status {status}: {_short(message, out)}", written(out) == sky.wanted


def input_changed(change: Callable[[Path, bytes], None], *, is_refused: bool = True) -> Storm:
    """The input becomes another between two runs; then it is brought back."""

    def storm(sky: Sky) -> tuple[str, bool]:
        out, source = sky.stopped("input"), sky.runs.source
        content, status = source.read_bytes(), source.stat()
        try:
            change(source, content)
            code, message = sky.runs.done(out)
        finally:
            source.write_bytes(content)
            os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
        shown = _short(message, source) if is_refused else ""
        return f"status {code}: {shown}", (code == 2) == is_refused and sky.ends_well(out)

    return storm


def overwritten(source: Path, content: bytes) -> None:
    """2,000 other bytes in what was read, with the old date."""
    status, at = source.stat(), 20_000
    source.write_bytes(content[:at] + b"x" * 2_000 + content[at + 2_000 :])
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))


def copied(source: Path, content: bytes) -> None:
    """A copy with a date far in the future."""
    source.unlink()
    source.write_bytes(content)
    os.utime(source, (4e9, 4e9))


def deleted(source: Path, content: bytes) -> None:
    """It is gone."""
    source.unlink()


def files_lost(lose: Callable[[Path], None], *, from_finished: bool = True) -> Storm:
    """Files of a run are lost; then the same command is run."""

    def storm(sky: Sky) -> tuple[str, bool]:
        out = sky.finished("lost") if from_finished else sky.stopped("lost")
        lose(out)
        code, message = sky.runs.done(out)
        return f"status {code}: {_short(message, out)}", written(out) == sky.wanted

    return storm


def altered(sky: Sky) -> tuple[str, bool]:
    """Somebody wrote into a part; the message says which, and the file is deleted."""
    out = sky.finished("altered")
    part = sorted(out.glob("data/part-*"))[1]
    part.write_bytes(part.read_bytes()[:-200] + b"x" * 200)
    code, message = sky.runs.done(out)
    part.unlink()
    is_named = code == 2 and part.name in message
    return f"status {code}: {_short(message, out)}", is_named and sky.ends_well(out)


def clock_jumps(sky: Sky) -> tuple[str, bool]:
    """The clock of run and workers says another decade each time it is asked."""
    folder = sky.out("clock")
    folder.mkdir(parents=True)
    (folder / "sitecustomize.py").write_text(_CLOCK)
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    out = folder / "out"
    with sky.runs.start(out, environment={"PYTHONPATH": paths}) as running:
        await_part(running, out, sky.count // 2)
        stop(running, signal.SIGKILL)
    status, _ = sky.runs.done(out, environment={"PYTHONPATH": paths})
    return f"status {status}", written(out) == sky.wanted


def _some(pattern: str, change: Callable[[Path], object]) -> Callable[[Path], None]:
    """Do something to every third file."""

    def lose(out: Path) -> None:
        for path in sorted(out.glob(pattern))[::3]:
            change(path)

    return lose


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _garbled(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] + b"\xff" + data[len(data) // 2 + 1 :])


def _short(message: str, place: Path) -> str:
    """A message without paths that are as long as a line."""
    return message.replace(str(place), place.name).removeprefix("victor: ")[:150]


STORMS: Final[dict[str, Storm]] = {
    **{f"run gets {how.name}": killed("run", how)
       for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)},
    **{f"a worker gets {how.name}": killed("worker", how)
       for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)},
    "all stopped for a second": paused,
    "disk full": full,
    "files limited in size": limited,
    "disk read-only": read_only,
    "two runs at once": twice_at_once,
    "input overwritten, old date": input_changed(overwritten),
    "input grown": input_changed(lambda source, data: [source.write_bytes(data + b"x"), None][1]),
    "input cut": input_changed(lambda source, data: [source.write_bytes(data[:-9]), None][1]),
    "input deleted": input_changed(deleted),
    "input copied, date of 2096": input_changed(copied, is_refused=False),
    "parts removed": files_lost(_some("data/part-*", Path.unlink)),
    "parts removed of a stopped run": files_lost(
        _some("data/part-*", Path.unlink), from_finished=False
    ),
    "parts emptied": files_lost(_some("data/part-*", _emptied)),
    "states removed": files_lost(_some("state/part-*", Path.unlink)),
    "states emptied": files_lost(_some("state/part-*", _emptied)),
    "states damaged": files_lost(_some("state/part-*", _garbled)),
    "dropped pages removed": files_lost(_some("state/dropped-*", Path.unlink)),
    "a part altered": altered,
    "clock jumps by decades": clock_jumps,
}  # fmt: skip
