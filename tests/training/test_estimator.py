"""`VictorCRF` keeps scikit-learn's manners: parameters, clones, folds by site, pickles."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone

import victor
from victor import CorpusError, Label, VictorCRF
from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

FAST = ("crf.max_iterations=8",)


def listed(predicted):
    """Predictions as lists, which are equal or not."""
    return [page.tolist() for page in predicted]


BY_LABELS = ("kept", "below-threshold", "expected-f", "viterbi")
"""Reasons of blocks about which no rule of the page decides."""


@pytest.fixture(scope="module")
def pages(annotated):
    return [page.html for page in annotated]


@pytest.fixture(scope="module")
def sites(annotated):
    return [page.site for page in annotated]


@pytest.fixture(scope="module")
def labels(annotated):
    """Label names of the blocks of every page, None where nobody can tell."""
    dataset = analyze(annotated, FeatureExtractor(load("crf")))
    names = [*(label.lower_name for label in Label)]
    values = [names[label] if label < len(names) else None for label in dataset.labels.tolist()]
    starts = dataset.page_starts.tolist()
    return [values[a:b] for a, b in pairwise(starts)]


@pytest.fixture(scope="module")
def fitted(pages, labels, sites):
    return VictorCRF(overrides=FAST).fit(pages, labels, sites)


# --- parameters ----------------------------------------------------------------------------------


def test_parameters():
    estimator = VictorCRF("victor2007", overrides=("crf.c2=1",), threshold=0.4)
    given = {name: value for name, value in estimator.get_params().items() if value is not None}
    assert given == {
        "config": "victor2007", "overrides": ("crf.c2=1",), "threshold": 0.4, "trust_code": False,
    }  # fmt: skip
    assert estimator.set_params(threshold=0.2) is estimator
    assert estimator.threshold == 0.2
    with pytest.raises(ValueError, match="c3"):
        estimator.set_params(c3=1)


@pytest.mark.parametrize("config", ["default", load("crf", FAST)], ids=["name", "object"])
def test_a_clone_has_the_parameters_and_is_not_fitted(config, fitted):
    estimator = VictorCRF(config, threshold=0.3)
    copy = clone(estimator)
    assert copy is not estimator
    assert copy.get_params() == estimator.get_params()
    assert not hasattr(clone(fitted), "model_")


# --- predictions ---------------------------------------------------------------------------------


def test_predictions_fit_the_blocks(fitted, pages, labels):
    predicted, probabilities = fitted.predict(pages), fitted.predict_proba(pages)
    texts = fitted.blocks(pages)
    assert fitted.classes_.tolist() == ["header", "text", "other"]
    for page, rows, blocks, gold in zip(predicted, probabilities, texts, labels, strict=True):
        assert len(page) == len(blocks) == len(gold)
        assert rows.shape == (len(page), 3)
        assert np.allclose(rows.sum(axis=1), 1)
        assert set(page) <= set(fitted.classes_)


def test_it_predicts_what_cleaning_keeps(fitted, pages):
    results = list(victor.clean_many(pages, model=fitted.model_))
    for page, rows, result in zip(
        fitted.predict(pages), fitted.predict_proba(pages), results, strict=True
    ):
        # Rules of the page outrank the model: tables are kept whole, copies of a text are dropped.
        assert all(
            label == block.label
            for label, block in zip(page, result.blocks, strict=True)
            if block.reason in BY_LABELS
        )
        assert np.allclose(rows, result.marginals)


def test_the_threshold_may_change_after_fitting(fitted, pages):
    kept = []
    for threshold in (0.05, 0.5, 0.95):
        copy = pickle.loads(pickle.dumps(fitted)).set_params(threshold=threshold)
        kept.append(sum(label != "other" for page in copy.predict(pages) for label in page))
    assert kept[0] < kept[1] < kept[2]


def test_text_and_bytes_and_no_pages(fitted, pages):
    text = "<h1>Bees</h1><p>They live in colonies, and so do ants.</p>"
    assert np.array_equal(fitted.predict([text])[0], fitted.predict([text.encode()])[0])
    assert len(fitted.predict([])) == len(fitted.predict_proba([])) == 0
    assert [len(page) for page in fitted.predict([b"", text, b""])] == [0, 2, 0]
    assert [len(rows) for rows in fitted.predict_proba([b"", text])] == [0, 2]


def test_score_is_the_f_measure_of_keeping(fitted, pages, labels):
    gold = [label for page in labels for label in page]
    predicted = [label for page in fitted.predict(pages) for label in page]
    pairs = [(g != "other", f != "other") for g, f in zip(gold, predicted, strict=True) if g]
    hits = sum(g and f for g, f in pairs)
    f1 = 2 * hits / (sum(g for g, _ in pairs) + sum(f for _, f in pairs))
    assert fitted.score(pages, labels) == pytest.approx(f1)
    assert f1 > 0.85


# --- labels --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ([["text"]], "labels for 1 pages but 2"),
        ([["text"], ["text", "text"]], "page 1 has 1 blocks but 2 labels"),
        ([["text"], ["tekst"]], "'tekst' is not a label; use header, text, other or None"),
        ([["text"], [3]], "3 is not a label"),
        ([["text"], [0.5]], "0.5 is not a label"),
        ([[None], [None]], "no block of the training pages has a label"),
    ],
)
def test_labels_that_do_not_fit(targets, message):
    with pytest.raises(CorpusError, match=message):
        VictorCRF().fit([b"<p>one", b"<p>two"], targets)


def test_groups_that_do_not_fit():
    with pytest.raises(CorpusError, match="3 groups for 1 pages"):
        VictorCRF().fit([b"<p>one"], [["text"]], ["a", "b", "c"])
    with pytest.raises(CorpusError, match="at least one"):
        VictorCRF().fit([], [])


# --- scikit-learn's tools ------------------------------------------------------------------------


def test_a_fitted_estimator_can_be_pickled(fitted, pages):
    copy = pickle.loads(pickle.dumps(fitted))
    assert listed(copy.predict(pages)) == listed(fitted.predict(pages))
