"""Function words of languages: lists where there are any, and the short words of the profiles.

The n-grams of a profile go up to five characters with both edges, so the frequent words of up to
three letters are among them, and these are nearly all function words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.base.errors import ConfigError, hint
from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.language.profiles import load_profiles
from victor.language.words import BOUNDARY

_FOLDER: Final = "word_lists"
_WORD: Final = re.compile(r"[^\W\d_]+")
_KINDS: Final = ("prepositions", "auxiliaries", "negation", "conjunctions")


@cache
def word_lists() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By language the lists that there are: prepositions, auxiliaries, negation, conjunctions."""
    folder = package_folder("victor.language") / _FOLDER
    return {path.stem: _read(path) for path in sorted(folder.glob("*.yaml"))}


def _read(path: Path) -> Mapping[str, frozenset[str]]:
    words = plain_yaml.read(path)
    return {kind: frozenset(words[kind]) for kind in _KINDS}


@cache
def function_words() -> Mapping[str, frozenset[str]]:
    """By language its function words in lower case, for all languages with a profile."""
    lists = word_lists()
    return {
        profile.language: _short_words(profile.ranked).union(
            *lists.get(profile.language, {}).values()
        )
        for profile in load_profiles()
    }


def _short_words(grams: Iterable[str]) -> frozenset[str]:
    """The n-grams that are whole words."""
    inner = (gram[1:-1] for gram in grams if gram[0] == gram[-1] == BOUNDARY)
    return frozenset(word for word in inner if word and BOUNDARY not in word)


def chosen(languages: Sequence[str] | None) -> Mapping[str, frozenset[str]]:
    """The function words of some languages; None for all.

    Raises:
        ConfigError: one of them has no profile.
    """
    words = function_words()
    for language in languages or ():
        if language not in words:
            raise ConfigError(f"no function words of {language!r}{hint(language, words)}")
    return words if languages is None else {language: words[language] for language in languages}


def count(texts: Sequence[str], words: Mapping[str, frozenset[str]]) -> tuple[Ints, Ints]:
    """(n,) function words and (n,) words of the n texts of one page.

    The language is that whose function words the page has most of, so a text in another language
    has few. A word is a run of letters.

    >>> count(["The bee is in the hive", "Home"], chosen(["en", "cs"]))
    (array([4, 0]), array([6, 1]))
    """
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    of_page: Counter[str] = Counter()
    for counter in counts:
        of_page.update(counter)
    totals = {code: sum(of_page[word] for word in known) for code, known in words.items()}
    known = words[max(totals, key=totals.__getitem__)] if totals else frozenset[str]()
    function = [sum(n for word, n in counter.items() if word in known) for counter in counts]
    return np.array(function, dtype=np.int64), np.array(
        [counter.total() for counter in counts], dtype=np.int64
    )
