"""Trigram probabilities of words."""

import numpy as np
import pytest

from victor.language import BeesleyIdentifier


def test_scores_are_probabilities(beesley, sentences):
    for lines in sentences.values():
        for text in (*lines, "Kontakt", "Menu"):
            assert sum(score for _, score in beesley.identify(text)) <= 1 + 1e-12


def test_a_sentence_decides_clearly(beesley, sentences):
    scores = beesley.scores(sentences["cs"], "cs")
    assert scores.min() > 0.99
    for other in ("en", "de", "pl", "ru"):
        assert beesley.scores(sentences[other], "cs").max() < 0.01


@pytest.mark.parametrize(
    "text",
    ["Yarın hava güzel olacak ve çocuklar parkta oynayacak.", "qxz wqkj", "你好世界"],
)
def test_a_text_in_no_known_language_scores_low_everywhere(beesley, text):
    assert beesley.identify(text)[0][1] < 0.05


def test_a_foreign_name_does_not_change_the_language(beesley):
    text = "Spisovatel Bjørnstjerne Bjørnson přijel do Prahy, aby zde přednášel."
    language, probability = beesley.identify(text)[0]
    assert language == "cs"
    assert probability > 0.9


def test_probabilities_of_the_next_letter_add_up_to_one(small_profiles):
    """After any two letters, all letters together have probability 1 plus the slips."""
    chain = BeesleyIdentifier(small_profiles)._chain
    base = chain._base
    for history in (0, 1, base + 2, 5 * base + 7):
        logs = chain.log_probabilities(history * base + np.arange(base))
        # 1/3000 is granted to each of the letters, seen or not.
        assert np.exp(logs).sum(axis=0) == pytest.approx(1 + base / 3000)
