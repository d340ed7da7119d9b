"""The stream of words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.language.profiles import read_words


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
