"""ROUGE-LSum equals the package rouge-score, also in its choice among longest subsequences."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.measures.rouge import rouge_lsum
from victor.measures.words import Score

LINES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=9).map(" ".join), max_size=5)
TEXTS = LINES.map("\n".join)
"""Few words, so that lines share many and longest subsequences are seldom unique."""


class Words:
    """The words that this project counts, for rouge-score."""

    def tokenize(self, text):
        return re.findall(r"\w+", text.lower())


@pytest.fixture(scope="module")
def reference():
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    return scorer.RougeScorer(["rougeLsum"], tokenizer=Words())


def agree(reference, predicted, gold):
    expected = reference.score(target=gold, prediction=predicted)["rougeLsum"]
    score = rouge_lsum(predicted, gold)
    assert [score.precision, score.recall, score.f1] == pytest.approx(
        list(expected), rel=0, abs=1e-9
    )


def test_texts(reference, pairs):
    for predicted, gold in pairs.values():
        agree(reference, predicted, gold)


@pytest.mark.slow
@given(predicted=TEXTS, gold=TEXTS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_texts(reference, predicted, gold):
    agree(reference, predicted, gold)


def test_the_choice_among_longest_subsequences_matters(reference):
    # Of "b c" the line "c b" has either word; with its "b" the union is the whole gold line.
    agree(reference, "c\nc b", "b c")
    assert rouge_lsum("c\nc b", "b c").recall == 1.0
    agree(reference, "b c\nc b", "b b")
    assert rouge_lsum("b c\nc b", "b b").recall == 1.0


def test_counts_are_clipped():
    # The gold line "a a" is covered by "a a", but the prediction has no third "a" for "a b".
    score = rouge_lsum("a a", "a a\na b")
    assert (score.precision, score.recall) == (1.0, 0.5)


def test_lines_are_matched_one_by_one():
    assert rouge_lsum("c d\na b", "a b\nc d") == Score(1.0, 1.0, 1.0)
    assert rouge_lsum("c d a b", "a b c d").recall == 0.5


@pytest.mark.parametrize(("predicted", "gold"), [("", ""), ("a", ""), ("", "a"), ("—", "a")])
def test_nothing_scores_nothing(predicted, gold):
    assert rouge_lsum(predicted, gold) == Score(0.0, 0.0, 0.0)
