"""The value of embedded content: word F with and without it, and the time that finding it takes.

    python benchmarks/embedded.py CORPUS... [--hidden N] [--model MODEL]

CORPUS is a folder that `victor align` wrote. Printed are the pages whose visible text is nearly
nothing. With --hidden every Nth page counts as such a page, as if a script drew it: that tells how
good the choice of texts is, which few pages can tell otherwise.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from victor import load_model
from victor.corpus.read import read_folder
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.measures.summaries import aligned
from victor.measures.words import WordScore, word_score
from victor.page.decode import utf8
from victor.page.embedded import Recovered, recovered
from victor.page.events import record
from victor.page.segment import segment
from victor.page.texts import block_texts
from victor.page.thin import thin_pages
from victor.render.text import render


class Case(NamedTuple):
    """A page that was looked into."""

    name: str
    source: str
    without: WordScore
    everything: WordScore
    decided: WordScore


class Seconds(NamedTuple):
    """What a page took."""

    parse: float
    check: float
    recover: float


def cases(corpus: Path, labeler: Labeler, *, hidden: int, seconds: list[Seconds]) -> Iterator[Case]:
    """The pages of a corpus that are looked into; the time of all pages goes to `seconds`."""
    for number, page in enumerate(read_folder(corpus)):
        if hidden and number % hidden:
            continue
        markup = utf8(page.html)
        start = time.perf_counter()
        table = segment(record([markup]))
        parsed = time.perf_counter()
        thin = bool(thin_pages(table))
        checked = time.perf_counter()
        embedded = recovered(markup) if thin or hidden else None
        seconds.append(Seconds(parsed - start, checked - parsed, time.perf_counter() - checked))
        if (thin or hidden) and page.gold is not None:
            visible = "" if hidden else text(markup, labeler)
            yield case(f"{corpus.name} {page.id}", page.gold, embedded, visible, labeler)


def case(name: str, gold: str, embedded: Recovered | None, visible: str, labeler: Labeler) -> Case:
    """One page with its scores."""
    without = word_score(visible, gold)
    if embedded is None:
        return Case(name, "", without, without, without)
    everything = word_score(" ".join(block_texts(segment(record([embedded.markup])))), gold)
    decided = word_score(text(embedded.markup, labeler) or visible, gold)
    return Case(name, embedded.source, without, everything, decided)


def text(markup: bytes, labeler: Labeler) -> str:
    """What a labeler alone makes of a page."""
    return render(labeler.label(labeler.table([markup])), 0)


def summary(results: Sequence[Case]) -> list[list[str]]:
    """A row for every source."""
    rows = [["", "pages", "without", "all kept", "P", "R", "decided", "P", "R"]]
    by_source = defaultdict(list)
    for case in results:
        by_source[case.source or "nothing embedded"].append(case)
    for source, group in by_source.items():
        numbers = [
            [
                case.without.f1,
                *(case.everything.f1, case.everything.precision, case.everything.recall),
                *(case.decided.f1, case.decided.precision, case.decided.recall),
            ]
            for case in group
        ]
        rows.append(
            [source, str(len(group)), *(f"{mean:.3f}" for mean in np.mean(numbers, axis=0))]
        )
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--hidden", type=int, default=0, metavar="N",
                        help="every Nth page, as if none had visible text")  # fmt: skip
    parser.add_argument("--model", default="default")
    arguments = parser.parse_args()
    labeler = CrfLabeler(load_model(arguments.model))
    for corpus in arguments.corpora:
        seconds: list[Seconds] = []
        results = [*cases(corpus, labeler, hidden=arguments.hidden, seconds=seconds)]
        parse, check, recover = np.sum(seconds, axis=0)
        print(f"== {corpus.name}: {len(seconds)} pages, {len(results)} looked into")
        print(f"parse {parse:.2f} s, is it thin {check / parse:.3%}, recover {recover / parse:.1%}")
        if not arguments.hidden:
            for case in results:
                f1 = f"{case.without.f1:.3f} -> {case.decided.f1:.3f}"
                print(f"{case.name} {case.source or '-'}: {f1}")
        if results:
            print(aligned(summary(results)))


if __name__ == "__main__":
    main()
