"""What people type: scikit-learn's tools take `VictorCRF`, pages and labels as they are."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from victor import VictorCRF, load_corpus
from victor.training.estimator import block_scorer

FOLDER = Path(__file__).parents[2] / "annotations"


@pytest.fixture(scope="module")
def arrays(annotated):
    """A few small pages of several sites as `load_corpus` gives them."""
    return load_corpus([page for page in annotated if 20 < len(page.labels) < 70][:9])


@pytest.fixture(scope="module", params=["arrays", "lists"])
def data(request, arrays):
    """The same as arrays, and as plain lists."""
    pages, labels, sites = arrays
    if request.param == "arrays":
        return arrays
    return pages.tolist(), [page.tolist() for page in labels], sites.tolist()


@pytest.fixture(scope="module")
def estimator():
    return VictorCRF(max_iterations=2)


def test_predictions_of_three_folds(estimator, data):
    pages, labels, _ = data
    predicted = cross_val_predict(estimator, pages, labels, cv=3)
    assert [len(page) for page in predicted] == [len(page) for page in labels]
    alone = clone(estimator).fit(pages[3:], labels[3:])
    assert np.array_equal(np.concatenate(alone.predict(pages[:3])), np.concatenate(predicted[:3]))


def test_a_pipeline(estimator, arrays):
    pages, labels, _ = arrays
    pipeline = make_pipeline(FunctionTransformer(), estimator)
    assert (cross_val_score(pipeline, pages, labels, cv=3) > 0.5).all()
    search = GridSearchCV(pipeline, {"victorcrf__threshold": [0.0, 0.5]}, cv=2).fit(pages, labels)
    assert search.best_params_ == {"victorcrf__threshold": 0.5}


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_two_processes_and_pickles(estimator, arrays):
    pages, labels, _ = arrays
    fast = clone(estimator).set_params(max_iterations=1)
    # Its processes take what pickle can write, and need not import everything again.
    with parallel_config("multiprocessing"):
        scores = cross_val_score(fast, pages[:4], labels[:4], cv=2, n_jobs=2)
    assert np.array_equal(scores, cross_val_score(fast, pages[:4], labels[:4], cv=2))
    copy = pickle.loads(pickle.dumps(clone(estimator).set_params(c2=5).fit(pages, labels)))
    assert copy.model_.config.crf.c2 == 5


# --- other measures ------------------------------------------------------------------------------


def test_any_metric_over_blocks(estimator, arrays):
    pages, labels, _ = arrays
    fitted = clone(estimator).fit(pages, labels)
    predicted = np.concatenate(fitted.predict(pages))
    gold = np.concatenate([np.array(page, dtype=object) for page in labels])
    labelled = gold != None  # noqa: E711  (one by one)
    share = (gold[labelled] == predicted[labelled]).mean()
    assert block_scorer(accuracy_score)(fitted, pages, labels) == pytest.approx(share)
    macro = f1_score(gold[labelled].astype(str), predicted[labelled], average="macro")
    assert block_scorer(f1_score, average="macro")(fitted, pages, labels) == pytest.approx(macro)


def test_several_metrics_of_a_search(estimator, arrays):
    pages, labels, _ = arrays
    scoring = {"accuracy": block_scorer(accuracy_score), "kappa": block_scorer(cohen_kappa_score)}
    grid = GridSearchCV(
        make_pipeline(estimator), {"victorcrf__threshold": [0.0, 0.5]}, cv=2,
        scoring=scoring, refit="kappa",
    ).fit(pages, labels)  # fmt: skip
    assert grid.cv_results_["mean_test_kappa"][0] == 0 < grid.best_score_
    assert pickle.loads(pickle.dumps(scoring["kappa"]))(grid, pages, labels) > 0
