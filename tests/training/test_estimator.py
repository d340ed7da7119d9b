"""`VictorCRF` keeps scikit-learn's manners, and says what it refuses."""

import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import victor
from tests.rows import tables
from victor import VictorCRF, load_corpus
from victor.errors import ConfigError, CorpusError, PageError
from victor.training.estimator import DECISION, HYPERPARAMETERS

ROWS = tables(__file__)

PAGE = b"<h1>Bees</h1><p>Bees live in colonies, each of which has one queen.</p><p>Home</p>"
LABELS = ["header", "text", "other"]
CORPUS = [PAGE] * 4, [LABELS] * 4
BY_LABELS = ("kept", "below-threshold", "expected-f", "viterbi")
"""Reasons of blocks about which no rule of the page decides."""


@pytest.fixture(scope="module")
def arrays(annotated):
    """A few small pages of several sites as `load_corpus` gives them."""
    return load_corpus([page for page in annotated if 20 < len(page.labels) < 70][:9])


@pytest.fixture(scope="module")
def fitted(arrays):
    return VictorCRF(max_iterations=8).fit(*arrays)


# --- parameters and configurations ----------------------------------------------------------------


def test_parameters_are_described_and_cloned(fitted):
    names = [*inspect.signature(VictorCRF.__init__).parameters][1:]
    assert names == ["config", *HYPERPARAMETERS, *DECISION, "overrides", "trust_code"]
    assert all(f"        {name}: " in VictorCRF.__doc__ for name in names)
    estimator = VictorCRF("victor2007", overrides=("crf.c2=1",), threshold=0.4)
    assert clone(estimator).get_params() == estimator.get_params()
    assert estimator.set_params(threshold=0.2) is estimator
    with pytest.raises(ValueError, match="c3"):
        estimator.set_params(c3=1)
    assert not hasattr(clone(fitted), "model_")


def test_parameters_are_what_the_model_is_trained_with():
    given = {"split": "tag", "c1": 0.5, "c2": np.float64(3), "max_iterations": np.int64(2)}
    crf = VictorCRF(**given, overrides=("crf.c2=7", "crf.transitions=false")).fit(*CORPUS)
    config = crf.model_.config
    assert (config.split, config.crf.c1, config.crf.c2) == ("tag", 0.5, 3)
    assert (config.crf.max_iterations, config.crf.transitions) == (2, False)
    assert crf.model_.card["training"] == {
        "pages": 4, "sites": 4, "blocks": {"header": 4, "text": 4, "other": 4},
    }  # fmt: skip
    trees = VictorCRF("default", trees=2, depth=1, learning_rate=0.5, l2=1).fit(*CORPUS)
    options = trees.model_.config.trees
    assert (options.count, options.depth, options.learning_rate, options.l2) == (2, 1, 0.5, 1)


@pytest.mark.parametrize(("parameters", "named"), ROWS["wrong_parameters"])
def test_parameters_that_are_wrong_or_change_nothing(parameters, named):
    with pytest.raises(ConfigError, match=named):
        VictorCRF(**parameters).fit(*CORPUS)


# --- predictions ----------------------------------------------------------------------------------


def test_predictions_fit_the_blocks_and_what_cleaning_keeps(fitted, arrays):
    pages, labels, _ = arrays
    predicted, probabilities = fitted.predict(pages), fitted.predict_proba(pages)
    results = victor.clean_many(pages.tolist(), model=fitted.model_)
    for page, rows, blocks, gold, result in zip(
        predicted, probabilities, fitted.blocks(pages), labels, results, strict=True
    ):
        assert len(page) == len(blocks) == len(gold)
        assert np.allclose(rows, result.marginals)
        assert np.allclose(rows.sum(axis=1), 1)
        assert all(label == block.label for label, block in zip(page, result.blocks, strict=True)
                   if block.reason in BY_LABELS)  # fmt: skip
    pairs = [
        pair for page in zip(labels, predicted, strict=True) for pair in zip(*page, strict=True)
    ]
    kept = [(gold != "other", found != "other") for gold, found in pairs if gold]
    f1 = f1_score(*zip(*kept, strict=True))
    assert fitted.score(pages, labels) == pytest.approx(f1)
    assert f1 > 0.85


def test_the_decision_may_change_after_fitting_and_is_saved(fitted, arrays, tmp_path):
    pages, kept = arrays[0].tolist(), []
    for decision in ({"threshold": 0.05}, {"threshold": 0.95}, {"method": "viterbi"}):
        copy = pickle.loads(pickle.dumps(clone(fitted).set_params(**decision)))
        copy.model_ = fitted.model_
        copy.classes_ = fitted.classes_
        predicted = copy.predict(pages)
        kept.append(sum(label != "other" for page in predicted for label in page))
        copy.save(str(tmp_path / "m.victor"))
        results = victor.clean_many(pages, model=tmp_path / "m.victor")
        for page, result in zip(predicted, results, strict=True):
            pairs = zip(page, result.blocks, strict=True)
            assert all(label == b.label for label, b in pairs if b.reason in BY_LABELS)
    assert kept[0] < kept[1]


def test_text_bytes_files_and_nothing_are_pages(fitted, tmp_path):
    (tmp_path / "page.html").write_bytes(PAGE)
    pages = [PAGE, PAGE.decode(), tmp_path / "page.html", b""]
    lengths = [len(page) for page in fitted.predict(pages)]
    assert lengths == [len(page) for page in fitted.blocks(pages)] == [3, 3, 3, 0]
    assert len(fitted.predict([])) == len(fitted.predict_proba([])) == 0


# --- what is refused ------------------------------------------------------------------------------


def test_what_is_no_list_of_pages(fitted, tmp_path):
    for page in ("<p>hello", b"<p>hello", Path("page.html")):
        for method in (fitted.predict, fitted.predict_proba, fitted.blocks):
            with pytest.raises(ConfigError, match="list of pages"):
                method(page)
    for page in (7, "https://bees.example/", "pages/bees.html", tmp_path / "none.html"):
        with pytest.raises(PageError, match="page 1"):
            fitted.predict([PAGE, page])
    with pytest.raises(PageError, match="page 0 is ndarray"):
        fitted.predict(np.array([[PAGE], [PAGE]], dtype=object))


@pytest.mark.parametrize(("labels", "message"), ROWS["labels_that_are_none_or_do_not_fit"])
def test_labels_that_are_none_or_do_not_fit(labels, message):
    with pytest.raises(CorpusError, match=message):
        VictorCRF().fit([b"<p>one", b"<p>two"], labels)


def test_groups_that_do_not_fit():
    with pytest.raises(CorpusError, match="3 groups for 1 pages"):
        VictorCRF().fit([b"<p>one"], [["text"]], ["a", "b", "c"])
    with pytest.raises(CorpusError, match="no pages"):
        VictorCRF().fit([], [])


# --- scikit-learn's tools -------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("form", ["arrays", "lists"])
def test_folds_in_one_process_and_in_two(arrays, form):
    pages, labels, _ = arrays
    if form == "lists":
        pages, labels = pages.tolist(), [page.tolist() for page in labels]
    estimator = VictorCRF(max_iterations=1)
    predicted = cross_val_predict(estimator, pages, labels, cv=2)
    half = 5  # of nine pages
    alone = clone(estimator).fit(pages[half:], labels[half:])
    expected = np.concatenate(alone.predict(pages[:half]))
    assert np.array_equal(expected, np.concatenate(predicted[:half]))
    with parallel_config("multiprocessing"):  # which need not import everything again
        scores = cross_val_score(estimator, pages[:4], labels[:4], cv=2, n_jobs=2)
    assert np.array_equal(scores, cross_val_score(estimator, pages[:4], labels[:4], cv=2))


def test_a_search_over_a_pipeline(arrays):
    pages, labels, _ = arrays
    pipeline = make_pipeline(FunctionTransformer(), VictorCRF(max_iterations=2))
    thresholds = {"victorcrf__threshold": [0.0, 0.5]}
    grid = GridSearchCV(pipeline, thresholds, cv=2).fit(pages, labels)
    assert grid.best_params_ == {"victorcrf__threshold": 0.5}
    assert grid.cv_results_["mean_test_score"][0] == 0 < grid.best_score_
