"""What two passes cost: `victor crawl --sites` in crawls of one pass, and memory for many hosts.

    python benchmarks/site_crawl.py WARC... [--rounds 5]
    python benchmarks/site_crawl.py --pages 1000000 --hosts 100000 [--blocks 120]

The first runs both crawls in turn on one core and prints processor time and wall clock as ratios,
the median of the rounds and in brackets the least and the largest. The second writes sightings of
pages that nobody has, of hosts whose sizes fall off as those of the web do, counts them, and looks
every hundredth page up again, as workers do; it prints seconds and the largest resident set, in
which the pages of mapped files count that the system has kept in memory anyway.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from victor.sites.counts import SIGHTS, SiteCounts, count_sites
from victor.sites.sightings import HEAD, ROW

PART = 1_000
"""Pages of a file, as a crawl writes them."""
LIMIT = 2_000_000_000
"""Bytes of data, as `--memory` has it."""


def crawled(names: list[str], *options: str) -> tuple[float, float]:
    """Processor seconds of workers and parent, and seconds on the wall."""
    with TemporaryDirectory() as folder:
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [sys.executable, "-m", "victor", "crawl", *names, "-o", f"{folder}/out"]
        subprocess.run([*command, *options], check=True, stderr=subprocess.DEVNULL)
        after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - started
        timing = json.loads(Path(folder, "out/timing.json").read_text())
    parent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return parent + timing["processor seconds of workers"], seconds


def compare(names: list[str], rounds: int) -> None:
    """Print the ratios of both crawls."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ratios = []
    for _ in range(rounds):
        one, two = crawled(names), crawled(names, "--sites")
        ratios.append([two[0] / one[0], two[1] / one[1]])
    for name, values in zip(("processor", "wall"), zip(*ratios, strict=True), strict=True):
        print(f"{name} x {median(values):.2f} ({min(values):.2f}-{max(values):.2f})")


def simulated(folder: Path, n_pages: int, n_hosts: int, mean_blocks: int) -> list[np.uint64]:
    """Write sightings, half of whose texts and most of whose paths are of their host; some keys."""
    random = np.random.default_rng(0)
    share = 1 / np.arange(1, n_hosts + 1) ** 0.6
    hosts = random.choice(n_hosts, n_pages, p=share / share.sum()).astype(np.uint64)
    keys = []
    for part, first in enumerate(range(0, n_pages, PART)):
        with (folder / f"part-{part:05d}{SIGHTS}").open("wb") as file:
            for page in range(first, min(first + PART, n_pages)):
                n_blocks = int(random.geometric(1 / mean_blocks))
                rows = np.empty(n_blocks, dtype=ROW)
                rows["text"] = random.integers(1, 1 << 62, n_blocks)
                rows["text"][::2] = hosts[page] << np.uint64(20) | np.uint64(1)
                rows["text"][::2] += random.integers(0, 200, len(rows[::2])).astype(np.uint64)
                rows["path"] = random.integers(0, 60, n_blocks)
                rows["words"] = random.integers(0, 40, n_blocks)
                key = int(random.integers(1, 1 << 62))
                head = np.array((key, hosts[page] + 1, key, key + 1, n_blocks), dtype=HEAD)
                file.write(head.tobytes() + rows.tobytes())
                file.write(random.dirichlet((1, 1, 1), n_blocks).tobytes())
                if page % 100 == 0:
                    keys.append(np.uint64(key))
    return keys


def simulate(n_pages: int, n_hosts: int, mean_blocks: int) -> None:
    """Print what counting so many pages takes, within the limit of a crawl."""
    with TemporaryDirectory() as name:
        keys = simulated(Path(name), n_pages, n_hosts, mean_blocks)
        size = sum(file.stat().st_size for file in Path(name).iterdir())
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
        started = time.monotonic()
        totals = count_sites(Path(name))
        seconds = time.monotonic() - started
        counts = SiteCounts(Path(name))
        assert all(counts.sighted(key) is not None for key in keys), "every page is found again"
        status = Path("/proc/self/status").read_text()
    data = next(line for line in status.splitlines() if line.startswith("VmData"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{totals}; {size / 1e9:.1f} GB of sightings, counted in {seconds:.0f} s")
    print(f"largest resident set {peak:,.0f} MB, of it data {' '.join(data.split()[1:])}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warcs", nargs="*", metavar="WARC")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--blocks", type=int, default=120)
    given = parser.parse_args()
    if given.warcs:
        compare(given.warcs, given.rounds)
    else:
        simulate(given.pages, given.hosts, given.blocks)


if __name__ == "__main__":
    main()
