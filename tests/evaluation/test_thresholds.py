"""The curve against real decisions at every threshold, rendered texts and scikit-learn."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_predictions import made

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.errors import ConfigError, CorpusError
from victor.evaluation.thresholds import (
    MEASURES,
    area,
    best_f,
    best_precision,
    best_recall,
    choose,
    curve,
    preset_points,
)
from victor.measures.blocks import block_scores
from victor.measures.words import word_score, words
from victor.model.decide import Decision, decide
from victor.training.dataset import PageInfo

ROWS = tables(__file__)
TEXTS = ("bees", "bees fly", "fly, bees fly!", "", "-", "the hive the hive", "Home")
GOLDS = (None, "", " … ", "bees fly", "the bees, the bees, the hive", "nothing of it")
SOME = (0.0, 1e-300, 0.1, np.nextafter(0.1, 1), 0.5, 0.9, np.nextafter(1, 0), 1.0)
"""Values of p(other), the ends and neighbours among them: a page is full of ties."""


reproducible = settings(max_examples=40)
EXPECTED_F = Decision("expected-f")
TEXT, OTHER = Label.TEXT, Label.OTHER


def predictions():
    block = st.tuples(
        st.sampled_from(TEXTS),
        st.sampled_from([*Label, UNLABELLED]),
        st.one_of(st.sampled_from(SOME), st.floats(0, 1)),
    )
    page = st.tuples(st.sampled_from(GOLDS), st.lists(block, max_size=6))
    pages = st.lists(page, min_size=1, max_size=5)
    return pages.map(lambda drawn: made(drawn, decision=EXPECTED_F))


def with_f(p, r):
    return [p, r, 2 * p * r / (p + r) if p + r else 0.0]


def by_hand(found, decision):
    """Every measure of a decision, from the texts of the kept blocks."""
    labels = decide(found.marginals, found, decision)
    kept = (labels != Label.OTHER) & (found.labels != UNLABELLED)
    kept_blocks = block_scores(found.labels, labels).kept
    scores = {"blocks": with_f(kept_blocks.precision, kept_blocks.recall)}
    pages, overlap, sizes, wanted = [], 0, 0, 0
    for page, own in zip(found.pages, found.page_slices, strict=True):
        if page.gold is not None:
            text = "\n".join(found.texts[own.start + row] for row in np.flatnonzero(kept[own]))
            score = word_score(text, page.gold)
            pages.append(with_f(score.precision, score.recall))
            kept_words, gold_words = Counter(words(text)), Counter(words(page.gold))
            overlap += (kept_words & gold_words).total()
            sizes += kept_words.total()
            wanted += gold_words.total()
    if pages:
        p, r = (overlap / size if size else 0.0 for size in (sizes, wanted))
        scores["words"] = with_f(p, r)
        scores["pages"] = np.mean(pages, axis=0)
    return scores


class TestAgainstDecisions:
    @reproducible
    @given(predictions(), st.one_of(st.sampled_from(SOME), st.floats(0, 1)))
    def test_any_threshold_and_the_configured_decision_have_their_scores(self, found, threshold):
        drawn = curve(found)
        for decision, scores in (
            (Decision(threshold=threshold), drawn.at(threshold)),
            (found.decision, drawn.configured),
        ):
            expected = by_hand(found, decision)
            assert scores.keys() == expected.keys()
            for measure, values in expected.items():
                score = scores[measure]
                given_ = [score.precision, score.recall, score.f1]
                np.testing.assert_allclose(given_, values, rtol=0, atol=1e-12)

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

    def test_what_has_no_scores(self):
        found = made([(None, [("a", Label.TEXT, 0.2)])], decision=Decision("viterbi"))
        assert curve(found).configured == {}
        with pytest.raises(ConfigError, match="blocks, words, pages"):
            best_f(curve(found), "letters")
        with pytest.raises(CorpusError, match="gold texts"):
            best_f(curve(found), "words")


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


# --- presets: chosen on pooled words, every corpus weighing the same, and never in silence --------


def pages_of(rows):
    """Pages of gold words, blocks of (words, label, p(other)) and a corpus.

    Content is the word ``a``, all else ``x``.
    """
    for gold, blocks, *corpus in rows:
        texts = [
            (" ".join("xa"[label == "t"] * n), TEXT if label == "t" else OTHER, p)
            for n, label, p in blocks
        ]
        info = PageInfo("a", "a", gold=None if gold is None else "a " * gold)
        yield replace(info, corpus=corpus[0] if corpus else "a"), texts


@pytest.mark.parametrize(("rows", "expected"), ROWS["presets"].values(), ids=ROWS["presets"])
def test_presets_of_pages(rows, expected):
    presets = choose(made([*pages_of(rows)], protocol="3 folds by site"))
    found = {"measure": presets.measure, "pages": dict(presets.pages), "names": sorted(presets)}
    for name, value in expected.items():
        if name in found:
            assert found[name] == value
        elif name.startswith("reached"):
            of = name.split()[1]
            reached = presets.points[of] if of in presets.points else presets.curve[float(of)]
            assert [reached.precision, reached.recall] == pytest.approx(value)
        else:
            assert presets[name] == pytest.approx(value)
    assert presets.protocol == "3 folds by site"
    if "balanced" in presets:  # none is on the wrong side of it
        assert presets.get("precision", 0) <= presets["balanced"] <= presets.get("recall", 1)
    for reached in presets.curve.values():  # so p(other) of rows, rounded down, is cut exactly
        assert reached.threshold == round(reached.threshold, 4)
