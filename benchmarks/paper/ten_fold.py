"""Experiment 1: cross-validation by site on the pages that have content.

    python benchmarks/paper/ten_fold.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Every column is one configuration. The last one has the published numbers of the original; they are
for other pages, so they cannot be compared directly.
"""

from __future__ import annotations

from typing import Final

from experiment import (
    MEASURES,
    counted,
    has_content,
    marginals,
    measured,
    options,
    run,
    scored,
    show,
)

PUBLISHED: Final = {"accuracy, unlabelled": "82.6 to 83.1", "accuracy": "74.5 to 75.1"}
"""M. Marek, P. Pecina, M. Spousta: Web Page Cleaning with Conditional Random Fields. WAC3, 2007."""

NOTE: Final = (
    "published: WAC3 2007, 104 CleanEval pages, 6 folds that do not keep sites together; "
    "its accuracy is that of five labels, not three"
)


def main() -> None:
    """Cross-validate each configuration and print one table."""
    given = options(__doc__)
    pages = [page for page in given.pages if has_content(page)]
    columns, size = {}, ""
    for name, config in given.configs.items():
        dataset, extractor = measured(pages, config)
        predicted = marginals(dataset, config, extractor, given)
        columns[name] = scored(dataset, predicted, config).cells()
        size = f"{name}: {counted(dataset, given.folds)}"
        print(size)
    columns["published"] = [PUBLISHED.get(measure, "") for measure in MEASURES]
    show("pages with content", columns, [NOTE])


if __name__ == "__main__":
    run(main)
