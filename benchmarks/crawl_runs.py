"""What a crawl of one machine does with --jobs, and with memory.

    python benchmarks/crawl_runs.py jobs [--megabytes 1500] [--rounds 3] [--jobs 1 2]
    python benchmarks/crawl_runs.py memory [--records 1000000]

`jobs` writes a WARC of the pages of `annotations/pages` again and again until it has so many
megabytes, crawls it in turn with each number of --jobs, and prints records a second and, of each
round, how many times as fast as the first number the others were. Only ratios of runs that follow
each other say something on a machine that does other things, too.

`memory` crawls small records, a tenth of them and all, and prints the largest resident set of the
run and of its largest worker: it must not grow with the records.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

PAGES: Final = Path(__file__).parents[1] / "annotations" / "pages"
MEGABYTE: Final = 1_000_000


class Run(NamedTuple):
    """Records a second, and the largest resident sets in megabytes."""

    rate: float
    parent: float
    worker: float


def record(page: bytes, number: int) -> bytes:
    """A WARC record as a gzip member."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\n"
        f"WARC-Target-URI: http://a.example/{number}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 1)


def large(megabytes: int) -> Iterator[bytes]:
    """Records of our pages, as they are, until they have so many megabytes of markup."""
    left = megabytes * MEGABYTE
    pages = [path.read_bytes() for path in sorted(PAGES.rglob("*.html"))]
    for number, page in enumerate(cycle(pages)):
        if left <= 0:
            return
        left -= len(page)
        yield record(page, number)


def small(records: int) -> Iterator[bytes]:
    """Records of a sentence each."""
    for number in range(records):
        page = f"<title>Page {number}</title><p>Bees of hive {number} make wax and honey, as ever."
        yield record(page.encode(), number)


def crawled(warc: Path, jobs: int) -> Run:
    """Crawl a file in processes of their own."""
    with TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "victor",
            "crawl",
            str(warc),
            "-o",
            folder,
            "-j",
            str(jobs),
        ]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"{' '.join(command)} ended with status {status}; run it by itself")
        timing = json.loads((Path(folder) / "timing.json").read_text())
    rate = timing["records"] / timing["seconds"]
    return Run(rate, usage.ru_maxrss * 1024 / MEGABYTE, timing["largest worker in MB"])


def compare_jobs(warc: Path, numbers: Sequence[int], rounds: int) -> None:
    """Crawl with each number of processes in turn."""
    runs = [[crawled(warc, jobs) for jobs in numbers] for _ in range(rounds)]
    print("| jobs | records a second | x the first | of each round |\n|---|---|---|---|")
    for index, jobs in enumerate(numbers):
        ratios = [row[index].rate / row[0].rate for row in runs]
        each = " ".join(f"{ratio:.2f}" for ratio in ratios)
        rate = median(row[index].rate for row in runs)
        print(f"| {jobs} | {rate:.0f} | {median(ratios):.2f} | {each} |")


def compare_memory(folder: Path, records: int) -> None:
    """Crawl a tenth of the records, and all."""
    print("| records | run, MB | largest worker, MB | records a second |\n|---|---|---|---|")
    for n_records in (records // 10, records):
        run = crawled(written(folder / f"{n_records}.warc.gz", small(n_records)), 1)
        print(f"| {n_records:,} | {run.parent:.0f} | {run.worker:.0f} | {run.rate:.0f} |")


def written(path: Path, records: Iterator[bytes]) -> Path:
    """A WARC of some records."""
    with path.open("wb") as file:
        while some := b"".join(islice(records, 1000)):
            file.write(some)
    return path


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("jobs", "memory"))
    parser.add_argument("--megabytes", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--records", type=int, default=1_000_000)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        if given.what == "memory":
            compare_memory(Path(folder), given.records)
        else:
            warc = written(Path(folder) / "pages.warc.gz", large(given.megabytes))
            compare_jobs(warc, given.jobs, given.rounds)


if __name__ == "__main__":
    main()
