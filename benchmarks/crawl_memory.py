"""Resident memory of a worker and of the parent over many pages.

    python benchmarks/crawl_memory.py CORPUS_HTML_DIR [--pages 50000] [--recycle 1000000] [--rows]

The pages of a folder are repeated, as records of one packed WARC, until there are enough; with
--rows as rows of one JSONL file, which the parent reads. By default the worker is never replaced.
Every few seconds the resident set of both is read from /proc.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

from victor.crawl.documents.crawl_spec import CrawlSpec
from victor.crawl.run.counts import Totals
from victor.crawl.run.pieces import Piece
from victor.crawl.run.run import Job, crawl
from victor.sources import expand

_SHOWN = 20
"""Lines."""


def resident(pid: int) -> float:
    """Resident set of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e6


def worker() -> int | None:
    """The process that the server of this one forked; None while it is being replaced."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            status = (folder / "stat").read_text().rpartition(")")[2]
            parents[int(folder.name)] = int(status.split()[1])
    forked = (pid for pid, above in parents.items() if parents.get(above) == os.getpid())
    return next(forked, None)


def row(number: int, page: bytes) -> bytes:
    """A page as a row of JSONL."""
    html = page.decode("utf-8", "replace")
    return (json.dumps({"url": f"https://{number}.example/", "html": html}) + "\n").encode()


def record(number: int, page: bytes) -> bytes:
    """A page as a packed record of a WARC."""
    head = (
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n"
        f"WARC-Record-ID: <urn:page:{number}>\r\nWARC-Target-URI: https://{number}.example/\r\n"
        f"Content-Length: {len(page)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + page + b"\r\n\r\n", 1, mtime=0)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--recycle", type=int, default=1_000_000)
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    files = sorted(arguments.directory.glob("*.html"))
    shown = 0

    def watch(totals: Totals, _: Piece) -> None:
        nonlocal shown
        if totals.read * _SHOWN >= shown * arguments.pages:
            shown += 1
            held = f"{resident(pid):6.1f} MB" if (pid := worker()) else "replaced"
            print(f"{totals.read:7,} pages: worker {pid} {held}, parent "
                  f"{resident(os.getpid()):6.1f} MB", flush=True)  # fmt: skip

    with tempfile.TemporaryDirectory() as scratch:
        stored = Path(scratch) / ("pages.jsonl" if arguments.rows else "pages.warc.gz")
        form = row if arguments.rows else record
        with stored.open("wb") as file:
            for number, path in enumerate(islice(cycle(files), arguments.pages)):
                file.write(form(number, path.read_bytes()))
        job = Job(
            expand([str(stored)]), Path(scratch) / "out", CrawlSpec(), recycle=arguments.recycle
        )
        totals = crawl(job, watch)
        print((Path(scratch) / "out" / "timing.json").read_text())
    print(totals.to_json())


if __name__ == "__main__":
    main()
