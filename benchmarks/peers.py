"""Victor and other systems on the same pages in one run: scores of words.

    python benchmarks/peers.py CORPUS... [--node-modules DIR] [--keep DIR] [-o FILE.md]

CORPUS is an annotated corpus (`victor align`). Each system runs in a child process of its own; a
page that raises, kills its child or takes longer than the limit counts as empty output and is
counted. Systems that are not installed are named with the reason: `benchmarks/peers/README.md`
says how to install them and how each is called and scored. `benchmarks/speed.py` takes times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from peers import report
from peers.pages import Page, fingerprint, read_pages
from peers.processes import MissingError
from peers.runs import Run, extract, keep_run, kept_run
from peers.scores import score
from peers.systems import NAMES, System, systems


def main(argv: Sequence[str] | None = None) -> None:
    """Run what is asked and write the tables."""
    arguments = _arguments(argv)
    parts = []
    for path in arguments.corpora:
        pages, corpus = read_pages(path, arguments.limit), path.resolve().name
        folder = arguments.keep / corpus if arguments.keep else None
        runs, missing = _runs(arguments, pages, folder)
        parts.append(report.accuracy(corpus, pages, score(corpus, pages, runs), runs, missing))
    text = "\n".join(parts)
    if arguments.output is None:
        print(text)
    else:
        arguments.output.write_text(text, encoding="utf-8")


def _runs(
    arguments: argparse.Namespace, pages: Sequence[Page], folder: Path | None
) -> tuple[dict[str, Run], dict[str, str]]:
    """What the systems made of a corpus by name, and why others did not run."""
    sha256 = fingerprint(pages)

    def one(system: System) -> Run | str:
        run = kept_run(folder, system.name, sha256)
        if run is not None:
            return run
        started = time.monotonic()
        run = _extract(system, pages, arguments.seconds)
        if isinstance(run, Run):
            keep_run(folder, system.name, sha256, run)
            seconds, n_failed = time.monotonic() - started, len(run.failures)
            print(f"{system.name}: {seconds:.0f} s, {n_failed} failed", file=sys.stderr)
        return run

    chosen = systems(arguments.only, arguments.node_modules)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = dict(zip(arguments.only, pool.map(one, chosen), strict=True))
    runs = {name: run for name, run in outcomes.items() if isinstance(run, Run)}
    return runs, {name: reason for name, reason in outcomes.items() if isinstance(reason, str)}


def _extract(system: System, pages: Sequence[Page], seconds: float) -> Run | str:
    """What a system made of the pages, or why it did not run."""
    if system.name == "justext-language" and {page.language for page in pages} <= {"en", None}:
        return "the same as justext-english: every page is English"
    try:
        return extract(system, pages, seconds)
    except MissingError as error:
        return str(error)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpora", nargs="+", type=Path, metavar="CORPUS")
    add("--only", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--limit", type=int, metavar="N", help="first pages of each corpus only")
    add("--seconds", type=float, default=20.0, help="limit of one page")
    add("--jobs", type=int, default=1, help="systems that extract at once")
    add("--keep", type=Path, metavar="DIR",
        help="keep the texts, and take those that are kept of the same pages")  # fmt: skip
    add("-o", "--output", type=Path, metavar="FILE.md")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
