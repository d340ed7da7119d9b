"""Values that a page declares as clean text, and the words by which pages say who and when."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, Final

from victor.config import plain_yaml

LONGEST: Final = 5_000  # characters of a value that are read; no field is longer in earnest
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*+>")
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc\ud800-\udfff]"
)
"""Characters without a shape; of these only U+FFFC is printable in the sense of `str`."""
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}+|#[xX][0-9a-fA-F]{1,6}+|[A-Za-z]{2,31}+);")
_NOT_WORD: Final = re.compile(r"[\W_]+")
_LOWER: Final = bytes(range(256)).lower()
_NO_WORD: Final = bytes(code for code in range(128) if _NOT_WORD.match(chr(code)))
_LOWER_OR_SPACE: Final = _LOWER.translate(bytes.maketrans(_NO_WORD, b" " * len(_NO_WORD)))
"""The same of ASCII: small letters, what is no letter or digit, and small letters and spaces."""


def clean(value: object) -> str:
    """A declared value as one line of text, "" for what is none.

    Entities that were escaped twice, tags and characters without a shape go.
    """
    if not isinstance(value, str):
        return ""
    text = value[:LONGEST]
    if "&" in text:
        for _ in range(2):
            if _ENTITY.search(text):
                text = unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if not text.isprintable() or "\ufffc" in text:
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def letters(text: str) -> str:
    """Letters and digits only, without case: for comparing names."""
    if text.isascii():
        return text.encode().translate(_LOWER, _NO_WORD).decode()
    return _NOT_WORD.sub("", text).casefold()


def words(text: str) -> list[str]:
    """Words without case."""
    if text.isascii():
        return text.encode().translate(_LOWER_OR_SPACE).decode().split()
    return _NOT_WORD.sub(" ", text).casefold().split()


def unique(values: list[str]) -> tuple[str, ...]:
    """Values that are not empty, each once but for case and punctuation."""
    by_letters: dict[str, str] = {}
    for value in values:
        if value:
            by_letters.setdefault(letters(value) or value, value)
    return tuple(by_letters.values())


def is_address(text: str) -> bool:
    """Does a text look like an address rather than a name."""
    return text.startswith(("http:", "https:", "//", "www.", "/", "mailto:")) or (
        "/" in text and "." in text and " " not in text
    )


# --- Lists of words -------------------------------------------------------------------------------


@cache
def lists() -> dict[str, Any]:
    """What the file of words holds."""
    return dict(plain_yaml.read_compiled(Path(__file__).with_name("words.yaml")))


def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(lists()[name])


def any_of(*names: str) -> str:
    """A pattern for any phrase of some lists, the longest first."""
    phrases = [re.escape(phrase) for name in names for phrase in lists()[name]]
    return "|".join(sorted(phrases, key=len, reverse=True))


def month_forms() -> list[list[str]]:
    """The forms of the names of the twelve months by language, those of a month with slashes."""
    return [forms.split() for forms in lists()["months"].values()]
