"""Experiment 3: pages without content, in training and in testing (the paper's table 3).

    python benchmarks/paper/empty_pages.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Two cross-validations with the same folds over all pages: one learns from the pages with content
only, one from pages without content, too. Both are scored on the pages with content and on all.
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
    """Cross-validate each configuration with both sets of pages to learn from."""
    given = options(__doc__)
    for name, config in given.configs.items():
        dataset, analyzer = measured(given.pages, config)
        content = np.array([has_content(page) for page in dataset.pages])
        every = np.ones(len(content), bool)
        filled = np.diff(dataset.page_starts) > 0
        columns = {}
        for said, learnt in (("content", content), ("all", every)):
            found = marginals(dataset, config, analyzer, given, learnt=learnt & filled)
            for asked, on in (("content", content), ("all", every)):
                columns[f"{said} -> {asked}"] = scored(dataset, found, config, on).cells()
        print(f"{name}: {counted(dataset, given.folds)}; {np.sum(~content)} pages without content")
        show(f"{name}, trained on -> scored on", columns, [NOTE])


if __name__ == "__main__":
    run(main)
