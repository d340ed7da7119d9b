"""Values that a page declares as clean text, and the words by which pages say who and when."""

from __future__ import annotations

import re
from functools import cache, lru_cache
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


@lru_cache(maxsize=256)
def letters(text: str) -> str:
    """Letters and digits only, without case: for comparing names, the same ones again and again."""
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
    """A pattern for any phrase of some lists, the longest first, each begun in either case.

    Phrases are by their first letter, so that most of them are passed over in one step.
    """
    by_letter: dict[str, list[str]] = {}
    for phrase in sorted({phrase for name in names for phrase in lists()[name]}, key=len):
        by_letter.setdefault(phrase[0].lower(), []).insert(0, re.escape(phrase[1:]))
    return "|".join(
        f"(?-i:[{letter}{letter.upper()}])(?:{'|'.join(rests)})"
        for letter, rests in by_letter.items()
    )


Place = tuple[int, str, str]
"""Where a field may stand: its rank among all such places, a sort of place, and a name there."""
ELSEWHERE: Final = frozenset({"json-ld", "link", "html", "foot", "itemtype"})
"""The sorts of places that are no meta elements."""


@cache
def places() -> dict[str, list[Place]]:
    """The places of each field, the surest first."""
    found: dict[str, list[Place]] = {}
    for field, several in lists()["fields"].items():
        named = [
            (place, name)
            for each in several
            for place, names in each.items()
            for name in names.split() or [""]
        ]
        found[field] = [(rank, *place) for rank, place in enumerate(named)]
    return found


@cache
def places_of_metas() -> dict[str, list[tuple[str, Place]]]:
    """What meta elements may say, by their name: fields and the place among those of each."""
    found: dict[str, list[tuple[str, Place]]] = {name: [] for name in lists()["other_metas"]}
    for field, several in places().items():
        for place in several:
            if place[1] not in ELSEWHERE:
                found.setdefault(place[2], []).append((field, place))
    return found


def month_forms() -> list[list[str]]:
    """The forms of the names of the twelve months by language, those of a month with slashes."""
    return [forms.split() for forms in lists()["months"].values()]
