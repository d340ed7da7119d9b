"""What a model drops of comments below articles, and what it keeps of the articles.

    python benchmarks/grafts.py CORPUS ... --donors CORPUS ... [--model MODEL] [--by-markup]

CORPUS are aligned corpora (`victor align`) that the model has not seen: cleaneval-dev, czech-dev.
Every page of running text gets three comment sections, one at a time. Their markups are those of
held_markups.yaml, which no training page has. Their texts are of the donors' sites that `victor
corpus graft` holds back (`victor.corpus.graft.donors.is_held`), and of the corpora themselves.
Shares are those of all words together and, in brackets, means of pages.

dropped        of the words of comments, names, dates and links included
nameless       the same after classes, ids, roles and properties are taken out of the section
still kept     of the words that the model keeps without the section
word F         mean of pages against the gold text, without and with the section
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from victor.api import Cleaner, Result, load_cleaner
from victor.base.labels import Label
from victor.config import Scope, ScopeName
from victor.corpus.graft import Stock, graft
from victor.corpus.graft.donors import donors, is_held
from victor.corpus.graft.sections import read_markups, read_words
from victor.corpus.pages import AnnotatedPage, read_corpus
from victor.measures.words import word_score
from victor.training.dataset import label_blocks

MARKUPS: Final = Path(__file__).with_name("held_markups.yaml")
RUNNING_TEXT: Final = frozenset(
    "advert essay-ac essay-nonac info instruction interview news "  # cleaneval-dev
    "about bio blog book documentation ngo old-html personal university".split()  # czech-dev
)
"""Types of the pages of running text."""
TURNS: Final = 3
SCOPES: Final[tuple[ScopeName, ...]] = ("main", "article")
COMMENT, TEASER, BASE = range(3)
"""Parts of a grafted page, in place of labels."""
NAMES: Final = re.compile(
    rb"""\s(?:class|id|role|itemprop|itemtype|itemscope|rel|aria-[\w-]+|data-[\w-]+)"""
    rb"""(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?(?=[\s/>])"""
)


@dataclass(frozen=True, eq=False)
class Counts:
    """Words of one grafted page.

    Attributes:
        markups: of its sections.
        comments: words of the comments.
        dropped: of these.
        kept_before: words kept without the section.
        still_kept: of these, with it.
        word_f: without and with it.
    """

    markups: tuple[str, ...]
    comments: int
    dropped: int
    kept_before: int
    still_kept: int
    word_f: tuple[float, float]


def main() -> None:
    """Print a row for every scope, with names and without."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--donors", nargs="*", type=Path, default=[])
    parser.add_argument("--model", default="default")
    parser.add_argument("--by-markup", action="store_true", help="a row for each markup as well")
    arguments = parser.parse_args()
    pages = [*grafts(arguments.corpora, arguments.donors)]
    print(f"{len(pages)} pages\n")
    print("| scope | names | dropped | still kept | word F |\n|---|---|--:|--:|--:|")
    for scope in SCOPES:
        cleaner = load_cleaner(arguments.model, scope=Scope(name=scope))
        for names in ("named", "nameless"):
            given = pages if names == "named" else [*map(nameless, pages)]
            counts = [count for page in given if (count := counted(page, cleaner))]
            print(f"| {scope} | {names} | {row(counts)} |")
            if arguments.by_markup:
                print_markups(counts)


def grafts(corpora: Sequence[Path], donor_corpora: Sequence[Path]) -> Iterator[AnnotatedPage]:
    """Pages with comments that no training sees."""
    pages = [page for corpus in corpora for page in read_corpus(corpus)]
    others = (page for corpus in donor_corpora for page in read_corpus(corpus))
    held = [page for page in others if is_held(page.site or page.id)]
    markups = read_markups(MARKUPS)
    stock = Stock(donors([*pages, *held]), markups, read_words())
    for base in pages:
        if base.kind in RUNNING_TEXT:
            for turn in range(TURNS):
                page = graft(base, stock, Random(f"held {turn} {base.site} {base.id}"))
                if page is not None and "comment" in page.metadata["kinds"]:
                    yield page


def nameless(page: AnnotatedPage) -> AnnotatedPage:
    """The page without the names that its section gives to elements."""
    start, stop = page.metadata["graft"]["bytes"]
    section = NAMES.sub(b"", page.html[start:stop])
    marks = {**page.metadata["graft"], "bytes": [start, start + len(section)]}
    html = page.html[:start] + section + page.html[stop:]
    return replace(page, html=html, metadata={**page.metadata, "graft": marks})


def counted(page: AnnotatedPage, cleaner: Cleaner) -> Counts | None:
    """Words of a page with and without its section; None if it is cut otherwise than its labels."""
    start, stop = page.metadata["graft"]["bytes"]
    results = [cleaner.clean(html) for html in (page.html[:start] + page.html[stop:], page.html)]
    before, after = map(kept_of, results)
    parts = label_blocks([replace(page, labels=parts_of(page))], cleaner.labeler)
    in_base, in_comments = parts.labels == BASE, parts.labels == COMMENT
    if len(after) != len(in_base) or len(before) != np.count_nonzero(in_base):
        return None
    words = parts.words
    return Counts(
        markups=tuple(page.metadata["graft"]["markups"]),
        comments=int(words[in_comments].sum()),
        dropped=int(words[in_comments & ~after].sum()),
        kept_before=int(words[in_base][before].sum()),
        still_kept=int(words[in_base][before & after[in_base]].sum()),
        word_f=(word_f(results[0], page), word_f(results[1], page)),
    )


def parts_of(page: AnnotatedPage) -> np.ndarray:
    """(S,) part of each segment."""
    parts = np.full(len(page.labels), BASE, dtype=np.uint8)
    start, stop = page.metadata["graft"]["span"]
    kinds = page.metadata["kinds"][start:stop]
    parts[start:stop] = [TEASER if kind == "teaser" else COMMENT for kind in kinds]
    return parts


def kept_of(result: Result) -> np.ndarray:
    """(n,) bool, which blocks are kept."""
    assert result.in_batch is not None, "a page of a corpus is no error"
    verdict, number = result.in_batch
    return np.asarray(verdict.labels[verdict.page(number)] != Label.OTHER)


def word_f(result: Result, page: AnnotatedPage) -> float:
    """Of the clean text, not a number without gold text."""
    return word_score(result.text, page.gold).f1 if page.gold else np.nan


def row(counts: Sequence[Counts]) -> str:
    """Cells of a table."""
    means = [np.nanmean([count.word_f[side] for count in counts]) for side in (0, 1)]
    dropped = share([c.dropped for c in counts], [c.comments for c in counts])
    still = share([c.still_kept for c in counts], [c.kept_before for c in counts])
    return f"{dropped} | {still} | {means[0]:.4f} → {means[1]:.4f}"


def print_markups(counts: Sequence[Counts]) -> None:
    """A row for the pages of each markup that stands alone."""
    by_markup = defaultdict(list)
    for count in counts:
        if len(count.markups) == 1:
            by_markup[count.markups[0]].append(count)
    for name, group in sorted(by_markup.items()):
        print(f"| | {name}, {len(group)} pages | {row(group)} |")


def share(parts: Sequence[int], wholes: Sequence[int]) -> str:
    """Share of all words, and the mean of the shares of pages."""
    pairs = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    mean = np.mean([part / whole for part, whole in pairs])
    return f"{sum(part for part, _ in pairs) / sum(whole for _, whole in pairs):.3f} ({mean:.3f})"


if __name__ == "__main__":
    main()
