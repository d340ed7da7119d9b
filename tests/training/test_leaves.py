"""Steps in the leaves and edges of a shipped model: towards the labels, and nothing else moves."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from victor import load_model
from victor.base.labels import UNLABELLED, Label
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


def test_a_turn_moves_a_quarter_of_the_trees(model, dataset):
    moved = after(model, dataset, 1).potentials.leaves != model.potentials.leaves
    n_text = model.potentials.n_text
    rows = np.flatnonzero(moved.any(axis=(0, 2)))
    assert len(rows)
    assert set(rows[rows < n_text] % 4) == {0}
    assert set((rows[rows >= n_text] - n_text) % 4) <= {0}
