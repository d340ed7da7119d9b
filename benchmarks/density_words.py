"""Word scores of the text density labeler under any configuration, as it is or trained in folds.

python benchmarks/density_words.py CORPUS... [--config density-paper] [--folds 5] [--set KEY=VALUE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from victor.cli.corpora import read
from victor.config import load_as
from victor.corpus.pages import AnnotatedPage
from victor.errors import VictorError
from victor.evaluation.evaluation import by_labeler, by_training
from victor.labelers.density import DensityLabeler, labeler
from victor.labelers.density.settings import Settings
from victor.measures.summaries import table
from victor.training.density import train


def main() -> None:
    """Print the word scores of all pages."""
    options = _arguments()
    settings = load_as(Settings, options.config, options.set)
    pages = [*read(options.corpora)]
    outcome = (
        by_training(pages, partial(_trained, settings), system=options.config, k=options.folds)
        if options.folds
        else by_labeler(pages, labeler(settings), system=options.config)
    )
    print(table(outcome.assess(None).summaries()))


def _trained(settings: Settings, pages: Sequence[AnnotatedPage]) -> DensityLabeler:
    return labeler(settings, train(pages, settings))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS",
                        help="folder that `victor align` wrote, or of marked pages")  # fmt: skip
    parser.add_argument("--config", default="density-paper", help="configuration of the labeler")
    parser.add_argument("--folds", type=int, default=0,
                        help="train the model on the other folds")  # fmt: skip
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a key of the configuration")  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except VictorError as error:
        sys.exit(str(error))
