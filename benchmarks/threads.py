"""Threads that clean pages: how much of the work runs without the interpreter lock.

    python benchmarks/threads.py FOLDER [--pages N] [--threads N] [--rounds N]

FOLDER has pages as ``*.html``. Printed are ratios only:

- the share of the processor time of `clean_many` that is spent in functions of the compiled core,
  which release the lock while they work, and how much faster any number of threads could be at most
  if all else takes turns;
- the time by the clock of one thread over that of several with a cleaner each, and their processor
  time over that of one: on a machine that others use, or with fewer cores than threads, the clock
  says little.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from victor import core
from victor.api import Cleaner, load_cleaner


def clean(cleaner: Cleaner, pages: Sequence[bytes]) -> float:
    """Processor seconds of this thread that pages and their texts take."""
    start = time.thread_time()
    for result in cleaner.clean_many(pages):
        _ = result.text
    return time.thread_time() - start


class Timed:
    """The compiled core, with the processor time of each thread in it."""

    def __init__(self, compiled: Any) -> None:
        self.seconds = 0.0
        names = (name for name in dir(compiled) if callable(getattr(compiled, name)))
        functions = {name: self._timed(getattr(compiled, name)) for name in names}
        self.module = SimpleNamespace(**functions)

    def _timed(self, function: Callable[..., object]) -> Callable[..., object]:
        def timed(*arguments: object, **named: object) -> object:
            start = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.thread_time() - start

        return timed


def share_in_core(cleaner: Cleaner, pages: Sequence[bytes], rounds: int) -> float:
    """Share of the processor time that compiled functions take."""
    compiled = core.compiled
    timed = Timed(compiled)
    core.compiled = timed.module
    try:
        total = sum(clean(cleaner, pages) for _ in range(rounds))
    finally:
        core.compiled = compiled
    return timed.seconds / total


def in_threads(cleaners: Sequence[Cleaner], pages: Sequence[bytes]) -> tuple[float, float]:
    """Seconds by the clock and by the processor, each cleaner with its part of the pages."""
    parts = [pages[number :: len(cleaners)] for number in range(len(cleaners))]
    start, used = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(len(cleaners)) as threads:
        _ = [*threads.map(clean, cleaners, parts)]
    return time.perf_counter() - start, time.process_time() - used


def main() -> None:
    """Read pages, clean them in one thread and in several, print ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    pages = [path.read_bytes() for path in sorted(chosen.folder.glob("*.html"))[: chosen.pages]]
    cleaners = [load_cleaner() for _ in range(chosen.threads)]
    clean(cleaners[0], pages)
    print(f"path {core.path_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if core.compiled is not None:
        share = share_in_core(cleaners[0], pages, chosen.rounds)
        most = 1 / max(1 - share, 1 / 1000)
        print(f"in the compiled core {share:.0%}; at most {most:.1f} times as fast with threads")
    one, several = (
        min(in_threads(cleaners[:count], pages) for _ in range(chosen.rounds))
        for count in (1, chosen.threads)
    )
    print(
        f"{chosen.threads} threads: {one[0] / several[0]:.2f} times as fast by the clock, "
        f"{several[1] / one[1]:.2f} times the processor time"
    )


if __name__ == "__main__":
    main()
