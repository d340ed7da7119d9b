"""The protocol of the density article: the first nine tenths of the pages train, the rest tests.

    python benchmarks/density_protocol.py CORPUS [--config NAME]

Errors are those of the chunks that passed the density filter.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load_as
from victor.corpus.pages import read_folder
from victor.labelers.density.labeler import Chunks, Settings, labeler
from victor.training.dataset import label_blocks
from victor.training.density import train


def main() -> None:
    """Print the errors of the trained labeler, and of the density filter alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--config", default="density-paper", help="[default: %(default)s]")
    options = parser.parse_args()
    settings, pages = load_as(Settings, options.config), list(read_folder(options.corpus))
    learnt, tested = np.split(np.arange(len(pages)), [len(pages) * 9 // 10])
    model = train([pages[number] for number in learnt], settings)
    data = label_blocks([pages[number] for number in tested], labeler(settings))
    passed = np.concatenate([Chunks.of(table).candidates(settings) for table in data.tables])
    passed &= data.labels != UNLABELLED
    rows = [np.arange(len(table)) for table in data.tables]
    keep = np.concatenate(
        [
            model.keep(table, blocks, are_candidates=True) > 0.5
            for table, blocks in zip(data.tables, rows, strict=True)
        ]
    )
    is_text = np.isin(data.labels, (Label.HEADER, Label.TEXT))
    print(f"{len(learnt)} pages train, {len(tested)} test: {passed.sum()} chunks pass the filter")
    print(
        f"errors: {(keep != is_text)[passed].mean():.1%}; all kept: {(~is_text)[passed].mean():.1%}"
    )


if __name__ == "__main__":
    main()
