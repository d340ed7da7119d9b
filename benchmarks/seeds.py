"""Word F of several seeds of a configuration: mean and spread by corpus and page type.

    victor evaluate CORPUS ... --set trees.seed=1 --save marginals/1      # and 2, 3 ...
    python benchmarks/seeds.py marginals/*/default.npz [--config default]

Pages are decided as the configuration says and scored by page means against their gold texts, as
`victor evaluate` scores them. A row is a corpus, or a type of its pages if it has `--least` of
them.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from victor.config import load
from victor.evaluation.predictions import Predictions
from victor.labels import UNLABELLED, Label
from victor.measures.words import word_score
from victor.model.decide import Decision, decide


def main() -> None:
    """Score every file and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--config", default="default")
    parser.add_argument("--least", type=int, default=20)
    arguments = parser.parse_args()
    decision = load(arguments.config).decide
    every = [_scores(Predictions.load(path), decision) for path in arguments.files]
    print("| | pages | word F | each seed |")
    print("|---|--:|--:|---|")
    for group, first in every[0].items():
        if " " in group and len(first) < arguments.least:
            continue
        means = [float(np.mean(scores[group])) for scores in every]
        seeds = ", ".join(f"{mean:.4f}" for mean in means)
        print(f"| {group} | {len(first)} | {np.mean(means):.4f} | {seeds} |")


def _scores(predictions: Predictions, decision: Decision) -> dict[str, list[float]]:
    """Word F of the pages that have a gold text, by corpus and by type."""
    labels = decide(predictions.marginals, predictions, decision)
    kept = (labels != Label.OTHER) & (predictions.labels != UNLABELLED)
    groups: dict[str, list[float]] = {"all": []}
    bounds = pairwise(predictions.page_starts.tolist())
    for page, (start, end) in zip(predictions.pages, bounds, strict=True):
        if page.gold is None:
            continue
        blocks = (start + np.flatnonzero(kept[start:end])).tolist()
        text = "\n".join(predictions.texts[block] for block in blocks)
        score = word_score(text, page.gold).f1
        for group in ("all", page.corpus, f"{page.corpus} {page.kind}"):
            groups.setdefault(group, []).append(score)
    return dict(sorted(groups.items()))


if __name__ == "__main__":
    main()
