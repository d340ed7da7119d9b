"""Throughput of `victor crawl` with one and with more workers, against cleaning in one process.

    python benchmarks/crawl_throughput.py IN... [--jobs 1 2] [--rounds 3] [--identifier beesley]

What counts are processor seconds, user and system: the wall clock says little on a machine that is
not idle. Three things are measured in turn, so that what else the machine does touches all alike:

    in process   `clean_many` of the records' bodies, held in memory, in batches: the texts, their
                 languages, and the metadata of the pages, as rows have them
    read         reading and unpacking the records in one process
    N jobs       `victor crawl`: its workers, which read, clean, filter and make rows, and the
                 parent, which plans, orders and writes

With c cores, n workers of w processor seconds a record and a parent of p, the machine can give
min(n / w, c / (w + p)) records a second. The workers' seconds are those spent on ranges and
batches, without the start; the parent's are all of its own, of which the start is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from victor.config import Filter
from victor.crawl.documents.crawl_spec import CrawlSpec
from victor.crawl.documents.filters import PageFilter
from victor.crawl.workers.batching import Cursor, ReadItem, batches
from victor.page.source import Source
from victor.sources import ReadOptions, expand, read
from victor.sources.record import Record

PROGRAM = "from victor.cli import main; main()"


class Run(NamedTuple):
    """Processor milliseconds a record of workers and parent; records a second by the clock."""

    worker: float
    parent: float
    speed: float


def records_of(inputs: Sequence[str]) -> Iterator[Record]:
    """The records of inputs."""
    pages = (page for source in expand(inputs) for page in read(source, ReadOptions()))
    return (page for page in pages if isinstance(page, Record))


def spread(inputs: Sequence[str], most: int) -> list[Record]:
    """Records from all over the inputs, at most so many: pages differ in size."""
    count = sum(1 for _ in records_of(inputs))
    return list(islice(records_of(inputs), 0, None, -(-count // most)))


def read_alone(inputs: Sequence[str]) -> float:
    """Processor milliseconds of reading a record."""
    began = time.process_time()
    count = sum(1 for _ in records_of(inputs))
    return 1e3 * (time.process_time() - began) / count


def in_process(records: Sequence[Record], identifier: str) -> float:
    """Processor milliseconds of cleaning a record: text, language and metadata."""
    page_filter = PageFilter(Filter(identifier=identifier))
    cleaner = CrawlSpec().cleaner()
    items = (ReadItem(Cursor(), record) for record in records)
    groups = [batch.records for batch in batches(items)]
    cleaned(cleaner, page_filter, groups[0])
    began = time.process_time()
    for group in groups:
        cleaned(cleaner, page_filter, group)
    return 1e3 * (time.process_time() - began) / len(records)


def cleaned(cleaner, page_filter: PageFilter, group: Sequence[Record]) -> None:
    """Clean a batch as a user of the API does."""
    sources = (Source(record.body, record.url, record.charset) for record in group)
    for result in cleaner.clean_many(sources):
        page_filter.identify(result.text)
        _ = result.metadata


def crawled(inputs: Sequence[str], jobs: int, identifier: str) -> Run:
    """One run, with nothing kept."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        options = ["-o", out, "-j", jobs, "--set", f"filter.identifier={identifier}"]
        command = [sys.executable, "-P", "-c", PROGRAM, "crawl", *inputs, *options]
        process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        timing = json.loads((out / "timing.json").read_text())
    # The workers belong to a server that nobody waits for, so this is the parent alone.
    parent = usage.ru_utime + usage.ru_stime
    worker = timing["processor seconds of workers"]
    records = timing["records"]
    return Run(1e3 * worker / records, 1e3 * parent / records, records / timing["seconds"])


def starting(identifier: str) -> float:
    """Processor seconds that the parent takes for a run of one page."""
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "page.html"
        page.write_text("<p>A page of few words.</p>")
        return crawled([str(page)], 1, identifier).parent / 1e3


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--identifier", nargs="+", default=["none", "beesley"])
    parser.add_argument("--records", type=int, default=1000, help="most of those held in memory")
    arguments = parser.parse_args()
    held = spread(arguments.inputs, arguments.records)
    for identifier in arguments.identifier:
        print(f"language filter: {identifier}", flush=True)
        measured(arguments, held, identifier)


def measured(arguments: argparse.Namespace, held: Sequence[Record], identifier: str) -> None:
    """Print all rounds and their medians."""
    alone, reading = [], []
    runs: dict[int, list[Run]] = {jobs: [] for jobs in arguments.jobs}
    start = starting(identifier)
    for _ in range(arguments.rounds):
        alone.append(in_process(held, identifier))
        reading.append(read_alone(arguments.inputs))
        for jobs, done in runs.items():
            done.append(crawled(arguments.inputs, jobs, identifier))
        shown = "; ".join(
            f"{jobs} jobs: worker {done[-1].worker:.3f}, parent {done[-1].parent:.3f}, "
            f"{done[-1].speed:.0f} records/s"
            for jobs, done in runs.items()
        )
        print(f"  ms a record: in process {alone[-1]:.3f}, read {reading[-1]:.3f}; {shown}; "
              f"load {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    report(median(alone), median(reading), runs, start)


def report(alone: float, reading: float, runs: dict[int, list[Run]], start: float) -> None:
    """Print what the medians say."""
    cores = os.cpu_count() or 1
    print(f"  in process {alone:.3f} ms, with reading {alone + reading:.3f}; the parent starts in "
          f"{start:.2f} s")  # fmt: skip
    first = 0.0
    for jobs, done in runs.items():
        worker, parent, speed = (median(values) for values in zip(*done, strict=True))
        possible = 1e3 * min(jobs / worker, cores / (worker + parent))
        first = first or possible / jobs
        print(f"  {jobs} jobs: worker {worker:.3f} ms, parent {parent:.3f}; a worker gives "
              f"{alone / worker:.2f} of in process, {(alone + reading) / worker:.2f} of that with "
              f"reading, with its share of the parent "
              f"{(alone + reading) / (worker + parent):.2f}; "
              f"{possible / first:.2f} x one job by processor time "
              f"({possible:.0f} records/s on {cores} cores; {speed:.0f} by the clock)")  # fmt: skip


if __name__ == "__main__":
    main()
