"""How fast everything grows with the page: ``python -m tests.hostile.sweep``.

Takes every step (`steps`: labelers, forms with each of their options, all that can be asked of a
result) of every shape (`shapes`) on two pages, the second four times as long as the first. Prints
the largest exponent of time and of memory for each step and family of shapes, and the names in the
shapes that grow faster than ``--most``; the exit status is 1 if there are any. A shape is made of
many names; one that grows too fast is halved until the names are few.

The nightly workflow calls it from the top folder:

    python -m tests.hostile.sweep --jobs 4
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final, NamedTuple

from tests.hostile.growth import Growth, Make, grown
from tests.hostile.shapes import Shape, generated
from tests.hostile.steps import STEPS, warm

MOST: Final = 1.3
_TIMES: Final = 4
"""How much longer the second page is."""
_ROUNDS: Final = 2
"""How often steps that seem to grow too fast are measured again."""
_SHOWN: Final = 8
"""Names of a shape that are printed."""


class Finding(NamedTuple):
    """A step that grows too fast with a shape."""

    step: str
    shape: Shape
    growth: Growth

    def __str__(self) -> str:
        names = " ".join(self.shape.names[:_SHOWN])
        more = f" and {len(self.shape.names) - _SHOWN} more" * (len(self.shape.names) > _SHOWN)
        figures = (
            self.growth.error or f"time {self.growth.time:.2f} memory {self.growth.memory:.2f}"
        )
        return f"{self.step} · {self.shape.family} {self.shape.layout} {names}{more}: {figures}"


class Measured(NamedTuple):
    """What became of one shape."""

    family: str
    growths: Mapping[str, Growth]
    findings: list[str]


def measured(shape: Shape, steps: Mapping[str, Make], most: float) -> Measured:
    """How steps grow with a shape, and what grows too fast.

    That is measured several times on larger pages: what is done only on pages from some size on
    grows fast there, and in proportion beyond.
    """
    growths = _grown(shape, steps)
    findings = []
    if fast := [name for name, growth in growths.items() if growth.worst > most]:
        if not any(growths[name].error for name in fast):
            shape = shape._replace(times=_TIMES * shape.times)
        growths |= _grown(shape, {name: steps[name] for name in fast}, _ROUNDS)
        fast = [name for name in fast if growths[name].worst > most]
        found = _narrowed(shape, {name: growths[name] for name in fast}, steps, most)
        findings = [*map(str, found)]
    return Measured(shape.family, growths, findings)


def _narrowed(
    shape: Shape, fast: Mapping[str, Growth], steps: Mapping[str, Make], most: float
) -> Iterator[Finding]:
    """The findings of a shape, with as few names as show them."""
    left = dict(fast)
    for half in shape.halves() if fast else ():
        growths = _grown(half, {name: steps[name] for name in fast})
        again = {name: growth for name, growth in growths.items() if growth.worst > most}
        left = {name: growth for name, growth in left.items() if name not in again}
        yield from _narrowed(half, again, steps, most)
    for name, growth in left.items():
        yield Finding(name, shape, growth)


def _grown(shape: Shape, steps: Mapping[str, Make], rounds: int = 1) -> dict[str, Growth]:
    return grown(steps, [shape.page(shape.times), shape.page(_TIMES * shape.times)], rounds)


_SHAPES: Final = [*generated()]


def _numbered(number: int, names: list[str], most: float, scale: float) -> Measured:
    """As `measured` of a shape, which cannot be sent to another process, by its number."""
    shape = _SHAPES[number]
    shape = shape._replace(times=max(int(scale * shape.times), 1))
    return measured(shape, {name: STEPS[name] for name in names}, most)


def _table(growths: Mapping[tuple[str, str], Growth], families: list[str]) -> Iterator[str]:
    """The largest exponents: a row for each step, two figures for each family of shapes."""
    yield " | ".join(["step", *families])
    yield " | ".join(["---"] * (len(families) + 1))
    for step in dict.fromkeys(step for step, _ in growths):
        cells = (growths.get((step, family), Growth(0, 0)) for family in families)
        yield " | ".join([step, *(f"{cell.time:.2f} {cell.memory:.2f}" for cell in cells)])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--every", type=int, default=1, help="take every so many shapes only")
    parser.add_argument("--families", default="", help="expression that names of families match")
    parser.add_argument("--steps", default="", help="expression that names of steps match")
    parser.add_argument("--scale", type=float, default=1.0, help="size of pages")
    parser.add_argument("--most", type=float, default=MOST, help="largest exponent")
    chosen = parser.parse_args()
    names = [name for name in STEPS if re.search(chosen.steps, name)]
    numbers = [n for n, s in enumerate(_SHAPES) if re.search(chosen.families, s.family)]
    warm(names)
    worst: dict[tuple[str, str], Growth] = {}
    findings: list[str] = []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        measure = partial(_numbered, names=names, most=chosen.most, scale=chosen.scale)
        numbers = numbers[:: chosen.every]
        for done, result in enumerate(pool.map(measure, numbers), 1):
            print(f"{done} of {len(numbers)} shapes", end="\r", file=sys.stderr, flush=True)
            for step, growth in result.growths.items():
                key = step, result.family
                before = worst.get(key, Growth(0, 0))
                worst[key] = Growth(
                    max(before.time, growth.time), max(before.memory, growth.memory)
                )
            findings += result.findings
            for finding in result.findings:
                print(finding, flush=True)
    print(*_table(worst, [*dict.fromkeys(family for _, family in worst)]), sep="\n")
    raise SystemExit(bool(findings))


if __name__ == "__main__":
    main()
