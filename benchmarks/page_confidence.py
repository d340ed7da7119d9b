"""Effect of dropping pages of low confidence on the kept words, on cross-validated predictions.

    python benchmarks/page_confidence.py PREDICTIONS.npz

The file is that of `victor evaluate --save` or `victor sweep --save`: marginals of models that saw
none of the pages. A page is bad if less than half of its kept words are labelled content, good if
four fifths are. Also: does a page-level classifier of eleven measures, cross-validated by site,
find bad pages better than the mean confidence alone (area under the ROC curve).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from victor.evaluation.predictions import Predictions
from victor.labels import UNLABELLED, Label
from victor.model.decide import decide

LEAST = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)


class Pages:
    """Measures of every page that keeps something."""

    def __init__(self, predictions: Predictions) -> None:
        labels = decide(predictions.marginals, predictions, predictions.decision)
        kept, words = labels != Label.OTHER, predictions.words.astype(float)
        content = (predictions.labels == Label.TEXT) | (predictions.labels == Label.HEADER)
        page = np.repeat(np.arange(len(predictions.pages)), np.diff(predictions.page_starts))

        def total(values: np.ndarray) -> np.ndarray:
            return np.bincount(page, values, minlength=len(predictions.pages))

        kept_words = total(words * kept)
        some = kept_words > 0
        known = total(words * kept * (predictions.labels != UNLABELLED))
        self.right = total(words * kept * content)[some]
        self.known = known[some]
        self.gold = total(words * content).sum()
        self.precision = self.right / np.maximum(self.known, 1)
        self.confidence = (total(words * kept * predictions.keep) / np.maximum(kept_words, 1))[some]
        self.sites = np.array(predictions.sites)[some]
        entropy = -(predictions.marginals * np.log(predictions.marginals + 1e-12)).sum(axis=1)
        best = np.zeros(len(predictions.pages))
        np.maximum.at(best, page, predictions.keep)
        words_all, blocks = total(words), total(kept.astype(float))
        self.measures = np.stack(
            [
                total(words * kept * predictions.keep) / np.maximum(kept_words, 1),
                best,
                np.log1p(kept_words),
                kept_words / np.maximum(words_all, 1),
                np.log1p(words_all),
                np.log1p(blocks),
                np.log1p(kept_words / np.maximum(blocks, 1)),
                total(words * predictions.keep) / np.maximum(kept_words, 1),
                total(words * entropy) / np.maximum(words_all, 1),
                total(words * kept * (words >= 15)) / np.maximum(kept_words, 1),
                np.log1p(np.diff(predictions.page_starts)),
            ],
            axis=1,
        )[some]


def table(pages: Pages) -> None:
    bad, good = pages.precision < 0.5, pages.precision >= 0.8
    print("| least | dropped | bad dropped | good dropped | precision | recall |")
    print("|---|---|---|---|---|---|")
    for least in LEAST:
        drop = pages.confidence < least
        right, known = pages.right[~drop].sum(), pages.known[~drop].sum()
        print(
            f"| {least} | {drop.sum()} of {len(drop)} | {(drop & bad).sum()} of {bad.sum()} | "
            f"{(drop & good).sum()} of {good.sum()} | {right / known:.4f} | "
            f"{right / pages.gold:.4f} |"
        )


def classifiers(pages: Pages) -> None:
    bad = pages.precision < 0.5
    print(f"\nmean confidence: {roc_auc_score(bad, -pages.confidence):.3f}")
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosted trees": GradientBoostingClassifier(n_estimators=80, random_state=1),
    }
    for name, model in models.items():
        probabilities = cross_val_predict(
            model, pages.measures, bad, groups=pages.sites, cv=GroupKFold(5), method="predict_proba"
        )
        print(f"{name}: {roc_auc_score(bad, probabilities[:, 1]):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("predictions", type=Path)
    pages = Pages(Predictions.load(parser.parse_args().predictions))
    table(pages)
    classifiers(pages)


if __name__ == "__main__":
    main()
