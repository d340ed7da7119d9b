"""Each input meets each system in a forked child, whose time and memory are bounded.

The child writes a line before and after every step, so that the parent knows which step was not
survived. The steps behind that one are asked for again in another child.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from hostile.zoo.inputs import Input
from hostile.zoo.judge import Finding, Judge, judged
from hostile.zoo.systems import ALONE, SYSTEMS, Step, Subject, steps

from zoo.peers import PEERS, peer_steps

_CLEAN: Final = "clean"
_WALL: Final = 30
"""Times the processor time that a child may take on the clock: it may wait for others."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Bounds(NamedTuple):
    """What a step may take."""

    seconds: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one step.

    Attributes:
        input: name.
        bytes: of the input.
        system, step: names.
        finding: the outcome.
        seconds: of processor time; 0 where the child did not survive.
        peak: most bytes of memory of the child so far.
        kept: is the sentence of the input in the text; None if nobody knows.
    """

    input: str
    bytes: int
    system: str
    step: str
    finding: Finding
    seconds: float
    peak: int
    kept: bool | None


def rows_of(system: str, entry: Input, data: bytes, full: bool, bounds: Bounds) -> list[Row]:
    """Every step of a system on an input."""
    rows: list[Row] = []
    while True:
        skipped = {row.step for row in rows}

        def work(report: Callable[..., None], skipped: set[str] = skipped) -> None:
            _work(_Task(system, entry, data, full, bounds), skipped, report)

        lines, end = _watched(work, bounds)
        ended = [line for line in lines if "outcome" in line]
        rows += [_row(entry, data, system, line) for line in ended if line["step"] not in skipped]
        begun = [line["step"] for line in lines if "outcome" not in line]
        if end is None:
            return rows
        last = begun[-1] if begun else _CLEAN
        if last in {row.step for row in rows}:  # what was survived before is not now
            return rows
        lost = {"step": last, "outcome": end, "detail": "", "seconds": 0, "peak": 0, "kept": None}
        rows.append(_row(entry, data, system, lost))
        if last == _CLEAN or system not in SYSTEMS:
            return rows


def _row(entry: Input, data: bytes, system: str, line: dict[str, Any]) -> Row:
    finding = Finding(line["outcome"], line["detail"])
    return Row(
        entry.name, len(data), system, line["step"], finding, line["seconds"], line["peak"],
        line["kept"],
    )  # fmt: skip


# --- in the child --------------------------------------------------------------------------------


class _Task(NamedTuple):
    system: str
    entry: Input
    data: bytes
    full: bool
    bounds: Bounds


def _work(task: _Task, skipped: set[str], report: Callable[..., None]) -> None:
    """Report every step of a system before and after it; cleaning is never skipped."""
    judge = Judge(task.entry, task.data, full=task.full)
    subject = Subject(task.entry, task.data, full=task.full)
    for name, run in _steps(task, subject, judge):
        if name in skipped and name != _CLEAN:
            continue
        report(step=name)
        _allow(task.bounds.seconds)
        started = time.process_time()
        finding = judged(run, judge, cleaning=name == _CLEAN or task.system in ALONE)
        seconds = time.process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        kept = subject.kept if name == "text" else None
        report(
            step=name, outcome=finding.outcome, detail=finding.detail, seconds=round(seconds, 3),
            peak=peak, kept=kept,
        )  # fmt: skip
        if name == _CLEAN and subject.uncleaned:
            return


def _steps(task: _Task, subject: Subject, judge: Judge) -> Iterator[Step]:
    if task.system in PEERS:
        return peer_steps(task.system, subject, judge)
    return steps(task.system, subject)


def _allow(seconds: int) -> None:
    """End this process when it has taken so many more seconds of processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + seconds + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


# --- in the parent -------------------------------------------------------------------------------


def _watched(
    work: Callable[[Callable[..., None]], None], bounds: Bounds
) -> tuple[list[dict[str, Any]], str | None]:
    """The lines of a child, and how it ended if not by itself."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        _live(work, writes)
    os.close(writes)
    os.set_blocking(reads, False)
    read: list[bytes] = []
    killed = _watch(child, reads, read, bounds)
    _, status = os.waitpid(child, 0)
    _drain(reads, read)
    os.close(reads)
    lines = [json.loads(line) for line in b"".join(read).splitlines() if line.endswith(b"}")]
    return lines, killed or _end(status)


def _live(work: Callable[[Callable[..., None]], None], writes: int) -> None:
    """The whole life of a child."""
    code = 1
    with suppress(BaseException):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what libraries complain of

        def report(**line: object) -> None:
            os.write(writes, json.dumps(line, ensure_ascii=True).encode() + b"\n")

        work(report)
        code = 0
    os._exit(code)


def _watch(child: int, reads: int, read: list[bytes], bounds: Bounds) -> str | None:
    """Read what a child writes until it ends; end it if it takes too much memory or time."""
    latest = time.monotonic() + bounds.seconds * _WALL
    while True:
        ready, _, _ = select.select([reads], [], [], 0.05)
        if ready and _drain(reads, read):
            return None
        outcome = None
        if _resident(child) > bounds.bytes:
            outcome = "memory"
        elif time.monotonic() > latest:
            outcome = "hang"
        if outcome:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            return outcome


def _drain(reads: int, read: list[bytes]) -> bool:
    """Read what is there; True at the end."""
    while True:
        try:
            part = os.read(reads, 1 << 16)
        except BlockingIOError:
            return False
        if not part:
            return True
        read.append(part)


def _resident(child: int) -> int:
    """Bytes of memory that a process takes now."""
    try:
        return int(Path(f"/proc/{child}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _end(status: int) -> str | None:
    if os.WIFSIGNALED(status):
        return "hang" if os.WTERMSIG(status) == signal.SIGXCPU else "crash"
    return "crash" if os.WEXITSTATUS(status) else None
