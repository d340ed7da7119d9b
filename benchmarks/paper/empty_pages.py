"""Experiment 3: pages without content in training and in testing (the paper's table 3).

    python benchmarks/paper/empty_pages.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Two cross-validations with the same folds over all pages: one is trained on the pages with content
only, the other on all. Both are scored on the pages with content and on all. The paper has the
first and the last of these four, on 271 and on 907 pages, without features of the language.
"""

from __future__ import annotations

import numpy as np
from experiment import (
    all_other,
    counted,
    has_content,
    marginals,
    measured,
    options,
    published,
    run,
    scored,
    show,
    without_language,
)
from published import ALL_OTHER, ALL_PAGES, CONTENT_PAGES, PAPER


def main() -> None:
    """Cross-validate each configuration with both sets of training pages."""
    given = options(__doc__)
    for name, config in given.configs.items():
        dataset, extractor = measured(given.pages, config)
        plain = without_language(config, extractor)
        content = np.array([has_content(page) for page in dataset.pages])
        every = np.ones(len(content), bool)
        filled = np.diff(dataset.page_starts) > 0
        columns = {}
        choices = {"content": content, "all": every}
        for training, pages in choices.items():
            predicted = marginals(dataset, plain, extractor, given, pages=pages & filled)
            for test, chosen in choices.items():
                scores = scored(dataset, predicted, config.decide, chosen)
                columns[f"{training} -> {test}"] = scores.cells()
        columns["all other -> all"] = all_other(dataset).cells()
        columns["paper: 271"] = published(CONTENT_PAGES)
        columns["paper: 907"] = published(ALL_PAGES)
        columns["paper: all other"] = published(ALL_OTHER)
        print(f"{name}: {counted(dataset, given.folds)}; {np.sum(~content)} pages without content")
        show(f"{name}, trained on -> scored on", columns, [PAPER])


if __name__ == "__main__":
    run(main)
