"""How many small mistakes the fast tests notice: ``python -m tests.mutation ROOM...``.

Draws a sample of the single changes of a room's Python source and runs the fast tests of the room
against each; ``SOURCE=TESTS`` is a room of one's own. Prints the changes that no test noticed and
a score for each room; the exit status is 1 if a score is below ``--least``. The nightly workflow
calls it from the top folder:

    python -m tests.mutation --all --count 45 --jobs 2 --least 0.85

`equivalent.txt` lists changes that no input can show, as they are printed, each with its reason.
"""

import argparse
import contextlib
import os
import random
import signal
from pathlib import Path
from typing import NamedTuple

from .changes import Change, changes
from .runs import recorded, started


class Room(NamedTuple):
    """What is changed, and its tests."""

    sources: list[str]
    tests: list[str]


ROOMS = {
    "sources": Room(["victor/sources"], ["tests/sources"]),
    "decoding": Room(["victor/page/decoding"], ["tests/page/decoding"]),
    "model": Room(["victor/model"], ["tests/model"]),
    "kinds": Room(["victor/kinds"], ["tests/kinds"]),
    "metadata": Room(["victor/metadata"], ["tests/metadata"]),
    "document": Room(["victor/render/tree"], ["tests/render"]),
    "render": Room([*sorted(map(str, Path("victor/render").glob("*.py")))], ["tests/render"]),
}


def equivalents(file: Path) -> set[str]:
    """The changes that no input can show: one a line, its reason behind `` # ``.

    A line of source without a change stands for all changes of that line.
    """
    lines = file.read_text(encoding="utf-8").splitlines()
    return {line.rpartition(" # ")[0].strip() for line in lines}


def all_changes(room: Room) -> list[Change]:
    """Every change of the files and folders of a room."""
    paths = [Path(source) for source in room.sources]
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) or [path])]
    return [
        change for file in files for change in changes(file.as_posix(), file.read_text("utf-8"))
    ]


def unnoticed(sample: list[Change], tests: list[str], jobs: int) -> list[Change]:
    """The changes with which these tests all pass."""
    by_test = recorded(tests)
    waiting, running, passed = list(sample), {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            change = waiting.pop()
            running[started(change, by_test)] = change
        pid, status = os.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what its tests have started
        change = running.pop(pid)
        if status == 0:
            passed.append(change)
    return passed


def score(name: str, room: Room, sample: list[Change], jobs: int) -> float:
    """The share of the changes that the tests of a room notice; prints it and the others."""
    survivors = unnoticed(sample, room.tests, jobs)
    for change in sorted(survivors):
        print(f"{change.path}:{change.line}: {change.text}")
    share = 1 - len(survivors) / len(sample)
    print(
        f"{name}: {len(sample) - len(survivors)} of {len(sample)} noticed, {share:.2f}", flush=True
    )
    return share


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--all", action="store_true", help="all rooms")
    parser.add_argument("--count", type=int, default=45, help="changes of each room")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--least", type=float, default=0.0, help="score that each room must reach")
    options = parser.parse_args()
    left_out = equivalents(Path(__file__).with_name("equivalent.txt"))
    scores = []
    for name in ROOMS if options.all else options.rooms:
        room = ROOMS.get(name) or Room(*([part] for part in name.split("=")))
        every = all_changes(room)
        random.Random(options.seed).shuffle(every)
        keys = set().union(*(change.keys for change in every))
        for key in sorted(left_out - keys):
            if key.partition(": ")[0] in {change.path for change in every}:
                print(f"equivalent.txt lists what is not there any more: {key}")
        shown = [change for change in every if not left_out & change.keys]
        scores.append(score(name, room, shown[: options.count], options.jobs))
    return int(min(scores, default=0) < options.least)


if __name__ == "__main__":
    raise SystemExit(main())
