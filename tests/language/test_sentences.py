"""Sentences, with MorphoDiTa for Czech and without it."""

import sys
from pathlib import Path

import pytest

from tests.rows import rows_of
from victor.errors import ConfigError
from victor.language.sentences import (
    begins_small,
    check,
    check_tokenizer,
    goes_on,
    sentences,
    tokens,
)

MORPHODITA = "ufal.morphodita"
FUNCTIONS = {
    "goes_on": lambda before, after, language: str(
        goes_on(before + after, len(before), language or None)
    ),
    "czech": lambda language, text: " | ".join(sentences(text, language)),
    "others": lambda language, text: " | ".join(sentences(text, language)),
}


@pytest.mark.parametrize(("name", "given", "expected"), rows_of(Path(__file__).parent / "rows"))
def test_a_row(name, given, expected, monkeypatch):
    if name == "czech":
        pytest.importorskip(MORPHODITA)
        assert FUNCTIONS[name](*given) == expected
        monkeypatch.setitem(sys.modules, MORPHODITA, None)
    assert FUNCTIONS[name](*given) == expected


def test_what_is_installed_decides_after_abbreviations_only():
    pytest.importorskip(MORPHODITA)
    assert sentences("Maluje, uklízí atd. Potom odešel.", "cs") == [
        "Maluje, uklízí atd.",
        "Potom odešel.",
    ]


def test_scripts_without_capitals_have_no_small_beginning():
    assert [*map(begins_small, ("řekl", "Řekl", "ეს", ""))] == [True, False, False, False]


def test_tokens_of_sentences_are_joined_too():
    pytest.importorskip(MORPHODITA)
    text = "Am 5. Oktober kam Jan, Ph. D. Er ging."
    assert [(spans[0][0], spans[-1][1]) for spans in tokens(text, "de")] == [(0, len(text))]


def test_a_long_text_is_split_in_windows_whose_sentences_stay_whole():
    word_by_word = " ".join(["slovo"] * 3_000)
    assert sentences(word_by_word, "en") == [word_by_word]
    assert sentences("One came. Two went. " * 1_000, "en") == ["One came.", "Two went."] * 1_000


def test_missing_packages_are_errors_of_the_call(monkeypatch):
    monkeypatch.setitem(sys.modules, MORPHODITA, None)
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(ConfigError, match=r"needs the package ufal: pip install"):
        check_tokenizer()
    with pytest.raises(ConfigError, match=r"needs the package sentencex: pip install"):
        check()
