"""Measures on texts and labels small enough to count by hand."""

import math

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.errors import ConfigError
from victor.measures.blocks import BlockScores, block_scores, pool
from victor.measures.words import EditScore, edit_score, word_score, words

H, T, O = Label.HEADER, Label.TEXT, Label.OTHER  # noqa: E741


def test_words():
    assert words("Don't re-use_it, 3.5 ŽLUŤ 今天。好") == [
        *["don", "t", "re", "use_it", "3", "5", "žluť", "今天", "好"]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("กรุงเทพมหานคร ๒๓๒๕", "กรุงเ ทพมห านคร ๒๓๒๕"),
        ("ปี2567", "ปี 2567"),
        ("ສະບາຍດີ", "ສະບາ ຍດີ"),
        ("ភាសាខ្មែរ។", "ភាសាខ្មែ រ"),
        ("နေကောင်းလား။", "နေကောင်းလား"),
        ("བོད་ཡིག་གི་སྐད།", "བོད་ཡིག་ གི་སྐད"),
        ("नमस्ते", "नमस त"),
    ],
)
def test_words_of_scripts_without_spaces(text, expected):
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    "sentence", ["พรุ่งนี้มีตลาดนัดที่ริมแม่น้ำ ", "ស្អែកមានផ្សារនៅមាត់ទន្លេ ", "སང་ཉིན་ཁྲོམ་ཡོད "]
)
def test_a_longer_text_weighs_more_in_scripts_without_spaces(sentence):
    score = word_score(sentence * 3, sentence * 4)
    assert (score.precision, score.recall) == (1.0, 0.75)
    assert word_score(sentence, "วันนี้ฝนตก ថ្ងៃនេះភ្លៀង དེ་རིང་ཆར་པ").f1 < 0.2


def test_edit_score_sees_the_order():
    assert word_score("a b", "b a").f1 == 1.0
    assert edit_score("a b", "b a") == EditScore(0.5, 0.0, 1, 4)


GOLD = [H, H, T, T, T, O, O, O, O, UNLABELLED]
PREDICTED = [H, T, T, T, O, O, O, O, H, H]


def test_unlabelled_blocks_never_count():
    labelled = block_scores(np.array(GOLD[:-1], np.uint8), np.array(PREDICTED[:-1], np.uint8))
    assert np.array_equal(labelled.confusion, block_scores(GOLD, PREDICTED).confusion)
    # Not even a prediction that is no label matters there.
    assert block_scores([UNLABELLED], [UNLABELLED]).blocks == 0


def test_scores_without_blocks():
    scores = block_scores([], [])
    assert math.isnan(scores.accuracy)
    assert math.isnan(scores.unlabelled_accuracy)
    assert (scores.kept.precision, scores.of(T).f1) == (0.0, 0.0)


def test_labels_that_cannot_be_scored():
    with pytest.raises(ConfigError, match="same blocks"):
        block_scores([H, T], [H])
    with pytest.raises(ConfigError, match="predicted labels must be"):
        block_scores([H], [UNLABELLED])
    with pytest.raises(ConfigError, match="gold labels must be"):
        block_scores([3], [H])


def test_block_scores_are_pooled_per_group():
    pages = [block_scores([T, O], [T, O]), block_scores([T], [O]), block_scores([H], [H])]
    pooled = pool(pages, ["news", "forum", "news"])
    assert list(pooled) == ["all", "forum", "news"]
    assert [scores.blocks for scores in pooled.values()] == [4, 1, 3]
    assert (pooled["forum"].accuracy, pooled["news"].accuracy) == (0.0, 1.0)
    assert pooled["all"].accuracy == 3 / 4
    assert isinstance(pages[0] + pages[1], BlockScores)


def test_pooling_leaves_the_pages_as_they_were():
    page = block_scores([T], [T])
    pool([page, page], ["a", "a"])
    assert page.blocks == 1
