"""Structure that Markdown keeps: headings, lists, tables, code, quotes, links, images, emphasis.

    python benchmarks/structure.py CORPUS [--node-modules DIR] [--systems victor trafilatura]
    python benchmarks/structure.py CORPUS --show link

CORPUS is an unpacked annotated corpus (``html/``, ``gold.jsonl``). The pages are those listed in
``benchmarks/structure/<corpus>.txt``: those with the most kinds of structure in their gold text,
then the most items, at most two of a site. Gold are the elements of the page's own tree whose text
lies in the gold text; each system's Markdown is rendered by markdown-it-py and read the same way.
docs/reports/benchmarks.md has the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from peers.processes import MissingError
from structure import report
from structure.gold import gold_of
from structure.items import KINDS
from structure.rendered import document_of, items_of
from structure.scores import Score, score
from structure.systems import EXTENSIONS, NAMES, Page, option, read_pages, run, write_markdown


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    arguments = _arguments(argv)
    pages = read_pages(arguments.corpus, arguments.ids)
    golds = [gold_of(page.markup, page.url, page.text) for page in pages]
    scores: dict[str, list[Score]] = {}
    for name in arguments.systems:
        try:
            markdown = run(name, pages, arguments.node_modules, dict(arguments.option))
        except MissingError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        documents = [document_of(text, EXTENSIONS[name]) for text in markdown]
        scores[name] = [
            score(gold, items_of(document), document.words)
            for gold, document in zip(golds, documents, strict=True)
        ]
        if arguments.markdown is not None:
            write_markdown(arguments.markdown / name, pages, markdown)
    print(report.table(scores))
    if arguments.show is not None:
        _show(arguments.show, pages, scores[arguments.systems[0]])


def _show(kind: str, pages: Sequence[Page], scores: Sequence[Score]) -> None:
    """What the first system missed of a kind, where it kept the text."""
    for page, result in zip(pages, scores, strict=True):
        for item in result.missed:
            if item.kind == kind and item.kept:
                print(f"{page.id}\t{item.text!r}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpus", type=Path, metavar="CORPUS")
    add("--systems", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--option", action="append", type=option, default=[], metavar="NAME=on|off",
        help="of Victor's Markdown")  # fmt: skip
    add("--ids", nargs="+", metavar="ID", help="other pages than those listed")
    add("--show", choices=KINDS, metavar="KIND", help="print what the first system missed")
    add("--markdown", type=Path, metavar="DIR", help="write the Markdown of every system")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
