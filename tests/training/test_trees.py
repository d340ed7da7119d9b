"""Models with potentials of trees, and what the blocks weigh that trees learn from."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.corpus.pages import from_letters
from victor.model.extractor import FeatureExtractor
from victor.training import training
from victor.training.dataset import Selection, analyze
from victor.training.leaves import steps
from victor.training.training import block_weights

ROWS = tables(__file__)
TREES = ROWS["settings"]


@pytest.fixture(scope="module")
def extractor():
    return FeatureExtractor(load("crf", TREES))


@pytest.fixture(scope="module")
def dataset(annotated, extractor):
    return analyze(annotated, extractor)


@pytest.fixture(scope="module")
def model(dataset, extractor):
    return training.train(dataset, extractor)


# --- the model -----------------------------------------------------------------------------------


def test_they_learn_from_the_labels(model, dataset):
    probabilities = model.marginals(dataset.columns, dataset.page_starts)
    known = dataset.labels != UNLABELLED
    kept = dataset.labels[known] != Label.OTHER
    right = ((probabilities[known, Label.OTHER] < 0.5) == kept).mean()
    assert right > 0.8 > max(kept.mean(), 1 - kept.mean())


def test_without_a_column_all_edges_are_alike(dataset):
    extractor = FeatureExtractor(load("crf", [*TREES, "crf.edges=null"]))
    model = training.train(dataset, extractor)
    assert model.edges.values.shape == (1, 3, 3)
    assert model.edges.columns == ()
    assert "relation.before" not in model.columns


# --- experts -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def typed(dataset):
    """Our pages, threads by name where there are more links than on most."""
    lengths = np.diff(dataset.page_starts)
    page = np.repeat(np.arange(len(lengths)), lengths)
    links = np.bincount(page, dataset.columns["link.density"]) / np.maximum(lengths, 1)
    kinds = np.where(links > np.median(links), "forum", "article")
    pages = zip(dataset.pages, kinds.tolist(), strict=True)
    return replace(dataset, pages=tuple(replace(page, kind=kind) for page, kind in pages))


@pytest.fixture(scope="module")
def experienced(typed, extractor):
    return training.train(typed, extractor)


def test_types_of_pages_make_experts(experienced, typed, model):
    trees = experienced.potentials
    assert model.potentials.gate is None
    assert trees.gate.experts == ("article", "forum")
    article, forum = trees.leaves
    assert not np.array_equal(article, forum)
    weights = trees.weights(trees.codebook.codes(typed.columns).T, typed.page_starts)
    is_forum = [page.kind == "forum" for page in typed.pages]
    assert ((weights[:, 1] > 0.5) == is_forum).mean() > 0.8


def test_steps_move_the_leaves_of_the_first_expert_of_each_page(experienced, typed):
    trees = experienced.potentials
    weights = trees.weights(trees.codebook.codes(typed.columns).T, typed.page_starts)
    first = weights.argmax(axis=1)
    for expert in (0, 1):
        own = typed.select(np.flatnonzero(first == expert))
        *_, moved = islice(steps(experienced, own), 8)
        changed = (moved.potentials.leaves != trees.leaves).any(axis=(1, 2))
        assert changed.tolist() == [expert == 0, expert == 1]
        known = own.labels != UNLABELLED
        right = [
            each.marginals(own.columns, own.page_starts)[known, own.labels[known]].mean()
            for each in (experienced, moved)
        ]
        assert right[0] < right[1]


# --- what blocks weigh ---------------------------------------------------------------------------


def weights_of(lengths, labels, words, most):
    selection = Selection(
        columns={},
        page_starts=np.cumsum([0, *lengths]),
        labels=labels,
        words=np.array(words, dtype=np.int64),
        sites=[f"site{page}" for page in range(len(lengths))],
        types=[""] * len(lengths),
        rows=np.arange(sum(lengths)),
    )
    return block_weights(selection, most=most)


@pytest.mark.parametrize(("lengths", "labels", "words", "expected"), ROWS["weights"])
def test_what_blocks_weigh(lengths, labels, words, expected):
    found = weights_of(lengths, from_letters(labels), words, 100)
    assert found == pytest.approx(np.array(expected))


def test_long_pages_are_thinned_alike_every_time_and_weigh_as_much():
    rng, lengths = np.random.default_rng(3), [3000, 40, 2000]
    labels = rng.choice([0, 1, 2, UNLABELLED], 5040).astype(np.uint8)
    words = rng.integers(0, 30, 5040)
    whole, thin, again = (weights_of(lengths, labels, words, most) for most in (9999, 500, 500))
    assert np.array_equal(thin, again)
    starts, known = np.cumsum([0, *lengths[:-1]]), labels != UNLABELLED
    shares = np.add.reduceat(thin > 0, starts, dtype=float) / np.add.reduceat(known, starts)
    assert shares == pytest.approx([1 / 6, 1, 1 / 4], abs=0.03)
    masses = [np.add.reduceat(weights, starts) for weights in (whole, thin)]
    np.testing.assert_allclose(*(mass / mass[1] for mass in masses), rtol=0.1)
