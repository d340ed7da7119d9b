"""Model files: the same bytes, the same marginals, and one clear error for anything damaged."""

import random
from itertools import pairwise

import numpy as np
import pytest
from brute_force import marginals_of, sequences_of
from model_files import archived, content_of, members
from msgspec.structs import replace

from tests.rows import tables
from victor.config.layers import load
from victor.errors import ModelError
from victor.labelers.crf import CrfLabeler
from victor.model.chain import Edges
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import analyze
from victor.training.training import train

SETTINGS = tables(__file__)
RICH, TREES = SETTINGS["rich"], SETTINGS["trees"]


@pytest.fixture(scope="module")
def dataset(annotated):
    return analyze(annotated, FeatureExtractor(load("crf", RICH)))


@pytest.fixture(scope="module")
def model(dataset):
    """A small model with every kind of weights: columns, edges."""
    return train(dataset, FeatureExtractor(load("crf", RICH)))


@pytest.fixture(scope="module")
def chained(dataset):
    """Potentials of trees, and edges of eight kinds that say much."""
    trained = train(dataset, FeatureExtractor(load("crf", [*RICH, *TREES])))
    potentials = np.random.default_rng(0).normal(size=(8, 3, 3))
    edges = Edges.by_category(potentials, "relation.before")
    return replace(trained, edges=edges)


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "rich.victor"
    model.save(path)
    return path


# --- round trip ----------------------------------------------------------------------------------


def test_a_model_that_is_loaded_is_the_one_that_was_saved(model, chained, dataset, tmp_path):
    inputs = dataset.columns, dataset.page_starts
    for each in (model, chained):
        each.save(tmp_path / "a.victor")
        loaded = Model.load(tmp_path / "a.victor")
        assert loaded.config == each.config
        assert loaded.card == each.card
        for method in ("marginals", "viterbi"):
            mine, its = (getattr(m, method)(*inputs) for m in (each, loaded))
            assert np.array_equal(mine, its), method
        for mine, its in zip(each.chain(*inputs), loaded.chain(*inputs), strict=True):
            assert np.array_equal(mine, its)
        loaded.save(tmp_path / "b.victor")
        assert (tmp_path / "a.victor").read_bytes() == (tmp_path / "b.victor").read_bytes()


def test_training_twice_gives_the_same_bytes(dataset, saved, tmp_path):
    train(dataset, FeatureExtractor(load("crf", RICH))).save(tmp_path / "again.victor")
    assert (tmp_path / "again.victor").read_bytes() == saved.read_bytes()


def test_presets_are_named_thresholds(model, tmp_path):
    path = tmp_path / "preset.victor"
    replace(model, presets={"precision": 0.25}).save(path)
    assert Model.load(path).presets == {"precision": 0.25}
    assert replace(model, presets={"none": 0.0, "all": 1.0}).presets["all"] == 1.0
    for outside in (-0.001, 1.001):
        with pytest.raises(ModelError, match="between 0 and 1"):
            replace(model, presets={"precision": outside})
    for wrong in ({"precision": 2}, {"precision": "much"}, ["precision"]):
        archived(path, {**members(path), "model.json": content_of(path)[0] | {"presets": wrong}})
        with pytest.raises(ModelError):
            Model.load(path)


# --- one chain ------------------------------------------------------------------------------------


def test_marginals_and_best_paths_are_those_of_the_chain(model, dataset, chained):
    """By listing all sequences of labels: linear potentials, and trees with kinds of edge."""
    rng = np.random.default_rng(0)
    starts = np.append(0, np.cumsum([1, 6, 0, 7, 2, 5, 6]))
    rows = rng.integers(0, len(dataset.labels), starts[-1])
    columns = {name: values.take(rows) for name, values in dataset.columns.items()}
    for each in (model, chained):
        scores, kinds = each.chain(columns, starts)
        found, best = each.marginals(columns, starts), each.viterbi(columns, starts)
        for a, b in pairwise(starts.tolist()):
            page = scores[a:b], each.edges.values, kinds[a:b]
            np.testing.assert_allclose(found[a:b], marginals_of(*page), atol=1e-9)
            sequences, totals = sequences_of(*page)
            of_best = totals[(sequences == best[a:b]).all(axis=1)]
            assert of_best == pytest.approx([totals.max()], abs=1e-9)
    assert len({*kinds.tolist()}) > 3


def test_a_model_reads_what_its_potentials_and_its_edges_read(model, chained):
    assert model.columns == {"word.count", "container.p"}
    assert chained.columns == {"word.count", "link.density", "relation.before"}


# --- damage --------------------------------------------------------------------------------------


def test_flipped_bits_are_noticed_or_without_effect(saved, tmp_path, dataset, model):
    """Some bits of an archive mean nothing, such as time stamps; no other may go unnoticed."""
    path, saved = tmp_path / "damaged.victor", saved.read_bytes()
    rng = random.Random(7)
    expected = model.marginals(dataset.columns, dataset.page_starts)
    places = [*(rng.randrange(len(saved)) for _ in range(200)), *range(40),
              *range(len(saved) - 200, len(saved), 3)]  # fmt: skip
    refused = 0
    for place in places:
        damaged = bytearray(saved)
        damaged[place] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            loaded = Model.load(path)
        except ModelError:
            refused += 1
        else:
            found = loaded.marginals(dataset.columns, dataset.page_starts)
            assert np.array_equal(found, expected)
    assert refused > len(places) / 2


@pytest.mark.parametrize(
    "change",
    [*({"format": n} for n in (0, 6, 8, "7", 7.0, None)), {"calibration": {"knots_x": [0.0]}}],
)
def test_another_format(saved, tmp_path, change):
    changed = {**members(saved), "model.json": content_of(saved)[0] | change}
    with pytest.raises(ModelError, match="train it again"):
        Model.load(archived(tmp_path / "changed.victor", changed))


def test_a_model_that_reads_what_its_features_do_not_give_is_refused(model):
    other = replace(model, config=model.config.replace(features=("links",)))
    with pytest.raises(ModelError, match=r"the model reads container\.p.* train again"):
        CrfLabeler(other)
