"""What a model drops of grafted comments and teasers, and what it keeps of the article above them.

    python benchmarks/grafts.py GRAFTS [GRAFTS ...] [--model MODEL] [--scope main --scope article]
    python benchmarks/grafts.py GRAFTS [GRAFTS ...] --train CORPUS ... [--config CONFIG]

GRAFTS are corpora of `held_grafts.py` or `victor corpus graft`. With `--train` the configuration is
trained first, on the pages of the corpora whose sites are not held back for tests. Shares are those
of all words together and, in brackets, means of pages.

dropped        of the words of comments (names, dates and links included) or teasers
still kept     of the words of the page that the model keeps without the graft
gold kept      of the words that gold keeps, without and with the graft
word F         mean of pages against the gold text, without and with the graft
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from victor.api import Cleaner, Result, load_cleaner
from victor.config import load
from victor.corpus.graft import usable
from victor.corpus.pages import AnnotatedPage, read_corpus
from victor.labelers.crf import CrfLabeler
from victor.labels import Label
from victor.measures.words import word_score
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze, label_blocks
from victor.training.training import train

COMMENT, TEASER, BASE = 0, 1, 2
"""Parts of a grafted page, in place of labels."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Words of one grafted page.

    Attributes:
        markups: of its sections.
        words: (2,) of comments and of teasers.
        dropped: (2,) of these, dropped.
        kept_before: words kept without the graft.
        still_kept: of these, kept with it.
        gold: words of blocks that gold keeps.
        gold_kept: (2,) of these, kept without and with the graft.
        word_f: (2,) without and with the graft, not a number without gold text.
    """

    markups: tuple[str, ...]
    words: np.ndarray
    dropped: np.ndarray
    kept_before: int
    still_kept: int
    gold: int
    gold_kept: np.ndarray
    word_f: np.ndarray


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    pages = [page for corpus in arguments.grafts for page in read_corpus(corpus)]
    cleaner = _trained(arguments) if arguments.train else load_cleaner(arguments.model)
    for scope in arguments.scope:
        counts = [_count(page, _scoped(cleaner, scope)) for page in pages]
        known = [page for page in counts if page is not None]
        print(f"\n{scope}: {len(known)} pages, {len(pages) - len(known)} cut otherwise\n")
        _print_summary(known)
    if arguments.by_markup:
        _print_markups(known)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grafts", nargs="+", type=Path)
    parser.add_argument("--model", default="default")
    parser.add_argument("--train", nargs="+", type=Path)
    parser.add_argument("--config", default="default")
    parser.add_argument("--scope", action="append", default=[], help="main if none is named")
    parser.add_argument("--by-markup", action="store_true", help="a table of markups as well")
    arguments = parser.parse_args()
    arguments.scope = arguments.scope or ["main"]
    return arguments


def _trained(arguments: argparse.Namespace) -> Cleaner:
    """A cleaner with a model that saw no page of the sites for tests."""
    pages = usable([page for corpus in arguments.train for page in read_corpus(corpus)])
    extractor = FeatureExtractor(load(arguments.config))
    return Cleaner(CrfLabeler(train(analyze(pages, extractor), extractor)))


def _scoped(cleaner: Cleaner, scope: str) -> Cleaner:
    """The cleaner with another scope."""
    if scope == "main":
        return cleaner
    from victor.config import Scope

    return Cleaner(cleaner.labeler, scope=Scope(name=scope))


def _count(page: AnnotatedPage, cleaner: Cleaner) -> Counts | None:
    """Words of a page with and without its graft; None if it is cut otherwise than its labels."""
    start, stop = page.metadata["graft"]["bytes"]
    plain_html = page.html[:start] + page.html[stop:]
    results = [cleaner.clean(html) for html in (plain_html, page.html)]
    kept = [_kept(result) for result in results]
    parts = label_blocks([replace(page, labels=_parts(page))], cleaner.labeler)
    in_base = parts.labels == BASE
    if len(kept[1]) != len(in_base) or len(kept[0]) != np.count_nonzero(in_base):
        return None
    words, (before, after) = parts.words, (kept[0], kept[1][in_base])
    gold_labels = label_blocks([page], cleaner.labeler).labels[in_base]
    is_gold = np.isin(gold_labels, (Label.HEADER, Label.TEXT))
    base_words = words[in_base]
    sections = [parts.labels == part for part in (COMMENT, TEASER)]
    return Counts(
        markups=tuple(page.metadata["graft"]["markups"]),
        words=np.array([words[section].sum() for section in sections]),
        dropped=np.array([words[section & ~kept[1]].sum() for section in sections]),
        kept_before=base_words[before].sum(),
        still_kept=base_words[before & after].sum(),
        gold=base_words[is_gold].sum(),
        gold_kept=np.array([base_words[is_gold & side].sum() for side in (before, after)]),
        word_f=np.array([_word_f(result, page) for result in results]),
    )


def _parts(page: AnnotatedPage) -> np.ndarray:
    """(S,) part of each segment."""
    parts = np.full(len(page.labels), BASE, dtype=np.uint8)
    first, last = page.metadata["graft"]["span"]
    kinds = page.metadata["kinds"][first:last]
    parts[first:last] = [TEASER if kind == "teaser" else COMMENT for kind in kinds]
    return parts


def _kept(result: Result) -> np.ndarray:
    """(n,) bool, which blocks are kept."""
    assert result.in_batch is not None, "a page of a corpus is no error"
    verdict, number = result.in_batch
    return np.asarray(verdict.labels[verdict.page(number)] != Label.OTHER)


def _word_f(result: Result, page: AnnotatedPage) -> float:
    return word_score(result.text, page.gold).f1 if page.gold else np.nan


def _print_summary(pages: Sequence[Counts]) -> None:
    sums = [sum(page.words[part] for page in pages) for part in (COMMENT, TEASER)]
    print("| comments dropped | teasers dropped | still kept | gold kept | word F |")
    print("|--:|--:|--:|--:|--:|")
    cells = [
        _share([page.dropped[part] for page in pages], [page.words[part] for page in pages])
        for part in (COMMENT, TEASER)
    ]
    cells.append(_share([p.still_kept for p in pages], [p.kept_before for p in pages]))
    gold = [page.gold for page in pages]
    cells.append(" → ".join(_share([p.gold_kept[side] for p in pages], gold) for side in (0, 1)))
    cells.append(
        " → ".join(f"{np.nanmean([p.word_f[side] for p in pages]):.4f}" for side in (0, 1))
    )
    print("|", " | ".join(cells), "|")
    print(f"\nwords of comments {sums[0]:,}, of teasers {sums[1]:,}, of articles {sum(gold):,}")


def _print_markups(pages: Iterable[Counts]) -> None:
    """What is dropped by markup, of pages with one section."""
    by_markup = defaultdict(list)
    for page in pages:
        if len(page.markups) == 1:
            by_markup[page.markups[0]].append(page)
    print("\n| markup | pages | dropped | still kept |\n|---|--:|--:|--:|")
    for name, group in sorted(by_markup.items()):
        dropped = _share([p.dropped.sum() for p in group], [p.words.sum() for p in group])
        kept = _share([p.still_kept for p in group], [p.kept_before for p in group])
        print(f"| {name} | {len(group)} | {dropped} | {kept} |")


def _share(parts: Sequence[int], wholes: Sequence[int]) -> str:
    """Share of all words, and the mean of the shares of pages."""
    pairs = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    if not pairs:
        return "–"
    mean = np.mean([part / whole for part, whole in pairs])
    return f"{sum(part for part, _ in pairs) / sum(whole for _, whole in pairs):.3f} ({mean:.3f})"


if __name__ == "__main__":
    main()
