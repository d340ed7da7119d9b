"""What decides in the default model: one chain, of which trees and edges both are parts."""

import numpy as np
import pytest
from msgspec.structs import replace

from victor.base.labels import Label
from victor.errors import ModelError
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.model.extractor import FeatureExtractor
from victor.model.trees import Trees
from victor.training.dataset import analyze


@pytest.fixture(scope="module")
def model():
    return load_model("default")


@pytest.fixture(scope="module")
def dataset(annotated, model):
    return analyze(annotated, FeatureExtractor(model.config))


def without_edges(model):
    tables = np.zeros_like(model.edges.tables)
    return replace(model, edges=replace(model.edges, tables=tables))


def without_trees(model):
    """Every block is what blocks are on average."""
    trees = model.potentials
    return replace(model, potentials=replace(trees, leaves=np.zeros_like(trees.leaves)))


def labels(model, dataset):
    """The most probable label of every block by itself, and in the best sequence."""
    inputs = dataset.columns, dataset.page_starts
    return model.marginals(*inputs).argmax(axis=1), model.viterbi(*inputs)


def test_potentials_are_trees_and_edges_go_by_the_relation_to_the_block_before(model):
    assert isinstance(model.potentials, Trees)
    assert model.edges.columns == ("relation.before",)
    spread = [np.ptp(values) for values in model.edges.values]
    assert max(spread) > 0.1
    assert len({*np.round(spread, 3)}) > 1, "kinds of edge say different things"


def test_without_edges_other_labels_are_given(model, dataset):
    whole, alone = labels(model, dataset), labels(without_edges(model), dataset)
    assert len(whole[0]) > 3000
    for found, expected in zip(alone, whole, strict=True):
        assert (found != expected).sum() > 10
        assert ((found == Label.OTHER) != (expected == Label.OTHER)).sum() > 5, "kept or not, too"


def test_without_trees_other_labels_are_given(model, dataset):
    whole, alone = labels(model, dataset), labels(without_trees(model), dataset)
    for found, expected in zip(alone, whole, strict=True):
        assert (found != expected).sum() > 500


def test_without_edges_blocks_do_not_ask_their_neighbours(model, dataset):
    """So marginals and best sequences agree; with edges they need not."""
    marginals, best = labels(without_edges(model), dataset)
    assert np.array_equal(marginals, best)
    marginals, best = labels(model, dataset)
    assert not np.array_equal(marginals, best)


def test_a_model_that_reads_what_its_features_do_not_give_is_refused(small_model):
    features = tuple(module for module in small_model.config.features if module != "links")
    model = replace(small_model, config=small_model.config.replace(features=features))
    with pytest.raises(ModelError, match=r"the model reads link\.density.* train again"):
        CrfLabeler(model)
