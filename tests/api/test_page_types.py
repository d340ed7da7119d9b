"""The type of pages as the user tells it: one expert of the model decides, and results say it."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest

import victor
from victor.api import CleanerSpec, load_cleaner
from victor.documents.process import CrawlSpec
from victor.errors import ConfigError
from victor.sources.record import Record

PAGE = (
    b"<title>Bees</title><nav><a href=/>Home</a> <a href=/all>All threads</a></nav><h1>Bees</h1>"
    b"<div class=post><p>Do bees sleep at night, and where do they go when it rains?</div>"
    b"<div class=post><p>They do. Mine hide in the hive until the sun is out again.</div>"
)
TOLD = ("article", "recipe", "forum")


@pytest.fixture(scope="module")
def results(expert_model):
    """By what is told, None for nothing."""
    return {told: victor.clean(PAGE, model=expert_model, page_type=told) for told in (None, *TOLD)}


def test_one_expert_decides(results):
    kept = {told: result.marginals[:, :2].sum(axis=1) for told, result in results.items()}
    assert np.array_equal(kept["recipe"], kept["article"])
    for less, more in pairwise(("article", None, "forum")):
        assert (kept[less] <= kept[more]).all()
        assert (kept[less] < kept[more] - 0.01).any()


def test_results_are_of_the_type_that_was_told(results):
    assert {result.page_type for told, result in results.items() if told} == {*TOLD}
    for told in TOLD:
        assert results[told].page_type == told
        assert json.loads(results[told].render("json"))["page_type"] == told
    assert results[None].page_type not in ("", None)


def test_all_ways_of_telling_are_one(results, expert_model, expert_model_file):
    spec = pickle.loads(pickle.dumps(CleanerSpec(expert_model_file, page_type="forum")))
    cleaners = spec.cleaner(), load_cleaner(expert_model, page_type="forum")
    found = [cleaner.clean(PAGE) for cleaner in cleaners]
    found += victor.clean_many([PAGE], model=expert_model, page_type="forum")
    for result in found:
        assert np.array_equal(result.marginals, results["forum"].marginals)
        assert result.page_type == "forum"


def test_a_crawl_is_told(expert_model_file):
    told, untold = (CrawlSpec(expert_model_file, page_type=name) for name in ("forum", None))
    (outcome,) = told.load()([Record("a", 0, PAGE)])
    assert outcome.row.page_type == "forum"
    identities = [spec.identity(spec.cleaner()) for spec in (told, untold)]
    assert identities[0] == {**identities[1], "type": "forum"}


@pytest.mark.parametrize("told", ["forums", "", "listing"])
def test_types_that_the_model_does_not_know(told, expert_model):
    message = "no expert for pages of the type" if told == "listing" else "no page type"
    with pytest.raises(ConfigError, match=message):
        load_cleaner(expert_model, page_type=told)


def test_without_experts(small_model, small_model_file):
    no_experts, no_model = r"the model has no experts.*leave", r"labeler without a model.*leave"
    for message, call in (
        (no_experts, lambda: load_cleaner(small_model, page_type="forum")),
        (no_experts, CleanerSpec(small_model_file, page_type="forum").build),
        (no_model, lambda: load_cleaner(labeler="kimatu", page_type="forum")),
        (no_model, CleanerSpec(labeler="kimatu", page_type="forum").build),
    ):
        with pytest.raises(ConfigError, match=message):
            call()
