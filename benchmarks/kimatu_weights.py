"""Kimatu's weights on a grid, with function words as its ratio of parts of speech.

    python benchmarks/kimatu_weights.py CORPUS ...

CORPUS is a folder of annotated pages, such as ``annotations``. What the weights do not change is
computed once; every combination of the grid then decides again. The score is the page mean of F
over the words of labelled blocks. The weights of a fold (by site) are chosen on the other folds, so
that "held out" is what a search is worth.

Source: Saralegi, Leturia (2007), section 3.3, whose exhaustive search had "only time to try some of
the combinations", and section 5, which plans a ratio of parts of speech.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from victor.base.labels import UNLABELLED, Label
from victor.corpus.splits import folds
from victor.labelers.kimatu import areas_of, evidence, labeler
from victor.labelers.kimatu.areas import relevance
from victor.labelers.kimatu.greedy import choose, sure
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.kimatu.settings import Settings, Weights
from victor.training.corpora import read
from victor.training.dataset import LabelledPages, label_blocks

GRID = {
    "length": (0.25, 0.5, 0.75),
    "average": (0.25, 0.5, 0.75),
    "punctuation": (0.5, 1.0, 1.25),
    "links": (0.5, 1.0, 1.5),
    "functions": (0.0, 0.25, 0.5),
}
FOLDS = 5


def combinations() -> list[Weights]:
    return [Weights(**dict(zip(GRID, values, strict=True))) for values in product(*GRID.values())]


def page_scores(pages: LabelledPages, tried: list[Weights]) -> np.ndarray:
    """(W, P) F of every page with every combination."""
    starts = np.concatenate(([0], np.cumsum([len(table) for table in pages.tables])))
    parts = [
        table_scores(table, pages.labels[start:end], tried)
        for table, start, end in zip(pages.tables, starts[:-1], starts[1:], strict=True)
    ]
    return np.concatenate(parts, axis=1)


def table_scores(table, labels: np.ndarray, tried: list[Weights]) -> np.ndarray:
    """(W, pages of the table) F over the words of labelled blocks; 1 where nothing is to keep."""
    counted = Settings(weights=Weights(functions=1.0))
    facts = evidence(table, areas_of(table, counted), counted)
    words = Words.of(table)
    gone = functions(words, facts.areas, counted.functions)[facts.areas.look]
    weight = np.where(labels == UNLABELLED, 0, table.words)
    gold = labels != Label.OTHER
    rows = []
    for weights in tried:
        settings = Settings(weights=weights)
        known = replace(facts, relevance=relevance(facts.ratios, settings))
        quoted = quotes(words, facts.areas, sure(known, settings) & ~gone, settings.quotes)
        kept = choose(known, gone | quoted[facts.areas.look], settings)
        hits, n_kept, n_gold = (
            np.bincount(table.page, which * weight, minlength=table.n_pages)
            for which in (kept & gold, kept, gold)
        )
        total = n_kept + n_gold
        rows.append(np.where(total > 0, 2 * hits / np.maximum(total, 1), 1.0))
    return np.stack(rows)


def held_out(scores: np.ndarray, fold: np.ndarray) -> Iterator[tuple[int, float]]:
    """The combination that is best on the other folds, and the sum of its scores on a fold."""
    for number in range(FOLDS):
        best = int(scores[:, fold != number].mean(axis=1).argmax())
        yield best, float(scores[best, fold == number].sum())


def subsets(tried: list[Weights]) -> Iterator[tuple[str, np.ndarray]]:
    """All combinations, and those without function words."""
    yield "all", np.arange(len(tried))
    without = [index for index, weights in enumerate(tried) if weights.functions == 0]
    yield "without function words", np.array(without)


def written(weights: Weights) -> str:
    return ", ".join(f"{name} {value}" for name, value in weights.to_data().items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+")
    options = parser.parse_args()
    pages = label_blocks(read(options.corpora), labeler(Settings()))
    tried = combinations()
    scores = page_scores(pages, tried)
    fold = np.array(folds(pages.sites, FOLDS))
    means = scores.mean(axis=1)
    print(f"{scores.shape[1]} pages, {len(tried)} combinations, F over words")
    print(f"{means[tried.index(Weights())]:.4f} paper's weights")
    for value in filter(None, GRID["functions"]):
        print(f"{means[tried.index(Weights(functions=value))]:.4f} with function words, {value}")
    print(f"{means.max():.4f} best of the grid: {written(tried[int(means.argmax())])}")
    for label, chosen in subsets(tried):
        results = [*held_out(scores[chosen], fold)]
        print(f"{sum(f for _, f in results) / scores.shape[1]:.4f} held out, {label}")
        for best, _ in results:
            print(f"       {written(tried[chosen[best]])}")


if __name__ == "__main__":
    main()
