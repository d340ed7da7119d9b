"""Hostile inputs through every labeler and every form of Victor, and through other systems.

    python benchmarks/zoo.py [--jobs 2] [--scale 0.1] [--groups tables xml] [--systems default]
    python benchmarks/zoo.py --systems default trafilatura resiliparse justext readability-lxml

The inputs are those of ``tests/hostile/zoo``, made by code; at scale 1 they have up to 20 MB, three
105 MB. Every input meets every system in a process of its own. A step (cleaning, or one form) that
takes more processor time than ``--seconds`` hangs, one that takes more than ``--gigabytes`` is
ended for its memory. `hostile.zoo.judge` says what the outcomes are. The peers get the bytes of the
page and are asked for their text; the versions of all that ran stand below the table.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile.zoo import ALL, GROUPS
from hostile.zoo.inputs import Input
from hostile.zoo.systems import SYSTEMS
from zoo import report
from zoo.children import Bounds, Row, rows_of
from zoo.peers import PEERS, missing, warm


def main(argv: Sequence[str] | None = None) -> None:
    """Run what is asked and print the table."""
    arguments = _arguments(argv)
    systems = []
    for name in arguments.systems:
        if reason := missing(name):
            print(f"{name} is left out: {reason}", file=sys.stderr)
        else:
            systems.append(name)
    rows = _measured(arguments, systems)
    print(report.table(rows, systems))
    print(report.failures(rows))
    sys.exit(any(row.finding.failed for row in rows if row.system in SYSTEMS))


def _measured(arguments: argparse.Namespace, systems: Sequence[str]) -> list[Row]:
    """Rows of a run, which are written as they come: a long one is worth something if stopped."""
    rows: list[Row] = []
    target = arguments.tsv
    with nullcontext() if target is None else target.open("w", encoding="utf-8") as file:
        for done in _run(arguments, _chosen(arguments), systems):
            rows += done
            if file is not None:
                file.writelines(report.tsv(done, head=rows == done))
                file.flush()
    return rows


def _chosen(arguments: argparse.Namespace) -> list[Input]:
    names = set(arguments.groups)
    chosen = [entry for entry in ALL.values() if entry.group in names]
    if arguments.inputs:
        chosen = [entry for entry in chosen if entry.name in arguments.inputs]
    return chosen[:: arguments.every]


def _run(
    arguments: argparse.Namespace, entries: Sequence[Input], systems: Sequence[str]
) -> Iterator[list[Row]]:
    """Rows of every input, in order."""
    bounds = Bounds(arguments.seconds, int(arguments.gigabytes * 2**30))
    one = partial(_rows, scale=arguments.scale, systems=systems, bounds=bounds)
    names = [entry.name for entry in entries]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(arguments.jobs, context, warm, (systems,)) as pool:
        for number, rows in enumerate(pool.map(one, names), 1):
            bad = [f"{row.system} {row.step} {row.finding.outcome}" for row in rows
                   if row.finding.failed]  # fmt: skip
            print(f"{number}/{len(names)} {names[number - 1]} {'; '.join(bad)}", file=sys.stderr)
            yield rows


def _rows(name: str, scale: float, systems: Sequence[str], bounds: Bounds) -> list[Row]:
    """All rows of one input."""
    entry = ALL[name]
    data = entry.make(scale)
    return [row for system in systems for row in rows_of(system, entry, data, scale >= 1, bounds)]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    groups = [group.name for group in GROUPS]
    everything = [*SYSTEMS, *PEERS]
    add("--groups", nargs="+", choices=groups, default=groups, metavar="GROUP",
        help=f"of {', '.join(groups)}")  # fmt: skip
    add("--inputs", nargs="+", choices=[*ALL], default=[], metavar="NAME", help="only these")
    add("--every", type=int, default=1, metavar="N", help="only every Nth input")
    add("--systems", nargs="+", choices=everything, default=everything, metavar="SYSTEM",
        help=f"of {', '.join(everything)}")  # fmt: skip
    add("--scale", type=float, default=1, help="of what inputs repeat; 1 is full size")
    add("--seconds", type=int, default=60, help="of processor time that a step may take")
    add("--gigabytes", type=float, default=6, help="of memory that a process may take")
    add("--jobs", type=int, default=1, help="inputs that run at once")
    add("--tsv", type=Path, metavar="FILE", help="write a row for every step")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
