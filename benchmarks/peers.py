"""Victor and other systems on the same pages in one run: accuracy and speed.

    python benchmarks/peers.py CORPUS... [--node-modules DIR] [--save DIR] [-o FILE.md]
    python benchmarks/peers.py CORPUS... --from DIR [-o FILE.md]

CORPUS is an annotated corpus (`victor align`). Each system runs in a child process of its own; a
page that raises, kills its child or takes longer than the limit counts as empty output and is
counted. Systems that are not installed are named with the reason: `benchmarks/peers/README.md`
says how to install them and how each is called and scored.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from peers import report, store
from peers.pages import Page, fingerprint, read_pages
from peers.processes import MissingError
from peers.runs import Run, extract, time_in_turns
from peers.scores import CROSS_VALIDATED, score
from peers.systems import BATCHED, NAMES, REFERENCE, VICTOR, System, systems

SPEED_PAGES = 150


def main(argv: Sequence[str] | None = None) -> None:
    """Run what is asked and write the tables."""
    arguments = _arguments(argv)
    corpora = {path.resolve().name: read_pages(path, arguments.limit) for path in arguments.corpora}
    if arguments.source is not None:
        _write(arguments, _tables(arguments, corpora, arguments.source))
        return
    with TemporaryDirectory() as scratch:
        folder = arguments.save or Path(scratch)
        if not arguments.speed_only:
            for name, pages in corpora.items():
                _extract_all(arguments, pages, folder / name)
        if not arguments.accuracy_only:
            _time_all(arguments, [page for pages in corpora.values() for page in pages], folder)
        _write(arguments, _tables(arguments, corpora, folder))


def _extract_all(arguments: argparse.Namespace, pages: Sequence[Page], folder: Path) -> None:
    """Texts of one corpus from every system, kept as soon as a system is through."""
    store.save_about(
        folder, sha256=fingerprint(pages), pages=len(pages), machine=store.machine(),
        date=store.today(),
    )  # fmt: skip
    lock = Lock()

    def one(system: System) -> None:
        started = time.monotonic()
        outcome = _extract(system, pages, arguments.seconds)
        with lock:
            if isinstance(outcome, Run):
                store.save_run(folder, system.name, outcome)
            else:
                store.save_missing(folder, system.name, outcome)
        result = f"{len(outcome.failures)} failed" if isinstance(outcome, Run) else outcome
        print(
            f"{folder.name} {system.name}: {time.monotonic() - started:.0f} s, {result}",
            file=sys.stderr,
        )

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(one, systems(arguments.only, arguments.node_modules)))


def _extract(system: System, pages: Sequence[Page], seconds: float) -> Run | str:
    """What a system made of the pages, or why it did not run."""
    if reason := _pointless(system, pages):
        return reason
    try:
        return extract(system, pages, seconds)
    except MissingError as error:
        return str(error)


def _pointless(system: System, pages: Sequence[Page]) -> str:
    """Why a system need not run, if so."""
    if system.name == "justext-language" and {page.language for page in pages} <= {"en", None}:
        return "the same as justext-english: every page is English"
    return ""


def _time_all(arguments: argparse.Namespace, pages: Sequence[Page], folder: Path) -> None:
    """Times on a sample of the pages; those nothing can be parsed from would make lxml raise."""
    sample = random.Random(1).sample(list(pages), min(arguments.speed_pages, len(pages)))
    sample = [page for page in sample if page.html.strip()]
    names = [*arguments.only, *([BATCHED] if VICTOR in arguments.only else [])]
    chosen = systems([REFERENCE, *names], arguments.node_modules, timed=True)
    times, missing = time_in_turns(chosen, sample, arguments.rounds, arguments.seconds)
    about = {
        "pages": len(sample), "bytes": sum(len(page.html) for page in sample),
        "sha256": fingerprint(sample), "rounds": arguments.rounds,
        "machine": store.machine(), "date": store.today(),
    }  # fmt: skip
    store.save_speed(folder, times, missing, about)


def _tables(
    arguments: argparse.Namespace, corpora: dict[str, list[Page]], folder: Path
) -> list[str]:
    """Markdown of everything that was run."""
    parts = []
    for name, pages in corpora.items():
        about, runs = store.read_about(folder / name), store.read_runs(folder / name)
        if about.get("sha256", fingerprint(pages)) != fingerprint(pages):
            raise SystemExit(
                f"the texts in {folder / name} are of other pages than {name} has now: "
                "extract them again, or give the same --limit"
            )
        if arguments.victor_cv is not None:
            runs[CROSS_VALIDATED] = _cross_validated(arguments.victor_cv)
        if runs and not arguments.speed_only:
            known = store.read_rouge(folder / name)
            scores = score(name, pages, runs, known)
            store.save_rouge(folder / name, known)
            parts.append(report.accuracy(name, pages, scores, runs, about))
    speed = store.read_speed(folder)
    if speed is not None and not arguments.accuracy_only:
        parts.append(report.speed(*speed))
    return parts


def _cross_validated(path: Path) -> Run:
    return Run(json.loads(path.read_text(encoding="utf-8")), {}, {})


def _write(arguments: argparse.Namespace, parts: Sequence[str]) -> None:
    text = "\n".join(parts)
    if arguments.output is None:
        print(text)
    else:
        arguments.output.write_text(text, encoding="utf-8")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpora", nargs="+", type=Path, metavar="CORPUS")
    add("--only", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--victor-cv", type=Path, metavar="FILE",
        help="texts of victor by page identifier (JSON), made by cross-validation")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--accuracy-only", action="store_true")
    add("--speed-only", action="store_true")
    add("--limit", type=int, metavar="N", help="first pages of each corpus only")
    add("--speed-pages", type=int, default=SPEED_PAGES, metavar="N")
    add("--rounds", type=int, default=3, help="of timing; the median of each page counts")
    add("--seconds", type=float, default=20.0, help="limit of one page")
    add("--jobs", type=int, default=1, help="systems that extract at once")
    add("--save", type=Path, metavar="DIR", help="keep texts and times")
    add("--from", dest="source", type=Path, metavar="DIR", help="tables of kept texts and times")
    add("-o", "--output", type=Path, metavar="FILE.md")
    arguments = parser.parse_args(argv)
    if arguments.victor_cv is not None and len(arguments.corpora) > 1:
        parser.error("--victor-cv holds the pages of one corpus: name one corpus")
    return arguments


if __name__ == "__main__":
    main()
