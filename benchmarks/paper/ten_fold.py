"""Experiment 1: cross-validation by site on the pages that have content.

    python benchmarks/paper/ten_fold.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Every configuration is a column, without features of the language, as in the paper. Beside them
stand the system that labels every block *other*, the paper's first experiment, and the figures of
the earlier paper. The last two are for other pages, so they cannot be compared directly.
"""

from __future__ import annotations

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
from published import CONTENT_PAGES, EARLIER, PAPER, WAC3


def main() -> None:
    """Cross-validate each configuration and print one table."""
    given = options(__doc__)
    pages = [page for page in given.pages if has_content(page)]
    columns = {}
    for name, config in given.configs.items():
        dataset, extractor = measured(pages, config)
        predicted = marginals(dataset, without_language(config, extractor), extractor, given)
        columns[name] = scored(dataset, predicted, config.decide).cells()
        columns[f"all other ({name})"] = all_other(dataset).cells()
        print(f"{name}: {counted(dataset, given.folds)}")
    columns["paper"] = published(CONTENT_PAGES)
    columns["WAC3 2007"] = published(WAC3)
    show("pages with content", columns, [PAPER, EARLIER])


if __name__ == "__main__":
    run(main)
