"""What the gold text of each corpus keeps, by the kind of block and by the type of page.

    python benchmarks/corpus_scopes.py CORPUS [CORPUS ...]

Prints two Markdown tables. The first has a column per annotated corpus: share of blocks kept, and
the number of blocks. The second has a row per type of page: pages with comments and on how many of
them gold keeps most of these, and the shares of headlines, bylines and captions. Blocks that nobody
can tell are left out; where most of them are such blocks, the cell is a question mark.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from victor.config import load
from victor.corpus.pages import read_corpus
from victor.labels import UNLABELLED, Label
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import Dataset, analyze

FEATURES = ("ancestors", "class_groups", "headings", "links", "regexps", "title")
DATE_LINE = 6
"""Words of a block at most that is little more than its date."""
BYLINE = 12
"""Words of a block at most that is a byline rather than a box about the author."""
LIKE_THE_TITLE = 0.5
MOSTLY_LINKS = 0.9
COMMENT_WORDS = 40
"""Words in comment elements at least of a page with comments."""
FEWEST_PAGES = 10
"""Pages at least of a type that has a row."""
BY_TYPE = ("headlines", "bylines", "captions")


def main() -> None:
    """Read every corpus and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    corpora = parser.parse_args().corpora
    extractor = FeatureExtractor(load("default").replace(features=FEATURES))
    shares: list[dict[str, str]] = []
    types: list[str] = []
    for corpus in corpora:  # one after the other: the columns of all would not fit into memory
        dataset = analyze(read_corpus(corpus), extractor)
        kinds = _kinds(dataset.columns, dataset.words)
        shares.append({name: _share(dataset.labels[chosen]) for name, chosen in kinds.items()})
        types += _types(corpus.name, dataset, kinds)
    print("| kept, of the blocks |", " | ".join(corpus.name for corpus in corpora), "|")
    print("|---|" + "--:|" * len(corpora))
    for kind in shares[0]:
        print(f"| {kind} |", " | ".join(column[kind] for column in shares), "|")
    print("\n| pages of type | pages | with comments | gold keeps them |", " | ".join(BY_TYPE), "|")
    print("|---|--:|--:|--:|" + "--:|" * len(BY_TYPE))
    print("\n".join(types))


def _kinds(columns: Mapping[str, Any], words: np.ndarray) -> dict[str, np.ndarray]:
    """(n,) bool for every kind of block."""
    level = columns["heading.level"]
    like_the_title = (level > 0) & (columns["title.jaccard"] > LIKE_THE_TITLE)
    names_author = columns["class-near.author"] | columns["class-near.meta"]
    inside = ("aside", "nav", "footer", "table", "form", "pre", "noscript")
    return {
        "headlines": like_the_title,
        "other `h1`": (level == 1) & ~like_the_title,
        "other `h2` to `h6`": (level > 1) & ~like_the_title,
        "bylines": (names_author > 0) & (words > 0) & (words <= BYLINE),
        "date lines": (columns["regexp.date"] > 0) & (words <= DATE_LINE),
        "captions": (columns["inside.figcaption"] > 0) | (columns["class-near.caption"] > 0),
        "comments": columns["class-near.comment"] > 0,
        "mostly links": columns["link.density"] > MOSTLY_LINKS,
        "hidden": columns["element.hidden"] > 0,
        **{f"in `{name}`": columns[f"inside.{name}"] > 0 for name in inside},
        "all": np.ones(len(words), dtype=bool),
    }


def _share(labels: np.ndarray) -> str:
    """Share of the blocks kept and their number; those that nobody can tell do not count."""
    known = labels[labels != UNLABELLED]
    if 2 * len(known) < len(labels):
        return f"? ({len(labels):,})"
    return f"{np.mean(known != Label.OTHER):.2f} ({len(known):,})" if len(known) else "–"


def _types(corpus: str, dataset: Dataset, kinds: Mapping[str, np.ndarray]) -> Iterator[str]:
    """Rows of the second table."""
    page = np.repeat(np.arange(len(dataset.pages)), np.diff(dataset.page_starts))
    type_of_page = np.array([info.kind for info in dataset.infos])
    in_comments = np.where(kinds["comments"], dataset.words, 0)
    is_kept = np.isin(dataset.labels, (Label.HEADER, Label.TEXT))
    is_other = dataset.labels == Label.OTHER
    n_pages = len(dataset.pages)
    words = np.bincount(page, in_comments, n_pages)
    kept, dropped = (np.bincount(page, in_comments * side, n_pages) for side in (is_kept, is_other))
    for name in sorted({*type_of_page.tolist()}):
        chosen = type_of_page == name
        if chosen.sum() < FEWEST_PAGES:
            continue
        with_comments = chosen & (words >= COMMENT_WORDS)
        cells = [_share(dataset.labels[kinds[kind] & chosen[page]]) for kind in BY_TYPE]
        keeps = _pages(with_comments, kept, dropped, words)
        row = [f"{corpus} {name}", str(chosen.sum()), str(with_comments.sum()), keeps, *cells]
        yield f"| {' | '.join(row)} |"


def _pages(
    with_comments: np.ndarray, kept: np.ndarray, dropped: np.ndarray, words: np.ndarray
) -> str:
    """On how many pages gold keeps most of the comments, and where it does not say."""
    keeps = int((with_comments & (kept > dropped) & (2 * (kept + dropped) >= words)).sum())
    silent = int((with_comments & (2 * (kept + dropped) < words)).sum())
    return f"{keeps}, ? on {silent}" if silent else str(keeps)


if __name__ == "__main__":
    main()
