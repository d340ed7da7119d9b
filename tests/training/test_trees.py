"""Models with boosted trees: what they change, and what the blocks weigh that trees learn from."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.config import load
from victor.errors import ConfigError, CorpusError, ModelError, TemplateError
from victor.labelers.crf import CrfLabeler
from victor.labels import UNLABELLED, Label
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model, with_keep
from victor.training import training
from victor.training.dataset import Selection, analyze
from victor.training.training import block_weights

few = settings(max_examples=60, deadline=None, derandomize=True)
PLAIN = ("crf.max_iterations=10",)
TREES = (
    *PLAIN,
    "trees.count=20",
    "trees.depth=4",
    "trees.inputs=[{column: '{word.count,container.tag,link.density}', offset: '{-2..2}'}]",
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


@pytest.fixture(scope="module")
def plain(dataset):
    return training.train(dataset, FeatureExtractor(load("crf", PLAIN)))


# --- the model -----------------------------------------------------------------------------------


def test_trees_say_how_probable_it_is_that_a_block_is_kept(model, dataset):
    log_odds = model.trees(dataset.columns, dataset.page_starts).astype(float)
    probabilities = model.marginals(dataset.columns, dataset.page_starts)
    np.testing.assert_allclose(probabilities[:, Label.OTHER], 1 / (1 + np.exp(log_odds)), rtol=1e-9)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_trees_learn_from_the_labels(model, dataset):
    log_odds = model.trees(dataset.columns, dataset.page_starts)
    known = dataset.labels != UNLABELLED
    kept = dataset.labels[known] != Label.OTHER
    assert ((log_odds[known] > 0) == kept).mean() > 0.8 > max(kept.mean(), 1 - kept.mean())


@pytest.mark.slow
def test_header_and_text_share_what_is_kept_as_they_did(model, plain, dataset):
    """The chain is the same with trees and without."""
    assert plain.trees is None
    with_trees, without = (
        m.marginals(dataset.columns, dataset.page_starts) for m in (model, plain)
    )
    share = [part[:, 0] / part[:, :2].sum(axis=1) for part in (with_trees, without)]
    np.testing.assert_allclose(*share, rtol=1e-9)
    assert np.abs(with_trees - without).max() > 0.1


@pytest.mark.slow
def test_a_loaded_model_is_the_one_that_was_saved(model, dataset, tmp_path):
    model.save(tmp_path / "a.victor")
    loaded = Model.load(tmp_path / "a.victor")
    loaded.save(tmp_path / "b.victor")
    assert (tmp_path / "a.victor").read_bytes() == (tmp_path / "b.victor").read_bytes()
    inputs = dataset.columns, dataset.page_starts
    assert loaded.config == model.config
    assert loaded.trees.inputs == model.trees.inputs
    assert np.array_equal(loaded.marginals(*inputs), model.marginals(*inputs))
    assert np.array_equal(loaded.trees.contributions(*inputs), model.trees.contributions(*inputs))


@pytest.mark.slow
def test_training_twice_gives_the_same_bytes(model, dataset, extractor, tmp_path):
    for name, trained in (("a", model), ("b", training.train(dataset, extractor))):
        trained.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("value", [None, 3, [], {}, {"codebook": {}, "inputs": [], "bias": 0}])
def test_trees_of_another_form_in_the_file(model, tmp_path, value, monkeypatch):
    described = model.trees.to_arrays()[1]
    monkeypatch.setattr(type(model.trees), "to_arrays", lambda _: (value, described))
    model.save(tmp_path / "a.victor")
    with pytest.raises(ModelError, match=r"a\.victor is damaged"):
        Model.load(tmp_path / "a.victor")


def test_calibration_comes_after_the_trees(model, dataset):
    from victor.model.calibration import Calibration

    calibrated = replace(model, calibration=Calibration((-1.0, 1.0), (-3.0, 0.0)))
    inputs = dataset.columns, dataset.page_starts
    expected = calibrated.calibration(model.marginals(*inputs))
    assert np.array_equal(calibrated.marginals(*inputs), expected)


@pytest.mark.slow
def test_cross_validation_grows_trees_of_its_own(dataset, extractor):
    probabilities = training.cross_validate(dataset, extractor.config, kinds=extractor.kinds, k=2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    seen = training.fit(
        dataset.select(range(len(dataset.pages))), extractor.config, kinds=extractor.kinds
    ).marginals(dataset.columns, dataset.page_starts)
    known = dataset.labels != UNLABELLED
    right = [p[known, dataset.labels[known]].mean() for p in (probabilities, seen)]
    assert right[0] < right[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("trees.inputs=null", r"trees\.inputs: a template is a list"),
        ("trees.inputs=[{column: word.coun}]", "did you mean word.count"),
        ("trees.inputs=[{colum: word.count}]", r"trees\.inputs: "),
    ],
)
def test_inputs_that_there_are_not(dataset, setting, message):
    with pytest.raises(TemplateError, match=message):
        training.train(dataset, FeatureExtractor(load("crf", [*TREES, setting])))


@pytest.mark.slow
def test_pages_without_content_give_no_trees(dataset, extractor):
    labels = np.full_like(dataset.labels, Label.OTHER)
    with pytest.raises(CorpusError, match="kept and dropped"):
        training.train(replace(dataset, labels=labels), extractor)


@pytest.mark.slow
@few
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(-800, 800)), max_size=8))
def test_with_keep(rows):
    """Any log-odds of being kept, any marginals: also where the chain is sure of *other*."""
    content, part, log_odds = np.array(rows, dtype=float).reshape(-1, 3).T
    before = np.stack([content * part, content * (1 - part), 1 - content], axis=1)
    combined = with_keep(before, log_odds)
    assert (combined >= 0).all()
    np.testing.assert_allclose(combined.sum(axis=1), 1)
    with np.errstate(divide="ignore"):
        odds = np.log(combined[:, :2].sum(axis=1)) - np.log(combined[:, Label.OTHER])
    fine = np.abs(log_odds) < 700
    np.testing.assert_allclose(odds[fine], log_odds[fine], atol=1e-6)
    both = before[:, :2].sum(axis=1)
    expected = before[:, 0] * combined[:, :2].sum(axis=1)
    np.testing.assert_allclose(combined[:, 0] * both, expected, atol=1e-9)


# --- what blocks weigh ---------------------------------------------------------------------------


@st.composite
def selections(draw, most=12):
    lengths = draw(st.lists(st.integers(0, most), min_size=1, max_size=5))
    n = sum(lengths)
    drawn = st.sampled_from([*map(int, Label), UNLABELLED])
    return Selection(
        columns={},
        page_starts=np.cumsum([0, *lengths]),
        labels=np.array(draw(st.lists(drawn, min_size=n, max_size=n)), dtype=np.uint8),
        words=np.array(draw(st.lists(st.integers(0, 40), min_size=n, max_size=n)), dtype=np.int64),
        sites=[f"site{page}" for page in range(len(lengths))],
        rows=np.arange(n),
    )


def pages_of(selection, weights):
    """(weights, words, known) of every page."""
    known = selection.labels != UNLABELLED
    for a, b in pairwise(selection.page_starts):
        yield weights[a:b], selection.words[a:b], known[a:b]


@pytest.mark.slow
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


def long_pages():
    rng = np.random.default_rng(3)
    lengths = [3000, 40, 2000]
    n = sum(lengths)
    return Selection(
        columns={},
        page_starts=np.cumsum([0, *lengths]),
        labels=rng.choice([0, 1, 2, UNLABELLED], n).astype(np.uint8),
        words=rng.integers(0, 30, n),
        sites=["a", "b", "c"],
        rows=np.arange(n),
    )


def test_long_pages_are_thinned_alike_every_time():
    selection = long_pages()
    weights = block_weights(selection, most=500)
    assert np.array_equal(weights, block_weights(selection, most=500))
    parts = list(pages_of(selection, weights))
    for (page, _, known), length in zip(parts, (3000, 40, 2000), strict=True):
        share = min(1, 500 / length)
        assert (page[known] > 0).mean() == pytest.approx(share, abs=0.03)
    masses = page_masses(selection, weights)
    np.testing.assert_allclose(masses, masses[1], rtol=0.1)


def test_blocks_that_are_drawn_weigh_by_their_words():
    selection = long_pages()
    page, words, _ = next(pages_of(selection, block_weights(selection, most=500)))
    drawn = page > 0
    ratio = page[drawn] / np.maximum(words[drawn], 0.5)
    np.testing.assert_allclose(ratio, ratio[0])


def test_a_page_as_long_as_allowed_is_not_thinned():
    selection = long_pages()
    known = selection.labels != UNLABELLED
    assert (block_weights(selection, most=3000)[known] > 0).all()
    assert (block_weights(selection, most=2999)[known][:3000] >= 0).all()
    fewer = block_weights(selection, most=2500)
    first = slice(0, 3000)
    assert (fewer[first][known[first]] == 0).any()
    assert (fewer[3000:][known[3000:]] > 0).all()


@pytest.mark.slow
def test_only_drawn_blocks_are_grown_from(dataset, extractor, monkeypatch):
    seen = {}

    def spy(codes, kept, weights, **options):
        seen.update(n=codes.shape[1], kept=kept, weights=weights)
        return training_grow(codes, kept, weights, **options)

    training_grow = training.grow
    monkeypatch.setattr(training, "grow", spy)
    few_blocks = load("crf", [*TREES, "trees.max_blocks=10"])
    everything = dataset.select(range(len(dataset.pages)))
    training.fit(everything, few_blocks, kinds=extractor.kinds)
    expected = block_weights(everything, 10)
    assert seen["n"] == np.count_nonzero(expected)
    assert np.array_equal(seen["kept"], everything.labels[expected > 0] < Label.OTHER)
    assert not np.array_equal(seen["kept"], everything.labels[expected > 0] == Label.TEXT)
    assert np.array_equal(seen["weights"], expected[expected > 0])
    assert seen["n"] < (everything.labels != UNLABELLED).sum()


def test_the_configuration_in_the_file_holds_the_inputs(model):
    stored = json.loads(json.dumps(model.config.to_json()))
    assert stored["trees"]["inputs"] == [
        {"column": "{word.count,container.tag,link.density}", "offset": "{-2..2}"}
    ]


def test_the_best_path_is_refused_where_trees_decide(model):
    labeler = CrfLabeler(model)
    table = labeler.table([b"<p>Some text."])
    with pytest.raises(ConfigError, match="knows nothing of the trees"):
        labeler.label(table, Decision("viterbi"))
