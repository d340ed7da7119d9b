"""Out-of-place distances of n-gram ranks."""

import numpy as np
import pytest

from victor.errors import ConfigError
from victor.language import CavnarIdentifier, train


def test_distance_by_hand():
    profile = train("xx", ["a a"])
    assert dict(profile.ranked) == {"a": 2, "_a": 2, "a_": 2, "_a_": 2}
    identifier = CavnarIdentifier([profile], size=4)
    # The text's list is cut after 4 of 9 equally frequent n-grams, in the order of their keys:
    # a, b, _a, ab share the mean rank 1.5, as all four of the language do; b and ab are unknown.
    assert identifier.distances(["ab"], "xx").tolist() == [(0 + 4 + 0 + 4) / 4 / 4]


def test_a_text_has_no_distance_to_its_own_profile(small_profiles, sentences):
    identifier = CavnarIdentifier(small_profiles, size=1000)
    for language, lines in sentences.items():
        text = " ".join(lines)
        distances = {
            other: identifier.distances([text], other)[0] for other in identifier.languages
        }
        assert distances[language] == min(distances.values())
        assert distances[language] == pytest.approx(0, abs=0.01)


def test_a_text_without_a_common_ngram_is_farthest(cavnar):
    assert cavnar.distances(["你好世界", ""], "cs").tolist() == [1, 1]


def test_score_is_the_complement_of_distance(cavnar, sentences):
    texts = sentences["en"]
    assert np.array_equal(cavnar.scores(texts, "en"), 1 - cavnar.distances(texts, "en"))


def test_long_and_short_texts_are_comparable(cavnar, sentences):
    """Czech stays nearer to Czech than English does, whatever their lengths."""
    czech, english = " ".join(sentences["cs"]), " ".join(sentences["en"])
    for length in (20, 40, 80, 300):
        near = cavnar.distances([czech[:length]], "cs")[0]
        assert near < cavnar.distances([english[:40], english[:300]], "cs").min()


def test_repeating_a_text_changes_nothing(cavnar, sentences):
    text = sentences["de"][0]
    once, twice = cavnar.distances([text, f"{text} {text}"], "de")
    assert once == twice


def test_size_cuts_the_list_of_the_language():
    profile = train("xx", ["a a b"])
    assert list(profile.ranked)[4:] == ["b", "_b", "b_", "_b_"]
    assert CavnarIdentifier([profile], size=4).distances(["b"], "xx")[0] == 1
    assert CavnarIdentifier([profile], size=8).distances(["b"], "xx")[0] < 1
    with pytest.raises(ConfigError, match="at least 1"):
        CavnarIdentifier([profile], size=0)


def test_many_texts_over_many_letters():
    """Text and n-gram together exceed 64 bits here; the batch must still equal single texts."""
    characters = "".join(map(chr, range(0x4E00, 0x4E00 + 1000)))
    identifier = CavnarIdentifier([train("zh", list(characters))], size=1000)
    texts = [characters[i % 900 : i % 900 + 3] for i in range(5000)]
    distances = identifier.distances(texts, "zh")
    assert 0 < distances.min() < 1
    some = [0, 1, 899, 4999]
    assert distances[some].tolist() == [identifier.distances([texts[i]], "zh")[0] for i in some]


def test_too_many_letters_are_refused():
    characters = [chr(0x4E00 + i) for i in range(9000)]
    profiles = [
        train(f"x{chr(ord('a') + i)}", characters[i * 1000 : (i + 1) * 1000]) for i in range(9)
    ]
    with pytest.raises(ConfigError, match="fewer languages"):
        CavnarIdentifier(profiles, size=1000)
