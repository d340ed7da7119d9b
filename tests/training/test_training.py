"""Training and cross-validation: what is learnt from, and that no site scores its own pages."""

from dataclasses import replace

import numpy as np
import pytest

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.errors import CorpusError
from victor.model.extractor import FeatureExtractor
from victor.training import training
from victor.training.dataset import analyze


def cross_validate(dataset, extractor, **options):
    return training.cross_validate(dataset, extractor.config, kinds=extractor.kinds, **options)


def learnt(dataset, extractor, **changes):
    """Marginals of all blocks by a model of all pages, with other settings of CRFsuite."""
    config = extractor.config.replace(crf=extractor.config.crf.replace(**changes))
    pages = dataset.select(range(len(dataset.pages)))
    model = training.fit(pages, config, kinds=extractor.kinds)
    return model.marginals(dataset.columns, dataset.page_starts)


# --- what is learnt from -------------------------------------------------------------------------


def test_unlabelled_blocks_are_not_learnt_from(dataset, fast):
    labels = dataset.labels.copy()
    labels[::7] = UNLABELLED
    hidden = learnt(replace(dataset, labels=labels), fast)
    assert not np.allclose(learnt(dataset, fast), hidden)
    labels[::7] = Label.HEADER
    assert not np.allclose(learnt(replace(dataset, labels=labels), fast), hidden)


def test_stretches_are_drawn_and_the_same_ones_every_time(dataset, fast):
    every, half, again = (learnt(dataset, fast, draw=draw) for draw in (0.0, 0.5, 0.5))
    assert not np.allclose(every, half)
    assert np.array_equal(half, again)


def test_pages_to_learn_from(annotated, dataset, fast):
    pages = [replace(annotated[0], gold=" \n"), replace(annotated[1], gold="text"), annotated[2],
             replace(annotated[3], html=b"")]  # fmt: skip
    assert training.trainable(analyze(pages, fast)).tolist() == [False, True, True, False]
    blank = replace(dataset, labels=np.full_like(dataset.labels, UNLABELLED))
    with pytest.raises(CorpusError, match="check the corpus"):
        training.train(blank, fast)


def test_the_card_says_what_was_used(dataset, fast, annotated):
    card = training.train(dataset, fast).card["training"]
    assert (card["pages"], card["sites"]) == (16, len({page.site for page in annotated[:16]}))
    assert card["licences"] == ["CC0-1.0"]
    counts = np.bincount(dataset.labels, minlength=256)
    assert card["blocks"] == {label.lower_name: counts[label] for label in Label}


def test_the_fingerprint_is_that_of_pages_labels_and_configuration(dataset, fast, annotated):
    annotated = annotated[:16]
    assert dataset.fingerprint == analyze(annotated, fast, lean=True).fingerprint
    relabelled = replace(annotated[0], labels=annotated[0].labels[::-1].copy())
    others = {
        analyze([relabelled, *annotated[1:]], fast).fingerprint,
        analyze(annotated[1:], fast).fingerprint,
        analyze(annotated, FeatureExtractor(load("crf", ["crf.max_iterations=4"]))).fingerprint,
    }
    assert len(others - {dataset.fingerprint}) == 3


# --- cross-validation ----------------------------------------------------------------------------


def test_no_page_is_scored_by_a_model_that_saw_its_site(dataset, fast, monkeypatch):
    """A spy on training notes the sites of every model; every block is scored by one of others."""
    fit, models = training.fit, []

    def spy(selection, config, **options):
        models.append((set(selection.sites), fit(selection, config, **options)))
        return models[-1][1]

    monkeypatch.setattr(training, "fit", spy)
    marginals = cross_validate(dataset, fast, k=4)
    assert np.allclose(marginals.sum(axis=1), 1)
    scored = np.zeros(len(dataset.pages), dtype=int)
    for sites, model in models:
        held_out = np.flatnonzero(~np.isin(dataset.sites, list(sites)))
        scored[held_out] += 1
        pages = dataset.select(held_out)
        expected = model.marginals(pages.columns, pages.page_starts)
        assert np.array_equal(marginals[pages.rows], expected)
    has_blocks = np.diff(dataset.page_starts) > 0
    assert (scored[has_blocks] == 1).all()


def test_pages_that_are_not_trained_on_are_scored_all_the_same(annotated, fast):
    """Other pages might as well not be labelled; the default is what `trainable` says."""
    some = analyze([replace(page, gold="" if number % 5 == 0 else None)
                    for number, page in enumerate(annotated[:12])], fast)  # fmt: skip
    usual = cross_validate(some, fast, k=3)
    assert np.allclose(usual.sum(axis=1), 1)
    assert np.array_equal(cross_validate(some, fast, k=3, pages=training.trainable(some)), usual)
    every = cross_validate(some, fast, k=3, pages=np.ones(12, dtype=bool))
    assert not np.allclose(every, usual)


@pytest.mark.slow
def test_runs_and_processes_agree_and_tell_their_steps(annotated, fast):
    some, marginals = analyze(annotated[:8], fast), []
    for jobs in (1, 2):
        done = []
        marginals.append(cross_validate(some, fast, k=2, jobs=jobs, steps=done.append))
        assert sum(done) == 2 * training.training_steps(fast.config)
        assert len(done) >= 2 * 3 if jobs == 1 else len(done) == 2
    assert np.array_equal(*marginals)


@pytest.mark.parametrize(("config", "overrides"), tables(__file__)["short"])
def test_a_training_tells_every_step_and_learns_the_same(config, overrides, annotated):
    extractor = FeatureExtractor(load(config, overrides))
    dataset = analyze(annotated[:12], extractor)
    done = []
    told = training.train(dataset, extractor, progress=done.append)
    assert sum(done) == training.training_steps(extractor.config)
    assert len(done) > 5
    columns = dataset.columns, dataset.page_starts
    silent = training.train(dataset, extractor)
    assert np.array_equal(told.marginals(*columns), silent.marginals(*columns))
