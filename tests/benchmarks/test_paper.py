"""Measures of the paper's experiments are those of the counts."""

import numpy as np
import pytest
from paper import block_scores


def test_measures_are_those_of_the_counts():
    confusion = np.array([[6, 2, 2], [1, 50, 9], [0, 10, 120]])
    sums = np.array([[*confusion.ravel(), 1.5, 1.0, 1.2, 2.0]])
    found = dict(zip(block_scores.MEASURES, block_scores.measures(sums)[0], strict=True))
    assert found == pytest.approx(
        {
            "precision": 100 * 59 / 69,
            "recall": 100 * 59 / 70,
            "F": 100 * 118 / 139,
            "accuracy, unlabelled": 100 * 179 / 200,
            "accuracy": 100 * 176 / 200,
            "F header": 100 * 12 / 17,
            "F text": 100 * 100 / 122,
            "word precision": 75,
            "word recall": 50,
            "word F": 60,
        }
    )
