"""How processor time and memory of every step grow with the size of pages of many shapes.

    python benchmarks/growth.py [--sizes 4000,16000,64000] [--shapes NAME,…] [--steps NAME,…]
                                [--pure] [--bound 1.2] [--most BYTES] [--output FILE.jsonl]

A step is a labeler, an output form, or what else can be asked of a page (tests/hostile/steps.py);
a shape is a page as a function of n (tests/hostile/shapes.py). The table has, for every step, the
largest exponent of time and of memory over all shapes, between the two largest sizes: 1 is growth
in proportion to the bytes of the page. Where a figure is below 50 ms or 30 MB at the largest size,
the page grows further, to --most bytes of markup; what is still below is no figure. What seems to
grow faster than the bound is measured again, and the least counts. The exit code is 1 if something
grows faster. With --pure the Python path is measured, else the compiled core.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

os.environ["VICTOR_PURE"] = "1" if "--pure" in sys.argv else os.environ.get("VICTOR_PURE", "0")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile.growth import LEAST_BYTES, LEAST_SECONDS, Cost, costs, exponent
from hostile.shapes import SHAPES, page
from hostile.steps import STEPS, warm

TOO_LONG = 20.0
"""Seconds after which a step is not tried on a larger page."""
STEP_UP = 4


class Growth(NamedTuple):
    """How a step grows with the pages of a shape; None where nothing can be measured."""

    shape: str
    step: str
    sizes: list[int]
    seconds: list[float]
    bytes: list[float]
    time: float | None
    memory: float | None
    error: str = ""


class _Pages:
    """Measures steps on pages of one shape; asks larger pages of those steps alone that need it."""

    def __init__(self, shape: str, bound: float) -> None:
        self.shape = shape
        self.bound = bound
        self.sizes: dict[str, list[int]] = {}
        self.spent: dict[str, list[Cost]] = {}

    def add(self, n: int, names: list[str], most: float) -> bool:
        """Measure steps on the page of a size; False if that page is too long."""
        markup = page(self.shape, n)
        if len(markup) > most:
            return False
        actions = {name: STEPS[name](markup) for name in names}
        for name, cost in costs(actions).items():
            self.sizes.setdefault(name, []).append(len(markup))
            self.spent.setdefault(name, []).append(cost)
        return True

    def again(self, sizes: list[int], names: list[str]) -> None:
        """Measure the last two sizes again, and keep the least."""
        for back, n in ((-2, sizes[-2]), (-1, sizes[-1])):
            markup = page(self.shape, n)
            actions = {name: STEPS[name](markup) for name in names}
            for name, cost in costs(actions, rounds=2).items():
                if not cost.error:
                    old = self.spent[name][back]
                    least = (min(cost.seconds, old.seconds), min(cost.bytes, old.bytes))
                    self.spent[name][back] = Cost(*least)

    def growth(self, name: str) -> Growth:
        """What was measured of a step."""
        sizes, spent = self.sizes[name], self.spent[name]
        error = next((cost.error for cost in spent if cost.error), "")
        good = [(size, cost) for size, cost in zip(sizes, spent, strict=True) if not cost.error]
        at = [size for size, _ in good]
        seconds, memory = [c.seconds for _, c in good], [c.bytes for _, c in good]
        return Growth(
            self.shape, name, at, seconds, memory,
            exponent(at, seconds, LEAST_SECONDS), exponent(at, memory, LEAST_BYTES), error,
        )  # fmt: skip

    def is_beyond(self, name: str) -> bool:
        """Does a step grow too fast, or fail."""
        grown = self.growth(name)
        return bool(grown.error) or max(grown.time or 0, grown.memory or 0) > self.bound

    def needs_more(self, name: str) -> bool:
        """Is it too early to say how it grows: one of the figures is below what counts."""
        grown, last = self.growth(name), self.spent[name][-1]
        is_open = grown.time is None or grown.memory is None
        return is_open and not grown.error and last.seconds < TOO_LONG / STEP_UP


def measure(
    shape: str, names: list[str], sizes: list[int], bound: float, most: int
) -> Iterator[Growth]:
    """How steps grow with the pages of a shape; with `most` bytes where they grow further."""
    pages, tried = _Pages(shape, bound), []
    for n in sizes:
        todo = [name for name in names if not pages.spent.get(name) or _may_grow(pages, name)]
        if pages.add(n, todo, math.inf):
            tried.append(n)
    while todo := [name for name in names if pages.needs_more(name)]:
        if not pages.add(tried[-1] * STEP_UP, todo, most):
            break
        tried.append(tried[-1] * STEP_UP)
    for _ in range(2):
        for last in {len(pages.sizes[name]) for name in names}:
            todo = [
                name for name in names
                if len(pages.sizes[name]) == last and pages.is_beyond(name)
                and not pages.growth(name).error
            ]  # fmt: skip
            if todo and last > 1:
                pages.again(tried[:last], todo)
    yield from map(pages.growth, names)


def _may_grow(pages: _Pages, name: str) -> bool:
    last = pages.spent[name][-1]
    return not last.error and last.seconds < TOO_LONG


def report(growths: list[Growth], bound: float) -> int:
    """Print the table, and what is beyond the bound; how much that is."""
    print("| step | time | shape | memory | shape |\n|---|--:|---|--:|---|")
    for name in dict.fromkeys(growth.step for growth in growths):
        cells = [name]
        for which in ("time", "memory"):
            some = [g for g in growths if g.step == name and getattr(g, which) is not None]
            worst = max(some, key=lambda g: getattr(g, which), default=None)
            cells += [f"{getattr(worst, which):.2f}", worst.shape] if worst else ["–", ""]
        print(f"| {' | '.join(cells)} |")
    beyond = [g for g in growths if g.error or max(g.time or 0, g.memory or 0) > bound]
    for growth in beyond:
        print(f"beyond {bound}: {_line(growth)}", file=sys.stderr)
    return len(beyond)


def _line(growth: Growth) -> str:
    """One measurement for people."""
    points = zip(growth.sizes, growth.seconds, growth.bytes, strict=True)
    rows = " ".join(f"{n / 1e6:.2f}MB:{s:.2f}s,{b / 2**20:.0f}MB" for n, s, b in points)
    both = (f"{x:.2f}" if x is not None else "–" for x in (growth.time, growth.memory))
    return f"{growth.step} · {growth.shape}: {' '.join(both)}  {rows} {growth.error}"


def _run(arguments: argparse.Namespace, output: IO[str] | None) -> list[Growth]:
    names = arguments.steps.split(",") if arguments.steps else list(STEPS)
    shapes = arguments.shapes.split(",") if arguments.shapes else list(SHAPES)
    sizes = [int(size) for size in arguments.sizes.split(",")]
    warm(names)
    growths = []
    for number, shape in enumerate(shapes):
        for growth in measure(shape, names, sizes, arguments.bound, arguments.most):
            growths.append(growth)
            if output is not None:
                output.write(json.dumps(growth._asdict()) + "\n")
                output.flush()
        print(f"{number + 1}/{len(shapes)} {shape}", file=sys.stderr)
    return growths


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="4000,16000,64000")
    parser.add_argument("--shapes", help="names with commas between; all by default")
    parser.add_argument("--steps", help="likewise")
    parser.add_argument("--pure", action="store_true", help="measure the Python path")
    parser.add_argument("--bound", type=float, default=1.2)
    parser.add_argument("--most", type=int, default=20_000_000,
                        help="bytes to which pages grow where figures are small")  # fmt: skip
    parser.add_argument("--output", type=Path, help="every measurement as a line of JSON")
    arguments = parser.parse_args()
    with ExitStack() as open_files:
        output = arguments.output and open_files.enter_context(arguments.output.open("a"))
        growths = _run(arguments, output)
    sys.exit(1 if report(growths, arguments.bound) else 0)


if __name__ == "__main__":
    main()
