"""What Kitten knows of languages: where sentences end, and words that lists repeat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from victor.config import yaml12

_FOLDER: Final = "triggers"
_WORD: Final = re.compile(r"\w+(?:['’]\w+)*['’]?")
_DEFAULT: Final = "en"
_SAMPLE: Final = 20_000
"""Characters that are enough to tell a language by its most frequent words."""


@dataclass(frozen=True)
class Language:
    """What Kitten knows of a language.

    Attributes:
        code: as in ISO 639.
        triggers: prepositions, auxiliaries and negation, in lower case.
        conjunctions: words after which no comma stands, in lower case.
    """

    code: str
    triggers: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, without the white space between them."""
        from sentencex import segment  # noqa: PLC0415  (only this renderer needs it)

        return [found for sentence in segment(self.code, text) if (found := sentence.strip())]


def language(code: str) -> Language:
    """A language by its code; one without a file of words has none."""
    return _known().get(code) or Language(code)


@cache
def _known() -> Mapping[str, Language]:
    """The languages with words, by code."""
    folder = Path(str(resources.files("victor.kitten"))) / _FOLDER
    return {path.stem: _read(path) for path in sorted(folder.glob("*.yaml"))}


def _read(path: Path) -> Language:
    found = yaml12.read(path)
    triggers = (*found["prepositions"], *found["auxiliaries"], *found["negation"])
    return Language(path.stem, frozenset(triggers), frozenset(found["conjunctions"]))


def last_word(text: str) -> str:
    """The word that a text ends with, as written; empty if it ends otherwise."""
    end = text.rstrip()
    matches = [*_WORD.finditer(end, max(0, len(end) - 50))]
    return matches[-1][0] if matches and matches[-1].end() == len(end) else ""


def language_of(declared: str | None, text: str) -> Language:
    """The language that a page declares, else the one that most of its words here belong to.

    Args:
        declared: value of ``lang``, if any.
        text: of the page.
    """
    code = re.split(r"[-_]", (declared or "").strip().lower())[0]
    if code.isascii() and code.isalpha() and 2 <= len(code) <= 3:
        return language(code)
    words = [match[0].lower() for match in _WORD.finditer(text[:_SAMPLE])]
    counts = {
        code: sum(word in known.triggers or word in known.conjunctions for word in words)
        for code, known in _known().items()
    }
    best = max(counts, key=lambda code: counts[code])
    return language(best if counts[best] > counts[_DEFAULT] else _DEFAULT)
