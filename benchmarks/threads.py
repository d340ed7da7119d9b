"""Threads and forks: what they gain, what they wait for, whether any hangs.

    python benchmarks/threads.py [FOLDER] [--pages 200] [--threads 8] [--rounds 3] [--forks 200]

FOLDER holds pages as `*.html` files; without one, our annotated pages are taken. The table has the
throughput of `clean(...).markdown` in several threads over that in one, whether all of them gave
the same texts, how long a small page takes beside a large one over what it takes alone (median and
mean, for pages of several sizes), and how many of the children forked while threads clean did not
finish within a minute. The exit code is 1 if a text differs or a child hangs.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import victor

ANNOTATED = Path(__file__).parents[1] / "annotations/pages"
SMALL = b"<title>Bees</title><p>Bees live in colonies, of which each has one queen.</p>" * 3
LARGE_ITEMS = (200, 2_000, 20_000)
"""How many headings with paragraphs the large pages have."""
SECONDS_OF_CHILD = 60
CLEANING_THREADS = 3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ANNOTATED)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--forks", type=int, default=200)
    parser.add_argument(
        "--calls", type=int, default=200, help="of a small page beside a large one; 0 for none"
    )
    arguments = parser.parse_args()
    files = sorted(arguments.folder.glob("**/*.html"))
    pages = [file.read_bytes() for file in islice(cycle(files), arguments.pages)]
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(
        f"Python {sys.version.split()[0]}, {'with' if has_gil else 'without'} a lock, "
        f"{os.cpu_count()} cores, {len(pages)} pages"
    )
    n_differ = print_throughput(pages, arguments.threads, arguments.rounds)
    for n_items in LARGE_ITEMS if arguments.calls else ():
        print_latency(large_page(n_items), arguments.calls)
    n_hung = print_forks(pages, arguments.forks)
    sys.exit(bool(n_differ or n_hung))


def markdown(page: bytes) -> str:
    """What all threads compute."""
    return victor.clean(page).markdown


def large_page(n_items: int) -> bytes:
    """A page of so many headings with paragraphs."""
    items = (f"<h2>Hive {n}</h2><p>Bees of hive {n} fly out at dawn.</p>" for n in range(n_items))
    return "".join(items).encode()


def print_throughput(pages: Sequence[bytes], n_threads: int, n_rounds: int) -> int:
    """One thread against several; gives the count of texts that differ."""
    expected = [markdown(page) for page in pages]
    ratios, n_differ = [], 0
    for _ in range(n_rounds):
        seconds = []
        for count in (1, n_threads):
            with ThreadPoolExecutor(count) as pool:
                start = time.perf_counter()
                texts = [*pool.map(markdown, pages)]
                seconds.append(time.perf_counter() - start)
            n_differ += sum(text != right for text, right in zip(texts, expected, strict=True))
        ratios.append(seconds[0] / seconds[1])
    print(
        f"throughput, {n_threads} threads over 1: {statistics.median(ratios):.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f}); texts that differ: {n_differ}"
    )
    return n_differ


def print_latency(large: bytes, n_calls: int) -> None:
    """A small page alone and beside a large one."""
    markdown(SMALL)
    alone = milliseconds(n_calls)
    with cleaning([large], 1):
        beside = milliseconds(n_calls)
    median, mean = statistics.median, statistics.fmean
    print(
        f"small page beside one of {len(large) / 1e3:,.0f} kB: "
        f"median {median(beside):.2f} ms ({median(beside) / median(alone):.1f} x alone), "
        f"mean {mean(beside):.2f} ms ({mean(beside) / mean(alone):.1f} x), "
        f"worst {max(beside):.0f} ms"
    )


def milliseconds(n_calls: int) -> list[float]:
    """How long each of so many calls takes."""
    spent = []
    for _ in range(n_calls):
        start = time.perf_counter()
        markdown(SMALL)
        spent.append((time.perf_counter() - start) * 1e3)
    return spent


@contextmanager
def cleaning(pages: Sequence[bytes], n_threads: int) -> Iterator[None]:
    """Threads that clean these pages over and over, until the block ends."""
    is_over = threading.Event()

    def clean_on() -> None:
        for page in cycle(pages):
            if is_over.is_set():
                return
            markdown(page)

    threads = [threading.Thread(target=clean_on) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def print_forks(pages: Sequence[bytes], n_forks: int) -> int:
    """Fork while threads clean; gives how many children hang."""
    page = pages[0]
    expected = markdown(page)
    with cleaning(pages, CLEANING_THREADS):
        codes = [code_of_child(page, expected) for _ in range(n_forks)]
    n_hung, n_failed = codes.count(None), sum(code not in (0, None) for code in codes)
    print(
        f"forks while {CLEANING_THREADS} threads clean: {n_forks}; "
        f"children that hang: {n_hung}, that fail: {n_failed}"
    )
    return n_hung + n_failed


def code_of_child(page: bytes, expected: str) -> int | None:
    """How a child ends that cleans a page; None if it hangs, and then it tells where."""
    child = os.fork()
    if not child:
        faulthandler.dump_traceback_later(SECONDS_OF_CHILD)
        os._exit(0 if markdown(page) == expected else 2)
    end = time.monotonic() + SECONDS_OF_CHILD + 5
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    main()
