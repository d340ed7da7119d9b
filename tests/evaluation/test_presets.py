"""Presets are chosen on pooled words, every corpus weighing the same, and never in silence."""

from dataclasses import replace

import numpy as np
import pytest
from made_predictions import unsaid

from victor.base.labels import Label
from victor.evaluation.predictions import Predictions
from victor.evaluation.thresholds import choose
from victor.model.decide import Decision
from victor.training.dataset import PageInfo

TEXT, OTHER = Label.TEXT, Label.OTHER


def page(gold, *blocks, corpus="a"):
    """A page of (words, label, p(other)): content is the word ``a``, all else ``x``."""
    return corpus, gold, blocks


def predictions(*pages):
    blocks = [block for _, _, own in pages for block in own]
    other = np.array([p for _, _, p in blocks], dtype=np.float64)
    texts = tuple("ax"[label == OTHER] + f" {'ax'[label == OTHER]}" * (n - 1)
                  for n, label, _ in blocks)  # fmt: skip
    n_words = np.array([n for n, _, _ in blocks], dtype=np.int64)
    return Predictions(
        system="made",
        protocol="3 folds by site",
        decision=Decision(),
        pages=tuple(
            PageInfo(str(i), str(i), gold=None if gold is None else "a " * gold, corpus=corpus)
            for i, (corpus, gold, _) in enumerate(pages)
        ),
        page_starts=np.cumsum([0, *(len(own) for _, _, own in pages)]),
        labels=np.array([label for _, label, _ in blocks], dtype=np.uint8),
        marginals=np.stack([np.zeros(len(other)), 1 - other, other], axis=1),
        words=n_words,
        texts=texts,
        **unsaid(len(blocks), len(pages)),
    )


MIXED = page(100, (95, TEXT, 0.1), (5, OTHER, 0.2), (5, TEXT, 0.4), (20, OTHER, 0.6))


def test_precision_is_the_loosest_threshold_with_95_percent():
    presets = choose(predictions(MIXED))
    # 95 of 95, 95 of 100, 100 of 105, 100 of 125 words: between 0.1 and 0.2, 0.4 and 0.6.
    assert presets["p0.96"] == pytest.approx(0.15)
    assert presets["p0.95"] == presets["precision"] == pytest.approx(0.5)
    reached = presets.points["precision"]
    assert (reached.precision, reached.recall) == (pytest.approx(100 / 105), 1.0)
    assert presets.curve[0.8].precision == 0.8
    assert presets["p0.8"] == pytest.approx(0.8)
    assert (presets.measure, presets.protocol, presets.pages) == (
        "words",
        "3 folds by site",
        {"a": 1},
    )


def test_a_page_of_which_nothing_is_kept_takes_nothing_from_precision():
    """It had precision 0 in a mean over pages, so that stricter thresholds seemed less precise."""
    empty = page(0, (3, OTHER, 0.9))
    doubtful = page(10, (10, TEXT, 0.5), (10, OTHER, 0.45))
    presets = choose(predictions(MIXED, empty, doubtful))
    assert presets.points["precision"].precision >= 0.95
    assert presets["precision"] < 0.45


def test_what_is_not_reached_is_not_there():
    noise = page(10, (10, TEXT, 0.5), (90, OTHER, 0.4), (1, OTHER, 0.1))
    presets = choose(predictions(noise))
    assert {*presets} == {"balanced", "recall"}
    assert not presets.curve
    lost = page(100, (90, TEXT, 0.1))
    assert {*choose(predictions(lost))} == {"precision", "balanced"}
    assert not choose(predictions(page(0, (1, OTHER, 0.1))))


@pytest.mark.parametrize(("words", "is_reached"), [(95, True), (94, False)])
def test_the_goals_are_met_exactly(words, is_reached):
    """Both sides of 0.95."""
    rest = 100 - words
    presets = choose(predictions(page(words, (words, TEXT, 0.1), (rest, OTHER, 0.1))))
    assert ("precision" in presets) == is_reached
    presets = choose(predictions(page(100, (words, TEXT, 0.1), (rest, OTHER, 0.5))))
    assert ("recall" in presets) == is_reached


def test_every_corpus_weighs_the_same():
    large = page(10_000, (9_000, TEXT, 0.1), (1_000, OTHER, 0.3), corpus="large")
    small = page(100, (90, TEXT, 0.1), (1, OTHER, 0.2), corpus="small")
    presets = choose(predictions(large, small))
    assert presets.pages == {"large": 1, "small": 1}
    reached = presets.curve[0.94]
    assert reached.threshold == pytest.approx(0.65)
    assert reached.precision == pytest.approx((0.9 + 90 / 91) / 2)  # pooled it is 0.9009


def test_presets_are_not_on_the_wrong_side_of_balanced():
    """Nearly perfect: precision 0.95 would be looser, recall 0.95 stricter than the best F."""
    presets = choose(predictions(page(100, (96, TEXT, 0.1), (4, TEXT, 0.3), (3, OTHER, 0.7))))
    assert presets["precision"] <= presets["balanced"] <= presets["recall"]
    assert presets.points["precision"].precision >= 0.95
    assert presets.points["recall"].recall >= 0.95


def test_without_gold_texts_blocks_are_counted():
    blocks = [(5, TEXT, 0.1)] * 19 + [(5, OTHER, 0.2), (5, OTHER, 0.6)]
    presets = choose(predictions(page(None, *blocks, corpus="")))
    assert (presets.measure, presets.pages) == ("blocks", {"pages": 1})
    assert presets.points["precision"].precision >= 0.95
    assert presets["p0.95"] == pytest.approx(0.4)
    both = choose(predictions(page(None, *blocks, corpus="none"), MIXED, page(None, *blocks)))
    assert (both.measure, both.pages) == ("words", {"a": 1})


def test_thresholds_have_four_digits():
    """So p(other) of stored paragraphs, which is rounded down to as many, is cut exactly."""
    random = np.random.default_rng(1)
    blocks = [(3, TEXT if p < random.random() else OTHER, p) for p in random.random(200)]
    presets = choose(predictions(page(300, *blocks)))
    assert presets.curve
    for reached in presets.curve.values():
        assert reached.threshold == round(reached.threshold, 4)
    assert presets.curve == replace(presets).curve
