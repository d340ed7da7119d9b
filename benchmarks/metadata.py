"""Title, authors and date of pages: Victor and other systems against hand-checked values.

    python benchmarks/metadata.py CORPUS... [--node-modules DIR] [--only SYSTEM...]
    python benchmarks/metadata.py CORPUS... --errors title|author|date|nobody [--half 0|1]

A CORPUS is a folder with gold.jsonl (fields title, author, publish_date) and html/ID.html. A title
is right when it is the same but for white space, typographic quotes and dashes, and under *words*
when it has the same words in the same order, without case; authors when they are the same set of
words, *and* left out; a date when it is the same day. R is the share of the
gold values that are right, P of those given. Victor's date is that of the publication, else that of
the last change, as the gold knows one date only; the other systems give one anyway.

Below the table stands on how many of 400 pages (seed 5) that are no articles or threads and whose
gold names nobody Victor names an author, and how many of these come from bylines.

`--half` takes the sites of one half, by a checksum of their names: rules were made on half 0.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from peers.pages import Page, whole
from peers.processes import MissingError
from peers.runs import Run, extract
from peers.systems import System

FOLDER: Final = Path(__file__).parent
PYTHON: Final = ("victor", "trafilatura", "newspaper4k", "htmldate")
NODE: Final = ("defuddle", "readability")
SYSTEMS: Final = (*PYTHON, *NODE)
FIELDS: Final = {"title": "title", "author": "author", "date": "publish_date"}
COLUMNS: Final = {"title": "title", "words": "title", "author": "author", "date": "date"}
"""Columns of the table to the field of each."""
_OTHER: Final = frozenset({"product", "service", "listing", "collection", "documentation"})
_SAMPLE, _SEED = 400, 5
_FOLDED: Final = str.maketrans("‘’‚‛“”„‟–—‑−", "''''\"\"\"\"----")
_WORD: Final = re.compile(r"\w+")


class Gold(NamedTuple):
    """A page and its hand-checked values; "" for what is not known."""

    page: Page
    values: dict[str, str]


def main() -> None:
    """Print a table for every corpus, or the errors."""
    arguments = _arguments()
    for corpus in arguments.corpora:
        pages = [*read(corpus, arguments.half, arguments.limit)]
        names = ["victor"] if arguments.errors else arguments.only
        of_systems = runs(pages, names, arguments.node_modules, arguments.seconds)
        if arguments.errors:
            _print_errors(pages, of_systems["victor"], arguments.errors)
        else:
            print("\n".join(table(corpus.name, pages, of_systems)))


def read(corpus: Path, half: int | None, limit: int | None) -> Iterator[Gold]:
    """The pages of a corpus that have one of the values."""
    left = limit if limit is not None else sys.maxsize
    with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            values = {name: str(row.get(key) or "") for name, key in FIELDS.items()}
            if left and any(values.values()) and half in (None, _half(row)):
                left -= 1
                html = whole((corpus / "html" / f"{row['id']}.html").read_bytes())
                kind, url = row.get("type") or "page", row.get("url")
                yield Gold(Page(row["id"], html, "", kind, row.get("lang"), url, ()), values)


def _half(row: dict[str, Any]) -> int:
    """The half of the sites that a page is of."""
    host = urlsplit(row.get("url") or "").hostname or row.get("site") or row["id"]
    return zlib.crc32(host.removeprefix("www.").encode()) % 2


def runs(
    pages: Sequence[Gold], names: Sequence[str], node_modules: Path | None, seconds: float
) -> dict[str, Run]:
    """What every system that is installed says of the pages."""
    said = {}
    for name in names:
        system = _system(name, node_modules)
        try:
            said[name] = extract(system, [gold.page for gold in pages], seconds)
        except MissingError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return said


def _system(name: str, node_modules: Path | None) -> System:
    if name in NODE:
        paths = {} if node_modules is None else {"NODE_PATH": str(node_modules.resolve())}
        return System(name, ["node", str(FOLDER / "peers" / "metadata.cjs"), name], paths)
    command = [sys.executable, "-P", "-m", "peers.metadata_worker", name]
    paths = [str(FOLDER), *filter(None, sys.path)]
    return System(name, command, {"PYTHONPATH": ":".join(paths)})


def table(corpus: str, pages: Sequence[Gold], runs: dict[str, Run]) -> Iterator[str]:
    """Markdown of how right the systems are."""
    counts = Counter(field for gold in pages for field, value in gold.values.items() if value)
    yield f"\n{corpus}: " + ", ".join(f"{n} {field}s" for field, n in counts.items()) + "\n"
    yield "| system | " + " | ".join(f"{field} R (P)" for field in COLUMNS) + " | failed |"
    yield "|---|" + "--:|" * (len(COLUMNS) + 1)
    for name, run in runs.items():
        cells = [_cell(*_counts(pages, run, field)) for field in COLUMNS]
        yield f"| {name} | {' | '.join(cells)} | {len(run.failures)} |"
    if "victor" in runs:
        yield from _by_kind(pages, runs["victor"])
        yield from _falsely_named(pages, runs["victor"])


def _by_kind(pages: Sequence[Gold], run: Run) -> Iterator[str]:
    """Victor's figures for each kind of page."""
    kinds = Counter(gold.page.kind for gold in pages)
    if len(kinds) == 1:
        return
    for kind, _ in kinds.most_common():
        of_kind = [gold for gold in pages if gold.page.kind == kind]
        counts = {field: _counts(of_kind, run, field) for field in COLUMNS}
        cells = [f"{_cell(*each)} of {each[0]}" for each in counts.values()]
        yield f"| victor, {kind} | {' | '.join(cells)} | |"


def _falsely_named(pages: Sequence[Gold], run: Run) -> Iterator[str]:
    """On how many pages Victor names an author where there should be none."""
    chosen = _nameless(pages)
    named = [said for gold in chosen if (said := _said(run, gold.page.id)).get("authors")]
    n_found = sum(said["source"] == "byline" for said in named)
    if chosen:
        n_named, n_pages = len(named), len(chosen)
        yield f"\nauthors on {n_named} of {n_pages} pages that name none, {n_found} in bylines"


def _nameless(pages: Sequence[Gold]) -> list[Gold]:
    """Some pages that are no articles or threads, and whose gold names no author."""
    others = [gold for gold in pages if gold.page.kind in _OTHER and not gold.values["author"]]
    return random.Random(_SEED).sample(others, min(_SAMPLE, len(others)))


def _said(run: Run, page: str) -> dict[str, Any]:
    """All that a system says of a page."""
    said: dict[str, Any] = json.loads(run.texts[page] or "{}")
    return said


def _counts(pages: Sequence[Gold], run: Run, field: str) -> tuple[int, int, int]:
    """Pages with the gold value, those of them with a value, those with the right one."""
    name = COLUMNS[field]
    with_gold = [gold for gold in pages if gold.values[name]]
    given = [_given(run, gold.page.id, name) for gold in with_gold]
    golds = [gold.values[name] for gold in with_gold]
    right = [is_right(field, *both) for both in zip(golds, given, strict=True)]
    return len(with_gold), sum(map(bool, given)), sum(right)


def _given(run: Run, page: str, field: str) -> str:
    """What a system says of a page, "" for nothing."""
    said = _said(run, page)
    return " ".join(said.get("authors", ())) if field == "author" else said.get(field, "")


def is_right(field: str, gold: str, given: str) -> bool:
    """Is a value the gold value."""
    gold, given = (" ".join(text.translate(_FOLDED).split()) for text in (gold, given))
    if field == "author":
        return name_words(gold) == name_words(given)
    if field == "words":
        return _WORD.findall(gold.casefold()) == _WORD.findall(given.casefold())
    return gold[:10] == given[:10] if field == "date" else gold == given


def name_words(names: str) -> set[str]:
    """Words of names without case."""
    return {*_WORD.findall(names.lower())} - {"and"}


def _cell(gold: int, given: int, right: int) -> str:
    return f"{right / gold:.3f} ({right / max(given, 1):.3f})" if gold and given else "–"


def _print_errors(pages: Sequence[Gold], run: Run, field: str) -> None:
    if field == "nobody":
        for page, _ in _nameless(pages):
            if (said := _said(run, page.id)).get("authors"):
                print(f"{page.kind} {page.id} {said['source']} {said['authors']} {page.url}")
        return
    for page, values in pages:
        given = _given(run, page.id, field)
        if values[field] and not is_right(field, values[field], given):
            print(f"{page.kind} {page.id} gold {values[field]!r} victor {given!r} {page.url}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpora", nargs="+", type=Path, metavar="CORPUS")
    add("--only", nargs="+", choices=SYSTEMS, default=SYSTEMS, metavar="SYSTEM")
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--half", type=int, choices=(0, 1), help="one half of the sites")
    add("--limit", type=int, metavar="N", help="first pages of each corpus only")
    add("--seconds", type=float, default=30.0, help="limit of one page")
    add("--errors", choices=[*FIELDS, "nobody"], help="print what Victor gets wrong")
    return parser.parse_args()


if __name__ == "__main__":
    main()
