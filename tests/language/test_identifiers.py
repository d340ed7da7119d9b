"""What both n-gram identifiers promise, and what each computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.errors import ConfigError
from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.profiles import train

BOTH = pytest.mark.parametrize("method", [BeesleyIdentifier, CavnarIdentifier])
SHORT = tables(__file__)["short"]


def test_new_sentences_are_identified_in_any_case(identifier, sentences):
    texts = {line: language for language, lines in sentences.items() for line in lines} | SHORT
    for text, language in texts.items():
        ranked = identifier.identify(text)
        assert ranked == identifier.identify(text.upper())
        assert ranked[0][0] == language
        assert [score for _, score in ranked] == sorted((s for _, s in ranked), reverse=True)
        assert {code for code, _ in ranked} == {*identifier.languages}


@pytest.mark.parametrize("text", ["", "   ", "12 345,-", "—", "\ud800"])
def test_a_text_without_words_scores_nothing(identifier, text):
    assert identifier.identify(text) == [(language, 0.0) for language in identifier.languages]
    assert identifier.scores([text], "cs").tolist() == [0.0]


@pytest.mark.slow
@given(texts=st.lists(st.text(max_size=60), max_size=6))
def test_scores_lie_between_0_and_1_and_texts_are_independent(identifier, texts):
    scores = identifier.scores(texts, "cs")
    assert scores.dtype == np.float64
    assert scores.shape == (len(texts),)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.tolist() == [dict(identifier.identify(text))["cs"] for text in texts]


@BOTH
def test_a_text_is_nearest_to_the_profile_made_of_it(method, small_profiles, sentences):
    identifier = method(small_profiles)
    for language, lines in sentences.items():
        assert identifier.identify(" ".join(lines))[0][0] == language


def test_an_unknown_language_is_refused_with_the_known_ones(identifier):
    with pytest.raises(ConfigError, match=r"'xx'.*cs, de.*train"):
        identifier.scores([], "xx")


@BOTH
def test_profiles_must_be_one_per_language(method):
    profile = train("cs", ["slovo"])
    for profiles in ([profile, profile], []):
        with pytest.raises(ConfigError, match="one profile per language"):
            method(profiles)


@BOTH
def test_one_language_alone_can_be_used(method, shipped, sentences):
    identifier = method([profile for profile in shipped if profile.language == "cs"])
    czech, english = identifier.scores([sentences["cs"][0], sentences["en"][0]], "cs")
    assert czech > english


# --- Beesley --------------------------------------------------------------------------------------


def test_scores_are_probabilities_and_a_sentence_decides(beesley, sentences):
    assert beesley.scores(sentences["cs"], "cs").min() > 0.99
    for language, lines in sentences.items():
        for text in (*lines, "Kontakt", "Menu"):
            assert sum(score for _, score in beesley.identify(text)) <= 1 + 1e-12
        if language not in ("cs", "sk"):
            assert beesley.scores(lines, "cs").max() < 0.01


@pytest.mark.parametrize(
    "text", ["Yarın hava güzel olacak ve çocuklar parkta oynayacak.", "qxz wqkj", "你好世界"]
)
def test_a_text_in_no_known_language_scores_low_everywhere(beesley, text):
    assert beesley.identify(text)[0][1] < 0.05


# --- Cavnar and Trenkle ---------------------------------------------------------------------------


def test_a_distance_by_hand():
    profile = train("xx", ["a a"])
    assert dict(profile.ranked) == {"a": 2, "_a": 2, "a_": 2, "_a_": 2}
    identifier = CavnarIdentifier([profile], size=4)
    # The text's list is cut after 4 of 9 equally frequent n-grams, in the order of their keys:
    # a, b, _a, ab share the mean rank 1.5, as all four of the language do; b and ab are unknown.
    assert identifier.scores(["ab"], "xx").tolist() == [1 - (0 + 4 + 0 + 4) / 4 / 4]


def test_size_cuts_the_list_of_the_language():
    profile = train("xx", ["a a b"])
    assert list(profile.ranked)[4:] == ["b", "_b", "b_", "_b_"]
    assert CavnarIdentifier([profile], size=1).scores(["b"], "xx")[0] == 0
    assert CavnarIdentifier([profile], size=4).scores(["b"], "xx")[0] == 0
    assert CavnarIdentifier([profile], size=8).scores(["b"], "xx")[0] > 0
    with pytest.raises(ConfigError, match="at least 1"):
        CavnarIdentifier([profile], size=0)


def test_many_texts_over_many_letters():
    """Text and n-gram together exceed 64 bits here; the batch must still equal single texts."""
    characters = "".join(map(chr, range(0x4E00, 0x4E00 + 1000)))
    identifier = CavnarIdentifier([train("zh", list(characters))], size=1000)
    texts = [characters[i % 900 : i % 900 + 3] for i in range(5000)]
    scores = identifier.scores(texts, "zh")
    assert 0 < scores.max() < 1
    some = [0, 1, 899, 4999]
    assert scores[some].tolist() == [identifier.scores([texts[i]], "zh")[0] for i in some]


def test_too_many_letters_are_refused():
    starts = range(0x4E00, 0x4E00 + 9000, 1000)
    alphabets = [[chr(start + i) for i in range(1000)] for start in starts]
    profiles = [train(f"x{'abcdefghi'[i]}", letters) for i, letters in enumerate(alphabets)]
    with pytest.raises(ConfigError, match="fewer languages"):
        CavnarIdentifier(profiles, size=1000)


def test_a_foreign_name_does_not_change_the_language(beesley):
    text = "Spisovatel Bjørnstjerne Bjørnson přijel do Prahy, aby zde přednášel."
    ((language, probability),) = beesley.best([text])
    assert language == "cs"
    assert probability > 0.9
