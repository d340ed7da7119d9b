"""Score marginals or a labeler on a dataset: word scores per page, counts of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from victor.dataset import Dataset
from victor.decide import Decision, decide
from victor.labels import LABEL_NAMES, UNLABELLED, Label
from victor.measures.blocks import BlockScores, block_scores, pool
from victor.measures.summaries import Summary, summarize
from victor.measures.words import WordScore, word_score
from victor.render.text import render
from victor.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Assessment:
    """Scores of every page of a dataset, in its order.

    Attributes:
        kinds: page type of each page.
        words: word score of each page; only pages with gold text (empty ones included).
        word_kinds: page type of each page in `words`.
        blocks: block counts of each page.
    """

    kinds: list[str]
    words: list[WordScore]
    word_kinds: list[str]
    blocks: list[BlockScores]

    def word_summaries(self) -> list[Summary]:
        """Page means over all pages, then by page type; empty without gold texts."""
        return summarize(self.words, self.word_kinds) if self.words else []

    def block_summaries(self) -> dict[str, BlockScores]:
        """Block counts over all pages, then by page type."""
        return pool(self.blocks, self.kinds)


def assess(dataset: Dataset, marginals: NDArray[np.float64], decision: Decision) -> Assessment:
    """Score what a decision makes of marginals.

    The text of a page is what `victor clean` would print. Blocks that nobody could label are
    don't-care: they count neither among the blocks nor, where the page has any, among the words.
    """
    labels = decide(marginals, dataset.page_starts, dataset.words, decision)
    return score_labels(dataset, labels, marginals)


def score_labels(
    dataset: Dataset, labels: NDArray[np.uint8], marginals: NDArray[np.float64]
) -> Assessment:
    """Score given labels of all blocks of a dataset."""
    scored = np.where(dataset.labels == UNLABELLED, np.uint8(Label.OTHER), labels)
    texts = _texts(dataset, scored, marginals)
    kinds = [page.kind or "page" for page in dataset.pages]
    words, word_kinds = [], []
    for page, kind, text in zip(dataset.pages, kinds, texts, strict=True):
        if page.gold is not None:
            words.append(word_score(text, page.gold))
            word_kinds.append(kind)
    starts = dataset.page_starts.tolist()
    blocks = [block_scores(dataset.labels[a:b], labels[a:b]) for a, b in pairwise(starts)]
    return Assessment(kinds, words, word_kinds, blocks)


def _texts(
    dataset: Dataset, labels: NDArray[np.uint8], marginals: NDArray[np.float64]
) -> Iterator[str]:
    """Clean text of every page."""
    first = 0
    for table in dataset.tables:
        rows = slice(first, first + len(table))
        verdict = Verdict(table, labels[rows], marginals[rows], "assessed")
        for page in range(table.n_pages):
            yield render(verdict, page)
        first += len(table)


def headline(scores: Assessment) -> dict[str, float]:
    """The few numbers that a model card shows."""
    kept = scores.block_summaries()["all"].kept
    found = {"block precision": kept.precision, "block recall": kept.recall, "block F": kept.f1}
    if scores.words:
        means = scores.word_summaries()[0].means
        found |= {
            "word precision": means["precision"],
            "word recall": means["recall"],
            "word F": means["f1"],
        }
    return {name: round(value, 4) for name, value in found.items()}


def block_table(scores: dict[str, BlockScores]) -> str:
    """Block measures per group as lines of text for a terminal."""
    head = ["", "blocks", "accuracy", "unlabelled", "P kept", "R kept", "F kept"]
    head += [f"F {name}" for name in LABEL_NAMES]
    rows = [head]
    for group, counts in scores.items():
        kept = counts.kept
        values = [counts.accuracy, counts.unlabelled_accuracy]
        values += [kept.precision, kept.recall, kept.f1]
        values += [counts.of(label).f1 for label in Label]
        rows.append([group, str(counts.blocks), *(f"{value:.4f}" for value in values)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
