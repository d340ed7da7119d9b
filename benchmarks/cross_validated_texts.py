"""Clean texts of cross-validated pages, to score next to those of other systems.

    python benchmarks/cross_validated_texts.py PREDICTIONS.npz DIR

Writes DIR/<corpus>/victor-cv.json, page identifier to text, for every corpus of the predictions,
decided as the system is configured. One block is one line.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from victor.evaluation.predictions import Predictions, page_slices
from victor.labels import UNLABELLED, Label
from victor.model.decide import decide


def texts(predictions: Predictions) -> dict[str, dict[str, str]]:
    """Corpus to page identifier to text; blocks that nobody could label are left out."""
    labels = decide(predictions.marginals, predictions, predictions.decision)
    kept = (labels != Label.OTHER) & (predictions.labels != UNLABELLED)
    texts_by_corpus: dict[str, dict[str, str]] = defaultdict(dict)
    for page, rows in zip(predictions.pages, page_slices(predictions.page_starts), strict=True):
        blocks = rows.start + np.flatnonzero(kept[rows])
        texts_by_corpus[page.corpus][page.id] = "\n".join(
            predictions.texts[block] for block in blocks
        )
    return texts_by_corpus


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("predictions", type=Path)
    parser.add_argument("directory", type=Path)
    arguments = parser.parse_args()
    for corpus, page_texts in texts(Predictions.load(arguments.predictions)).items():
        path = arguments.directory / corpus / "victor-cv.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(page_texts, ensure_ascii=False), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
