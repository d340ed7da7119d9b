"""Every measure equals its published definition, written down here once more and naively."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn import metrics

from victor.base.labels import UNLABELLED, Label
from victor.measures.averages import summarize
from victor.measures.blocks import BlockScores, block_scores
from victor.measures.words import EditScore, edit_score, word_score, words

EXACT = {"rel": 0, "abs": 1e-9}
H, T, O = Label.HEADER, Label.TEXT, Label.OTHER  # noqa: E741
TEXTS = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text("utf-8"))
PAIRS = TEXTS["pairs"]
"""Predicted and gold texts."""


def prf(right, found, wanted):
    precision = right / found if found else 0.0
    recall = right / wanted if wanted else 0.0
    return precision, recall, 2 * precision * recall / ((precision + recall) or 1)


# --- words: WCXB ---------------------------------------------------------------------------------


def wcxb(predicted, gold):
    """Words in common, each as often as in the text that has it less often."""
    found, wanted = (re.findall(r"\w+", text.lower()) for text in (predicted, gold))
    if not wanted:
        return (0.0,) * 3 if found else (1.0,) * 3
    left, right = list(wanted), 0
    for word in found:
        if word in left:
            left.remove(word)
            right += 1
    return prf(right, len(found), len(wanted))


def test_words():
    scores = [word_score(*pair) for pair in PAIRS]
    expected = [wcxb(*pair) for pair in PAIRS]
    for score, page in zip(scores, expected, strict=True):
        assert (score.precision, score.recall, score.f1) == pytest.approx(page, **EXACT)
    summary = summarize(scores)[0]
    means = np.mean(expected, axis=0).tolist()
    assert list(summary.means.values()) == pytest.approx(means, **EXACT)


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


# --- edits: CleanEval ----------------------------------------------------------------------------


def cleaneval(predicted, gold):
    """Longest common subsequence and edit distance by their tables."""
    found, wanted = (re.findall(r"\w+", text.lower()) for text in (predicted, gold))
    if not found and not wanted:
        return 1.0, 1.0
    common = np.zeros((len(found) + 1, len(wanted) + 1), int)
    edits = np.add.outer(np.arange(len(found) + 1), np.arange(len(wanted) + 1))
    for i, word in enumerate(found):
        for j, other in enumerate(wanted):
            step = [common[i, j + 1], common[i + 1, j], common[i, j] + (word == other)]
            common[i + 1, j + 1] = max(step)
            step = [edits[i, j + 1] + 1, edits[i + 1, j] + 1, edits[i, j] + (word != other)]
            edits[i + 1, j + 1] = min(step)
    lengths = len(found), len(wanted)
    return 2 * common[-1, -1] / sum(lengths), 1 - edits[-1, -1] / max(lengths)


def test_edits():
    for pair in PAIRS:
        score = edit_score(*pair)
        assert (score.lcs, score.levenshtein) == pytest.approx(cleaneval(*pair), **EXACT)
    assert edit_score("a b", "b a") == EditScore(0.5, 0.0)


# --- blocks: scikit-learn ------------------------------------------------------------------------


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
