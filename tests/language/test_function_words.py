"""Lists of function words."""

from victor.language.function_words import word_lists


def test_lists_are_told_by_kind():
    assert set(word_lists()) == {"cs", "de", "en", "fr"}
    assert "ne" in word_lists()["cs"]["negation"]
