"""What crawls cost: processor time a record of `victor crawl` and of its peers, and plans from it.

    python benchmarks/crawl_scale.py WARC... [--records 50000] [--jobs 1 2] [--rounds 3] [--peers]
        [--fit]
    python benchmarks/crawl_scale.py --page MS --megabyte MS [--text KB] [--price 0.04]

The first runs a crawl of WARC files in turn with loops of fastwarc and resiliparse and, with
--peers, with pipelines of datatrove whose texts are made by Victor, resiliparse and trafilatura.
Files are linked again and again until there are so many --records; peers read each file once.
Processor time says the same on a machine that does other things, too; the wall clock, which says
how --jobs scale, does not. --fit prints milliseconds = page + megabyte x size, from which the
second makes plans; --text is what a page gives on average in KB of
compressed output. The loops need fastwarc and resiliparse; a pipeline that lacks a package is left
out and named.
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

import numpy as np

GROUPS: Final = 8
CORES: Final = (10, 64, 500, 2000)
HOURS: Final = 4.0
"""Core-hours of one element of an array job: short enough to lose, long enough to start for."""
LOOP: Final = "fastwarc and resiliparse, text only"


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
"""299 KB (48 compressed) is the mean of wcxb-dev, 164 (30) of crawls."""


class Cost(NamedTuple):
    """Processor milliseconds of a page whatever its size, and of a megabyte of markup."""

    page: float
    megabyte: float

    def of(self, size: float) -> float:
        """Processor seconds of a page of so many bytes."""
        return (self.page + self.megabyte * size / 1e6) / 1e3


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


def fit(names: Sequence[str]) -> None:
    """Print what a page and a megabyte cost in one process, from groups of records of like size."""
    from victor.crawl.making import batches
    from victor.documents.process import CrawlSpec
    from victor.sources.inputs import ReadOptions, expand
    from victor.sources.reading import read
    from victor.sources.record import Record

    items = (item for source in expand(names) for item in read(source, ReadOptions()))
    records = sorted((item for item in items if isinstance(item, Record)), key=_size)
    process = CrawlSpec().load()
    process(records[:5])  # what is loaded late
    sizes, seconds = [], []
    for group in np.array_split(np.arange(len(records)), GROUPS):
        chosen = records[group[0] : group[-1] + 1]
        cut = batches(iter(chosen))
        began = time.process_time()
        for _, batch in cut:
            process(batch)
        seconds.append((time.process_time() - began) / len(chosen))
        sizes.append(sum(map(_size, chosen)) / len(chosen))
    # Relative errors count: large pages would else decide alone.
    slope, start = np.polyfit(sizes, seconds, 1, w=1 / np.asarray(seconds))
    print(f"--page {1e3 * start:.2f} --megabyte {1e9 * slope:.1f}")


def _size(record: Any) -> int:
    return len(record.body)


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
    LOOP: resiliparse_loop,
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
    """What a crawl cost: milliseconds of workers and of the parent a record, records a second."""

    worker: float
    parent: float
    rate: float
    records: int


def crawled(source: Path, form: str, jobs: int, start: float) -> Crawl:
    """Run `victor crawl` on inputs; `start` is what the parent takes for nothing, in seconds."""
    with TemporaryDirectory() as folder:
        command = ["crawl", str(source), "-o", folder, "-f", form, "-j", str(jobs)]
        spent = _spent([sys.executable, "-m", "victor", *command])
        timing = json.loads((Path(folder) / "timing.json").read_text())
    n_records = timing["records"]
    worker = 1e3 * timing["processor seconds of workers"] / n_records
    return Crawl(
        worker, 1e3 * (spent - start) / n_records, n_records / timing["seconds"], n_records
    )


def _spent(command: Sequence[str]) -> float:
    """Processor seconds of a process without those of the processes that outlive it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with status {status}; run it by itself")
    return usage.ru_utime + usage.ru_stime


def _of_child(name: str, names: Sequence[str]) -> float | None:
    """Milliseconds a record; None where a package is missing, which is told."""
    command = [sys.executable, __file__, "--child", name, *names]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        print(f"left out: {name}: {result.stderr.splitlines()[-1]}", file=sys.stderr)
        return None
    return float(result.stdout.splitlines()[-1])


def compare(names: Sequence[str], given: argparse.Namespace) -> None:
    """Run all in turn and print tables."""
    with TemporaryDirectory() as temporary:
        source, page = Path(temporary) / "warcs", Path(temporary) / "page.html"
        page.write_text("<p>Bees make wax.")
        _link(names, source, given.records)
        systems = [*CHILDREN] + [f"datatrove, {name}" for name in PIPELINES if given.peers]
        rows: dict[str, list[float]] = {}
        crawls: dict[int, list[Crawl]] = {jobs: [] for jobs in given.jobs}
        for _ in range(given.rounds):
            start = crawled(page, given.format, 1, 0).parent / 1e3
            rows.setdefault("start of the parent, once", []).append(1e3 * start)
            for jobs, done in crawls.items():
                # Links are followed where they are named, as by a pattern.
                done.append(crawled(source / "*", given.format, jobs, start))
            spent = {system: _of_child(system, names) for system in systems}
            systems = [system for system, value in spent.items() if value is not None]
            for system in systems:
                rows.setdefault(system, []).append(spent[system])
    if given.fit:
        fit(names)
    for jobs, done in crawls.items():
        rows[f"worker of {jobs}"] = [crawl.worker for crawl in done]
        rows[f"parent of {jobs}"] = [crawl.parent for crawl in done]
    _print_tables(rows, crawls)


def _link(names: Sequence[str], folder: Path, n_records: int) -> None:
    """Link files into a folder until they have so many records."""
    folder.mkdir()
    left, number = n_records, 0
    counts = {name: reading([name]) for name in names}
    while number < len(names) or left > 0:
        name = names[number % len(names)]
        (folder / f"{number:05}.warc.gz").symlink_to(Path(name).resolve())
        left -= counts[name]
        number += 1


def _print_tables(rows: dict[str, list[float]], crawls: dict[int, list[Crawl]]) -> None:
    loop = rows[LOOP]
    print("| | ms CPU a record (of all rounds) | x loop |\n|---|---|---|")
    for name, values in rows.items():
        ratio = median(value / other for value, other in zip(values, loop, strict=True))
        print(f"| {name} | {median(values):.2f} ({min(values):.2f}-{max(values):.2f}) "
              f"| {ratio:.2f} |")  # fmt: skip
    print("\n| jobs | records | records a second |\n|---|---|---|")
    for jobs, done in crawls.items():
        print(f"| {jobs} | {done[0].records:,} | {median(crawl.rate for crawl in done):.0f} |")


def print_plans(cost: Cost, text: float, price: float) -> None:
    """Plans as tables."""
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
    parser.add_argument("warcs", nargs="*", metavar="WARC")
    parser.add_argument("--records", type=int, default=0, help="at least so many for the crawl")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", default="parquet")
    parser.add_argument("--peers", action="store_true", help="pipelines of datatrove, too")
    parser.add_argument("--fit", action="store_true", help="what a page and a megabyte cost")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--page", type=float, help="processor ms of a page")
    parser.add_argument("--megabyte", type=float, help="processor ms of a megabyte of markup")
    parser.add_argument("--text", type=float, default=4.0, help="KB of output a page")
    parser.add_argument("--price", type=float, default=0.04, help="of a core-hour")
    given = parser.parse_args()
    if given.child:
        child(given.child, given.warcs)
    elif given.warcs:
        compare(given.warcs, given)
    elif given.page is None or given.megabyte is None:
        parser.error("name WARC files, or give both --page and --megabyte")
    else:
        print_plans(Cost(given.page, given.megabyte), given.text, given.price)


if __name__ == "__main__":
    main()
