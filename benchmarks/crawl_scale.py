"""What crawls cost beside their peers, and what more --jobs gain.

    python benchmarks/crawl_scale.py WARC... [--jobs 1 2] [--rounds 3] [--format parquet] [--peers]

This crawls WARC files with each number of --jobs in turn and prints processor time a record of the
workers and of the run itself, records a second and memory. With --peers it does the same of loops
of fastwarc and resiliparse, and of pipelines of datatrove whose texts are made by Victor,
resiliparse and trafilatura; one that lacks a package is left out and named. Processor time says the
same on a machine that does other things, too; the wall clock does not. `benchmarks/crawl_warc.py`
writes files to measure on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

# --- What runs in a process of its own ------------------------------------------------------------


def _responses(names: Sequence[str]) -> Iterator[Any]:
    """Records of HTML pages, as fastwarc reads them."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for name in names:
        with open(name, "rb") as file:
            yield from ArchiveIterator(file, record_types=WarcRecordType.response)


def reading(names: Sequence[str]) -> int:
    """Read all records, and count them."""
    return sum(bool(record.reader.read()) for record in _responses(names))


def resiliparse_loop(names: Sequence[str]) -> int:
    """Make the text of every page as resiliparse shows it is done."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def text(page: bytes) -> str:
        tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
        return extract_plain_text(tree, main_content=True)

    return sum(text(record.reader.read()) is not None for record in _responses(names))


def datatrove_pipeline(names: Sequence[str], extractor: str) -> int:
    """Records of a pipeline of datatrove on one core (reader, extractor, JSONL)."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.extractors import Trafilatura
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter

    class Resiliparse(BaseExtractor):
        """resiliparse in the process that datatrove keeps for extractors."""

        name = "resiliparse"

        def __init__(self) -> None:
            super().__init__(timeout=10)

        def extract(self, text: str) -> str:
            """The main content."""
            from resiliparse.extract.html2text import extract_plain_text

            return extract_plain_text(text, main_content=True)

    with TemporaryDirectory() as folder:
        if extractor == "victor":
            from victor.crawl.datatrove import VictorExtractor

            chosen = VictorExtractor()
        else:
            chosen = Trafilatura(timeout=10) if extractor == "trafilatura" else Resiliparse()
        file = Path(names[0]).absolute()
        reader = WarcReader(str(file.parent), glob_pattern=file.name)
        steps = [reader, chosen, JsonlWriter(f"{folder}/texts")]
        stats = LocalPipelineExecutor(steps, logging_dir=f"{folder}/logs").run()
        return int(stats.stats[0].stats["documents"].total)


CHILDREN: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "fastwarc, reading only": reading,
    "fastwarc and resiliparse, text only": resiliparse_loop,
}
PIPELINES: Final = ("victor", "resiliparse", "trafilatura")
MODULES: Final = ("fastwarc.warc", "resiliparse.extract.html2text")
MODULES_OF_PIPELINES: Final = (
    *("datatrove.executor", "datatrove.pipeline.extractors", "datatrove.pipeline.readers"),
    *("datatrove.pipeline.writers.jsonl", "trafilatura", "victor.crawl.datatrove"),
)
"""Loaded before the clock starts."""


def child(name: str, names: Sequence[str]) -> None:
    """Run one of these and print processor milliseconds a record, without loading packages."""
    for module in MODULES if name in CHILDREN else MODULES_OF_PIPELINES:
        import_module(module)
    began = sum(os.times()[:4])
    if name in CHILDREN:
        n_records = CHILDREN[name](names)
    else:
        n_records = datatrove_pipeline(names, name.removeprefix("datatrove, "))
    print(json.dumps(1e3 * (sum(os.times()[:4]) - began) / n_records))


# --- What runs these in turn ----------------------------------------------------------------------


class Crawl(NamedTuple):
    """What a crawl took: milliseconds of processors a record, seconds, megabytes of memory."""

    worker: float
    parent: float
    records: int
    seconds: float
    parent_memory: float
    worker_memory: float


_COMMAND: Final = """
import atexit, json, resource, sys, time
from victor.cli import main
def tell():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = workers.ru_utime + workers.ru_stime
    print(json.dumps([time.process_time(), peak, seconds, workers.ru_maxrss]))
atexit.register(tell)
main()
"""
"""`victor`, which prints in the end its processor seconds and KB, and those of its workers."""


def crawled(sources: Sequence[str], form: str, jobs: int) -> Crawl:
    """Run `victor crawl` on inputs."""
    with TemporaryDirectory() as folder:
        options = ["-o", folder, "-f", form, "-j", str(jobs)]
        began = time.monotonic()
        spent, peak, of_workers, largest = _told(
            [sys.executable, "-c", _COMMAND, "crawl", *sources, *options]
        )
        seconds = time.monotonic() - began
        n_records = json.loads((Path(folder) / "run.json").read_text())["totals"]["read"]
    return Crawl(
        worker=1e3 * of_workers / n_records,
        parent=1e3 * spent / n_records,
        records=n_records,
        seconds=seconds,
        parent_memory=peak * 1024 / 1e6,
        worker_memory=largest * 1024 / 1e6,
    )


def _told(command: Sequence[str]) -> Any:
    """What the last line says that a command prints."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ChildProcessError((done.stderr.splitlines() or ["it fell"])[-1])
    return json.loads(done.stdout.splitlines()[-1])


def compare(names: Sequence[str], given: argparse.Namespace) -> None:
    """Run all in turn and print tables."""
    peers = [*CHILDREN, *(f"datatrove, {name}" for name in PIPELINES)] if given.peers else []
    spent: dict[str, list[float]] = {name: [] for name in peers}
    crawls: dict[int, list[Crawl]] = {jobs: [] for jobs in given.jobs}
    for _ in range(given.rounds):
        for jobs, done in crawls.items():
            done.append(crawled(names, given.format, jobs))
        for name in [*spent]:
            try:
                spent[name].append(_told([sys.executable, __file__, "--child", name, *names]))
            except ChildProcessError as error:
                print(f"left out: {name}: {error}", file=sys.stderr)
                del spent[name]
    for jobs, done in crawls.items():
        spent[f"worker of {jobs}"] = [crawl.worker for crawl in done]
        spent[f"parent of {jobs}"] = [crawl.parent for crawl in done]
    print("| | ms of a processor a record (of all rounds) |\n|---|---|")
    for name, values in spent.items():
        print(f"| {name} | {median(values):.2f} ({min(values):.2f}-{max(values):.2f}) |")
    _print_jobs(crawls)


def _print_jobs(crawls: dict[int, list[Crawl]]) -> None:
    print("\n| jobs | records | records a second | x the first (of each round) | MB of the parent "
          "| of a worker |\n|---|---|---|---|---|---|")  # fmt: skip
    first = next(iter(crawls.values()))
    for jobs, done in crawls.items():
        ratios = [one.seconds / crawl.seconds for one, crawl in zip(first, done, strict=True)]
        rate = median(crawl.records / crawl.seconds for crawl in done)
        parent = max(crawl.parent_memory for crawl in done)
        worker = max(crawl.worker_memory for crawl in done)
        each = " ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"| {jobs} | {done[0].records:,} | {rate:.0f} | {median(ratios):.2f} ({each}) "
              f"| {parent:.0f} | {worker:.0f} |")  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warcs", nargs="+", metavar="WARC")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", default="parquet")
    parser.add_argument("--peers", action="store_true", help="loops and pipelines of others, too")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.warcs)
    else:
        compare(given.warcs, given)


if __name__ == "__main__":
    main()
