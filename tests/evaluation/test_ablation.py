"""Dropping groups of features: that it is training without them, what is reported."""

from dataclasses import replace

import numpy as np
import pytest

from tests.rows import tables
from victor.config.layers import load
from victor.errors import ConfigError
from victor.evaluation import evaluation
from victor.evaluation.evaluation import ablate, chosen
from victor.evaluation.scores import assess
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze
from victor.training.training import cross_validate, training_steps

SMALL = tables(__file__)["small"]


def small(*overrides):
    return FeatureExtractor(load(None, [*SMALL, *overrides]))


@pytest.fixture(scope="module")
def extractor():
    return small()


@pytest.fixture(scope="module")
def dataset(annotated, extractor):
    return analyze([replace(page, gold=None) for page in annotated[:10]], extractor)


def test_groups_are_chosen_by_name(extractor):
    groups = extractor.modules
    assert chosen(groups, []) == [*groups]
    assert chosen(groups, ["links", "words"]) == ["words", "links"]
    with pytest.raises(ConfigError, match="did you mean links"):
        chosen(groups, ["link"])


def test_with_gold_texts_pages_are_compared(annotated, extractor):
    pages = [replace(page, gold="The quick brown fox. " * 9) for page in annotated[:10]]
    pages[3], pages[4] = replace(pages[3], gold=None), replace(pages[4], gold="")
    whole, run = ablate(analyze(pages, extractor), extractor, ["words"], k=2)
    assert run.words.difference == pytest.approx(whole.word_f - run.word_f)
    assert run.words.low <= run.words.difference <= run.words.high
    assert run.words.wins + run.words.losses + run.words.ties == 9
    assert run.loss == run.words.difference


def test_a_group_that_only_the_edges_read_is_dropped_with_them(annotated):
    trees = small(
        "features+=relations", "crf.edges=relation.before", "trees.count=2", "trees.depth=2"
    )
    pages = [replace(page, gold=None) for page in annotated[:8]]
    whole, run = ablate(analyze(pages, trees), trees, ["relations"], k=2)
    assert (run.columns, run.entries) == (1, 1)
    assert run.block_f == whole.block_f - run.loss


def test_a_run_without_a_group_is_that_of_a_configuration_without_it(annotated, dataset, extractor):
    """As if the module had never been configured and its columns never measured."""
    done = []
    whole, *rest = ablate(dataset, extractor, ["links", "characters"], k=2, progress=done.append)
    assert (whole.group, np.isnan(whole.word_f)) == (evaluation.WHOLE, True)
    assert sum(done) == 3 * 2 * training_steps(extractor.config)
    assert len(done) > 3 * 2
    losses = [run.loss for run in rest]
    assert losses == sorted(losses, reverse=True)
    assert all(run.blocks == whole.block_f - run.block_f and run.words is None for run in rest)
    template = "template=[{column: word.count, offset: '{-1..1}'}, {column: regexp.date}]"
    bare = small("features=[words, {regexps: {url: [], time: []}}, characters]", template)
    own = analyze([replace(page, gold=None) for page in annotated[:10]], bare)
    marginals = cross_validate(own, bare.config, kinds=bare.kinds, k=2)
    (links,) = [run for run in rest if run.group == "links"]
    expected = assess(own, marginals, Decision()).all_blocks.kept.f1
    assert (links.block_f, links.entries) == (expected, 4)
    assert links.columns == len(extractor.modules["links"])
