"""Sentences, with MorphoDiTa for Czech and without it."""

import sys

import pytest

from victor.errors import ConfigError
from victor.language.sentences import (
    begins_small,
    check,
    check_tokenizer,
    goes_on,
    sentences,
    tokens,
)


@pytest.fixture(params=["morphodita", "sentencex"])
def _either(request, monkeypatch):
    """Czech with MorphoDiTa, and as if it were not installed."""
    if request.param == "morphodita":
        pytest.importorskip("ufal.morphodita")
    else:
        monkeypatch.setitem(sys.modules, "ufal.morphodita", None)


@pytest.mark.usefixtures("_either")
@pytest.mark.parametrize(
    "sentence",
    [
        "Narozen 5. října 1950 v Brně.",
        "Most stojí od 3. června.",
        "Oslavy státního svátku 28. Října začaly.",
        "Přišel Ing. Jan Novák, Ph.D., a odešel.",
        "Přišel RNDr. Jan Novák, Ph. D. Bylo to milé.",
        "Je to tzv. Karlův most, např. v Praze, viz č. 5.",
        "Bydlí na tř. Kpt. Jaroše.",
        "Stojí 5 mil. Kč ročně.",
        "Je to i jinak atd. a tak dále.",
    ],
)
@pytest.mark.parametrize("language", ["cs", "sk"])
def test_czech_and_slovak_sentences_are_not_cut_inside(sentence, language):
    assert sentences(f"Konec. {sentence} Další věta.", language) == [
        "Konec.",
        sentence,
        "Další věta.",
    ]


@pytest.mark.usefixtures("_either")
@pytest.mark.parametrize(
    "parts",
    [
        ["Je jich 5.", "Potom přišel."],
        ["Přišlo jich 32.", "Října se nedočkali."],
        ["Bylo jich 12.", "Pro jistotu odešel."],
        ["Co je to?", "Nic!", "Dobře."],
        ["Byl tam 🙏.", "Odešel."],
    ],
)
def test_sentences_end_where_another_begins(parts):
    assert sentences(" ".join(parts), "cs") == parts


def test_what_is_installed_decides_after_abbreviations_only():
    pytest.importorskip("ufal.morphodita")
    assert sentences("Maluje, uklízí atd. Potom odešel.", "cs") == [
        "Maluje, uklízí atd.",
        "Potom odešel.",
    ]


@pytest.mark.parametrize(
    ("language", "text", "n_sentences"),
    [
        ("pl", "Urodził się 5. października 1950 r. w Brnie.", 1),
        ("de", "Am 5. Oktober 1950 geboren.", 1),
        ("en", "I took part 2. and 3. to him.", 1),
        ("en", "Why not? iOS can. we all know it.", 3),
        ("pl", "Był m. in. w Brnie.", 1),
        ("en", "He scored 5. October was bad.", 2),  # English days have no full stop
        ("ka", "ეს არის წინადადება. ეს არის მეორე.", 2),
    ],
)
def test_one_rule_holds_for_all_languages(language, text, n_sentences):
    assert len(sentences(text, language)) == n_sentences


@pytest.mark.parametrize(
    ("before", "after", "language", "is_one"),
    [
        ("Dne 31. ", "Ledna", "cs", True),
        ("Dne 32. ", "Ledna", "cs", False),
        ("Dne 0. ", "Ledna", "cs", False),
        ("Dňa 5. ", "Máj", "sk", False),  # three letters: perhaps another word
        ("Dňa 5. ", "Mája", "sk", True),
        ("Am 5. ", "Oktober", "de", True),
        ("On 5. ", "October", "en", False),
        ("On 5. ", "October", None, False),
        ("John Smith, Ph. ", "D. is", None, True),
        ("viz obr. ", "Nový", "cs", True),
        ("viz obr. ", "Nový", "pl", False),
        ("(Jdu!) ", "řekl", "cs", True),
        ("for part 2. ", "and 3.", "en", True),
        ("for part b. ", "and c.", "en", True),
        ("for part it. ", "and on", "en", False),
        ("(Jdu!) ", "řekl", "en", False),
        ("Jdu domů ", "řekl", "cs", False),  # not at a mark: a splitter that gave up
        ("Konec. ", "", "cs", False),
        ("", "malé", "cs", False),
    ],
)
def test_where_a_sentence_goes_on(before, after, language, is_one):
    assert goes_on(before + after, len(before), language) is is_one


def test_scripts_without_capitals_have_no_small_beginning():
    assert begins_small("řekl")
    assert not begins_small("Řekl")
    assert not begins_small("ეს")
    assert not begins_small("")


def test_tokens_of_sentences_are_joined_too():
    pytest.importorskip("ufal.morphodita")
    text = "Am 5. Oktober kam Jan, Ph. D. Er ging."
    bounds = [(spans[0][0], spans[-1][1]) for spans in tokens(text, "de")]
    assert [text[start:end] for start, end in bounds] == ["Am 5. Oktober kam Jan, Ph. D. Er ging."]


def test_a_long_text_is_split_in_windows_whose_sentences_stay_whole():
    word_by_word = " ".join(["slovo"] * 3_000)
    assert sentences(word_by_word, "en") == [word_by_word]
    assert sentences("One came. Two went. " * 1_000, "en") == ["One came.", "Two went."] * 1_000


def test_missing_packages_are_errors_of_the_call(monkeypatch):
    monkeypatch.setitem(sys.modules, "ufal.morphodita", None)
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(ConfigError, match=r"needs the package ufal: pip install"):
        check_tokenizer()
    with pytest.raises(ConfigError, match=r"needs the package sentencex: pip install"):
        check()
