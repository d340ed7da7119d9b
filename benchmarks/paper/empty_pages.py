"""Experiment 3: pages without content in training and in testing (the paper's table 3).

    python benchmarks/paper/empty_pages.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Two cross-validations with the same folds over all pages: one is trained on the pages with content
only, the other on all. Both are scored on the pages with content and on all.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from experiment import counted, has_content, marginals, measured, options, run, scored, show

NOTE: Final = (
    "published: M. Spousta, M. Marek, P. Pecina, Victor: the Web-Page Cleaning Tool, WAC4 2008, "
    "table 3: with pages without content, precision fell from 80.75 to 74.78"
)


def main() -> None:
    """Cross-validate each configuration with both sets of training pages."""
    given = options(__doc__)
    for name, config in given.configs.items():
        dataset, extractor = measured(given.pages, config)
        content = np.array([has_content(page) for page in dataset.pages])
        every = np.ones(len(content), bool)
        filled = np.diff(dataset.page_starts) > 0
        columns = {}
        choices = {"content": content, "all": every}
        for training, pages in choices.items():
            predicted = marginals(dataset, config, extractor, given, pages=pages & filled)
            for test, chosen in choices.items():
                scores = scored(dataset, predicted, config, chosen)
                columns[f"{training} -> {test}"] = scores.cells()
        print(f"{name}: {counted(dataset, given.folds)}; {np.sum(~content)} pages without content")
        show(f"{name}, trained on -> scored on", columns, [NOTE])


if __name__ == "__main__":
    run(main)
