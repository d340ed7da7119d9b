"""Texts as one stream of lower-case words, and the character n-grams of that stream."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.base.lazy import cached_property
from victor.page.parsing.characters import (
    CASELESS,
    IDEOGRAPH,
    LOWER,
    N_CLASSES,
    UPPER,
    class_table,
    lower_table,
)

BOUNDARY = "_"
"""How profiles write the edge of a word."""

_IS_LETTER = np.isin(np.arange(N_CLASSES), [LOWER, UPPER, CASELESS, IDEOGRAPH])


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words of several texts in one array; a word is a run of letters and their marks."""

    # (m,) uint32, lower-case code points; one 0 before every word and one at the end
    letters: NDArray[np.uint32]
    text: Ints  # (m,) int64, the text that each position belongs to; the last one belongs to none
    n_texts: int  # number of texts, those without a word included

    def __len__(self) -> int:
        return int(np.count_nonzero(self.letters == 0)) - 1

    def text_of_word(self) -> Ints:
        """(words,) int64: the text of every word."""
        text: Ints = self.text[:-1][self.letters[:-1] == 0]
        return text


def read_words(texts: Sequence[str]) -> Words:
    """Split texts into words; digits, punctuation and apostrophes end a word.

    Letters are composed (NFC) and lower-cased where that keeps their number.
    """
    composed = [unicodedata.normalize("NFC", text) for text in texts]
    joined = "".join(["\0" + text for text in composed]) + "\0"
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    sizes = np.array([len(text) + 1 for text in composed] + [1])
    text_of = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    is_letter = _IS_LETTER[class_table()[codes]]
    # The character before a word, a separator at least, becomes the word's boundary.
    kept = is_letter.copy()
    kept[:-1] |= is_letter[1:]
    kept[-1] = True
    letters = _lower(np.where(is_letter, codes, 0)[kept])
    return Words(letters, text_of[kept], len(texts))


def _lower(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    table = lower_table()
    lowered: NDArray[np.uint32] = table[np.minimum(codes, len(table) - 1)]
    return np.where(codes < len(table), lowered, codes)


class Alphabet:
    """Letters in code point order as digits of a number system, so that n-grams are integers.

    Digit 0 is the word boundary; every letter that is not in the alphabet shares the last digit.

    Attributes:
        letters: the letters as one sorted string.
        base: number of digits.
    """

    def __init__(self, letters: Iterable[str]) -> None:
        self.letters = "".join(sorted(set(letters) - {BOUNDARY}))
        self.base = len(self.letters) + 2

    @cached_property
    def _digit_of(self) -> Ints:
        points = [ord(letter) for letter in self.letters]
        table = np.full(max(points, default=0) + 2, self.base - 1, dtype=np.int64)
        table[points] = np.arange(1, len(points) + 1)
        table[0] = 0
        return table

    def digits(self, codes: NDArray[np.uint32]) -> Ints:
        """Digits of code points; 0 stands for the boundary. Same shape, int64."""
        return self._digit_of[np.minimum(codes, len(self._digit_of) - 1)]

    def pack(self, grams: Sequence[str]) -> Ints:
        """(k,) int64: numbers of k n-grams of one length, as profiles write them."""
        if not grams:
            return np.empty(0, dtype=np.int64)
        points = np.frombuffer("".join(grams).encode("utf-32-le"), dtype=np.uint32)
        digits = self.digits(np.where(points == ord(BOUNDARY), 0, points))
        return horner(digits.reshape(len(grams), -1).T, self.base)

    def unpack(self, numbers: Ints, length: int) -> list[str]:
        """The n-grams of `length` letters behind numbers, as profiles write them."""
        symbols = np.array([BOUNDARY, *self.letters, "\ufffd"])
        powers = self.base ** np.arange(length - 1, -1, -1, dtype=np.int64)
        digits = numbers[:, None] // powers % self.base
        return ["".join(row) for row in symbols[digits].tolist()]


def horner(columns: Iterable[Ints], base: int) -> Ints:
    """Numbers whose digits are given column by column, the most significant first."""
    first, *rest = columns
    number = first
    for column in rest:
        number = number * base + column
    return number


def ngrams(digits: Ints, length: int, *, base: int) -> tuple[Ints, Ints]:
    """Overlapping n-grams of words, each word with one boundary before and one behind.

    Args:
        digits: (m,) int64, a stream of words as digits of an alphabet.
        length: number of characters, boundaries included; a lone boundary is no n-gram.
        base: the alphabet's base.

    Returns:
        The n-grams as numbers and the positions in the stream where they start, both (k,) int64.
    """
    n_windows = max(len(digits) - length + 1, 0)
    columns = [digits[offset : offset + n_windows] for offset in range(length)]
    inside_word = np.ones(n_windows, dtype=bool)
    for column in columns if length == 1 else columns[1:-1]:
        inside_word &= column != 0
    starts = np.flatnonzero(inside_word)
    return horner([column[starts] for column in columns], base), starts


def word_trigrams(digits: Ints, *, base: int) -> Ints:
    """(m - 1,) int64: for every letter and closing boundary the trigram that ends with it.

    A word of k letters has k + 1; its first letter is preceded by two boundaries.
    """
    before, here = digits[:-1], digits[1:]
    two_before = np.zeros_like(before)
    two_before[1:] = np.where(before[1:] == 0, 0, digits[:-2])
    return horner([two_before, before, here], base)
