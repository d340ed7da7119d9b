"""Search the constants that the paper on Kimatu leaves open; its own ones stay as they are.

    python benchmarks/kimatu_constants.py CORPUS... [--every 3] [--rounds 4] [--test CORPUS]...

Prints the constants, which of them changed, and the mean word F of the pages and of the others.
``victor train -l kimatu`` searches the constants of the paper, too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from victor.cli.corpora import read
from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.errors import VictorError
from victor.labelers.kimatu import labeler
from victor.labelers.kimatu.settings import OPEN, Settings
from victor.training.search import search


def main() -> None:
    """Search once and print what was found."""
    options = _arguments()
    start = load_as(Settings, "kimatu", options.set)
    every_page = [*read(options.corpora)]
    pages = every_page[:: options.every]
    others = [page for number, page in enumerate(every_page) if number % options.every]
    result = search(pages, start, labeler, OPEN, rounds=options.rounds)
    print(f"{len(pages)} pages, {result.tried} sets of constants")
    print(f"word F {result.start:.4f} -> {result.score:.4f}")
    for key in OPEN:
        old, new = (_value(settings, key) for settings in (start, result.settings))
        print(f"{key}: {new}" + ("" if new == old else f"  (was {old})"))
    if others:
        _show_test(others, "their other pages", start, result.settings)
    for corpus in options.test:
        _show_test([*read([corpus])], corpus.name, start, result.settings)


def _show_test(pages: Sequence[AnnotatedPage], name: str, start: Settings, best: Settings) -> None:
    """Word F of pages that the search did not see, with the old and the new constants."""
    old, new = (search(pages, each, labeler, {}).score for each in (start, best))
    print(f"{name} ({len(pages)}): word F {old:.4f} -> {new:.4f}")


def _value(settings: Settings, key: str) -> object:
    section, _, name = key.partition(".")
    return getattr(getattr(settings, section), name)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=3, help="take every so many-th page")
    parser.add_argument("--rounds", type=int, default=4, help="how often all constants are tried")
    parser.add_argument("--test", type=Path, action="append", default=[], help="only scored")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))
