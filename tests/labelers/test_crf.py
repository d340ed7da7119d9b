"""The labeler of trained models."""

import pytest
from msgspec.structs import replace

from victor.errors import ModelError
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze


@pytest.fixture(scope="module")
def model():
    return load_model("default")


@pytest.fixture(scope="module")
def dataset(annotated, model):
    return analyze(annotated, FeatureExtractor(model.config))


def labels(model, dataset):
    """The most probable label of every block by itself, and in the best sequence."""
    inputs = dataset.columns, dataset.page_starts
    return model.marginals(*inputs).argmax(axis=1), model.viterbi(*inputs)


def test_a_model_that_reads_what_its_features_do_not_give_is_refused(small_model):
    features = tuple(module for module in small_model.config.features if module != "links")
    model = replace(small_model, config=small_model.config.replace(features=features))
    with pytest.raises(ModelError, match=r"the model reads link\.density.* train again"):
        CrfLabeler(model)
