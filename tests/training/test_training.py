"""Training and cross-validation: what is learnt from, and that no site scores its own pages."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.corpus.pages import read_marked
from victor.errors import ConfigError, CorpusError
from victor.model.extractor import FeatureExtractor
from victor.training import training
from victor.training.dataset import analyze
from victor.training.training import block_weights

FAST = ("crf.max_iterations=5",)


@pytest.fixture(scope="module")
def extractor():
    return FeatureExtractor(load("crf", FAST))


@pytest.fixture(scope="module")
def dataset(annotated, extractor):
    return analyze(annotated, extractor)


def cross_validate(dataset, extractor, **options):
    return training.cross_validate(dataset, extractor.config, kinds=extractor.kinds, **options)


# --- what is learnt from -------------------------------------------------------------------------


@pytest.mark.slow
def test_unlabelled_blocks_are_not_learnt_from(dataset, extractor):
    """What stands at a place that nobody labelled makes no difference."""
    hidden = dataset.labels.copy()
    hidden[::7] = UNLABELLED
    selections = []
    for other in (Label.HEADER, Label.OTHER):
        labels = np.where(hidden == UNLABELLED, np.uint8(other), hidden)
        labels[hidden == UNLABELLED] = UNLABELLED
        selections.append(replace(dataset, labels=labels).select(range(len(dataset.pages))))
    models = [training.fit(s, extractor.config, kinds=extractor.kinds) for s in selections]
    counts = np.bincount(selections[0].labels, minlength=256)
    assert counts[UNLABELLED] > 100
    marginals = [model.marginals(dataset.columns, dataset.page_starts) for model in models]
    assert np.array_equal(*marginals)
    full = training.fit(
        dataset.select(range(len(dataset.pages))), extractor.config, kinds=extractor.kinds
    )
    assert not np.allclose(full.marginals(dataset.columns, dataset.page_starts), marginals[0])


def test_stretches_are_drawn_by_what_their_words_count(dataset):
    """Heavy stretches stay, most of the light ones go, and each goes as a whole."""
    selection = dataset.select(range(len(dataset.pages)))
    assert training._drawn(selection, 0) is selection.labels
    drawn = training._drawn(selection, 0.5) != UNLABELLED
    weights = block_weights(selection)
    known = selection.labels != UNLABELLED
    assert 0.2 < drawn[known].mean() < 0.5 < weights[drawn].sum() / weights.sum()
    for start, end in pairwise(selection.page_starts):
        for first in range(start, end, 10):
            rows = slice(first, min(first + 10, end))
            assert len({*drawn[rows][known[rows]]}) <= 1
            if weights[rows].mean() >= 2:  # drawn with a probability of 1
                assert drawn[rows][known[rows]].all()


def test_what_is_not_drawn_is_not_learnt(dataset, extractor):
    learnt = [
        training.fit(
            dataset.select(range(len(dataset.pages))),
            extractor.config.replace(crf=extractor.config.crf.replace(draw=draw)),
            kinds=extractor.kinds,
        ).marginals(dataset.columns, dataset.page_starts)
        for draw in (0.0, 0.5, 0.5)
    ]
    assert not np.allclose(learnt[0], learnt[1])
    assert np.array_equal(learnt[1], learnt[2])


def test_columns_that_never_vary_do_no_harm():
    """Two short pages leave most columns of the default configuration with a single code."""
    page = read_marked("a", b"<p>Home<p data-victor='text'>Bees live in colonies.")
    extractor = FeatureExtractor(load("crf"))
    dataset = analyze([page, page], extractor)
    model = training.train(dataset, extractor)
    assert sum(size == 1 for size in model.potentials.codebook.sizes.values()) > 64
    assert np.isfinite(model.marginals(dataset.columns, dataset.page_starts)).all()


def test_nothing_to_learn_from(dataset, extractor):
    blank = replace(dataset, labels=np.full_like(dataset.labels, UNLABELLED))
    with pytest.raises(CorpusError, match="check the corpus"):
        training.train(blank, extractor)


def test_pages_whose_gold_text_is_empty_are_not_trained_on(annotated, extractor):
    pages = [replace(annotated[0], gold=" \n"), replace(annotated[1], gold="text"), annotated[2],
             replace(annotated[3], html=b"")]  # fmt: skip
    assert training.trainable(analyze(pages, extractor)).tolist() == [False, True, True, False]


def test_the_card_says_what_was_used(dataset, extractor, annotated):
    card = training.train(dataset, extractor).card
    training_card = card["training"]
    assert training_card["pages"] == len(annotated)
    assert training_card["sites"] == len({page.site for page in annotated})
    assert training_card["licences"] == ["CC0-1.0"]
    counts = np.bincount(dataset.labels, minlength=256)
    assert training_card["blocks"] == {label.lower_name: counts[label] for label in Label}


def test_the_fingerprint_is_that_of_pages_labels_and_configuration(dataset, extractor, annotated):
    assert dataset.fingerprint == analyze(annotated, extractor, lean=True).fingerprint
    relabelled = replace(annotated[0], labels=annotated[0].labels[::-1].copy())
    others = {
        analyze([relabelled, *annotated[1:]], extractor).fingerprint,
        analyze(annotated[1:], extractor).fingerprint,
        analyze(annotated, FeatureExtractor(load("crf", ["crf.max_iterations=6"]))).fingerprint,
    }
    assert len(others - {dataset.fingerprint}) == 3


# --- cross-validation ----------------------------------------------------------------------------


@pytest.mark.slow
def test_no_page_is_scored_by_a_model_that_saw_its_site(dataset, extractor, monkeypatch):
    """A spy on training notes the sites of every model and those that it scores."""
    seen, scored = [], []
    fit = training.fit

    def spy(selection, config, *, kinds, **options):
        model = fit(selection, config, kinds=kinds, **options)
        seen.append(set(selection.sites))
        return Spied(model, set(selection.sites))

    class Spied:
        def __init__(self, model, sites):
            self.model, self.sites = model, sites

        def marginals(self, columns, page_starts):
            probabilities = self.model.marginals(columns, page_starts)
            scored.append((self.sites, columns["word.count"], probabilities))
            return probabilities

    monkeypatch.setattr(training, "fit", spy)
    marginals = cross_validate(dataset, extractor, k=4)
    assert len(seen) == 4
    site_of_block = np.repeat(dataset.sites, np.diff(dataset.page_starts))
    times = np.zeros(len(dataset.labels), dtype=int)
    for sites, counts, probabilities in scored:
        rows = np.flatnonzero(~np.isin(site_of_block, list(sites)))
        assert np.array_equal(dataset.columns["word.count"][rows], counts)
        assert np.array_equal(marginals[rows], probabilities)
        times[rows] += 1
    assert (times == 1).all()


def test_a_site_whose_labels_are_a_secret_is_not_learnt():
    """Every page of a site holds the same text; only that site says that it is content.

    A model that saw another page of the site would know; cross-validation must not.
    """
    pages = []
    for site in range(8):
        secret = f"<p data-victor='text'>{'secret words ' * 9}" if site == 0 else ""
        plain = f"<p data-victor='text'>{f'Bees of site {site} fly. ' * 9}</p>" * 2
        for number in range(3):
            menu = "<ul><li><a href=/>Home</a><li><a href=/b>About us</a></ul>"
            body = f"<body>{menu}{plain}<p>{'secret words ' * 9}{secret}</body>"
            page = read_marked(f"{site}-{number}", body.encode(), site=f"site{site}")
            pages.append(page)
    extractor = FeatureExtractor(load("crf", ["crf.max_iterations=20", "crf.c2=0.1"]))
    dataset = analyze(pages, extractor)
    honest = cross_validate(dataset, extractor, k=4)
    leaky = replace(dataset, pages=tuple(replace(page, site=page.id) for page in dataset.pages))
    seen = cross_validate(leaky, extractor, k=4)
    last = dataset.page_starts[1:4] - 1
    assert (dataset.labels[last] == Label.TEXT).all()
    assert (honest[last, Label.OTHER] > seen[last, Label.OTHER] + 0.05).all()


@pytest.mark.slow
def test_every_block_is_scored(dataset, extractor):
    marginals = cross_validate(dataset, extractor, k=4)
    assert np.allclose(marginals.sum(axis=1), 1)


def test_pages_that_are_not_trained_on_are_scored_all_the_same(annotated, extractor):
    pages = [replace(page, gold="" if number % 5 == 0 else None)
             for number, page in enumerate(annotated)]  # fmt: skip
    marginals = cross_validate(analyze(pages, extractor), extractor, k=3)
    assert np.allclose(marginals.sum(axis=1), 1)


def test_pages_to_learn_from_can_be_named(annotated, extractor):
    """Other pages might as well not be labelled; the default is what `trainable` says."""
    pages = [replace(page, gold="" if number % 5 == 0 else None)
             for number, page in enumerate(annotated)]  # fmt: skip
    some = analyze(pages, extractor)
    usual = cross_validate(some, extractor, k=3)
    fit = training.trainable(some)
    assert np.array_equal(cross_validate(some, extractor, k=3, pages=fit), usual)
    every = cross_validate(some, extractor, k=3, pages=np.ones(len(pages), dtype=bool))
    assert not np.allclose(every, usual)


@pytest.mark.slow
def test_runs_and_processes_agree(annotated, extractor):
    some = analyze(annotated[:16], extractor)
    first = cross_validate(some, extractor, k=2)
    assert np.array_equal(cross_validate(some, extractor, k=2), first)
    assert np.array_equal(cross_validate(some, extractor, k=2, jobs=2), first)


@pytest.mark.parametrize("jobs", [1, 2])
def test_steps_of_all_folds_are_told(jobs, annotated, extractor):
    done = []
    cross_validate(analyze(annotated[:16], extractor), extractor, k=2, jobs=jobs, steps=done.append)
    assert sum(done) == 2 * training.training_steps(extractor.config)
    assert min(done) >= 0
    assert len(done) >= 2 * 5 if jobs == 1 else len(done) == 2


@pytest.mark.parametrize(
    ("config", "overrides"),
    [
        ("crf", ["crf.max_iterations=7"]),
        ("crf", ["crf.max_iterations=500", "crf.c2=100"]),  # it ends long before
        ("default", ["trees.count=8", "trees.depth=2"]),
    ],
)
def test_a_training_tells_every_step_and_learns_the_same(config, overrides, annotated):
    extractor = FeatureExtractor(load(config, overrides))
    dataset = analyze(annotated[:12], extractor)
    done = []
    told = training.train(dataset, extractor, progress=done.append)
    assert sum(done) == training.training_steps(extractor.config)
    assert len(done) > 5
    silent = training.train(dataset, extractor)
    columns = dataset.columns, dataset.page_starts
    assert np.array_equal(told.marginals(*columns), silent.marginals(*columns))


def test_more_folds_than_sites(dataset, extractor):
    with pytest.raises(ConfigError, match="choose k"):
        cross_validate(dataset, extractor, k=len({*dataset.sites}) + 1)
