"""Write the held-out set of grafted pages: markups, base pages and texts that no training sees.

    python benchmarks/held_grafts.py OUT CORPUS [CORPUS ...] --bases unseen --donors CORPUS ...
    python benchmarks/held_grafts.py OUT CORPUS [CORPUS ...] --bases held

Markups are those of `held_markups.yaml`. With `--bases unseen` all pages of running text are base
pages, each with three grafts: corpora that are never trained on. With `--bases held` they are those
of the sites that `victor corpus graft` leaves out (`victor.corpus.graft.donors.is_held`); only a
model that was trained without these sites can be tested on them (`grafts.py --train`). Texts are of
these sites, too, and with `unseen` of the base corpora as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from victor.corpus.graft import Stock, graft, is_base
from victor.corpus.graft.donors import donors, is_held
from victor.corpus.graft.sections import read_markups, read_words
from victor.corpus.pages import AnnotatedPage, read_corpus, write_corpus

MARKUPS = Path(__file__).with_name("held_markups.yaml")
RUNNING_TEXT = frozenset(
    "advert essay-ac essay-nonac info instruction interview news "  # cleaneval-dev
    "about bio blog book documentation ngo old-html personal university".split()  # czech-dev
)
"""Types of the pages of running text in corpora that are never trained on."""
GRAFTS = {"unseen": 3, "held": 1}
"""Grafts of every base page."""


def main() -> None:
    """Write the corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--bases", choices=GRAFTS, required=True)
    parser.add_argument("--donors", nargs="*", type=Path, default=[])
    arguments = parser.parse_args()
    pages = _read(arguments.corpora)
    if arguments.bases == "unseen":
        bases = [page for page in pages if page.kind in RUNNING_TEXT]
        texts = [*pages, *_held(_read(arguments.donors))]
    else:
        texts = _held([*pages, *_read(arguments.donors)])
        bases = [page for page in _held(pages) if is_base(page)]
    stock = Stock(donors(texts), read_markups(MARKUPS), read_words())
    written = write_corpus(arguments.output, _grafts(bases, stock, GRAFTS[arguments.bases]))
    print(f"{written} grafts of {len(bases)} pages, texts of {len(stock.donors)} pages")


def _read(corpora: Sequence[Path]) -> list[AnnotatedPage]:
    return [page for corpus in corpora for page in read_corpus(corpus)]


def _held(pages: Sequence[AnnotatedPage]) -> list[AnnotatedPage]:
    return [page for page in pages if is_held(page.site or page.id)]


def _grafts(bases: Sequence[AnnotatedPage], stock: Stock, n_each: int) -> Iterator[AnnotatedPage]:
    for base in bases:
        for turn in range(n_each):
            page = graft(base, stock, Random(f"held {turn} {base.site} {base.id}"))
            if page is not None:
                yield replace(page, id=f"held-{turn}-{base.site or 'page'}-{base.id}")


if __name__ == "__main__":
    main()
