"""CPU time of cleaning, of a bare parse and of trafilatura, interleaved in one run.

    python benchmarks/speed.py PAGES [--pages 200] [--rounds 3]

PAGES is a folder of HTML files. Every round runs the alternatives batch by batch in turn, so that
all of them see the same machine; process time, garbage collector off, median over rounds. What
counts are the ratios; the milliseconds are only for orientation.
"""

from __future__ import annotations

import argparse
import gc
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lxml import etree

import victor
from victor.labelers.crf import CrfLabeler

Run = Callable[[Sequence[bytes]], None]
BATCH = 8


def main() -> None:
    """Measure and print one table."""
    arguments = _arguments()
    pages = _pages(arguments.pages_folder, arguments.pages)
    runs = _alternatives()
    times = {name: _Times(arguments.rounds) for name in runs}
    _warm_up(runs, pages)
    gc.disable()
    for number in range(arguments.rounds):
        for first in range(0, len(pages), BATCH):
            batch = pages[first : first + BATCH]
            for name, run in _rotated(runs, number + first // BATCH):
                times[name].add(number, run, batch)
        gc.collect()
    _report(times, pages)


class _Times:
    """Process time per round."""

    def __init__(self, rounds: int) -> None:
        self.rounds = [0.0] * rounds

    def add(self, number: int, run: Run, batch: Sequence[bytes]) -> None:
        started = time.process_time()
        run(batch)
        self.rounds[number] += time.process_time() - started

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)


def _alternatives() -> dict[str, Run]:
    """What is compared; trafilatura only where it is installed."""
    labeler = CrfLabeler(victor.load_model())
    cleaner = victor.Cleaner(labeler)

    def clean(batch: Sequence[bytes]) -> None:
        for result in cleaner.clean_many(batch):
            assert result.text is not None

    def parse(batch: Sequence[bytes]) -> None:
        for page in batch:
            etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))

    runs: dict[str, Run] = {"lxml parse": parse, "victor clean": clean}
    try:
        import trafilatura  # optional
    except ImportError as error:
        print(f"trafilatura is left out: {error}")
        return runs

    def extract(batch: Sequence[bytes]) -> None:
        for page in batch:
            trafilatura.extract(page)

    return {**runs, "trafilatura": extract}


def _rotated(runs: dict[str, Run], shift: int) -> list[tuple[str, Run]]:
    items = list(runs.items())
    shift %= len(items)
    return items[shift:] + items[:shift]


def _warm_up(runs: dict[str, Run], pages: Sequence[bytes]) -> None:
    for run in runs.values():
        run(pages[:BATCH])


def _pages(folder: Path, count: int) -> list[bytes]:
    files = sorted(folder.glob("*.html"))
    chosen = sorted(random.Random(1).sample(files, min(count, len(files))))
    # Pages that nothing can be parsed from would make the bare parse raise.
    return [page for page in (file.read_bytes() for file in chosen) if page.strip()]


def _report(times: dict[str, _Times], pages: Sequence[bytes]) -> None:
    n_bytes = sum(map(len, pages))
    print(f"{len(pages)} pages, {n_bytes / len(pages) / 1000:.0f} kB on average, "
          f"Python {platform.python_version()}, {_versions()}")  # fmt: skip
    bare, clean = times["lxml parse"].median, times["victor clean"].median
    for name, measured in times.items():
        print(
            f"{name:14} {measured.median / len(pages) * 1000:8.2f} ms/page "
            f"{measured.median / bare:7.2f} x lxml parse {measured.median / clean:7.2f} x victor"
        )


def _versions() -> str:
    versions = []
    for name in ("lxml", "numpy", "trafilatura"):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} missing")
    return ", ".join(versions)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages_folder", type=Path, metavar="PAGES")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
