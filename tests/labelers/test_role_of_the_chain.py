"""What the chain of the default model decides: header or text, and not what is kept."""

from dataclasses import replace

import numpy as np
import pytest

from victor.labelers.load import load_model
from victor.labels import Label
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model():
    return load_model("default")


@pytest.fixture(scope="module")
def dataset(annotated, model):
    return analyze(annotated, FeatureExtractor(model.config))


def test_without_transitions_the_same_is_kept(model, dataset):
    weights = replace(model.weights, transitions=np.zeros_like(model.weights.transitions))
    both = [
        each.marginals(dataset.columns, dataset.page_starts)[:, Label.OTHER]
        for each in (model, replace(model, weights=weights))
    ]
    assert len(both[0]) > 3000
    np.testing.assert_allclose(both[0], both[1], atol=1e-12)


def test_without_trees_something_else_is_kept(model, dataset):
    whole, chain = (
        each.marginals(dataset.columns, dataset.page_starts)
        for each in (model, replace(model, trees=None))
    )
    kept = [found[:, Label.OTHER] < 0.5 for found in (whole, chain)]
    assert (kept[0] != kept[1]).sum() > 100
    header = [found[:, Label.HEADER] > found[:, Label.TEXT] for found in (whole, chain)]
    assert (header[0] == header[1]).all(), "which of the two is the chain's to say"
