"""Models with potentials of trees, and what the blocks weigh that trees learn from."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training import training
from victor.training.dataset import Selection, analyze
from victor.training.leaves import steps
from victor.training.training import block_weights

few = settings(max_examples=40)
TREES = (
    "features=[containers, words, links, ancestors, headings, relations]",
    "discretize=null",
    "template=[{column: '{word.count,container.tag,link.density}', offset: '{-2..2}'}]",
    "crf.edges=relation.before",
    "trees.count=24",
    "trees.depth=3",
)


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


def test_a_loaded_model_is_the_one_that_was_saved(model, experienced, typed, tmp_path):
    """With experts and without."""
    inputs = typed.columns, typed.page_starts
    for saved in (model, experienced):
        saved.save(tmp_path / "a.victor")
        loaded = Model.load(tmp_path / "a.victor")
        loaded.save(tmp_path / "b.victor")
        assert (tmp_path / "a.victor").read_bytes() == (tmp_path / "b.victor").read_bytes()
        assert loaded.config == saved.config
        assert np.array_equal(loaded.marginals(*inputs), saved.marginals(*inputs))
        terms, its = (each.potentials.contributions(*inputs) for each in (saved, loaded))
        assert np.array_equal(terms, its)


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


def selection_of(lengths, labels, words):
    return Selection(
        columns={},
        page_starts=np.cumsum([0, *lengths]),
        labels=np.array(labels, dtype=np.uint8),
        words=np.array(words, dtype=np.int64),
        sites=[f"site{page}" for page in range(len(lengths))],
        types=[""] * len(lengths),
        rows=np.arange(sum(lengths)),
    )


@st.composite
def selections(draw):
    lengths = draw(st.lists(st.integers(0, 12), min_size=1, max_size=5))
    n = sum(lengths)
    labels = st.lists(st.sampled_from([*map(int, Label), UNLABELLED]), min_size=n, max_size=n)
    words = st.lists(st.integers(0, 40), min_size=n, max_size=n)
    return selection_of(lengths, draw(labels), draw(words))


def pages_of(selection, weights):
    """(weights, words, known) of every page."""
    known = selection.labels != UNLABELLED
    for a, b in pairwise(selection.page_starts):
        yield weights[a:b], selection.words[a:b], known[a:b]


@few
@given(selections())
def test_pages_weigh_the_same_and_so_do_the_words_of_a_page(selection):
    weights = block_weights(selection, most=100)
    known = selection.labels != UNLABELLED
    assert (weights[~known] == 0).all()
    assert (weights[known] > 0).all()
    masses = page_masses(selection, weights)
    np.testing.assert_allclose(masses, np.full(len(masses), masses[0] if masses else 0))
    for page, words, labelled in pages_of(selection, weights):
        counted = np.maximum(words[labelled], 0.5)
        np.testing.assert_allclose(page[labelled] * counted.sum(), counted * page.sum())
    if known.any():
        assert weights[known].mean() == pytest.approx(1)


def page_masses(selection, weights):
    """What the words of each page weigh, times words to be kept and a quarter of all, over all."""
    masses = []
    bounds = pairwise(selection.page_starts.tolist())
    for (a, b), (page_weights, words, known) in zip(
        bounds, pages_of(selection, weights), strict=True
    ):
        if known.any():
            counted = np.where(known, np.maximum(words, 0.5), 0)
            kept = counted[selection.labels[a:b] != Label.OTHER].sum()
            masses.append(page_weights.sum() * (kept + counted.sum() / 4) / counted.sum())
    return masses


def test_long_pages_are_thinned_alike_every_time():
    rng, lengths = np.random.default_rng(3), [3000, 40, 2000]
    labels, words = rng.choice([0, 1, 2, UNLABELLED], 5040), rng.integers(0, 30, 5040)
    selection = selection_of(lengths, labels, words)
    weights = block_weights(selection, most=500)
    assert np.array_equal(weights, block_weights(selection, most=500))
    parts = list(pages_of(selection, weights))
    for (page, _, known), length in zip(parts, lengths, strict=True):
        share = min(1, 500 / length)
        assert (page[known] > 0).mean() == pytest.approx(share, abs=0.03)
    masses = page_masses(selection, weights)
    np.testing.assert_allclose(masses, masses[1], rtol=0.1)
