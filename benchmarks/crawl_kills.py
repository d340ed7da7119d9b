"""kill -9 of a worker, then of the run itself, at random moments; is the result the same.

    python benchmarks/crawl_kills.py IN... [--moments 20] [--seed 1] [--jobs 2] [--part-records 25]

Every moment is a run of its own: a worker is killed at a random share of the time that the
undisturbed run took, the run itself at a later one, then it is started again and ends by itself.
All files but timing.json have to be those of the undisturbed run, byte by byte.
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


def disturb(running: subprocess.Popen[bytes], moments: list[float], luck: random.Random) -> bool:
    """Kill a worker, then the run; did both happen before it ended."""
    begun = time.monotonic()
    time.sleep(moments[0])
    found = workers(running.pid)
    if found:
        with suppress(ProcessLookupError):
            os.kill(luck.choice(found), signal.SIGKILL)
    time.sleep(max(0.0, begun + moments[1] - time.monotonic()))
    running.kill()
    return running.wait() == -signal.SIGKILL and bool(found)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part-records", type=int, default=25)
    arguments = parser.parse_args()
    luck = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole"
        begun = time.monotonic()
        start(arguments, whole).wait()
        seconds, wanted = time.monotonic() - begun, written(whole)
        print(f"undisturbed: {seconds:.1f} s, {len(wanted)} files", flush=True)
        same = killed = 0
        for number in range(arguments.moments):
            folder = Path(scratch) / str(number)
            moments = sorted(luck.uniform(0, seconds) for _ in range(2))
            both = disturb(start(arguments, folder), moments, luck)
            done = len([*folder.glob("state/part-*.json")])
            status = start(arguments, folder).wait()
            equal = written(folder) == wanted
            same, killed = same + equal, killed + both
            shown = ", ".join(f"{moment:.2f} s" for moment in moments)
            print(f"{number + 1:3d}: killed at {shown}, {done} parts done; went on to status "
                  f"{status}, {'the same' if equal else 'DIFFERENT'}", flush=True)  # fmt: skip
    print(f"{same} of {arguments.moments} the same; both kills in time in {killed}")
    sys.exit(same != arguments.moments)


if __name__ == "__main__":
    main()
