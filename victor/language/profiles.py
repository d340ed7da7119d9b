"""Language profiles, n-gram counts of one language, and what identifies languages by them.

Profiles are trained on plain text and stored as JSON.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, CorpusError, ModelError
from victor.base.files import package_folder, write_bytes
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

FORMAT: Final = "victor-language-profile"
VERSION: Final = 1
LONGEST: Final = 5
"""Longest n-gram of the ranked list (Cavnar and Trenkle 1994, section 3.1)."""

_MAX_TRIGRAMS: Final = 4300
_MAX_RANKED: Final = 1000
# More letters than this (Chinese has them) would not fit five to a 64-bit number.
_MAX_LETTERS: Final = 3500
_MOST_BYTES: Final = 10_000_000  # of a file; ours have 60 kB
_MOST_COUNTED: Final = 1 << 40  # largest count, so that sums of them are whole numbers in any order
_LANGUAGE_CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """Counts of one language's character n-grams; ``_`` in an n-gram is the edge of a word.

    Attributes:
        language: language code, e.g. ``"cs"``.
        source: where the training text comes from.
        licence: licence of the training text, which the profile inherits.
        trigrams: the most frequent trigrams within words and their counts, most frequent first.
            A word counts once with two boundaries before its first letter, so that the first
            letter has a history too (``__w _wo wor ord rd_``).
        ranked: the most frequent n-grams of 1 to 5 characters and their counts, most frequent
            first (``w o r d _w wo ... _word word_``).
    """

    language: str
    source: str
    licence: str
    trigrams: Mapping[str, int]
    ranked: Mapping[str, int]

    def save(self, directory: Path) -> Path:
        """Write ``<language>.json`` into a folder and return its path."""
        path = directory / f"{self.language}.json"
        counts = (_by_count(self.trigrams), _by_count(self.ranked))
        document = _File(FORMAT, VERSION, self.language, self.source, self.licence, *counts)
        text = json.dumps(msgspec.to_builtins(document), ensure_ascii=False, indent=0)
        write_bytes(path, f"{text}\n".encode(), parents=True)
        return path


class _File(msgspec.Struct):
    """A profile as it is written; n-grams stand behind their counts, separated by spaces."""

    format: str
    version: int
    language: Annotated[str, msgspec.Meta(pattern=f"^(?:{_LANGUAGE_CODE.pattern})$")]
    source: str
    licence: str
    trigrams: dict[str, str]
    ranked: dict[str, str]


def train(
    language: str, lines: Iterable[str], *, source: str = "", licence: str = ""
) -> LanguageProfile:
    """Count the n-grams of plain text, one sentence or paragraph per line.

    Some 100 kB of text are enough. The result depends on the lines only, not on their order.

    Raises:
        ConfigError: `language` is not a language code.
        CorpusError: the lines hold no word.
    """
    if not _LANGUAGE_CODE.fullmatch(language):
        raise ConfigError(
            f"{language!r} is not a language code; write for instance 'cs' or 'sr-Latn'"
        )
    words = read_words(list(lines))
    if not len(words):
        raise CorpusError(f"no words to train {language!r} from; give lines of plain text")
    alphabet = _frequent_letters(words.letters)
    digits = alphabet.digits(words.letters)
    trigrams = word_trigrams(digits, base=alphabet.base)
    return LanguageProfile(
        language,
        source,
        licence,
        _most_frequent({3: trigrams}, alphabet, limit=_MAX_TRIGRAMS),
        _most_frequent(
            {n: ngrams(digits, n, base=alphabet.base)[0] for n in range(1, LONGEST + 1)},
            alphabet,
            limit=_MAX_RANKED,
        ),
    )


def _frequent_letters(letters: NDArray[np.uint32]) -> Alphabet:
    codes, counts = np.unique(letters[letters != 0], return_counts=True)
    kept = codes[np.argsort(-counts, kind="stable")[:_MAX_LETTERS]]
    return Alphabet(map(chr, kept.tolist()))


def _most_frequent(grams: Mapping[int, Ints], alphabet: Alphabet, *, limit: int) -> dict[str, int]:
    """The `limit` most frequent n-grams of several lengths; of equal ones the smallest numbers."""
    counted = [(n, *np.unique(numbers, return_counts=True)) for n, numbers in grams.items()]
    names = [gram for n, numbers, _ in counted for gram in alphabet.unpack(numbers, n)]
    keys = np.concatenate([gram_keys(numbers, n) for n, numbers, _ in counted])
    counts = np.concatenate([count for *_, count in counted])
    order = np.lexsort((keys, -counts))
    # U+FFFD stands for the letters beyond the alphabet: they are many, so the count says nothing.
    known = [i for i in order.tolist() if "\ufffd" not in names[i]]
    return {names[i]: int(counts[i]) for i in known[:limit]}


def load_profiles(directory: Path | None = None) -> tuple[LanguageProfile, ...]:
    """All profiles of a directory, or the shipped ones, in order of language code.

    Raises:
        ModelError: no profile is there, or one is damaged or of another format.
    """
    folder = directory or package_folder("victor.language") / "profiles"
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a directory; train profiles into one first")
    paths = [item for item in folder.iterdir() if item.name.endswith(".json")]
    if not paths:
        raise ModelError(f"no language profile (*.json) in {folder}; train one first")
    return tuple(sorted(map(load_profile, paths), key=lambda profile: profile.language))


def load_profile(path: Path) -> LanguageProfile:
    """One profile file.

    Raises:
        ModelError: the file is missing, damaged or of another format.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe would let us wait
            raise ValueError("it is no file")
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} bytes")
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        if (file.format, file.version) != (FORMAT, VERSION):
            raise ValueError(f"it is {file.format} {file.version}, want {FORMAT} {VERSION}")
        trigrams = _flat(file.trigrams, _MAX_TRIGRAMS, shortest=3, longest=3)
        ranked = _flat(file.ranked, _MAX_RANKED, shortest=1, longest=LONGEST)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ModelError(
            f"cannot read the language profile {path}: {error}; train one from plain text"
        ) from error
    return LanguageProfile(file.language, file.source, file.licence, trigrams, ranked)


def gram_keys(numbers: Ints, length: int) -> Ints:
    """One key space, and with it one order, for the numbers of n-grams of all lengths."""
    return numbers * (LONGEST + 1) + length


def _by_count(counts: Mapping[str, int]) -> dict[str, str]:
    """The mapping inverted: count → the n-grams that have it, separated by spaces."""
    grams: dict[int, list[str]] = {}
    for gram, count in counts.items():
        grams.setdefault(count, []).append(gram)
    return {str(count): " ".join(names) for count, names in grams.items()}


def _flat(by_count: Mapping[str, str], most: int, *, shortest: int, longest: int) -> dict[str, int]:
    """Inverse of `_by_count`, checked: what training may write, and no more."""
    counts = {gram: int(count) for count, grams in by_count.items() for gram in grams.split(" ")}
    for gram, count in counts.items():
        if not shortest <= len(gram) <= longest or not 1 <= count <= _MOST_COUNTED:
            raise ValueError(f"bad entry {gram!r}: {count}")
    if not 1 <= len(counts) <= most:
        raise ValueError(f"{len(counts)} n-grams, want 1 to {most}")
    "".join(counts).encode()  # halves of surrogate pairs are no letters
    return counts


# --- Identifiers ----------------------------------------------------------------------------------

UNDETERMINED: Final = "und"
"""ISO 639-2 code for a text of unknown language: no language scores above 0."""


class Identifier:
    """Identifies the language of texts by comparing them with language profiles.

    Scores are in [0, 1]; a higher one is more like the language. Each method has `identify`, which
    gives all languages of a text with their scores, best first, and `scores`, the (n,) float64
    scores of n texts for one language.

    Args:
        languages: codes of the profiles' languages, in their order.

    Raises:
        ConfigError: there are none, or one occurs twice.
    """

    def __init__(self, languages: Iterable[str]) -> None:
        self.languages = tuple(languages)
        if not self.languages or len(set(self.languages)) < len(self.languages):
            codes = list(self.languages)
            raise ConfigError(f"an identifier needs one profile per language, not {codes}")

    def _index(self, language: str) -> int:
        """Position of a language among the profiles.

        Raises:
            ConfigError: no profile of that language.
        """
        if language not in self.languages:
            raise ConfigError(
                f"no profile of language {language!r}, only of {', '.join(self.languages)}; "
                "train one from plain text"
            )
        return self.languages.index(language)

    def _ranked(self, scores: Floats, order: Floats) -> list[tuple[str, float]]:
        best_first = np.argsort(-order, kind="stable").tolist()
        return [(self.languages[i], float(scores[i])) for i in best_first]


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
