"""How long any step goes on after its time is up: ``python -m tests.hostile.overruns``.

Takes labelers and forms of large pages, and notes the longest stretch of processor time in which
nothing asks for the time: by so much a step may overrun ``limits.seconds``. Prints seconds for each
step and page; the exit status is 1 if any is longer than ``--most``.
"""

from __future__ import annotations

import argparse
import re
import time
import traceback
from typing import Final

from tests.hostile.growth import Make
from tests.hostile.shapes import ALONE, BY_HAND, by_name
from tests.hostile.steps import STEPS, warm
from victor.page.allowance import Allowance

PAGES: Final = (
    "paragraphs", "lines", "posts", "starts without ends", "crossed formatting",
    "both spans", "lists", "code lines", "notes", "formulas of TeX", "classes", "tag names",
    "huge base", "stars", "abbreviations", "long word",
)  # fmt: skip
LIMITED: Final = (
    r"clean (?:default|dom|density|kimatu)|text|markdown|article|html|tei|json with all|cleaneval"
    r"|records|sentences|native of dom|normalize"
)
"""The steps that a limit of seconds holds in."""


class Clock:
    """Notes when a step asks for the time.

    Attributes:
        longest: seconds between two times that it asks.
        where: the functions that ask after these.
    """

    def __init__(self) -> None:
        self.longest, self.where, self._last = 0.0, "", time.process_time()

    def check(self, allowance: Allowance, length: int = 0) -> None:
        """What stands in place of `Allowance.check`."""
        passed = time.process_time() - self._last
        if passed > self.longest:
            calls = traceback.extract_stack(limit=7)[:-1]
            self.longest, self.where = passed, " < ".join(call.name for call in calls[::-1])
        self._last = time.process_time()


def overrun(make: Make, page: bytes) -> Clock:
    """What is noted of a step on a page."""
    check, clock = Allowance.check, Clock()
    act = make(page)
    try:
        clock = Clock()
        Allowance.check = lambda self, length=0: clock.check(self, length)  # type: ignore[method-assign]
        act()
        clock.check(Allowance())
    finally:
        Allowance.check = check  # type: ignore[method-assign]
    return clock


def large_page(name: str, size: int) -> bytes:
    """A page of a shape that has about so many bytes."""
    shape = by_name(ALONE if name.startswith("alone ") else BY_HAND, name.removeprefix("alone "))
    unit = (len(shape.page(2_000)) - len(shape.page(1_000))) / 1_000
    return shape.page(int(size / unit))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", default="", help="expression that names of pages match")
    parser.add_argument("--steps", default=LIMITED, help="expression that is a name of a step")
    parser.add_argument("--bytes", type=int, default=10_000_000, help="size of a page")
    parser.add_argument("--most", type=float, default=5.0, help="longest overrun in seconds")
    chosen = parser.parse_args()
    names = [name for name in STEPS if re.fullmatch(chosen.steps, name)]
    warm(names)
    worst = 0.0
    for name in (name for name in PAGES if re.search(chosen.pages, name)):
        page = large_page(name, chosen.bytes)
        for step in names:
            clock = overrun(STEPS[step], page)
            worst = max(worst, clock.longest)
            print(f"{step} | {name} | {clock.longest:.2f} | {clock.where}", flush=True)
    raise SystemExit(worst > chosen.most)


if __name__ == "__main__":
    main()
