"""How processor time and memory of every form grow with the size of pages of many shapes.

    python benchmarks/growth.py FILE.jsonl [--shapes NAME,…] [--steps NAME,…|all]
                                [--paths compiled,pure] [--bound 1.2] [--most BYTES]

A shape is a page as a function of n (tests/hostile/shapes.py). A step is an output form, a labeler,
or what else can be asked of a page (tests/hostile/steps.py); by default cleaning, all forms,
`explain` and `features`, on the compiled and on the Python path. Pages become four times larger
until a step takes 50 ms and 8 MB and grows within the bound, or the next page would be longer than
--most bytes. The exponent is that between the two largest pages: 1 is growth in proportion to the
bytes of the page. What stays below 50 ms or 8 MB has none.

Every measurement is a line of the file. A run that was stopped goes on where it was when you call
it again: what the file holds is not measured again, unless it grew faster than the bound. The table
has the largest exponents of each step over all shapes of the file. The exit code is 1 if something
grows faster than the bound; that was measured three times, and the least counts.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile.growth import LEAST_BYTES, LEAST_SECONDS, Cost, costs, exponent
from hostile.shapes import SHAPES, page

FIRST_BYTES = 12_000
"""The first page of a shape has at least so many."""
LARGER = 4
PURE = {"compiled": "0", "pure": "1"}
"""Paths to what VICTOR_PURE is for them."""
USUAL = ("clean default", "explain a block", "features")
"""Steps that are measured beside all forms."""


class Growth(NamedTuple):
    """How a step grows with the pages of a shape; an exponent is None where it has no figure."""

    path: str
    shape: str
    step: str
    sizes: list[int]
    seconds: list[float]
    bytes: list[float]
    time: float | None
    memory: float | None
    error: str = ""

    def is_beyond(self, bound: float) -> bool:
        """Does the step grow too fast, or fail."""
        return bool(self.error) or max(self.time or 0, self.memory or 0) > bound


class Shape:
    """Measures steps on pages of one shape, larger ones of those steps alone that need it."""

    def __init__(self, path: str, name: str, bound: float) -> None:
        self.path, self.name, self.bound = path, name, bound
        self.sizes: list[int] = []
        self.spent: dict[str, list[Cost]] = {}

    def measure(self, steps: Sequence[str], most: int) -> Iterator[Growth]:
        """How each of the steps grows, with pages of at most so many bytes."""
        todo, n = list(steps), self._first()
        while todo and (not self.sizes or len(page(self.name, n)) <= most):
            self.sizes.append(n)
            for step, cost in self._costs(n, todo).items():
                self.spent.setdefault(step, []).append(cost)
            todo = [step for step in todo if self._is_open(self._growth(step))]
            n *= LARGER
        for step in steps:
            if self._growth(step).is_beyond(self.bound):
                self._again(step)
            yield self._growth(step)

    def _first(self) -> int:
        n = 4
        while len(page(self.name, n)) < FIRST_BYTES:
            n *= 2
        return n

    def _costs(self, n: int, steps: Sequence[str], rounds: int = 1) -> dict[str, Cost]:
        from hostile.steps import STEPS

        markup = page(self.name, n)
        return costs({step: STEPS[step](markup) for step in steps}, rounds=rounds)

    def _is_open(self, growth: Growth) -> bool:
        is_measured = growth.time is not None and growth.memory is not None
        return not growth.error and (not is_measured or growth.is_beyond(self.bound))

    def _again(self, step: str) -> None:
        """Measure the last two pages again, and keep the least."""
        spent = self.spent[step]
        for at in range(max(len(spent) - 2, 0), len(spent)):
            again = self._costs(self.sizes[at], [step], rounds=2)[step]
            good = [cost for cost in (again, spent[at]) if not cost.error] or [again]
            spent[at] = Cost(
                min(cost.seconds for cost in good), min(cost.bytes for cost in good), good[0].error
            )

    def _growth(self, step: str) -> Growth:
        spent = self.spent[step]
        error = next((cost.error for cost in spent if cost.error), "")
        good = [cost for cost in spent if not cost.error]
        at = [len(page(self.name, n)) for n, _ in zip(self.sizes, good, strict=False)]
        seconds, memory = [cost.seconds for cost in good], [cost.bytes for cost in good]
        return Growth(
            self.path, self.name, step, at, seconds, memory,
            exponent(at, seconds, LEAST_SECONDS), exponent(at, memory, LEAST_BYTES), error,
        )  # fmt: skip


def read(path: Path) -> dict[tuple[str, str, str], Growth]:
    """Measurements of a file by path, shape and step; of several of one thing the last."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [Growth(**json.loads(line)) for line in lines if line.endswith("}")]
    return {(row.path, row.shape, row.step): row for row in rows}


def measure_path(path: str, arguments: argparse.Namespace) -> None:
    """Append what the file does not hold yet, in a process whose victor runs that path."""
    from hostile.steps import STEPS, warm

    from victor.render import RENDERERS

    usual = [step for step in STEPS if step in RENDERERS or step in USUAL]
    steps = {"": usual, "all": [*STEPS]}.get(arguments.steps, arguments.steps.split(","))
    shapes = arguments.shapes.split(",") if arguments.shapes else [*SHAPES]
    rows = read(arguments.file).items()
    done = {key for key, row in rows if not row.is_beyond(arguments.bound)}
    warm(steps)
    for number, shape in enumerate(shapes):
        todo = [step for step in steps if (path, shape, step) not in done]
        with arguments.file.open("a", encoding="utf-8") as file:
            for growth in Shape(path, shape, arguments.bound).measure(todo, arguments.most):
                file.write(json.dumps(growth._asdict()) + "\n")
        print(f"{path} {number + 1}/{len(shapes)} {shape}", file=sys.stderr)


def report(growths: Sequence[Growth], bound: float) -> int:
    """Print the table and what is beyond the bound; how much that is."""
    print("| path | step | shapes | ≥ 50 ms | time | shape | ≥ 8 MB | memory | shape |")
    print("|---|---|--:|--:|--:|---|--:|--:|---|")
    for path, step in dict.fromkeys((growth.path, growth.step) for growth in growths):
        rows = [growth for growth in growths if (growth.path, growth.step) == (path, step)]
        cells = [path, step, str(len(rows))]
        for which in ("time", "memory"):
            some = [row for row in rows if getattr(row, which) is not None]
            worst = max(some, key=lambda row: getattr(row, which), default=None)
            figure = [f"{getattr(worst, which):.2f}", worst.shape] if worst else ["–", ""]
            cells += [str(len(some)), *figure]
        print(f"| {' | '.join(cells)} |")
    beyond = [growth for growth in growths if growth.is_beyond(bound)]
    for growth in beyond:
        print(f"beyond {bound}: {_line(growth)}")
    return len(beyond)


def _line(growth: Growth) -> str:
    """One measurement for people."""
    points = zip(growth.sizes, growth.seconds, growth.bytes, strict=True)
    rows = " ".join(f"{n / 1e6:.2f}MB:{s:.3f}s,{b / 2**20:.0f}MB" for n, s, b in points)
    both = (f"{x:.2f}" if x is not None else "–" for x in (growth.time, growth.memory))
    name = f"{growth.path} · {growth.step} · {growth.shape}"
    return f"{name}: {' '.join(both)}  {rows} {growth.error}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="measurements, a line of JSON each; appended to")
    parser.add_argument("--shapes", default="", help="names with commas between; all by default")
    parser.add_argument("--steps", default="", help="likewise; `all` for every step")
    parser.add_argument("--paths", default="compiled,pure")
    parser.add_argument("--bound", type=float, default=1.2)
    parser.add_argument("--most", type=int, default=260_000, help="bytes of the largest page")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the process of a path ends as well
    for path in arguments.paths.split(","):
        os.environ["VICTOR_PURE"] = PURE[path]
        process = get_context("spawn").Process(
            target=measure_path, args=(path, arguments), daemon=True
        )
        process.start()
        process.join()
    sys.exit(1 if report([*read(arguments.file).values()], arguments.bound) else 0)


if __name__ == "__main__":
    main()
