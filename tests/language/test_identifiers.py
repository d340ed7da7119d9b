"""What both n-gram identifiers promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ConfigError
from victor.language import BeesleyIdentifier, CavnarIdentifier, train

BOTH = pytest.mark.parametrize("method", [BeesleyIdentifier, CavnarIdentifier])
NO_WORDS = ["", "   ", "12 345,-", "—", "\ud800"]


def test_new_sentences_are_identified(identifier, sentences):
    named = {
        line: identifier.identify(line)[0][0] for lines in sentences.values() for line in lines
    }
    wrong = [line for lang, lines in sentences.items() for line in lines if named[line] != lang]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Přihlásit se", "cs"),
        ("Nejčtenější články", "cs"),
        ("Najčítanejšie články", "sk"),
        ("Read more about this", "en"),
        ("Ähnliche Beiträge", "de"),
        ("Najnowsze wiadomości", "pl"),
    ],
)
def test_short_texts(identifier, text, language):
    assert identifier.identify(text)[0][0] == language


def test_upper_case_makes_no_difference(identifier, sentences):
    for text in sentences["cs"]:
        assert identifier.identify(text.upper()) == identifier.identify(text)


def test_numbers_and_punctuation_make_no_difference(identifier):
    assert identifier.identify("(Dnes 12:30) «prší»") == identifier.identify("dnes prší")


def test_identify_lists_every_language_best_first(identifier, sentences):
    for lines in sentences.values():
        ranked = identifier.identify(lines[0])
        scores = [score for _, score in ranked]
        assert sorted(language for language, _ in ranked) == sorted(identifier.languages)
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("text", NO_WORDS)
def test_a_text_without_words_scores_nothing(identifier, text):
    assert identifier.identify(text) == [(language, 0.0) for language in identifier.languages]
    assert identifier.score(text, "cs") == 0.0


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(texts=st.lists(st.text(max_size=60), max_size=6))
def test_scores_lie_between_0_and_1_and_texts_are_independent(identifier, texts):
    scores = identifier.scores(texts, "cs")
    assert scores.dtype == np.float64
    assert scores.shape == (len(texts),)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.tolist() == [identifier.score(text, "cs") for text in texts]
    assert scores.tolist() == [dict(identifier.identify(text))["cs"] for text in texts]


@BOTH
def test_a_text_is_nearest_to_the_profile_made_of_it(method, small_profiles, sentences):
    identifier = method(small_profiles)
    for language, lines in sentences.items():
        assert identifier.identify(" ".join(lines))[0][0] == language


def test_an_unknown_language_is_refused_with_the_known_ones(identifier):
    with pytest.raises(ConfigError, match=r"'xx'.*cs, de"):
        identifier.score("text", "xx")
    with pytest.raises(ConfigError, match="train"):
        identifier.scores([], "hu")


@BOTH
def test_profiles_must_be_one_per_language(method):
    profile = train("cs", ["slovo"])
    with pytest.raises(ConfigError, match="one profile per language"):
        method([profile, profile])
    with pytest.raises(ConfigError, match="one profile per language"):
        method([])


@BOTH
def test_one_language_alone_can_be_used(method, shipped, sentences):
    identifier = method([profile for profile in shipped if profile.language == "cs"])
    czech, english = identifier.scores([sentences["cs"][0], sentences["en"][0]], "cs")
    assert czech > english
