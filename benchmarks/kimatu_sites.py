"""What it is worth to Kimatu to know the texts that are frequent on the site of a page.

    python benchmarks/kimatu_sites.py CORPUS... [--set KEY=VALUE]...

The texts are counted on the corpus itself, without its gold texts. Prints the mean word F over the
pages of sites with enough pages, without and with them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from victor.api import Cleaner
from victor.cli.corpora import read
from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.errors import VictorError
from victor.labelers.kimatu import KimatuLabeler, labeler, site_counter
from victor.labelers.kimatu.settings import Settings
from victor.measures.words import word_score
from victor.page.source import Source


def main() -> None:
    """Count, clean twice, and print one line."""
    options = _arguments()
    settings = load_as(Settings, "kimatu", options.set)
    pages = [page for page in read(options.corpora) if page.gold is not None]
    counter = site_counter(settings)
    for result in Cleaner(labeler(settings)).clean_many(map(_source, pages)):
        assert result.in_batch is not None, result.error
        verdict, number = result.in_batch
        counter.add(verdict.table, number, result.url)
    sites = counter.finish()
    sizes = Counter(page.site for page in pages)
    chosen = [page for page in pages if sizes[page.site] >= settings.site.pages]
    before, after = (
        _word_f(each, chosen) for each in (labeler(settings), labeler(settings, sites=sites))
    )
    print(
        f"{len(chosen)} of {len(pages)} pages, {len({page.site for page in chosen})} sites: "
        f"word F {before:.4f} -> {after:.4f}"
    )


def _source(page: AnnotatedPage) -> Source:
    return Source(page.html, f"http://{page.site}/")


def _word_f(system: KimatuLabeler, pages: Sequence[AnnotatedPage]) -> float:
    texts = (result.text for result in Cleaner(system).clean_many(map(_source, pages)))
    scores = [word_score(text, page.gold or "").f1 for text, page in zip(texts, pages, strict=True)]
    return float(np.mean(scores)) if scores else float("nan")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))
