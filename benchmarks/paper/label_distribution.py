"""The labels of the data (the paper's table 1), and what labelling every block *other* gives.

    python benchmarks/paper/label_distribution.py CORPUS... [--config NAME]

Counts the blocks of all pages as the configuration cuts them. The trivial system is scored on all
pages, as in the paper, and on those with content, where the experiments take place.
"""

from __future__ import annotations

import numpy as np
from experiment import all_other, has_content, measured, options, run
from published import ALL_OTHER, LABELS, PAGES, PAGES_WITH_CONTENT, PAPER

from victor.labels import LABEL_NAMES, UNLABELLED
from victor.measures.summaries import aligned
from victor.training.dataset import Dataset


def main() -> None:
    """Print a table of labels for each configuration."""
    given = options(__doc__)
    for name, config in given.configs.items():
        dataset, _ = measured(given.pages, config)
        content = np.array([has_content(page) for page in dataset.pages])
        print(f"== {name}, labels\n{aligned(labels_beside_the_papers(dataset))}\n")
        print(aligned(pages_and_baseline(dataset, content)))
        unlabelled = int((dataset.labels == UNLABELLED).sum())
        print(f"{unlabelled} blocks that nobody could label are in no row\n{PAPER}\n")


def labels_beside_the_papers(dataset: Dataset) -> list[list[str]]:
    """Rows of table 1: blocks and per cent of every label and of all, ours and the paper's."""
    ours = {name: int((dataset.labels == code).sum()) for code, name in enumerate(LABEL_NAMES)}
    total = sum(ours.values())
    rows = [["label", "blocks", "%", "paper: blocks", "paper: %"]]
    for name, (blocks, percent) in LABELS.items():
        count = ours.get(name, total)
        shares = (f"{100 * count / total:.2f}", f"{blocks:,}", f"{percent:.2f}")
        rows.append([name, f"{count:,}", *shares])
    return rows


def pages_and_baseline(dataset: Dataset, content: np.ndarray) -> list[list[str]]:
    """Rows of pages, and of the accuracy of labelling every block *other*."""
    baseline = {
        "all pages": (all_other(dataset), f"{ALL_OTHER['accuracy']:.2f}"),
        "pages with content": (all_other(dataset, content), "-"),
    }
    return [
        ["", "ours", "paper"],
        ["pages", str(len(content)), str(PAGES)],
        ["with content", str(int(content.sum())), str(PAGES_WITH_CONTENT)],
        *(
            [f"accuracy of all other, {on}", scores.cells()[0], theirs]
            for on, (scores, theirs) in baseline.items()
        ),
    ]


if __name__ == "__main__":
    run(main)
