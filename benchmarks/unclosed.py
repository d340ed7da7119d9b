"""Words still read when an author forgets the end of a raw-text element or a comment.

    python benchmarks/unclosed.py CORPUS... [--pages 400] [--seed 0] [--worst 10]

CORPUS is a folder with a folder `html`. Of every page, one end of each kind is removed, drawn at
random among those that the page has. Printed are the share of the page's words that are still read,
those read that were not there before, and the pages below 99 %. Comments around markup stand apart:
where such a comment was to end, nobody can tell.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from victor.page.decode import utf8
from victor.page.events import record
from victor.page.segment import segment
from victor.page.texts import block_texts

AROUND_MARKUP: Final = "comment around markup"
LIMIT: Final = 0.99
_CLOSED: Final = re.compile(
    rb"<(title|textarea|style|script)\b[^>]*>.*?(</\1\s*>)|<!--(?!\[)(.*?)(-->)",
    re.DOTALL | re.IGNORECASE,
)
_HOLDS_MARKUP: Final = re.compile(rb"\s*<|[^\n]*>")


class Case(NamedTuple):
    """One end that was removed."""

    page: str
    kind: str
    words: int
    lost: int
    added: int

    @property
    def share(self) -> float:
        """Share of the words that are still read."""
        return 1 - self.lost / self.words


def main() -> None:
    """Measure and print one table."""
    arguments = _arguments()
    draw = random.Random(arguments.seed)
    files = sorted(file for corpus in arguments.corpora for file in (corpus / "html").iterdir())
    chosen = draw.sample(files, min(arguments.pages, len(files)))
    cases = [case for file in sorted(chosen) for case in cases_of(file, draw)]
    print(f"{len(chosen)} pages, {len(cases)} ends removed")
    print_table(cases)
    worst = sorted(cases, key=lambda case: case.share)[: arguments.worst]
    for case in worst:
        if case.share < LIMIT:
            print(f"{case.share:8.3f}  {case.kind}, {case.page}: {case.words} words")


def cases_of(file: Path, draw: random.Random) -> Iterator[Case]:
    """What happens to a page without one end of each kind; a page without words gives none."""
    markup = utf8(file.read_bytes())
    before = read_words(markup)
    if not before:
        return
    for kind, spans in sorted(removable_ends(markup).items()):
        start, end = draw.choice(spans)
        after = read_words(markup[:start] + markup[end:])
        lost, added = (before - after).total(), (after - before).total()
        yield Case(f"{file.parent.parent.name}/{file.stem}", kind, before.total(), lost, added)


def removable_ends(markup: bytes) -> dict[str, list[tuple[int, int]]]:
    """Extents of the ends of closed elements and comments, by kind."""
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for match in _CLOSED.finditer(markup):
        if match[1]:
            spans[match[1].decode().lower()].append(match.span(2))
        else:
            kind = AROUND_MARKUP if _HOLDS_MARKUP.match(match[3]) else "comment"
            spans[kind].append(match.span(4))
    return spans


def read_words(markup: bytes) -> Counter[str]:
    """The words of a page as Victor reads it."""
    return Counter(" ".join(block_texts(segment(record([markup])))).split())


def print_table(cases: Sequence[Case]) -> None:
    """One row per kind, and one for all but comments around markup."""
    by_kind: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case)
        if case.kind != AROUND_MARKUP:
            by_kind["all others"].append(case)
    print(f"{'what lost its end':24}{'pages':>7}{'words read':>12}{'added':>8}{'below .99':>11}")
    for kind in sorted(by_kind, key=lambda kind: (kind == "all others", kind)):
        of_kind = by_kind[kind]
        words = sum(case.words for case in of_kind)
        read = 1 - sum(case.lost for case in of_kind) / words
        added = sum(case.added for case in of_kind) / words
        below = sum(case.share < LIMIT for case in of_kind)
        print(f"{kind:24}{len(of_kind):7}{read:12.4f}{added:8.4f}{below:11}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Words read of pages that lack an end.")
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=400, help="drawn at random from all corpora")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    parser.add_argument("--worst", type=int, default=10, help="cases to name")
    return parser.parse_args()


if __name__ == "__main__":
    main()
