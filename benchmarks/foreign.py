"""How Victor and other systems do on the test suites of other projects.

    python benchmarks/foreign.py SUITE FOLDER [--node-modules DIR] [--systems victor trafilatura]
    python benchmarks/foreign.py SUITE FOLDER --systems victor --show formula

SUITE is one of defuddle, readability, metascraper, recipe-scrapers; FOLDER is a copy of that
project's repository, or of its folders with tests. Expected files are their maker's own output, so
that its own row tells nothing. Expected content and every system's Markdown are rendered by
markdown-it-py and read the same way: words, or ideographs (precision, recall, F; mean of the
pages), and items by kind (recall % (precision %), all pages together). Headings, items, rows,
quotes and emphasis are compared by their words, links by words and address, images by address, code
by its lines, formulas by their TeX without white space, notes by nine tenths of their words.
Titles, authors and dates are compared as `benchmarks/metadata.py` does. docs/reports/benchmarks.md
has the tables.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Final

import metadata
from foreign.figures import KINDS, Figures, figures, lines_found
from foreign.suites import SUITES, Case, cases
from peers import pages as peers_pages
from peers.processes import MissingError
from structure.rendered import document_of
from structure.systems import EXTENSIONS, NAMES, option, run, write_markdown

_ALL: Final = EXTENSIONS["defuddle"]
"""What may stand in the Markdown of every system: that of the page reads the same."""
_LOW: Final = 0.7
"""Word F below which a page counts as lost."""


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    arguments = _arguments(argv)
    chosen = cases(arguments.suite, arguments.folder)
    if any(case.document is not None or case.lines for case in chosen):
        markdown = _markdown(chosen, arguments)
        if chosen[0].document is not None:
            scores = {name: _figures(chosen, name, texts) for name, texts in markdown.items()}
            print("\n".join(_structure(scores)))
            if arguments.show is not None:
                _show(arguments.show, chosen, next(iter(scores.values())))
        else:
            print("\n".join(_lines(chosen, markdown)))
        if arguments.markdown is not None:
            for name, texts in markdown.items():
                write_markdown(arguments.markdown / name, [case.page for case in chosen], texts)
    if not arguments.show:
        print("\n".join(_metadata(chosen, arguments)))


def _markdown(chosen: Sequence[Case], arguments: argparse.Namespace) -> dict[str, list[str]]:
    """Markdown of every page by each system that is installed."""
    texts: dict[str, list[str]] = {}
    pages, options = [case.page for case in chosen], dict(arguments.option)
    for name in arguments.systems:
        try:
            texts[name] = run(name, pages, arguments.node_modules, options, arguments.scope)
        except MissingError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return texts


def _figures(chosen: Sequence[Case], name: str, texts: Sequence[str]) -> list[Figures]:
    return [
        figures(case.document, document_of(text, (*dict.fromkeys((*_ALL, *EXTENSIONS[name])),)))
        for case, text in zip(chosen, texts, strict=True)
        if case.document is not None
    ]


def _structure(scores: dict[str, list[Figures]]) -> Iterator[str]:
    """Table of words and items: a row for each system."""
    yield f"| | P | R | F | pages F < {_LOW} | {' | '.join(KINDS.values())} |"
    yield "|---|" + "--:|" * (4 + len(KINDS))
    for name, pages in scores.items():
        means = [
            mean(getattr(page, value) for page in pages) for value in ("precision", "recall", "f")
        ]
        low = sum(page.f < _LOW for page in pages)
        right, wanted, given = (
            sum((getattr(page, value) for page in pages), Counter())
            for value in ("right", "wanted", "given")
        )
        cells = [_cell(right[kind], wanted[kind], given[kind]) for kind in KINDS]
        yield (
            " | ".join([f"| {name}", *(f"{value:.3f}" for value in means), str(low), *cells]) + " |"
        )
    counts = sum((page.wanted for page in next(iter(scores.values()))), Counter())
    yield " | ".join(["| expected", "", "", "", "", *(str(counts[kind]) for kind in KINDS)]) + " |"


def _cell(right: int, wanted: int, given: int) -> str:
    """Recall and precision in percent."""
    if not wanted:
        return "–"
    precision = f" ({100 * right / given:.0f})" if given else ""
    return f"{100 * right / wanted:.0f}{precision}"


def _lines(chosen: Sequence[Case], markdown: dict[str, list[str]]) -> Iterator[str]:
    """Table of the expected lines that the outputs have: mean of the pages, and all together."""
    names = [*chosen[0].lines]
    yield f"| | {' | '.join(f'{name}, mean (all)' for name in names)} |"
    yield "|---|" + "--:|" * len(names)
    for system, texts in markdown.items():
        cells = []
        for name in names:
            counts = [
                lines_found(case.lines[name], text, case.page.markup)
                for case, text in zip(chosen, texts, strict=True)
            ]
            shares = [right / wanted for right, wanted in counts if wanted]
            right, wanted = (sum(column) for column in zip(*counts, strict=True))
            cells.append(f"{mean(shares):.3f} ({right / max(1, wanted):.3f})" if shares else "–")
        yield f"| {system} | {' | '.join(cells)} |"


def _metadata(chosen: Sequence[Case], arguments: argparse.Namespace) -> Iterator[str]:
    """Table of titles, authors and dates."""
    golds = [
        metadata.Gold(
            peers_pages.Page(case.page.id, case.page.html, "", "page", None, case.page.url, ()),
            dict(case.metadata),
        )
        for case in chosen
    ]
    names = [*dict.fromkeys(name for name in arguments.systems if name in metadata.SYSTEMS)]
    runs = metadata.runs(golds, names, arguments.node_modules, arguments.seconds)
    return metadata.table(arguments.suite, golds, runs)


def _show(kind: str, chosen: Sequence[Case], scores: Sequence[Figures]) -> None:
    """What the first system lacks of a kind; of ``words``, the pages with the lowest F."""
    if kind == "words":
        for case, page in sorted(zip(chosen, scores, strict=True), key=lambda pair: pair[1].f)[:40]:
            print(f"{page.f:.3f} P {page.precision:.3f} R {page.recall:.3f}\t{case.page.id}")
        return
    names = {shown: name for name, shown in KINDS.items()}
    for case, page in zip(chosen, scores, strict=True):
        for missed, key in page.missed:
            if missed == names[kind]:
                print(f"{case.page.id}\t{key!r}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("suite", choices=[*SUITES], metavar="SUITE", help=f"one of {', '.join(SUITES)}")
    add("folder", type=Path, metavar="FOLDER")
    add("--systems", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--option", action="append", type=option, default=[], metavar="NAME=on|off",
        help="switch of Victor's Markdown, e.g. headline=off")  # fmt: skip
    add("--scope", choices=("main", "article"), default="main", help="of Victor's Markdown")
    add("--seconds", type=float, default=30.0, help="limit of one page's metadata")
    add("--show", choices=["words", *KINDS.values()], help="print what the first system lacks")
    add("--markdown", type=Path, metavar="DIR", help="write every system's Markdown there")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
