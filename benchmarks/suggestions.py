"""How much of what the annotator suggests a person has to correct.

    python benchmarks/suggestions.py annotations/ kinds-dev/

For each annotated corpus it prints the share of headlines (the first gold header of a page that is
an h1, or its first gold header) that are suggested as header, that share of all gold headers, and
the passages to correct on a page: neighbouring blocks that all need the same other label.
"""

from __future__ import annotations

import argparse

from victor.annotate.assist.suggest import suggest
from victor.annotate.collect import collect
from victor.api import CleanerSpec
from victor.base.labels import HEADER
from victor.corpus.label_letters import LETTERS, UNDECIDED
from victor.page.decoding.decode import utf8
from victor.page.table.segment import parse_pages

H = LETTERS[HEADER]


def main() -> None:
    """Print a line for each corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--model", default="default")
    arguments = parser.parse_args()
    labeler = CleanerSpec.named(arguments.model).build()
    print("corpus\tpages\theadlines\tas header\theaders\tas header\tto correct a page")
    for corpus in arguments.corpora:
        headlines, headers, passages = [], [], []
        for page in collect([corpus]):
            if page.labels is None:
                continue
            suggested = suggest(labeler, page.html).labels
            rows = [row for row, letter in enumerate(page.labels) if letter == H]
            headlines += [suggested[row] == H for row in headline(page.html, rows)]
            headers += [suggested[row] == H for row in rows]
            passages.append(corrections(suggested, page.labels))
        shares = [f"{len(hits)}\t{sum(hits) / len(hits):.3f}" for hits in (headlines, headers)]
        print(corpus, len(passages), *shares, f"{sum(passages) / len(passages):.2f}", sep="\t")


def headline(html: bytes, rows: list[int]) -> list[int]:
    """The row of the headline among those of the headers; none if the page has no header."""
    levels = parse_pages([utf8(html)]).heading_level
    return sorted(rows, key=lambda row: (levels[row] != 1, row))[:1]


def corrections(suggested: str, gold: str) -> int:
    """Passages that a person has to give another label; unlabelled blocks do not count."""
    wanted = [
        right if right != given else ""
        for given, right in zip(suggested, gold, strict=True)
        if right != UNDECIDED
    ]
    before = ["", *wanted]
    return sum(bool(now) and now != then for then, now in zip(before, wanted, strict=False))


if __name__ == "__main__":
    main()
