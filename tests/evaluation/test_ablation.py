"""Dropping groups of features: which entries go, that nothing else changes, what is reported."""

from dataclasses import replace

import numpy as np
import pytest

from victor.config import load
from victor.errors import ConfigError
from victor.evaluation import ablation
from victor.evaluation.ablation import ablate, chosen, groups_of, without
from victor.evaluation.scores import assess
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template
from victor.training.dataset import analyze
from victor.training.training import cross_validate, training_steps

FAST = ("crf.max_iterations=5",)
SMALL = (
    *FAST,
    "features=[words, links, {regexps: {url: [], time: []}}, characters]",
    "discretize=null",
    """template=[{column: '{word.count,link.density}', offset: '{-1..1}'},
        {columns: [word.count, link.density]}, {column: regexp.date}]""",
)


def small(*overrides):
    return FeatureExtractor(load(None, [*SMALL, *overrides]))


@pytest.fixture(scope="module")
def extractor():
    return small()


@pytest.fixture(scope="module")
def dataset(annotated, extractor):
    return analyze([replace(page, gold=None) for page in annotated[:16]], extractor)


def entries(extractor, config):
    """Entries of a configuration's template as text."""
    return [
        str(entry)
        for entry in Template.from_config(config.template, columns=extractor.kinds).entries
    ]


def test_groups_are_the_modules_with_their_columns(extractor):
    groups = groups_of(extractor)
    assert [*groups] == ["words", "links", "regexps", "characters"]
    assert "word.count" in groups["words"]
    assert groups["regexps"] == ("regexp.date",), "parameters count"
    assert sum(map(len, groups.values())) == len(extractor.kinds)


def test_a_dropped_column_leaves_no_entry_that_uses_it(extractor):
    rest = without(extractor.config, ["link.density"], extractor.kinds)
    assert entries(extractor, rest) == [
        "word.count[-1]",
        "word.count",
        "word.count[+1]",
        "regexp.date",
    ]


def test_nothing_dropped_is_the_same_template(extractor):
    rest = without(extractor.config, [], extractor.kinds)
    assert entries(extractor, rest) == entries(extractor, extractor.config)
    shipped = FeatureExtractor(load("crf"))
    same = without(shipped.config, [], shipped.kinds)
    assert entries(shipped, same) == entries(shipped, shipped.config)


def test_trees_do_not_read_what_is_dropped():
    grown = FeatureExtractor(load("default"))
    rest = without(grown.config, ["word.count", "link.density"], grown.kinds)
    before, after = (
        {str(e) for e in Template.from_config(c.template, columns=grown.kinds).entries}
        for c in (grown.config, rest)
    )
    gone = {entry for entry in before if entry.startswith(("word.count", "link.density"))}
    assert len(gone) == 10
    assert after == before - gone


def test_scales_of_dropped_columns_go(extractor):
    scaled = small("crf.scale={word.count: 2.0, regexp.date: 3.0}")
    rest = without(scaled.config, ["word.count"], extractor.kinds)
    assert rest.crf.scale == {"regexp.date": 3.0}


def test_a_template_is_not_emptied(extractor):
    with pytest.raises(ConfigError, match="no model is left"):
        without(extractor.config, [*extractor.kinds], extractor.kinds)


def test_groups_are_chosen_by_name(extractor):
    groups = groups_of(extractor)
    assert chosen(groups, []) == [*groups]
    assert chosen(groups, ["links", "words"]) == ["words", "links"]
    with pytest.raises(ConfigError, match="did you mean links"):
        chosen(groups, ["link"])


@pytest.mark.slow
def test_a_run_without_a_group_is_that_of_a_configuration_without_it(annotated, dataset, extractor):
    """As if the module had never been configured and its columns never measured."""
    found = {run.group: run for run in ablate(dataset, extractor, ["links"], k=2)}
    bare = FeatureExtractor(
        load(
            None,
            [*SMALL, "features=[words, {regexps: {url: [], time: []}}, characters]",
             "template=[{column: word.count, offset: '{-1..1}'}, {column: regexp.date}]"],
        )
    )  # fmt: skip
    own = analyze([replace(page, gold=None) for page in annotated[:16]], bare)
    marginals = cross_validate(own, bare.config, kinds=bare.kinds, k=2)
    scores = assess(own, marginals, Decision())
    assert found["links"].block_f == scores.block_summaries()["all"].kept.f1
    assert found["links"].columns == len(groups_of(extractor)["links"])
    assert found["links"].entries == 4


def test_without_gold_texts_blocks_say_what_is_lost(dataset, extractor):
    whole, *rest = ablate(dataset, extractor, [*groups_of(extractor)][:3], k=2)
    assert whole.group == ablation.WHOLE
    assert np.isnan(whole.word_f)
    for run in rest:
        assert run.words is None
        assert run.blocks == whole.block_f - run.block_f
    losses = [run.loss for run in rest]
    assert losses == sorted(losses, reverse=True)
    assert len({run.block_f for run in rest}) > 1


def test_with_gold_texts_pages_are_compared(annotated, extractor):
    pages = [replace(page, gold="The quick brown fox. " * 9) for page in annotated[:16]]
    pages[3], pages[4] = replace(pages[3], gold=None), replace(pages[4], gold="")
    whole, run = ablate(analyze(pages, extractor), extractor, ["words"], k=2)
    assert run.words.difference == pytest.approx(whole.word_f - run.word_f)
    assert run.words.low <= run.words.difference <= run.words.high
    assert run.words.wins + run.words.losses + run.words.ties == 15
    assert run.loss == run.words.difference


def test_a_group_that_no_entry_reads_costs_nothing_and_no_run(dataset, extractor, monkeypatch):
    runs = []

    def counted(*arguments, **options):
        runs.append(1)
        return cross_validate(*arguments, **options)

    monkeypatch.setattr(ablation, "cross_validate", counted)
    whole, run = ablate(dataset, extractor, ["characters"], k=2)
    assert (run.entries, run.loss, run.block_f) == (0, 0.0, whole.block_f)
    assert run.columns > 0
    assert len(runs) == 1


def test_progress_counts_the_steps_of_all_runs(dataset, extractor):
    done = []
    ablate(dataset, extractor, ["words", "characters"], k=2, progress=done.append)
    assert sum(done) == 3 * 2 * training_steps(extractor.config)
    assert len(done) > 3 * 2
