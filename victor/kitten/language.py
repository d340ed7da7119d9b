"""Languages as Kitten needs them: where sentences end, and the words that lists repeat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.language.sentences import sentences

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*['’]?")
_NUMBER: Final = re.compile(r"\(?(?:\d{1,3}|[IVX]{1,5}|[^\W\d_])[.)]")
_DEFAULT: Final = "en"
LONGEST_WORD: Final = 50
"""Characters at the end of a text in which its last word is looked for."""
_SAMPLE: Final = 20_000
"""Characters that are enough to identify a language by its most frequent words."""


@dataclass(frozen=True)
class Language:
    """The code and the function words of a language."""

    code: str  # as in ISO 639
    triggers: frozenset[str] = frozenset()  # prepositions, auxiliaries and negation, in lower case
    conjunctions: frozenset[str] = frozenset()  # words that no comma follows, in lower case

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, without the white space between them.

        A number that counts, as in ``1. Introduction``, is no sentence of its own.

        Raises:
            ConfigError: as `victor.language.sentences.sentences`.
        """
        whole: list[str] = []
        for sentence in sentences(text, self.code):
            if whole and _NUMBER.fullmatch(whole[-1]):
                whole[-1] += f" {sentence}"
            else:
                whole.append(sentence)
        return whole


def language_by_code(code: str) -> Language:
    """A language by its code, without function words if there is no file of them."""
    return _with_words().get(code) or Language(code)


@cache
def _with_words() -> Mapping[str, Language]:
    files = (package_folder("victor.kitten") / "word_lists").glob("*.yaml")
    return {file.stem: _of_lists(file.stem, plain_yaml.read(file)) for file in sorted(files)}


def _of_lists(code: str, words: Mapping[str, Sequence[str]]) -> Language:
    triggers = (*words["prepositions"], *words["auxiliaries"], *words["negation"])
    return Language(code, frozenset(triggers), frozenset(words["conjunctions"]))


def last_word(text: str) -> str:
    """The word at the very end of a text, as written; empty if the text ends otherwise."""
    end = text.rstrip()
    matches = [*_WORD.finditer(end, max(0, len(end) - LONGEST_WORD))]
    return matches[-1][0] if matches and matches[-1].end() == len(end) else ""


def language_of(declared: str | None, text: str) -> Language:
    """The language that a page declares, else the one most of whose function words it uses.

    Args:
        declared: value of ``lang``, if any.
        text: text of the page.
    """
    code = re.split(r"[-_]", (declared or "").strip().lower())[0]
    if code.isascii() and code.isalpha() and 2 <= len(code) <= 3:
        return language_by_code(code)
    words = [match[0].lower() for match in _WORD.finditer(text[:_SAMPLE])]
    counts = {
        code: sum(word in language.triggers or word in language.conjunctions for word in words)
        for code, language in _with_words().items()
    }
    best = max(counts, key=lambda code: counts[code])
    return language_by_code(best if counts[best] > counts[_DEFAULT] else _DEFAULT)
