"""How many small mistakes the tests notice: ``python -m tests.mutation [ROOM...]``.

Draws single changes of the source of all rooms, or of some, and of the core in C; makes each in a
copy of the tree and runs the fast tests that run its line and those of its room until one fails,
of the core at last its own with `.ci/sanitize`, which sees what reads too far or has no memory.
Prints the changes that no test noticed and a score for each room; the exit status is 1 if the share
of all is below ``--least``. ``SOURCE=TESTS`` is a room of one's own. Needs pytest-cov. The nightly
workflow calls it from the top:

    python -m tests.mutation --count 240 --core 60 --jobs 2 --least 0.85

`equivalent.txt` lists changes that no input can show, and those of what was tuned on corpora, which
hold it; as they are printed, each with its reason.
"""

import argparse
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

import pytest

from .changes import Change, changes
from .lines import MEASURED, Lines

CORE = "core"
FIRST = "tests/test_digests.py"
"""What every stage makes of our pages: it notices most changes soon."""
CASES = "tests/test_cases.py"
MOST_OTHERS = 100
"""Tests of other rooms that a change is shown to; as many of each file as there is room for."""
MOST_SECONDS = 600
"""Of the processor, for the tests of a change: what makes them run on has been noticed."""
MOST_BYTES = 8 << 30
"""Of memory: a loop that does not end may fill it."""
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.mutation.chosen")


class Room(NamedTuple):
    """What is changed, and its tests."""

    sources: list[str]
    tests: list[str]


def rooms() -> dict[str, Room]:
    """Every room of the package, the features, and the core, by name."""
    names = sorted(path.parent.name for path in Path("victor").glob("[a-z]*/__init__.py"))
    found = {name: Room([f"victor/{name}"], [FIRST, f"tests/{name}", CASES]) for name in names}
    found["base"] = Room(["victor/base"], ["tests/base", "tests/test_files.py", CASES])
    found["documents"] = Room(["victor/documents"], [FIRST, "tests/crawl/documents", CASES])
    found["features"] = Room(["features"], [FIRST, "tests/features", CASES])
    of_core = ("core", "page", "tables", "kinds", "features", "model", "render")
    found[CORE] = Room(["core"], [FIRST, CASES, *(f"tests/{name}" for name in of_core)])
    exist = {name: room for name, room in found.items() if Path(room.tests[1]).exists()}
    return {name: room for name, room in exist.items() if all_changes(room)}


def equivalents(file: Path) -> set[str]:
    """The changes that no input can show: one a line, its reason behind `` # ``.

    A line of source without a change stands for all changes of that line.
    """
    lines = file.read_text(encoding="utf-8").splitlines()
    return {line.rpartition(" # ")[0].strip() for line in lines}


def all_changes(room: Room) -> list[Change]:
    """Every change of the files and folders of a room."""
    files = [
        file
        for path in map(Path, room.sources)
        for file in (sorted([*path.rglob("*.py"), *path.rglob("*.c")]) or [path])
    ]
    return [
        change for file in files for change in changes(file.as_posix(), file.read_text("utf-8"))
    ]


class Tree:
    """A copy of the tree in which a change is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        left_out = shutil.ignore_patterns(".git", "node_modules", "__pycache__", ".venv", "build")
        shutil.copytree(".", folder, symlinks=True, ignore=left_out)
        self.environment = {**os.environ, "PYTHONPATH": str(folder), "VICTOR_BROWSER": "0",
                            "PYTHONDONTWRITEBYTECODE": "1"}  # fmt: skip
        self._objects: list[str] = []

    def notices(self, change: Change, room: list[str], of_line: set[str]) -> bool:
        """Does a test of a room fail with a change, or one that runs the line."""
        file = self.folder / change.path
        source = file.read_text(encoding="utf-8")
        file.write_text(change.made(source), encoding="utf-8")
        is_c = change.path.endswith(".c")
        try:  # what cannot be compiled has been noticed
            return (
                (is_c and not self._compile(change.path))
                or self.fails(room, of_line)
                or (is_c and self._ends_badly([".ci/sanitize", "-x", "tests/core"]))
            )
        finally:
            file.write_text(source, encoding="utf-8")
            if is_c:
                self._compile(change.path)

    def measured(self, jobs: int) -> Lines:
        """Which fast tests run which lines; all of them pass."""
        command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), *MEASURED]
        ended = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, check=False
        )
        if ended.returncode:
            print(ended.stdout.decode())
            raise SystemExit("a test fails before anything is changed")
        return Lines(self.folder)

    def fails(self, room: list[str], of_line: set[str]) -> bool:
        """Does a test fail, or run for too long."""
        of_files = {test.partition("::")[0] for test in of_line}
        files = sorted({*room, *of_files}, key=lambda path: (path != FIRST, path != CASES))
        command = [sys.executable, "-m", "pytest", *OPTIONS, *files]
        chosen = self.folder / "chosen.txt"
        chosen.write_text("\n".join(of_line), "utf-8")
        return self._ends_badly(command, CHOSEN=str(chosen), ROOM=" ".join(room))

    def _ends_badly(self, command: list[str], **environment: str) -> bool:
        """Do tests fail, or take too much time or memory."""

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            if command[0] == sys.executable:  # sanitizers map far more than they use
                resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))

        try:
            ended = subprocess.run(
                command, cwd=self.folder, capture_output=True, preexec_fn=limit, check=False,
                env={**self.environment, "TMPDIR": str(self.folder.parent), **environment},
                timeout=6 * MOST_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:  # it waits for ever
            return True
        return ended.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    def _compile(self, path: str) -> bool:
        """Compile one file and link it with the objects of the others, which are made first."""
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        if not self._objects:
            subprocess.run(
                build, cwd=self.folder, check=True, capture_output=True,
                env={**self.environment, "CFLAGS": "-O1", "CC": "gcc"},
            )  # fmt: skip
            self._objects = [str(each) for each in (self.folder / "build").rglob("*.o")]
        (entities,) = (self.folder / "build").rglob("entities.h")
        own = next(each for each in self._objects if each.endswith(path.replace(".c", ".o")))
        (library,) = (self.folder / "victor").glob("_core*.so")
        flags = ["-std=c11", "-O1", "-fPIC", "-ffp-contract=off", "-fno-wrapv", "-w", "-Icore"]
        flags += [f"-I{sysconfig.get_path('include')}", f"-I{entities.parent}"]
        macros = shlex.split(os.environ.get("CORE_MACROS", "-DPy_LIMITED_API=0x030B0000"))
        steps = (
            ["gcc", *flags, *macros, "-c", path, "-o", own],
            ["gcc", "-shared", *self._objects, "-o", str(library), "-lm"],
        )
        return all(
            subprocess.run(step, cwd=self.folder, capture_output=True, check=False).returncode == 0
            for step in steps
        )


def chosen_of(of_line: set[str], near: tuple[str, ...]) -> set[str]:
    """Of the tests that run a line those nearby, and some of all other files."""
    numbers = Counter[str]()
    others = []
    for test in sorted(each for each in of_line if not each.startswith(near)):
        file = test.partition("::")[0]
        others.append((numbers[file], test))
        numbers[file] += 1
    few = {test for _, test in sorted(others)[:MOST_OTHERS]}
    return few | {test for test in of_line if test.startswith(near)}


def unnoticed(sample: list[tuple[str, Change]], tests: dict[str, list[str]], jobs: int):
    """Name of the room and each change of a sample that no test notices."""
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(jobs) as pool:
        trees: Queue[Tree] = Queue()
        for number in range(jobs):
            trees.put(Tree(Path(work) / f"tree{number}"))

        first = trees.get()
        lines = first.measured(jobs) if any(name != CORE for name, _ in sample) else None
        trees.put(first)

        def survives(drawn: tuple[str, Change]) -> bool:
            name, change = drawn
            room, of_line = tests[name], set[str]()
            if lines and name != CORE:
                of_line = lines.running(change)
                if of_line:  # of the room itself others may run the line, in other processes
                    room = [path for path in room if path not in (FIRST, CASES)]
                of_line = chosen_of(of_line or lines.naming(change), (FIRST, CASES, *room))
            tree = trees.get()
            try:
                return not tree.notices(change, room, of_line)
            finally:
                trees.put(tree)

        for drawn, survived in zip(sample, pool.map(survives, sample), strict=True):
            print("." if not survived else "!", end="", file=sys.stderr, flush=True)
            if survived:
                yield drawn


def drawn(chosen: dict[str, Room], counts: dict[str, int], seed: int) -> Iterator[tuple]:
    """Changes of the core, and of all other rooms together: a large room has more of them."""
    left_out = equivalents(Path(__file__).with_name("equivalent.txt"))
    for is_core, count in ((False, counts["count"]), (True, counts["core"])):
        every = [
            (name, change)
            for name, room in chosen.items()
            if (name == CORE) == is_core
            for change in all_changes(room)
            if not left_out & change.keys
        ]
        random.Random(seed).shuffle(every)
        yield from every[:count]


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="default: all")
    parser.add_argument("--count", type=int, default=45, help="changes of Python")
    parser.add_argument("--core", type=int, default=15, help="changes of C, if the core is chosen")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="copies of the tree")
    parser.add_argument("--least", type=float, default=0.0, help="share that must be noticed")
    options = parser.parse_args()
    own = {
        name: Room(*([part] for part in name.split("="))) for name in options.rooms if "=" in name
    }
    known = rooms() | own
    chosen = {name: known[name] for name in options.rooms or known}
    sample = [*drawn(chosen, vars(options), options.seed)]
    tests = {name: room.tests for name, room in chosen.items()}
    missed = Counter[str]()
    for name, change in unnoticed(sample, tests, options.jobs):
        print(f"{change.path}:{change.line}: {change.shown}", flush=True)
        missed[name] += 1
    for name, count in Counter(name for name, _ in sample).items():
        print(f"{name}: {count - missed[name]} of {count} noticed")
    share = 1 - missed.total() / len(sample)
    print(f"{share:.2f} of {len(sample)}")
    return int(share < options.least)


if __name__ == "__main__":
    raise SystemExit(main())
