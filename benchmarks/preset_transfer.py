"""What a precision that was chosen on some corpora gives on others.

    victor evaluate CORPUS... -m default --save out
    python benchmarks/preset_transfer.py out/default.npz [--tested other/default.npz ...]

Every corpus of the first file is scored with thresholds that were chosen on all others of it, those
of the files behind --tested with thresholds that were chosen on all of it. The model must have seen
none of the pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from victor.base.errors import ConfigError
from victor.evaluation.curve import curve
from victor.evaluation.predictions import Predictions
from victor.evaluation.presets import choose, corpora, selected
from victor.measures.summaries import aligned
from victor.model.presets import Presets

ASKED = (0.90, 0.95, 0.98)


def main() -> None:
    """Print precision and recall of pooled words for every corpus and precision asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chosen_on", type=Path)
    parser.add_argument("--tested", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    predictions = Predictions.load(options.chosen_on)
    tested = [Predictions.load(path) for path in options.tested]
    rows = [*_rows(predictions, tested)]
    means = np.mean([[precision for precision, _ in scores] for _, scores in rows], axis=0)
    table = [["precision asked for", *(f"{least:.2f}" for least in ASKED)]]
    table += [[name, *(f"{p:.3f} {r:.3f}" for p, r in scores)] for name, scores in rows]
    print(aligned([*table, ["mean precision", *(f"{mean:.3f}      " for mean in means)]]))


def _rows(
    predictions: Predictions, tested: list[Predictions]
) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    names = np.array([page.corpus for page in predictions.pages])
    for name, part in corpora(predictions):
        if any(page.gold is not None for page in part.pages):
            others = selected(predictions, np.flatnonzero(names != name))
            yield name, _scores(part, choose(others))
    presets = choose(predictions)
    for file in tested:
        for name, part in corpora(file):
            yield name, _scores(part, presets)


def _scores(part: Predictions, presets: Presets) -> list[tuple[float, float]]:
    """Precision and recall of words at every precision asked for; nan where it was not reached."""
    measured = curve(part)
    pairs = []
    for least in ASKED:
        try:
            score = measured.at(presets[f"p{least:g}"])["words"]
            pairs.append((score.precision, score.recall))
        except ConfigError:
            pairs.append((np.nan, np.nan))
    return pairs


if __name__ == "__main__":
    main()
