"""How often pages without content give nothing, and pages with content do, by the two limits.

    python benchmarks/emptiness.py MARGINALS.npz [MARGINALS.npz ...]

MARGINALS are files of `victor evaluate --save`, one for each seed. A page is empty if its gold text
is; one that gives nothing although it has content costs a whole page. Prints a row per pair of
limits (`decide.nothing_below`, `decide.without_prose`): empty pages that give nothing, pages with
content that give nothing, lists among them, and page-mean F of the words of blocks; means over the
files, and the spread of the counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from victor.evaluation.predictions import Predictions
from victor.labels import UNLABELLED, Label
from victor.model.decide import decide

NOTHING_BELOW = (0.0, 0.2, 0.3, 0.4, 0.5)
WITHOUT_PROSE = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
LISTS = ("collection", "listing", "list", "forum-list", "home", "search", "results")


def main() -> None:
    """Read the files and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--temperature", type=float, default=None)
    arguments = parser.parse_args()
    every = [Predictions.load(path) for path in arguments.files]
    print("| nothing_below | without_prose | empty, of | not empty, of | lists, of | word F |")
    print("|--:|--:|--:|--:|--:|--:|")
    for nothing_below, without_prose in product(NOTHING_BELOW, WITHOUT_PROSE):
        rows = [
            _counts(predictions, nothing_below, without_prose, arguments.temperature)
            for predictions in every
        ]
        cells = [_spread([row[column] for row in rows]) for column in range(3)]
        score = np.mean([row[3] for row in rows])
        print(f"| {nothing_below} | {without_prose} |", " | ".join(cells), f"| {score:.4f} |")


def _counts(
    predictions: Predictions, nothing_below: float, without_prose: float, temperature: float | None
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], float]:
    """Pages that give nothing, and how many there are: empty ones, others, lists; mean word F."""
    decision = predictions.decision.replace(
        method="expected-f", nothing_below=nothing_below, without_prose=without_prose
    )
    if temperature is not None:
        decision = decision.replace(temperature=temperature)
    kept = decide(predictions.marginals, predictions, decision) != Label.OTHER
    known = predictions.labels != UNLABELLED
    content = known & (predictions.labels != Label.OTHER)
    words = np.where(known, predictions.words, 0)
    kept_words, gold_words, both = (
        _by_page(words * chosen, predictions) for chosen in (kept, content, kept & content)
    )
    is_empty = np.array(
        [page.gold is not None and not page.gold.strip() for page in predictions.pages]
    )
    has_content = gold_words > 0
    is_list = has_content & np.isin(predictions.kinds, LISTS)
    gives_nothing = _by_page(predictions.words * kept, predictions) == 0
    total = kept_words + gold_words
    score = np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)
    counts = [
        (int((gives_nothing & chosen).sum()), int(chosen.sum()))
        for chosen in (is_empty, has_content, is_list)
    ]
    return counts[0], counts[1], counts[2], float(score.mean())


def _by_page(values: np.ndarray, predictions: Predictions) -> np.ndarray:
    """(P,) sums over the blocks of each page."""
    sums = np.append(0, np.cumsum(values))[predictions.page_starts]
    return np.diff(sums)


def _spread(counts: Sequence[tuple[int, int]]) -> str:
    """``12.3 (12 to 13), 43``."""
    numbers = [count for count, _ in counts]
    spread = f" ({min(numbers)} to {max(numbers)})" if len(numbers) > 1 else ""
    return f"{np.mean(numbers):.1f}{spread}, {counts[0][1]}"


if __name__ == "__main__":
    main()
