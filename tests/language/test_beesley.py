"""Trigram probabilities of words."""

import numpy as np
import pytest

from victor.errors import ConfigError
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


def test_foreign_words_are_counted(beesley, sentences):
    mean = {
        language: beesley.foreign_shares(lines, "cs").mean()
        for language, lines in sentences.items()
    }
    assert mean["cs"] < 0.15
    assert mean["cs"] < mean["sk"] < mean["en"]
    assert min(mean["en"], mean["de"]) > 0.7
    assert mean["ru"] == 1


def test_a_mixed_text_lies_between(beesley):
    czech, english = "Knihovna bude zavřená", "because everything should change"
    shares = beesley.foreign_shares([czech, f"{czech} {english}", english], "cs")
    assert shares[0] < shares[1] < shares[2]


def test_foreign_share_is_a_share_of_words(beesley):
    shares = beesley.foreign_shares(["příští through", "", "1 2", "příští", "through"], "cs")
    assert shares.tolist() == [0.5, 1, 1, 0, 1]
    assert shares.dtype == np.float64
    assert beesley.foreign_shares([], "cs").shape == (0,)
    with pytest.raises(ConfigError, match="xx"):
        beesley.foreign_shares(["text"], "xx")


def test_probabilities_of_the_next_letter_add_up_to_one(small_profiles):
    """After any two letters, all letters together have probability 1 plus the slips."""
    chain = BeesleyIdentifier(small_profiles)._chain
    base = chain._base
    for history in (0, 1, base + 2, 5 * base + 7):
        logs = chain.log_probabilities(history * base + np.arange(base))
        # 1/3000 is granted to each of the letters, seen or not.
        assert np.exp(logs).sum(axis=0) == pytest.approx(1 + base / 3000)
