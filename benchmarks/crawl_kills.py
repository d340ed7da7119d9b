"""kill -9 of a worker, then of the run itself, at random moments; is the result the same.

    python benchmarks/crawl_kills.py IN... [--moments 20] [--seed 1] [--jobs 2] [--part-records 5]

Every moment is a run of its own. When a random part is done, and a random time has passed, a worker
is killed; when another one is done, and a random time has passed, the run itself; then it is
started again and ends by itself. Parts rather than seconds tell when, since the machine may be
slower at one time than at another. All files but timing.json have to be those of the undisturbed
run, byte by byte.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LONGEST_WAIT = 0.3
"""Seconds."""
PROGRAM = "from victor.cli import main; main()"


def start(arguments: argparse.Namespace, folder: Path) -> subprocess.Popen[bytes]:
    """A run, not yet waited for."""
    options = ["-o", folder, "-j", arguments.jobs, "--part-records", arguments.part_records]
    command = [sys.executable, "-P", "-c", PROGRAM, "crawl", *arguments.inputs, *options]
    return subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)


def written(folder: Path) -> dict[str, bytes]:
    """What has to be the same."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "timing.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def workers(pid: int) -> list[int]:
    """Processes two levels below one: those that the server of a run forked."""
    below: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(folder.name))
    return [worker for server in below.get(pid, []) for worker in below.get(server, [])]


def await_part(running: subprocess.Popen[bytes], folder: Path, number: int) -> None:
    """Wait until so many parts are done, or the run."""
    state = folder / f"state/part-{number - 1:05d}.json"
    while number and not state.exists() and running.poll() is None:
        time.sleep(0.001)


def disturb(
    running: subprocess.Popen[bytes], folder: Path, parts: list[int], luck: random.Random
) -> tuple[bool, bool]:
    """Kill a worker, then the run; was each there to be killed."""
    await_part(running, folder, parts[0])
    while not (pids := workers(running.pid)) and running.poll() is None:
        time.sleep(0.001)
    time.sleep(luck.uniform(0, LONGEST_WAIT))
    killed = False
    for pid in luck.sample(pids, len(pids))[:1]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            killed = True
    await_part(running, folder, parts[1])
    time.sleep(luck.uniform(0, LONGEST_WAIT))
    running.kill()
    return killed, running.wait() == -signal.SIGKILL


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part-records", type=int, default=5)
    arguments = parser.parse_args()
    luck = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole"
        begun = time.monotonic()
        start(arguments, whole).wait()
        seconds, wanted = time.monotonic() - begun, written(whole)
        print(f"undisturbed: {seconds:.1f} s, {len(wanted)} files", flush=True)
        count = sum(name.startswith("data/part-") for name in wanted)
        same = both = 0
        for number in range(arguments.moments):
            folder = Path(scratch) / str(number)
            parts = sorted(luck.randrange(count - 2) for _ in range(2))
            killed = disturb(start(arguments, folder), folder, parts, luck)
            done = len([*folder.glob("state/part-*.json")])
            status = start(arguments, folder).wait()
            equal = written(folder) == wanted
            same, both = same + equal, both + all(killed)
            print(f"{number + 1:3d}: worker killed after {parts[0]} parts: {killed[0]}; run after "
                  f"{done} of {count}: {killed[1]}; then status {status}, "
                  f"{'the same' if equal else 'DIFFERENT'}", flush=True)  # fmt: skip
    print(f"{same} of {arguments.moments} the same; both were killed in {both}")
    sys.exit(same != arguments.moments)


if __name__ == "__main__":
    main()
