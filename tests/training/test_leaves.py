"""Steps in the leaves and edges of a shipped model: towards the labels, and nothing else moves."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from msgspec import structs

from victor import load_model
from victor.base.labels import UNLABELLED, Label
from victor.errors import ConfigError
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze
from victor.training.leaves import steps


@pytest.fixture(scope="module")
def model():
    return load_model()


@pytest.fixture(scope="module")
def dataset(annotated, model):
    """Six of our pages."""
    return analyze(annotated[:6], FeatureExtractor(model.config))


def after(model, dataset, n_steps):
    selection = dataset.select(range(len(dataset.pages)))
    return next(islice(steps(model, selection), n_steps - 1, None))


def likelihood(model, dataset):
    marginals = model.marginals(dataset.columns, dataset.page_starts)
    rows = np.flatnonzero(dataset.labels != UNLABELLED)
    words = np.maximum(dataset.words[rows], 1)
    return float(words @ np.log(marginals[rows, dataset.labels[rows]] + 1e-9))


def test_leaves_are_those_that_the_potentials_add_up(model, dataset):
    trees, starts = model.potentials, dataset.page_starts
    leaf = trees.leaves_of(dataset.columns, starts)
    values = np.take_along_axis(trees.leaves.astype(float), leaf[None], axis=2)
    of_experts = values[:, : trees.n_text].sum(axis=1)
    weights = trees.weights(trees.codebook.codes(dataset.columns).T, starts)
    weights = weights.repeat(np.diff(starts), axis=0)
    text = (of_experts * weights.T).sum(axis=0) + trees.bias[0]
    potentials = trees(dataset.columns, starts)
    assert np.allclose(potentials[:, Label.TEXT], text, atol=1e-4)


def test_every_step_makes_other_labels_more_probable(model, dataset):
    is_text = dataset.labels == Label.TEXT
    swapped = replace(dataset, labels=np.where(is_text, np.uint8(Label.OTHER), dataset.labels))
    values = [likelihood(model, swapped)]
    values += [likelihood(after(model, swapped, n), swapped) for n in (1, 10, 40)]
    assert values == sorted(values)
    assert values[-1] > values[0] / 2  # log-likelihoods are negative


def test_only_leaves_and_edges_move(model, dataset):
    moved = after(model, dataset, 5)
    before, now = model.potentials, moved.potentials
    assert not np.array_equal(before.leaves, now.leaves)
    assert np.array_equal(before.questions, now.questions)
    assert np.array_equal(before.cover, now.cover)
    assert (before.bias, before.inputs) == (now.bias, now.inputs)
    assert not np.array_equal(model.edges.tables, moved.edges.tables)
    assert (model.edges.entries, model.page_head) == (moved.edges.entries, moved.page_head)


def test_a_model_without_edges_gets_none(model, dataset):
    config = model.config.replace(crf=model.config.crf.replace(transitions=False))
    moved = after(structs.replace(model, config=config), dataset, 2)
    assert np.array_equal(model.edges.tables, moved.edges.tables)


def test_a_turn_moves_a_quarter_of_the_trees(model, dataset):
    moved = after(model, dataset, 1).potentials.leaves != model.potentials.leaves
    n_text = model.potentials.n_text
    rows = np.flatnonzero(moved.any(axis=(0, 2)))
    assert len(rows)
    assert set(rows[rows < n_text] % 4) == {0}
    assert set((rows[rows >= n_text] - n_text) % 4) <= {0}


def test_blocks_without_a_label_teach_nothing(model, dataset):
    leaves = []
    for other in Label:
        labels = dataset.labels.copy()
        labels[::3] = other
        labels[::3] = UNLABELLED
        leaves.append(after(model, replace(dataset, labels=labels), 3).potentials.leaves)
    assert all(np.array_equal(leaves[0], others) for others in leaves[1:])


def test_a_model_without_trees_is_refused(small_model, dataset):
    with pytest.raises(ConfigError, match="victor train"):
        next(steps(small_model, dataset.select([0])))
