"""What large crawls cost: processor seconds of a page, measured, and the arithmetic from there.

    python benchmarks/crawl_scale.py --measure IN... [--records 2000]
    python benchmarks/crawl_scale.py --page MS --megabyte MS [--text KB] [--price 0.04]

The first reads, cleans and writes records of a crawl in one process, in groups of like size, and
fits milliseconds of processor time = page + megabyte x size: processor time, because it says the
same on a machine that does other things, too. The second makes the tables of
docs/how-to/scale.md from that and the pipes between processes (crawl_throughput.py@fcbdf95);
--text is what a page gives on average in KB of compressed output.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from victor.crawl.workers.batching import Cursor, ReadItem, batches
from victor.crawl.writers import writer
from victor.documents.spec import CrawlSpec
from victor.sources import ReadOptions, expand, read
from victor.sources.record import Record

GROUPS: Final = 8
CORES: Final = (10, 64, 500, 2000)
HOURS: Final = 4.0
"""Core-hours of one element of an array job: short enough to lose, long enough to start for."""


class Plan(NamedTuple):
    """A crawl: pages, mean bytes of a page, the same compressed, and files if they are known."""

    name: str
    pages: float
    size: float
    packed: float
    files: int | None


PLANS: Final = (
    Plan("30 million pages of 299 KB", 30e6, 299e3, 48e3, None),
    Plan("30 million pages of 164 KB", 30e6, 164e3, 30e3, None),
    Plan("Common Crawl, 2.5 billion pages of 164 KB", 2.5e9, 164e3, 30e3, 90_000),
)
"""299 KB (48 compressed) is the mean of wcxb-dev, 164 (30) of crawls: docs/how-to/scale.md."""


class Cost(NamedTuple):
    """Processor milliseconds of a page whatever its size, and of a megabyte of markup."""

    page: float
    megabyte: float

    def of(self, size: float) -> float:
        """Processor seconds of a page of so many bytes."""
        return (self.page + self.megabyte * size / 1e6) / 1e3


def measure(names: Sequence[str], limit: int) -> Cost:
    """Cost of the first records of some inputs; prints what was measured."""
    began = time.process_time()
    records = list(islice(_records(names), limit))
    size = sum(len(record.body) for record in records)
    reading = time.process_time() - began
    process = CrawlSpec().load()
    process(records[:5])  # what is loaded late
    records.sort(key=lambda record: len(record.body))
    rows, sizes, seconds, documents = [], [], [], []
    for group in np.array_split(np.arange(len(records)), GROUPS):
        chosen = [records[i] for i in group]
        began = time.process_time()
        outcomes = [one for batch in _batches(chosen) for one in process(batch)]
        seconds.append((time.process_time() - began) / len(chosen))
        sizes.append(sum(len(record.body) for record in chosen) / len(chosen))
        rows.append(f"| {len(chosen)} | {sizes[-1] / 1e3:.0f} | {1e3 * seconds[-1]:.2f} |")
        documents += [one.document for one in outcomes if one.status == "written"]
    written, bytes_out = _written(documents)
    beside = (reading + written) / size
    # Relative errors count: large pages would else decide alone.
    slope, start = np.polyfit(sizes, seconds, 1, w=1 / np.asarray(seconds))
    cost = Cost(1e3 * start, 1e9 * (slope + beside))
    print("| pages | mean KB | ms to clean one |\n|---|---|---|", *rows, sep="\n")
    print(f"\n{len(records)} records of {size / len(records) / 1e3:.0f} KB: read in "
          f"{1e3 * reading / len(records):.2f} ms, cleaned in {1e3 * np.mean(seconds):.2f} ms, "
          f"written as jsonl.zst in {1e3 * written / len(records):.2f} ms each; "
          f"{bytes_out / len(records) / 1e3:.2f} KB of output a record")  # fmt: skip
    print(f"--page {cost.page:.2f} --megabyte {cost.megabyte:.1f}\n")
    return cost


def _records(names: Sequence[str]) -> Iterator[Record]:
    pages = (page for source in expand(names) for page in read(source, ReadOptions()))
    return (page for page in pages if isinstance(page, Record))


def _batches(records: Sequence[Record]) -> Iterator[list[Record]]:
    steps = (ReadItem(Cursor(), record) for record in records)
    return (batch.records for batch in batches(steps))


def _written(documents: Sequence) -> tuple[float, int]:
    """Processor seconds and bytes of a file of documents."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.jsonl.zst"
        began = time.process_time()
        with writer("jsonl.zst", path) as out:
            for document in documents:
                out.write(document)
        return time.process_time() - began, path.stat().st_size


def print_plans(cost: Cost, text: float, price: float) -> None:
    """The tables of docs/how-to/scale.md."""
    wide = "".join(f" {n:,} cores |" for n in CORES)
    print(f"| crawl | ms a page | core-days | price | in TB | out TB | MB/s a core |{wide}")
    print("|---" * (7 + len(CORES)) + "|")
    for plan in PLANS:
        seconds = cost.of(plan.size)
        days = plan.pages * seconds / 86_400
        cells = [plan.name, f"{1e3 * seconds:.1f}", f"{days:,.1f}", f"{days * 24 * price:,.0f}"]
        cells += [f"{plan.pages * plan.packed / 1e12:,.1f}", f"{plan.pages * text / 1e9:,.2f}"]
        cells += [f"{plan.packed / seconds / 1e6:.1f}", *(_span(days / n) for n in CORES)]
        print("|", " | ".join(cells), "|")
    print()
    for plan in PLANS:
        hours = plan.pages * cost.of(plan.size) / 3600
        tasks = max(round(hours / HOURS), 1)
        print(f"{plan.name}: array of {tasks:,} elements of {HOURS:g} core-hours, "
              f"{plan.pages / tasks:,.0f} pages each", end="")  # fmt: skip
        if plan.files:
            print(f", {plan.files / tasks:.1f} of {plan.files:,} files "
                  f"({60 * hours / plan.files:.1f} core-minutes a file)", end="")  # fmt: skip
        print()


def _span(days: float) -> str:
    if days >= 1:
        return f"{days:,.1f} d"
    return f"{24 * days:.1f} h" if 24 * days >= 1 else f"{1440 * days:.0f} min"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", nargs="+", metavar="IN")
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--page", type=float, help="processor ms of a page")
    parser.add_argument("--megabyte", type=float, help="processor ms of a megabyte of markup")
    parser.add_argument("--text", type=float, default=4.0, help="KB of output a page")
    parser.add_argument("--price", type=float, default=0.04, help="of a core-hour")
    arguments = parser.parse_args()
    if arguments.measure:
        cost = measure(arguments.measure, arguments.records)
    elif arguments.page is None or arguments.megabyte is None:
        parser.error("give --measure, or both --page and --megabyte")
    else:
        cost = Cost(arguments.page, arguments.megabyte)
    print_plans(cost, arguments.text, arguments.price)


if __name__ == "__main__":
    main()
