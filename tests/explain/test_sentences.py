"""A sentence says what decided, how sure that is, and which groups of contributions say most."""

import dataclasses

import numpy as np
import pytest
from msgspec.structs import replace

from tests.rows import tables
from victor.api import Cleaner, CleanerSpec
from victor.base.labels import OTHER
from victor.config.layers import load as load_config
from victor.config.schema import Decision, Scope
from victor.explain.groups import least_sure
from victor.explain.sentences import sentences
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.training.dataset import analyze
from victor.training.training import train

ROWS = tables(__file__)
PAGE = ROWS["page"]


@pytest.fixture(scope="module")
def labeler():
    return CleanerSpec().build()


@pytest.mark.parametrize(("other", "start"), ROWS["doubt"])
def test_doubt_in_words(labeler, other, start):
    verdict = Cleaner(labeler).clean(PAGE).in_batch[0]
    block = int(verdict.kept.argmax())
    marginals = verdict.marginals.copy()
    marginals[block] = 0, 1 - other, other
    changed = replace(verdict, marginals=marginals, method="threshold")
    (sentence,) = sentences(labeler, changed, Scope(), Decision("threshold", 0.99), [block])
    assert sentence.text.startswith(start)


def test_the_least_sure_blocks_are_nearest_to_one_half():
    assert least_sure(np.array([0.35, 0.6, 0.1, 0.5, 0.38]), 3) == [1, 3, 4]


def test_a_model_whose_columns_say_nothing_for_a_decision(annotated):
    settings = ("features=[words]", "discretize=null", "template=[{column: word.punct-rel}]")
    extractor = FeatureExtractor(load_config("crf", settings))
    model = train(analyze(annotated[:8], extractor), extractor)
    weights = model.potentials.weights
    silent = dataclasses.replace(weights, entries=[table * 0 for table in weights.entries])
    model = replace(model, potentials=LinearPotentials(model.potentials.codebook, silent))
    labeler = CrfLabeler(model)
    verdict = Cleaner(labeler).clean("<p>Bees live here.").in_batch[0]
    found = sentences(labeler, verdict, Scope(), None)
    assert found[0].text.endswith("though nothing that the model reads of it speaks for that.")


@pytest.mark.parametrize(("label", "whole", "said", "by"), ROWS["turned"])
def test_units_and_pages_that_are_judged_as_a_whole(labeler, label, whole, said, by):
    """The label of a block was turned after the model had decided."""
    verdict = Cleaner(labeler).clean(PAGE).in_batch[0]
    block = int(np.flatnonzero(verdict.kept == (label == OTHER))[0])
    labels, is_changed = verdict.labels.copy(), np.arange(len(verdict.table)) == block
    labels[block] = label
    given = {"by_unit": is_changed} if whole else {}
    changed = replace(verdict, labels=labels, by_scope=None, **given)
    (sentence,) = sentences(labeler, changed, Scope(), blocks=[block])
    assert sentence.text.startswith(said)
    assert sentence.decided_by == by
