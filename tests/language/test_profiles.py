"""Training, saving and loading of language profiles."""

import json
import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.errors import ConfigError, CorpusError, ModelError
from victor.language.profiles import load_profile, load_profiles, read_words, train

ROWS = tables(__file__)


def test_trigrams_count_every_letter_once():
    profile = train("en", ["to do"])
    assert profile.trigrams == {"__d": 1, "__t": 1, "_do": 1, "_to": 1, "do_": 1, "to_": 1}


def test_ranked_puts_the_most_frequent_first():
    ranked = list(train("en", ["aa ab"]).ranked.items())
    assert ranked[0] == ("a", 3)
    assert ranked[1] == ("_a", 2)
    assert dict(ranked)["_ab_"] == 1


@pytest.mark.parametrize(("length", "grams"), ROWS["ngrams"].items())
def test_ngrams_stay_within_a_word_and_its_edges(length, grams):
    found = train("en", ["Text a"]).ranked
    assert sorted(gram for gram in found if len(gram) == length) == sorted(grams)


def test_training_is_deterministic_and_ignores_the_order_of_lines(sentences):
    lines = sentences["cs"]
    assert train("cs", lines) == train("cs", iter(lines[::-1]))
    assert list(train("cs", lines).ranked) == list(train("cs", lines[::-1]).ranked)


def test_profiles_have_a_limited_size():
    # All words of three out of thirty letters: far more n-grams than a profile keeps.
    letters = [chr(ord("а") + i) for i in range(30)]
    profile = train("uk", [a + b + c for a in letters for b in letters for c in letters])
    assert len(profile.trigrams) == 4300
    assert len(profile.ranked) == 1000
    signs = [chr(0x4E00 + i) for i in range(3501)]
    found = train("zh", ["".join(signs)]).trigrams
    assert ["".join(signs[n : n + 3]) in found for n in (3497, 3498)] == [True, False]


@pytest.mark.parametrize("lines", [[], ["", "123 — 456"]])
def test_text_without_words_is_refused(lines):
    with pytest.raises(CorpusError, match="plain text"):
        train("cs", lines)


@pytest.mark.parametrize("language", ["", "czech", "CS", "../cs", "cs.json"])
def test_the_language_must_be_a_code(language):
    with pytest.raises(ConfigError, match="language code"):
        train(language, ["slovo"])


def test_round_trip(tmp_path, sentences):
    profile = train("sr-Latn", sentences["cs"], source="own", licence="CC0-1.0")
    path = profile.save(tmp_path)
    loaded = load_profile(path)
    assert path.name == "sr-Latn.json"
    assert loaded == profile
    # Equal mappings may differ in order, and in a rank list the order is the content.
    assert list(loaded.ranked.items()) == list(profile.ranked.items())
    assert load_profiles(tmp_path) == (profile,)


@pytest.mark.parametrize("change", ROWS["bad_files"])
def test_bad_files_are_named(tmp_path, change):
    path = train("cs", ["slovo"]).save(tmp_path)
    if isinstance(change, dict):
        change = json.dumps(json.loads(path.read_text("utf-8")) | change)
    path.write_text(change, "utf-8")
    with pytest.raises(ModelError, match="train one") as caught:
        load_profiles(tmp_path)
    assert str(path) in str(caught.value)


def test_empty_or_missing_directories_are_refused(tmp_path):
    with pytest.raises(ModelError, match="no language profile"):
        load_profiles(tmp_path)
    with pytest.raises(ModelError, match="not a directory"):
        load_profiles(tmp_path / "absent")
    with pytest.raises(ModelError, match="absent"):
        load_profile(tmp_path / "absent.json")


def test_shipped_profiles_are_complete(shipped):
    languages = "cs de en es fr hr it pl pt ro ru sk sl uk".split()
    assert [profile.language for profile in shipped] == languages
    readme = (files("victor.language") / "profiles" / "README.md").read_text("utf-8")
    for profile in shipped:
        assert profile.licence.startswith("CC BY-SA ")
        for source in profile.source.split("; "):
            treebank, commit = source.split(", commit ")
            assert f"{treebank} | {commit} | {profile.licence}" in readme


# --- the stream of words --------------------------------------------------------------------------


def as_words(texts):
    """(text, word) pairs of a stream, the slow way."""
    words = read_words(texts)
    letters = "".join(chr(code) if code else " " for code in words.letters.tolist())
    return list(zip(words.text_of_word().tolist(), letters.split(), strict=True))


def test_words_are_runs_of_letters_in_lower_case():
    words = [(0, "ve"), (0, "patře"), (0, "l"), (0, "eau"), (2, "úřad")]
    assert as_words(["Ve 2. patře, l'eau!", "", "ÚŘAD"]) == words


def test_marks_that_cannot_be_composed_stay_in_the_word():
    assert as_words(["किताब"]) == [(0, "किताब")]
    text = "příliš žluťoučký"
    assert as_words([unicodedata.normalize("NFD", text)]) == as_words([text])


@pytest.mark.parametrize("texts", [[], [""], ["1 2", "\0", " \ud800 "]])
def test_no_words(texts):
    words = read_words(texts)
    assert len(words) == 0
    assert words.n_texts == len(texts)


@given(st.lists(st.text(max_size=30), max_size=5))
def test_texts_do_not_run_into_each_other(texts):
    one_by_one = [(i, word) for i, text in enumerate(texts) for _, word in as_words([text])]
    assert as_words(texts) == one_by_one
