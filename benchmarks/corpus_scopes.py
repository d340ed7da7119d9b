"""Share of blocks that the gold text of each corpus keeps, by the kind of block.

    python benchmarks/corpus_scopes.py CORPUS [CORPUS ...]

Prints a Markdown table with a column per annotated corpus, without blocks that nobody can tell.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from victor.config import load
from victor.corpus.pages import read_corpus
from victor.labels import UNLABELLED, Label
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import Dataset, analyze

DATE_LINE = 6
"""Words of a block at most that is little more than its date."""
LIKE_THE_TITLE = 0.5
MOSTLY_LINKS = 0.9


def main() -> None:
    """Read every corpus and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    corpora = parser.parse_args().corpora
    extractor = FeatureExtractor(load("default"))
    columns = [_shares(analyze(read_corpus(corpus), extractor)) for corpus in corpora]
    print("| kept, of the blocks |", " | ".join(corpus.name for corpus in corpora), "|")
    print("|---|" + "--:|" * len(corpora))
    for kind in columns[0]:
        print(f"| {kind} |", " | ".join(column[kind] for column in columns), "|")


def _shares(dataset: Dataset) -> dict[str, str]:
    """Share kept and number, by kind of block."""
    known = dataset.labels != UNLABELLED
    kept = dataset.labels != Label.OTHER
    kinds = _kinds(dataset.columns, dataset.words)
    return {name: _share(kept[chosen & known]) for name, chosen in kinds.items()}


def _kinds(columns: Mapping[str, Any], words: np.ndarray) -> dict[str, np.ndarray]:
    """(n,) bool for every kind of block."""
    level = columns["heading.level"]
    inside = ("aside", "nav", "footer", "figcaption", "table", "form", "pre", "noscript")
    return {
        "`h1`": level == 1,
        "`h1` like the title": (level == 1) & (columns["title.jaccard"] > LIKE_THE_TITLE),
        "`h2` to `h6`": level > 1,
        "date lines": (columns["regexp.date"] > 0) & (words <= DATE_LINE),
        "mostly links": columns["link.density"] > MOSTLY_LINKS,
        "hidden": columns["element.hidden"] > 0,
        **{f"in `{name}`": columns[f"inside.{name}"] > 0 for name in inside},
        "all": np.ones(len(words), dtype=bool),
    }


def _share(kept: np.ndarray) -> str:
    return f"{kept.mean():.2f} ({len(kept):,})" if len(kept) else "–"


if __name__ == "__main__":
    main()
