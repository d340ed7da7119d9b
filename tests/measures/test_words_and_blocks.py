"""Every measure equals its published definition: by hand for texts, by scikit-learn for blocks."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn import metrics

from victor.base.labels import UNLABELLED, Label
from victor.measures.averages import summarize
from victor.measures.blocks import BlockScores, block_scores
from victor.measures.words import edit_score, word_score, words

EXACT = {"rel": 0, "abs": 1e-9}
TEXTS = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("predicted", "gold", "counts", "edits"), TEXTS["pairs"])
def test_words_and_edits(predicted, gold, counts, edits):
    """Counted are words in common, of the text and of the gold; common ones in order, and edits."""
    right, found, wanted = counts
    common, n_edits = edits
    score = word_score(predicted, gold)
    if wanted:
        precision, recall = right / found if found else 0.0, right / wanted
        f1 = 2 * precision * recall / ((precision + recall) or 1)
    else:
        precision = recall = f1 = float(not found)
    assert (score.precision, score.recall, score.f1) == pytest.approx((precision, recall, f1))
    edit = edit_score(predicted, gold)
    total, longer = found + wanted or 1, max(found, wanted) or 1
    lcs = 2 * common / total if found + wanted else 1.0
    assert (edit.lcs, edit.levenshtein) == pytest.approx((lcs, 1 - n_edits / longer))


@pytest.mark.parametrize(("text", "expected"), TEXTS["words"])
def test_what_a_word_is(text, expected):
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    "sentence", ["พรุ่งนี้มีตลาดนัดที่ริมแม่น้ำ ", "ស្អែកមានផ្សារនៅមាត់ទន្លេ ", "སང་ཉིན་ཁྲོམ་ཡོད "]
)
def test_a_longer_text_weighs_more_in_scripts_without_spaces(sentence):
    score = word_score(sentence * 3, sentence * 4)
    assert (score.precision, score.recall) == (1.0, 0.75)
    assert word_score(sentence, "วันนี้ฝนตก ថ្ងៃនេះភ្លៀង དེ་རིང་ཆར་པ").f1 < 0.2


@pytest.mark.parametrize("seed", range(4))
def test_blocks(seed):
    random = np.random.default_rng(seed)
    gold = random.choice([*Label, UNLABELLED], size=60, p=[0.1, 0.4, 0.4, 0.1])
    predicted = np.where(random.random(60) < 0.6, gold, random.integers(3, size=60)) % 3
    if seed == 3:  # a label that nobody uses
        gold[gold == Label.HEADER], predicted[predicted == Label.HEADER] = Label.TEXT, Label.OTHER
    scores = block_scores(gold, predicted)
    gold, predicted = gold[gold != UNLABELLED], predicted[gold != UNLABELLED]
    confusion = metrics.confusion_matrix(gold, predicted, labels=[*Label])
    assert scores.confusion.tolist() == confusion.tolist()
    kept, found = gold != Label.OTHER, predicted != Label.OTHER
    of_labels = metrics.precision_recall_fscore_support(
        gold, predicted, labels=[*Label], zero_division=0
    )
    of_keeping = metrics.precision_recall_fscore_support(kept, found, average="binary")[:3]
    score = scores.kept
    assert [score.precision, score.recall, score.f1] == pytest.approx(list(of_keeping), **EXACT)
    # All blocks of all pages are averaged together, however they are spread over pages.
    (summary,) = summarize(
        [block_scores(gold[:20], predicted[:20]), block_scores(gold[20:], predicted[20:])]
    )
    assert list(summary.means) == list(BlockScores.MEASURES)
    expected = [metrics.accuracy_score(gold, predicted), metrics.accuracy_score(kept, found)]
    assert [*summary.means.values()] == pytest.approx(
        [*expected, *of_keeping, *of_labels[2]], **EXACT
    )
    assert summary.intervals["f1"][0] <= summary.means["f1"] <= summary.intervals["f1"][1]


def test_no_block_and_no_label():
    (summary,) = summarize([block_scores([UNLABELLED], [UNLABELLED]), block_scores([], [])])
    assert math.isnan(summary.means["accuracy"])
    assert (summary.means["precision"], summary.means["f1_text"]) == (0.0, 0.0)
