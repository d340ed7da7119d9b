"""Adapting a model to a few pages: pages left out gain by it, or the model stays as it is."""

from dataclasses import replace

import numpy as np
import pytest

import victor
from tests.rows import tables
from victor.base.labels import UNLABELLED
from victor.corpus.pages import read_marked, write_corpus
from victor.errors import ConfigError, CorpusError
from victor.evaluation.adapting import STEPS, _chosen, adapted, total_steps
from victor.evaluation.scores import expected_f
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

ROWS = tables(__file__)
WARNING, TEXT = ROWS["warning"], ROWS["text"]
PAGE = ROWS["page"].replace("WARNING", WARNING).replace("TEXT", TEXT)
"""The warning is text for most people; users of this collection do not want it."""


def pages(n_pages=8, n_sites=4, mark=""):
    for number in range(n_pages):
        html = PAGE.format(number, mark).encode()
        yield replace(read_marked(f"p{number}", html), site=f"site{number % n_sites}")


@pytest.fixture(scope="module")
def model():
    return victor.load_model()


@pytest.fixture(scope="module")
def unwanted_warnings(model):
    return analyze(pages(), FeatureExtractor(model.config))


@pytest.fixture(scope="module")
def outcome(model, unwanted_warnings):
    return adapted(model, unwanted_warnings)


def word_f(model, dataset):
    return expected_f(dataset, model.marginals(dataset.columns, dataset.page_starts)).mean()


def test_pages_left_out_gain_by_it_and_pages_of_another_site_too(model, outcome):
    assert outcome.steps > 0
    assert outcome.after > outcome.before
    assert [*outcome.expected_f] == [*STEPS]
    unseen = analyze(pages(12, 12), FeatureExtractor(model.config))
    assert word_f(outcome.model, unseen) > word_f(model, unseen)
    page = PAGE.format(77, "")
    texts = [victor.Cleaner(CrfLabeler(m)).clean(page).text for m in (model, outcome.model)]
    assert [WARNING.format(77) in text for text in texts] == [True, False]
    assert all(TEXT.format(77) in text for text in texts)


def test_a_model_that_no_step_improves_stays_as_it_is(model):
    """What is wanted on one site is unwanted on the other, so that none helps the other."""
    marked = [*pages(6, 1, " data-victor=text")]
    unmarked = [replace(p, id=p.id + "u", site="other") for p in pages(6, 1)]
    dataset = analyze([*marked, *unmarked], FeatureExtractor(model.config))
    outcome = adapted(model, dataset)
    assert outcome.steps == 0
    assert outcome.after == outcome.before
    assert np.array_equal(outcome.model.potentials.leaves, model.potentials.leaves)


def test_the_card_names_both_and_presets_are_those_of_the_pages(model, outcome):
    card = outcome.model.card
    assert card["training"] == model.card["training"]
    assert card["adapted"]["pages"] == 8
    assert card["adapted"]["sites"] == 4
    assert card["adapted"]["steps"] == outcome.steps
    assert outcome.model.presets.protocol == outcome.protocol == "4 folds by site"
    assert outcome.model.presets.pages == {"pages": 8}


def test_the_same_pages_give_the_same_model(unwanted_warnings, outcome, tmp_path):
    write_corpus(tmp_path / "corpus", pages())
    for name, saved in (("a", victor.adapt(tmp_path / "corpus")), ("b", outcome.model)):
        saved.save(tmp_path / name)
    made = [victor.load_model(tmp_path / name) for name in "ab"]
    columns = unwanted_warnings.columns, unwanted_warnings.page_starts
    marginals = [model.marginals(*columns) for model in (*made, outcome.model)]
    assert np.array_equal(marginals[0], marginals[1])
    assert np.array_equal(marginals[1], marginals[2])
    with pytest.raises(ConfigError, match="trees"):
        victor.adapt(tmp_path / "missing", "crf")  # before pages are read


def test_pages_of_one_site_are_left_out_one_by_one(model):
    dataset = analyze(pages(3, 1), FeatureExtractor(model.config))
    told = []
    assert adapted(model, dataset, progress=told.append).protocol == "3 folds by page"
    assert sum(told) == total_steps(dataset) == 4 * STEPS[-1]


def test_pages_without_labels_do_not_count(model):
    two = analyze(pages(2, 2), FeatureExtractor(model.config))
    assert adapted(model, two).protocol == "2 folds by site"
    labels = two.labels.copy()
    labels[: two.page_starts[1]] = UNLABELLED
    with pytest.raises(CorpusError, match="1 have labels: label more"):
        adapted(model, replace(two, labels=labels))


@pytest.mark.parametrize(("gains", "chosen"), ROWS["votes"])
def test_pages_vote_by_the_root_of_what_they_gain(gains, chosen):
    """Scores of pages with nothing, and with as many steps as there are rows of gains."""
    scores = [np.full(len(gains[0]), 0.5), *(0.5 + np.array(row) for row in gains)]
    assert _chosen(scores) == chosen
