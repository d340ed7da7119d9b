"""The curve against real decisions at every threshold, rendered texts and scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_predictions import unsaid

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.errors import ConfigError
from victor.evaluation.predictions import Predictions, collect, page_slices
from victor.evaluation.scores import assess
from victor.evaluation.thresholds import (
    MEASURES,
    area,
    best_f,
    best_precision,
    best_recall,
    curve,
    preset_points,
)
from victor.measures.blocks import block_scores
from victor.measures.words import word_score
from victor.model.decide import Decision, decide
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import PageInfo, analyze

TEXTS = ("bees", "bees fly", "fly, bees fly!", "", "-", "the hive the hive", "Home")
GOLDS = (None, "", " … ", "bees fly", "the bees, the bees, the hive", "nothing of it")
SOME = (0.0, 1e-300, 0.1, np.nextafter(0.1, 1), 0.5, 0.9, np.nextafter(1, 0), 1.0)
"""Values of p(other), the ends and neighbours among them: a page is full of ties."""


reproducible = settings(deadline=None, derandomize=True)
EXPECTED_F = Decision("expected-f")


def made(pages, decision=EXPECTED_F):
    """Predictions of pages given as (gold, [(text, label, p(other)) ...])."""
    blocks = [block for _, own in pages for block in own]
    other = np.array([p for _, _, p in blocks], dtype=np.float64)
    texts = tuple(text for text, _, _ in blocks)
    return Predictions(
        system="made",
        protocol="none",
        decision=decision,
        pages=tuple(PageInfo(str(i), str(i), gold=gold) for i, (gold, _) in enumerate(pages)),
        page_starts=np.cumsum([0, *(len(own) for _, own in pages)]),
        labels=np.array([label for _, label, _ in blocks], dtype=np.uint8),
        marginals=np.stack([(1 - other) / 4, 3 * (1 - other) / 4, other], axis=1),
        words=np.array([len(text.split()) for text in texts], dtype=np.int64),
        texts=texts,
        **unsaid(len(blocks), len(pages)),
    )


def predictions(min_pages=1):
    block = st.tuples(
        st.sampled_from(TEXTS),
        st.sampled_from([*Label, UNLABELLED]),
        st.one_of(st.sampled_from(SOME), st.floats(0, 1)),
    )
    page = st.tuples(st.sampled_from(GOLDS), st.lists(block, max_size=6))
    return st.lists(page, min_size=min_pages, max_size=5).map(made)


def with_f(p, r):
    return [p, r, 2 * p * r / (p + r) if p + r else 0.0]


def by_hand(found, decision):
    """Every measure of a decision, from the texts of the kept blocks."""
    labels = decide(found.marginals, found, decision)
    kept = (labels != Label.OTHER) & (found.labels != UNLABELLED)
    kept_blocks = block_scores(found.labels, labels).kept
    scores = {"blocks": with_f(kept_blocks.precision, kept_blocks.recall)}
    pages, overlap, sizes, wanted = [], 0, 0, 0
    for page, own in zip(found.pages, page_slices(found.page_starts), strict=True):
        if page.gold is not None:
            rows = own.start + np.flatnonzero(kept[own])
            score = word_score("\n".join(found.texts[row] for row in rows), page.gold)
            pages.append(with_f(score.precision, score.recall))
            overlap += score.overlap
            sizes += score.predicted
            wanted += score.gold
    if pages:
        p, r = (overlap / size if size else 0.0 for size in (sizes, wanted))
        scores["words"] = with_f(p, r)
        scores["pages"] = np.mean(pages, axis=0)
    return scores


def columns(points):
    return np.stack([points.precision, points.recall, points.f1], axis=1)


class TestAgainstDecisions:
    @pytest.mark.slow
    @reproducible
    @given(predictions())
    def test_every_point_is_what_its_threshold_gives(self, found):
        drawn = curve(found)
        scores = [by_hand(found, Decision(threshold=t)) for t in drawn.thresholds.tolist()]
        for measure in MEASURES:
            assert (measure in drawn.measures) == (measure in scores[0])
            if measure in drawn.measures:
                expected = [score[measure] for score in scores]
                np.testing.assert_allclose(
                    columns(drawn.measures[measure]), expected, rtol=0, atol=1e-12
                )

    @reproducible
    @given(predictions(), st.one_of(st.sampled_from(SOME), st.floats(0, 1)))
    def test_any_threshold_has_its_point(self, found, threshold):
        expected = by_hand(found, Decision(threshold=threshold))
        for measure, score in curve(found).at(threshold).items():
            given = [score.precision, score.recall, score.f1]
            np.testing.assert_allclose(given, expected[measure], rtol=0, atol=1e-12)

    @reproducible
    @given(predictions())
    def test_the_configured_decision_is_scored_beside(self, found):
        expected = by_hand(found, found.decision)
        own = curve(found).configured
        assert own.keys() == expected.keys()
        for measure, score in own.items():
            given = [score.precision, score.recall, score.f1]
            np.testing.assert_allclose(given, expected[measure], rtol=0, atol=1e-12)

    @reproducible
    @given(predictions())
    def test_no_two_thresholds_keep_the_same_and_all_choices_are_there(self, found):
        drawn = curve(found)
        other = found.marginals[found.labels != UNLABELLED, Label.OTHER]
        assert drawn.thresholds[0] == 0
        assert drawn.thresholds[-1] == 1
        assert (np.diff(drawn.thresholds) > 0).all()
        kept = [int((other < threshold).sum()) for threshold in drawn.thresholds.tolist()]
        assert kept[0] == 0
        assert len({*kept}) == len({*other[other < 1].tolist()}) + 1

    def test_thresholds_are_as_far_from_both_neighbours_as_can_be(self):
        found = made([("a", [("a", Label.TEXT, 0.2), ("b", Label.TEXT, 0.4)])])
        np.testing.assert_allclose(curve(found).thresholds, [0, 0.3, 1])

    def test_a_viterbi_decision_has_no_scores(self):
        found = made([("a", [("a", Label.TEXT, 0.2)])], Decision("viterbi"))
        assert curve(found).configured == {}


@pytest.fixture(scope="module")
def real(annotated):
    """Our pages with gold texts made of their own blocks, some empty and some missing."""
    extractor = FeatureExtractor(load("crf"))
    assert extractor.config.split == "block"
    dataset = analyze(annotated, extractor)
    marginals = np.random.default_rng(7).dirichlet([0.3, 0.5, 0.8], size=len(dataset.labels))
    plain = collect(dataset, marginals, system="a", protocol="b", decision=EXPECTED_F)
    golds = []
    for place, own in enumerate(page_slices(dataset.page_starts)):
        wanted = np.flatnonzero(dataset.labels[own] < Label.OTHER)
        text = " ".join(plain.texts[own][row] for row in wanted.tolist())
        golds.append({0: None, 1: ""}.get(place % 7, f"The {text} end"))
    pages = tuple(replace(p, gold=gold) for p, gold in zip(annotated, golds, strict=True))
    dataset = replace(dataset, pages=pages)
    assert (dataset.labels == UNLABELLED).any()
    return dataset, collect(dataset, marginals, system="a", protocol="b", decision=EXPECTED_F)


def scores_of_texts(dataset, found, decision):
    """Page means and block scores as evaluation gives them, from the clean texts."""
    scores = assess(dataset, found.marginals, decision)
    kept_blocks = sum(scores.blocks[1:], scores.blocks[0]).kept
    return {
        "pages": np.mean([[w.precision, w.recall, w.f1] for w in scores.words], axis=0),
        "blocks": with_f(kept_blocks.precision, kept_blocks.recall),
    }


def agree(scores, expected):
    for measure, values in expected.items():
        given = [scores[measure].precision, scores[measure].recall, scores[measure].f1]
        np.testing.assert_allclose(given, values, rtol=0, atol=1e-12)


def test_points_are_the_scores_of_clean_texts(real):
    drawn = curve(real[1])
    for threshold in [0.0, 0.5, 1.0, *np.random.default_rng(8).random(20).tolist()]:
        agree(drawn.at(threshold), scores_of_texts(*real, Decision(threshold=threshold)))


def test_the_configured_decision_is_scored_as_its_clean_texts(real):
    agree(curve(real[1]).configured, scores_of_texts(*real, EXPECTED_F))


@pytest.fixture(scope="module")
def noisy():
    """A few hundred blocks whose marginals say something about their labels."""
    random = np.random.default_rng(3)
    pages = []
    for _ in range(20):
        label = random.choice([0, 1, 2, UNLABELLED], size=20, p=[0.1, 0.3, 0.5, 0.1])
        other = np.round(
            np.clip(random.normal(0.3 + 0.4 * (label == Label.OTHER), 0.2), 0, 0.99), 2
        )
        blocks = [(str(random.choice(TEXTS)), *pair) for pair in zip(label, other, strict=True)]
        gold = " ".join(text for text, own, _ in blocks if own in (0, 1))
        pages.append((gold, blocks))
    return made(pages)


class TestOperatingPoints:
    def test_the_area_is_the_average_precision_of_scikit_learn(self, noisy):
        from sklearn.metrics import average_precision_score

        known = noisy.labels != UNLABELLED
        gold = noisy.labels[known] != Label.OTHER
        expected = average_precision_score(gold, -noisy.marginals[known, Label.OTHER])
        assert area(curve(noisy), "blocks") == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("measure", MEASURES)
    def test_they_are_the_best_of_all_points(self, noisy, measure):
        drawn = curve(noisy)
        points = drawn.points(measure)
        best = best_f(drawn, measure)
        assert best.f1 == points.f1.max() > 0.5
        assert drawn.at(best.threshold)[measure].f1 == best.f1
        precise = best_recall(drawn, measure, 0.75)
        assert precise.precision >= 0.75
        assert precise.recall == points.recall[points.precision >= 0.75].max() > 0
        complete = best_precision(drawn, measure, 0.9)
        assert complete.recall >= 0.9
        assert complete.precision == points.precision[points.recall >= 0.9].max()
        assert complete.name == "best precision at recall >= 0.9"

    def test_what_cannot_be_reached_is_none(self, noisy):
        assert best_recall(curve(noisy), "blocks", 1.01) is None
        assert best_precision(curve(noisy), "words", 1.01) is None

    def test_of_equal_recalls_the_more_precise_is_chosen(self):
        blocks = [("a", Label.TEXT, 0.1), ("b", Label.OTHER, 0.2), ("b", Label.OTHER, 0.3)]
        found = best_recall(curve(made([("a", blocks)])), "blocks", 0.3)
        assert (found.precision, found.recall) == (1, 1)
        assert found.threshold == pytest.approx(0.15)


def test_presets_are_points_of_every_measure(noisy):
    drawn = curve(noisy)
    for measure in MEASURES:
        points = preset_points(drawn, measure)
        assert {point.name: point.threshold for point in points} == drawn.presets
        for point in points:
            score = drawn.at(point.threshold)[measure]
            assert (point.precision, point.recall) == (score.precision, score.recall)


def test_an_unknown_measure_is_refused():
    with pytest.raises(ConfigError, match="blocks, words, pages"):
        best_f(curve(made([("a", [])])), "letters")
