"""CPU time of cleaning in bare lxml parses: kinds of pages, forms, labelers, peers.

    python benchmarks/speed.py PAGES [--pages 200] [--rounds 5] [--table NAME ...]
                               [--quick]

PAGES is a folder of HTML files. Tables are `batch` (the pages in batches), `stripped` (without
scripts, styles, drawings and comments, in batches), `single` (one by one), `small` (25 pages of 5
to 20 kB, one by one), `small-batch` (up to 200 such, in batches), `large` (above 700 kB),
`forms`, `labelers`, and `start`: whole processes that do one thing, for a page of 5 to 20 kB, by
the time that the system counts for them. In a table the alternatives take turns group by group, the
order rotating, so that all of them see the same machine; one pinned core, process time, garbage
collector off. What counts are the ratios to the bare parse of the same run: the median of the
rounds, and in brackets the least and the largest. Peers that are not installed are left out, and
with --quick those that take ten parses and more.

Each tree is freed before the next is parsed. A list of many trees leaves so much small change in
the allocator that whoever asks for memory next pays for it: some 150 ms after 150 pages.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lxml import etree

TABLES: Final = (
    *("batch", "stripped", "single", "small", "small-batch", "large"),
    *("forms", "labelers", "start"),
)
IN_BATCHES: Final = ("batch", "stripped", "small-batch", "large")
BARE: Final = "bare lxml parse"
PEER: Final = "resiliparse, main content"
FORMS: Final = ("html", "markdown", "article", "json", "records", "cleaneval")
GROUP_BYTES: Final = 8_000_000
SMALL: Final = (5_000, 20_000)
LARGE: Final = 700_000
NO_TEXT: Final = re.compile(
    rb"<(script|style|noscript|template|svg)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL
)

IMPORTS: Final = "import lxml.etree, numpy"
NO_CACHE: Final = "PYTHONDONTWRITEBYTECODE"
"""Set, it has every process compile our modules anew, as those of no installed package are."""
RESILIPARSE: Final = (
    "import sys; from resiliparse.extract.html2text import extract_plain_text as extract; "
    "print(extract(open(sys.argv[1], encoding='utf-8').read(), main_content=True))"
)

Run = Callable[[Sequence[bytes]], None]


def main() -> None:
    """Measure and print the tables asked for."""
    arguments = _arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(_about())
    for name in arguments.table or TABLES:
        print(f"\n### {name}\n")
        (_print_starts if name == "start" else _print_table)(name, arguments)


def _print_table(name: str, arguments: argparse.Namespace) -> None:
    pages = _pages_of(name, arguments.pages_folder, arguments.pages)
    runs = _runs_of(name, quick=arguments.quick)
    times = _measured(runs, pages, arguments.rounds, one_group=name.startswith("small"))
    print(f"{len(pages)} pages, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average\n")
    print(f"| | ms a page | x bare | x {PEER.split(',')[0]} |\n|---|--:|--:|--:|")
    for run, rounds in times.items():
        ratios = [a / b for a, b in zip(rounds, times[BARE], strict=True)]
        spread = f"({min(ratios):.2f}–{max(ratios):.2f})"
        beside = "" if PEER not in times else f"{_median_ratio(rounds, times[PEER]):.2f}"
        ms = statistics.median(rounds) / len(pages) * 1000
        print(f"| {run} | {ms:.2f} | {statistics.median(ratios):.2f} {spread} | {beside} |")


def _print_starts(name: str, arguments: argparse.Namespace) -> None:
    """Medians of processes that take turns; the first runs of all fill the caches of modules."""
    page = next(
        file
        for file in sorted(arguments.pages_folder.resolve().glob("*.html"))
        if SMALL[0] <= file.stat().st_size <= SMALL[1]
    )
    calls = {IMPORTS: ["-c", "import lxml.etree, numpy"], **_starts(str(page))}
    environment = {key: value for key, value in os.environ.items() if key != NO_CACHE}
    rounds = [
        {call: _process_time(calls[call], page, environment) for call in _rotated([*calls], number)}
        for number in range(3 * arguments.rounds + 1)
    ][1:]
    print(f"| | ms a process | x {IMPORTS} |\n|---|--:|--:|")
    for call in calls:
        times = [times[call] for times in rounds]
        ratio = _median_ratio(times, [times[IMPORTS] for times in rounds])
        print(f"| {call} | {statistics.median(times) * 1000:.0f} | {ratio:.2f} |")


def _starts(page: str) -> dict[str, list[str]]:
    """Arguments of Python by what they do."""
    victor = ["-m", "victor"]
    calls = {
        "victor --version": [*victor, "--version"],
        "victor clean": [*victor, "clean", page],
        "victor clean -f markdown": [*victor, "clean", page, "-f", "markdown"],
        "import victor": ["-c", "import victor"],
    }
    if find_spec("trafilatura"):
        command = "import sys; from trafilatura.cli import main; main()"
        calls["trafilatura's command"] = ["-c", command]  # it reads standard input
    if find_spec("resiliparse"):
        calls["resiliparse, one page"] = ["-c", RESILIPARSE, page]
    return calls


def _process_time(arguments: Sequence[str], page: Path, environment: Mapping[str, str]) -> float:
    """Seconds of processor time of a Python process that finds a page at its standard input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with page.open("rb") as file:
        subprocess.run(
            [sys.executable, *arguments],
            env=environment, stdin=file, stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _median_ratio(rounds: Sequence[float], others: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(rounds, others, strict=True))


# --- What is compared -----------------------------------------------------------------------------


def _runs_of(table: str, *, quick: bool) -> dict[str, Run]:
    """The alternatives of a table by name, the bare parse first."""
    if table == "labelers":
        return {BARE: _parse, **_labelers()}
    if table == "forms":
        forms = {f"victor, {form}": _form(form) for form in FORMS}
        others = {"victor, labels only": _clean_only, "victor": _clean}
        return {BARE: _parse, **others, "victor, text and metadata": _clean_and_describe, **forms}
    clean = _clean if table in IN_BATCHES else _clean_one_by_one
    return {BARE: _parse, "victor": clean, **_peers(quick=quick)}


def _parse(pages: Sequence[bytes]) -> None:
    for page in pages:
        etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))


def _clean(pages: Sequence[bytes]) -> None:
    for result in _cleaner().clean_many(pages):
        assert result.text is not None


def _clean_only(pages: Sequence[bytes]) -> None:
    for result in _cleaner().clean_many(pages):
        assert result.reason


def _clean_and_describe(pages: Sequence[bytes]) -> None:
    """What a row of a crawl holds."""
    for result in _cleaner().clean_many(pages):
        assert result.text is not None
        assert result.metadata is not None


def _clean_one_by_one(pages: Sequence[bytes]) -> None:
    cleaner = _cleaner()
    for page in pages:
        assert cleaner.clean(page).text is not None


def _form(name: str) -> Run:
    def render(pages: Sequence[bytes]) -> None:
        for result in _cleaner().clean_many(pages):
            assert result.render(name) is not None

    return render


_CLEANERS: Final[dict[str, object]] = {}


def _cleaner(labeler: str = "default"):
    """A cleaner by name, made once."""
    if labeler not in _CLEANERS:
        from victor.api import CleanerSpec

        _CLEANERS[labeler] = CleanerSpec.named(labeler).cleaner()
    return _CLEANERS[labeler]


def _labelers() -> dict[str, Run]:
    from victor.labelers.labeler import LABELERS

    def clean(name: str) -> Run:
        def run(pages: Sequence[bytes]) -> None:
            for result in _cleaner(name).clean_many(pages):
                assert result.text is not None

        return run

    return {f"victor, {name}": clean(name) for name in ("default", "crf", *LABELERS)}


def _peers(*, quick: bool) -> dict[str, Run]:
    """Every peer that is installed."""
    peers: dict[str, Run] = {}
    slow = () if quick else (_trafilatura, _justext, _readability)
    for load in (_resiliparse, _selectolax, *slow):
        with suppress(ImportError):
            peers |= load()
    return peers


def _each(extract: Callable[[bytes], object]) -> Run:
    """Pages one by one; a page that a peer fails on costs time all the same."""

    def run(pages: Sequence[bytes]) -> None:
        for page in pages:
            with suppress(Exception):
                extract(page)

    return run


def _resiliparse() -> dict[str, Run]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    def extract(page: bytes) -> str:
        return str(extract_plain_text(HTMLTree.parse_from_bytes(page, "utf-8"), main_content=True))

    parse = _each(lambda page: HTMLTree.parse_from_bytes(page, "utf-8"))
    return {PEER: _each(extract), "resiliparse, parse only": parse}


def _selectolax() -> dict[str, Run]:
    from selectolax.lexbor import LexborHTMLParser

    return {"selectolax, parse only": _each(LexborHTMLParser)}


def _trafilatura() -> dict[str, Run]:
    from trafilatura import extract

    fast = _each(lambda page: extract(page, fast=True))
    return {"trafilatura": _each(extract), "trafilatura, fast": fast}


def _justext() -> dict[str, Run]:
    from justext import get_stoplist, justext

    stop_words = get_stoplist("English")
    return {"jusText": _each(lambda page: justext(page, stop_words))}


def _readability() -> dict[str, Run]:
    import logging

    from readability import Document

    logging.getLogger("readability").setLevel(logging.CRITICAL)
    return {"readability-lxml": _each(lambda page: Document(page).summary())}


# --- Measuring ------------------------------------------------------------------------------------


def _measured(
    runs: Mapping[str, Run], pages: Sequence[bytes], rounds: int, *, one_group: bool
) -> dict[str, list[float]]:
    """Seconds of process time by alternative and round."""
    groups = [pages] if one_group else [*_groups(pages)]
    times = {name: [0.0] * rounds for name in runs}
    for run in runs.values():  # modules load, caches fill
        run(pages[:8])
    gc.disable()
    for number in range(rounds):
        for turn, group in enumerate(groups):
            for name in _rotated([*runs], number + turn):
                started = time.process_time()
                runs[name](group)
                times[name][number] += time.process_time() - started
        gc.collect()
    gc.enable()
    return times


def _groups(pages: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Pages in order, about as many bytes at a time as a batch has."""
    group: list[bytes] = []
    for page in pages:
        group.append(page)
        if sum(map(len, group)) >= GROUP_BYTES:
            yield group
            group = []
    if group:
        yield group


def _rotated(names: list[str], shift: int) -> list[str]:
    shift %= len(names)
    return names[shift:] + names[:shift]


def _pages_of(table: str, folder: Path, count: int) -> list[bytes]:
    """Pages of the size that a table is about, always the same ones."""
    files = sorted(folder.glob("*.html"))
    random.Random(1).shuffle(files)
    if table.startswith("small"):
        files = [file for file in files if SMALL[0] <= file.stat().st_size <= SMALL[1]]
        count = min(count, 25 if table == "small" else 200)
    elif table == "large":
        files = [file for file in files if file.stat().st_size > LARGE][:24]
    # Pages that nothing can be parsed from would make the bare parse raise.
    pages = [page for page in (file.read_bytes() for file in files[:count]) if page.strip()]
    return [NO_TEXT.sub(b"", page) for page in pages] if table == "stripped" else pages


def _about() -> str:
    versions = []
    names = ("lxml", "numpy", "resiliparse", "selectolax", "trafilatura", "justext")
    for name in (*names, "readability-lxml"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return f"Python {platform.python_version()}, {platform.machine()}, {', '.join(versions)}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages_folder", type=Path, metavar="PAGES")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--table", choices=TABLES, action="append", help="repeat for several")
    parser.add_argument("--quick", action="store_true", help="leave out slow peers")
    return parser.parse_args()


if __name__ == "__main__":
    main()
