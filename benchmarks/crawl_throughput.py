"""Throughput of `victor crawl` with one and with two workers, and where the time goes.

    python benchmarks/crawl_throughput.py IN... [--jobs 1 2] [--rounds 3]

Runs are interleaved, so that what else the machine does touches both alike. On a machine that is
not idle the wall clock says little; then the processor seconds per record do: a worker's (do they
grow with a second one), and those of the parent, which reads, sends and writes. With c cores, n
workers of w processor seconds per record and a parent of p, the machine can give
min(n / w, c / (w + p)) records per second.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

PROGRAM = "from victor.cli import main; main()"


class Run(NamedTuple):
    """Records per wall clock second; processor seconds per record of workers and of the parent."""

    speed: float
    worker: float
    parent: float


def run(inputs: list[str], jobs: int) -> Run:
    """One run, with nothing kept."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        command = [sys.executable, "-P", "-c", PROGRAM, "crawl", *inputs, "-o", out, "-j", jobs]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(list(map(str, command)), stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        timing = json.loads((out / "timing.json").read_text())
    records = timing["records"]
    parent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    worker = timing["processor seconds of workers"]
    return Run(records / timing["seconds"], worker / records, parent / records)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    runs_by_jobs: dict[int, list[Run]] = {jobs: [] for jobs in arguments.jobs}
    for _ in range(arguments.rounds):
        for jobs, runs in runs_by_jobs.items():
            load = os.getloadavg()[0]
            runs.append(run(arguments.inputs, jobs))
            speed, worker, parent = runs[-1]
            print(f"{jobs} jobs: {speed:6.1f} records/s; processor ms per record: worker "
                  f"{1e3 * worker:.2f}, parent {1e3 * parent:.2f}; load {load:.1f}",
                  flush=True)  # fmt: skip
    cores = os.cpu_count() or 1
    middle = {
        jobs: Run(*map(median, zip(*runs, strict=True))) for jobs, runs in runs_by_jobs.items()
    }
    first = middle[arguments.jobs[0]]
    for jobs, (speed, worker, parent) in middle.items():
        possible = min(jobs / worker, cores / (worker + parent))
        base = min(arguments.jobs[0] / first.worker, cores / (first.worker + first.parent))
        print(f"{jobs} jobs: {speed / first.speed:.2f} x by the clock, {possible / base:.2f} x by "
              f"processor seconds ({possible:.1f} records/s on {cores} cores)")  # fmt: skip


if __name__ == "__main__":
    main()
