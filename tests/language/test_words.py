"""The stream of words and its n-grams."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.language.profiles import Alphabet, ngrams, read_words, word_trigrams


def as_words(texts):
    """(text, word) pairs of a stream, the slow way."""
    words = read_words(texts)
    letters = "".join(chr(code) if code else " " for code in words.letters.tolist())
    return list(zip(words.text_of_word().tolist(), letters.split(), strict=True))


def grams_of(text, length):
    words = read_words([text])
    alphabet = Alphabet(chr(code) for code in words.letters.tolist() if code)
    digits = alphabet.digits(words.letters)
    return alphabet.unpack(ngrams(digits, length, base=alphabet.base)[0], length)


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


@pytest.mark.parametrize(
    ("length", "grams"),
    [
        (1, ["t", "e", "x", "t", "a"]),
        (2, ["_t", "te", "ex", "xt", "t_", "_a", "a_"]),
        (3, ["_te", "tex", "ext", "xt_", "_a_"]),
        (5, ["_text", "text_"]),
    ],
)
def test_ngrams_stay_within_a_word_and_its_edges(length, grams):
    assert grams_of("Text a", length) == grams


def test_word_trigrams_give_every_letter_and_the_end_a_history():
    words = read_words(["to a"])
    alphabet = Alphabet("aot")
    trigrams = word_trigrams(alphabet.digits(words.letters), base=alphabet.base)
    assert alphabet.unpack(trigrams, 3) == ["__t", "_to", "to_", "__a", "_a_"]
