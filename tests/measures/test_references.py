"""Every measure equals its published definition, written down here once more and naively."""

import re
from collections import Counter

import numpy as np
import pytest
from sklearn import metrics

from victor.base.labels import UNLABELLED, Label
from victor.measures.averages import summarize
from victor.measures.blocks import BlockScores, block_scores
from victor.measures.words import edit_score, word_score

EXACT = {"rel": 0, "abs": 1e-9}


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


def test_words(pairs):
    scores = [word_score(*pair) for pair in pairs.values()]
    expected = [wcxb(*pair) for pair in pairs.values()]
    for score, page in zip(scores, expected, strict=True):
        assert (score.precision, score.recall, score.f1) == pytest.approx(page, **EXACT)
    means = summarize(scores)[0].means
    assert list(means.values()) == pytest.approx(np.mean(expected, axis=0).tolist(), **EXACT)


def test_words_micro(pairs):
    right = found = wanted = 0
    for pair in pairs.values():
        first, second = (Counter(re.findall(r"\w+", text.lower())) for text in pair)
        right += sum(min(count, second[word]) for word, count in first.items())
        found, wanted = found + sum(first.values()), wanted + sum(second.values())
    micro = summarize([word_score(*pair) for pair in pairs.values()])[0].micro
    assert [*micro.values()] == pytest.approx(prf(right, found, wanted), **EXACT)


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


def test_edits(pairs):
    for pair in pairs.values():
        score = edit_score(*pair)
        assert (score.lcs, score.levenshtein) == pytest.approx(cleaneval(*pair), **EXACT)


def test_edits_micro():
    # two and one common words of five and four
    micro = summarize([edit_score("a b", "a b c"), edit_score("a b", "b a")])[0].micro
    assert micro == {"lcs": 2 * (2 + 1) / (5 + 4)}


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
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(gold, predicted), **EXACT)
    kept, found = gold != Label.OTHER, predicted != Label.OTHER
    unlabelled = metrics.accuracy_score(kept, found)
    assert scores.unlabelled_accuracy == pytest.approx(unlabelled, **EXACT)
    expected = metrics.precision_recall_fscore_support(
        gold, predicted, labels=[*Label], zero_division=0
    )
    for label in Label:
        score, values = scores.of(label), [column[label] for column in expected[:3]]
        assert [score.precision, score.recall, score.f1] == pytest.approx(values, **EXACT)
    expected = metrics.precision_recall_fscore_support(kept, found, average="binary")
    score = [scores.kept.precision, scores.kept.recall, scores.kept.f1]
    assert score == pytest.approx(list(expected[:3]), **EXACT)


def test_blocks_of_all_pages_are_averaged_together():
    pages = [block_scores([0, 1, 2], [0, 1, 1]), block_scores([2, 2, 1, 1], [2, 2, 1, 2])]
    total = pages[0] + pages[1]
    (summary,) = summarize(pages)
    assert list(summary.means) == list(BlockScores.MEASURES)
    assert summary.means["accuracy"] == total.accuracy
    assert summary.means["unlabelled_accuracy"] == total.unlabelled_accuracy
    kept = total.kept
    assert [summary.means[name] for name in ("precision", "recall", "f1")] == [
        *(kept.precision, kept.recall, kept.f1)
    ]
    for label in Label:
        assert summary.means[f"f1_{label.name.lower()}"] == total.of(label).f1
