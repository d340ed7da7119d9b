"""Function words: lists and the short words of profiles, counted in the language of a page."""

import pytest

from victor.errors import ConfigError
from victor.language import load_profiles
from victor.language.function_words import chosen, count, function_words, word_lists


def test_every_language_with_a_profile_has_some():
    words = function_words()
    assert [*words] == [profile.language for profile in load_profiles()]
    assert min(len(known) for known in words.values()) > 15
    assert {"the", "of", "nor"} <= words["en"]
    assert {"w", "na"} <= words["pl"]  # has no list
    assert not {"_", ""} & set().union(*words.values())


def test_lists_are_told_by_kind():
    assert set(word_lists()) == {"cs", "de", "en", "fr"}
    assert "ne" in word_lists()["cs"]["negation"]


def test_words_are_of_the_language_of_the_page():
    texts = ["The bees live in the hive", "Der Honig ist in dem Glas", "12:30", ""]
    of_english, n_words = count(texts + ["and it is of the bee"] * 3, chosen(["en", "de"]))
    assert of_english[:4].tolist() == [3, 1, 0, 0]  # "in" is a word of both
    assert n_words[:4].tolist() == [6, 6, 0, 0]
    assert count(texts[1:2], chosen(["en", "de"]))[0].tolist() == [4]


def test_no_text_has_no_words():
    assert [column.tolist() for column in count([], chosen(None))] == [[], []]


def test_an_unknown_language_is_refused():
    with pytest.raises(ConfigError, match="no function words of 'xx'"):
        chosen(["en", "xx"])
