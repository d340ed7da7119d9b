"""Named entities of the texts of a page, and text similarity.

Without a recogniser of yours, capitalised words are entities. That is a rough guess (German nouns
are capitalised, too), but it is good enough to compare captions with their article.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

from victor.base.errors import ConfigError

CAPITALS: Final = "capitals"
"""The recogniser that is no code of the user."""
_TOKEN: Final = re.compile(r"[^\W_]+|[^\w\s]")
_SENTENCE_ENDS: Final = frozenset(".?!…:•|")
_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…")
_APOSTROPHES: Final = frozenset("'’")
_SHORTEST: Final = 2
"""Single letters are not names: I, A, and letters before an apostrophe."""
_SHORTEST_PREFIX: Final = 3
_LONGEST: Final = 40
"""Letters of a word that are compared."""

Recogniser = Callable[[Sequence[str]], list[Counter[str]]]
"""Texts of one page to how often each entity is named in each; forms of a word are one entity."""
Words = Callable[[str], Iterable[tuple[str, bool]]]
"""Text to the words that may be entities, each with whether it is one for sure.

The others are entities if a form of them is one for sure elsewhere on the page.
"""


def load_recogniser(name: str) -> Recogniser:
    """The recogniser of a name.

    Args:
        name: ``capitals``, or ``MODULE:FUNCTION`` of a function that gives the names in a text.

    Raises:
        ConfigError: there is no such function.
    """
    if name == CAPITALS:
        return partial(entity_counts, words=capitalised)
    return partial(entity_counts, words=partial(in_names, names=_function(name)))


def _function(name: str) -> Callable[[str], Iterable[str]]:
    module, _, function = name.partition(":")
    try:
        names: Any = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"entities.recogniser: {error}; name a function of text to names as MODULE:FUNCTION, "
            f"or {CAPITALS}"
        ) from None
    return names  # type: ignore[no-any-return]


def entity_counts(texts: Sequence[str], words: Words) -> list[Counter[str]]:
    """How often each entity is named in each text, as `Recogniser` says."""
    found = [[(word.lower(), is_sure) for word, is_sure in words(text)] for text in texts]
    names = merge_forms(word for of_text in found for word, _ in of_text)
    confirmed = {names[word] for of_text in found for word, is_sure in of_text if is_sure}
    return [
        Counter(names[word] for word, _ in of_text if names[word] in confirmed) for of_text in found
    ]


def cosine(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    """Cosine of the angle between two vectors of counts, 0 if one of them is empty.

    >>> round(cosine({"brno": 3, "praha": 4}, {"praha": 2}), 6)
    0.8
    """
    product = sum(count * b.get(name, 0) for name, count in a.items())
    norms = math.hypot(*a.values()) * math.hypot(*b.values())
    return min(product / norms, 1.0) if norms else 0.0


def capitalised(text: str) -> Iterator[tuple[str, bool]]:
    """Words that may be entities, and whether each is one without confirmation.

    A capitalised word inside a sentence is one. A word that begins a sentence, or is in a title, is
    one if it is confirmed elsewhere. A title is a line most of whose other words are capitalised
    and that does not end like a sentence.
    """
    for line in text.splitlines():
        words = [word for word in _capitals(line) if len(word[0]) >= _SHORTEST]
        inner = [is_capital for _, is_capital, is_first in words if not is_first]
        sure = 2 * sum(inner) <= len(inner) or line.rstrip().endswith(_ENDS_OF_SENTENCES)
        for word, is_capital, is_first in words:
            if is_capital:
                yield word, sure and not is_first


def in_names(text: str, names: Callable[[str], Iterable[str]]) -> Iterator[tuple[str, bool]]:
    """Capitalised words of the names that another tool finds in a text; all are entities."""
    for name in names(text):
        for word, is_capital, _ in _capitals(name):
            if is_capital and len(word) >= _SHORTEST:
                yield word, True


def merge_forms(words: Iterable[str]) -> dict[str, str]:
    """The entity that each word is a form of, named by its shortest form.

    Two words are forms of one if they share a prefix of at least 3 letters and of two thirds of
    the longer one. Linear in the letters: each word is looked up only by the prefix that a
    shorter one must share with it.

    >>> merge_forms(["fialou", "fiala", "brno"])
    {'brno': 'brno', 'fiala': 'fiala', 'fialou': 'fiala'}
    """
    names: dict[str, str] = {}
    heads: dict[str, str] = {}
    for word in sorted(set(words), key=lambda word: (len(word), word)):
        form = word[:_LONGEST]
        needed = max(_SHORTEST_PREFIX, -(-2 * len(form) // 3))
        name = heads.get(form[:needed], word)
        if name == word:
            for length in range(min(needed, len(form)), len(form) + 1):
                heads.setdefault(form[:length], word)
        names[word] = name
    return names


def _capitals(line: str) -> Iterator[tuple[str, bool, bool]]:
    """Words of a line, each with whether it is capitalised and whether it begins a sentence.

    A full stop after an initial does not end a sentence; letters after an apostrophe are no word.
    """
    begins_sentence, before = True, ""
    for token in _TOKEN.findall(line):
        if token[0].isalnum():
            if before not in _APOSTROPHES or not before:
                yield token, token[0].isupper(), begins_sentence
            begins_sentence = False
        elif token in _SENTENCE_ENDS:
            begins_sentence = begins_sentence or token != "." or len(before) != 1
        before = token
