"""Scores of a dataset: by page, by page type, and with what nobody could label left out."""

from dataclasses import replace

import numpy as np
import pytest

import victor
from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.config.schema import Scope
from victor.corpus.pages import read_marked
from victor.evaluation.scores import assess, page_word_f, score_labels
from victor.measures.words import word_score
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

MARKED = b"""<body><p>Home</p><h1 data-victor="header">Bees</h1><p data-victor="text">They live in
colonies.</p><p data-victor="unlabelled">A comment.</p><p>Imprint</p></body>"""
EXTRACTOR = FeatureExtractor(load("crf"))
GOLD = "Bees\nThey live in colonies."


@pytest.fixture
def dataset():
    pages = [
        read_marked("a", MARKED, gold=GOLD, kind="article"),
        read_marked("b", MARKED, gold="", kind="listing"),
        read_marked("c", MARKED),
    ]
    return analyze(pages, EXTRACTOR)


def certain(labels):
    """Marginals that leave no doubt."""
    return np.eye(3)[np.where(labels == UNLABELLED, Label.TEXT, labels)]


def test_perfect_marginals_score_one(dataset):
    scores = assess(dataset, certain(dataset.labels), Decision())
    kinds = [scores.pages[page].kind for page in scores.scored_pages("words")]
    assert kinds == ["article", "listing"]
    assert [score.f1 for score in scores.words] == [1.0, 0.0]
    of_blocks = scores.block_summaries()
    assert [group.group for group in of_blocks] == ["all", "article", "listing", "page"]
    assert {group.means["accuracy"] for group in of_blocks} == {1.0}
    assert scores.all_blocks.confusion.sum() == 12
    summaries = {summary.group: summary.means["f1"] for summary in scores.summaries()}
    assert summaries == {"all": 0.5, "article": 1.0, "listing": 0.0}


def test_texts_are_those_of_pages_in_several_batches():
    """A page of five million bytes is a batch."""
    long = MARKED.replace(b"<p>Home", b"<!--%s--><p>Home" % (b"x" * 5_000_000))
    large = analyze([read_marked(page, long, gold=GOLD) for page in "abc"], EXTRACTOR)
    assert len(large.tables) == 3
    labels = np.where(np.arange(len(large.labels)) < 10, Label.OTHER, large.labels)
    assert score_labels(large, labels, certain(labels)).texts == (
        "",
        "",
        "Bees\n\nThey live in colonies.\n",
    )


def test_the_f_of_a_page_by_labels_alone(dataset):
    """Of a page of which nothing is to be kept it is 1, if nothing is."""
    empty = replace(dataset, labels=np.full_like(dataset.labels, Label.OTHER))
    nothing, all_ = np.zeros(len(dataset.labels)), np.ones(len(dataset.labels))
    assert page_word_f(empty, nothing).tolist() == [1, 1, 1]
    assert page_word_f(empty, all_).tolist() == page_word_f(dataset, nothing).tolist() == [0, 0, 0]
    assert page_word_f(dataset, dataset.labels < Label.OTHER).tolist() == [1, 1, 1]


def test_what_nobody_could_label_counts_neither_way(dataset):
    kept = np.where(dataset.labels == UNLABELLED, np.uint8(Label.TEXT), dataset.labels)
    dropped = np.where(dataset.labels == UNLABELLED, np.uint8(Label.OTHER), dataset.labels)
    marginals = certain(dataset.labels)
    scores = [score_labels(dataset, labels, marginals) for labels in (kept, dropped)]
    assert scores[0].words == scores[1].words
    for one, two in zip(scores[0].blocks, scores[1].blocks, strict=True):
        assert np.array_equal(one.confusion, two.confusion)


def test_the_text_that_is_scored_is_the_one_that_is_printed(annotated, small_model):
    pages = [replace(page, gold="the quick brown fox", labels=np.minimum(page.labels, 2))
             for page in annotated[:8]]  # fmt: skip
    dataset = analyze(pages, FeatureExtractor(small_model.config))
    marginals = small_model.marginals(dataset.columns, dataset.page_starts)
    scores = assess(dataset, marginals, small_model.config.decide)
    shown = Scope(headline=True)  # scores are of all that is labelled, headlines among them
    results = victor.clean_many([page.html for page in pages], model=small_model, scope=shown)
    as_labelled = {
        number: word_score(result.text, "the quick brown fox")
        for number, result in enumerate(results)
        if all(block.reason != "scope" for block in result.blocks)  # no headline is added
    }
    assert len(as_labelled) > len(pages) / 2
    assert {number: scores.words[number] for number in as_labelled} == as_labelled


def test_many_small_groups_stand_in_one_row():
    """A row of one page has an interval from 0 to 1, and thirty of them hide the others."""
    kinds = [*["article"] * 3, "a", "b", "c", "c", "d"]
    pages = [
        read_marked(f"p{n}", MARKED, gold=GOLD, kind=kind, site=f"{n}.example")
        for n, kind in enumerate(kinds)
    ]
    data = analyze(pages, FeatureExtractor(load("crf")))
    scores = assess(data, certain(data.labels), Decision())
    for summaries in (scores.summaries(), scores.block_summaries()):
        groups = [(each.group, each.pages) for each in summaries]
        assert groups == [("all", 8), ("article", 3), ("other types (4)", 5)]
    assert scores.block_summaries("site")[1].group == "other sites (8)"
