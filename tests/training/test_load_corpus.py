"""`load_corpus`, `train` and `evaluate` take corpora by name, in every layout that they have."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import victor
from victor import CorpusError, VictorCRF, load_corpus
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.config.layers import load, names
from victor.corpus.pages import read, write_corpus
from victor.model.extractor import FeatureExtractor
from victor.training.corpora import configuration
from victor.training.dataset import analyze
from victor.training.training import train as train_on

FAST = ["crf.max_iterations=3"]


@pytest.fixture(scope="module")
def some(annotated):
    """Pages of several sites, two of them of one site."""
    return [page for page in annotated if page.language == "cs"][:8]


@pytest.fixture(scope="module")
def folder(some, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpora") / "my-corpus"
    write_corpus(path, some)
    return path


def expected(pages, config="crf"):
    """Labels of the blocks of each page, by another way."""
    dataset = analyze(pages, FeatureExtractor(load(config)))
    named = [*LABEL_NAMES, *[None] * (UNLABELLED - len(LABEL_NAMES) + 1)]
    values = [named[label] for label in dataset.labels.tolist()]
    return [values[a:b] for a, b in pairwise(dataset.page_starts.tolist())]


def test_pages_labels_and_sites(folder, some):
    X, y, groups = load_corpus(folder)  # noqa: N806
    assert X.shape == y.shape == groups.shape == (len(some),)
    assert X.tolist() == [page.html for page in some]
    assert [labels.tolist() for labels in y] == expected(some)
    assert groups.tolist() == [page.site for page in some]
    assert len(set(groups.tolist())) < len(some)


def test_pages_without_blocks(some):
    empty = replace(some[0], id="empty", html=b"", labels=some[0].labels[:0], hashes=())
    X, y, _ = load_corpus([some[0], empty, some[1]])  # noqa: N806
    assert [len(labels) > 0 for labels in y] == [True, False, True]
    estimator = VictorCRF(max_iterations=2).fit(X, y)
    assert [len(labels) for labels in estimator.predict(X)] == [len(labels) for labels in y]


def test_blocks_of_pages_whose_gold_text_is_empty_have_no_labels(some):
    """`victor train` leaves such pages out."""
    X, y, _ = load_corpus([replace(some[0], gold=" "), *some[3:6]])  # noqa: N806
    assert set(y[0].tolist()) == {None}
    assert all(set(labels.tolist()) & set(LABEL_NAMES) for labels in y[1:])
    fast = {"c2": 5, "max_iterations": 3}
    with_it, without = VictorCRF(**fast).fit(X, y), VictorCRF(**fast).fit(X[1:], y[1:])
    assert _weights(with_it.model_) == _weights(without.model_)


def _weights(model):
    _, arrays = model.potentials.weights.to_arrays()
    return {name: array.tolist() for name, array in arrays.items()}


def test_labels_that_no_longer_fit_are_told(some, folder):
    other = replace(some[0], html=some[0].html.replace(b"</p>", b" zcela jinak</p>", 1))
    with pytest.warns(UserWarning, match="stored labels of 1 pages do not fit .* 1 pieces of text"):
        _, y, _ = load_corpus([other])
    assert None in y[0].tolist()
    with pytest.warns(UserWarning, match="do not fit"):
        victor.train([other, some[1]], "crf", overrides=FAST)
    with pytest.warns(UserWarning, match="do not fit"):
        victor.evaluate([other, some[1]], config="crf", overrides=FAST, k=2)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [("none", "there is no folder"), ("", "holds no annotated corpus"), ([], "has no page")],
)
def test_corpora_that_are_none(corpus, message, tmp_path):
    where = tmp_path / corpus if isinstance(corpus, str) else corpus
    for call in (load_corpus, victor.train, victor.evaluate):
        with pytest.raises(CorpusError, match=message):
            call(where)


# --- training and evaluation by name --------------------------------------------------------------


def test_a_folder_to_a_model(folder, some, tmp_path):
    model = victor.train(folder, "crf", overrides=FAST)
    file = tmp_path / "mine.victor"
    model.save(str(file))
    assert victor.clean(some[0].html, model=file, threshold=1.0).text
    extractor = FeatureExtractor(load("crf", FAST))
    pages = list(read([folder]))
    assert _weights(model) == _weights(train_on(analyze(pages, extractor), extractor))
    estimator = VictorCRF(max_iterations=3).fit(*load_corpus(folder))
    assert _weights(estimator.model_) == _weights(model)
    assert model.card["training"]["corpora"] == {"my-corpus": len(some)}


def test_configurations_are_given_alike(folder, tmp_path):
    (tmp_path / "mine.yaml").write_text("base: crf\ncrf: {max_iterations: 3}\n")
    table = {"base": "crf", "crf": {"max_iterations": 3}}
    ways = [("crf", FAST), (tmp_path / "mine.yaml", ()), (table, ()), (load("crf", FAST), ())]
    prints = {victor.train(folder, c, overrides=o).card["fingerprint"] for c, o in ways}
    assert len(prints) == 1
    first, second = (victor.evaluate(folder, config=c, overrides=o, k=2) for c, o in ways[1:3])
    assert np.array_equal(first.marginals, second.marginals)
    assert (first.system, second.system) == ("mine", "configuration")


@pytest.mark.parametrize("name", names())
def test_a_configuration_survives_being_a_table(name):
    config = load(name)
    assert configuration(config, ["limits.blocks=7"]) == load(name, ["limits.blocks=7"])
    assert configuration(config.to_json()) == config
