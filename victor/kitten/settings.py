"""The settings of Kitten: its rules, their limits, and what it knows of languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta

from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.config.layers import load_as
from victor.config.schema import Count, Flat, Limits
from victor.language.sentences import sentences


class Settings(Flat, frozen=True):
    """The schema of ``configs/kitten.yaml``."""

    labeler: Literal["none"] = "none"
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")] | None = None
    normalize_exclude_sitemaps: bool = True
    normalize_read_converted: bool = True
    lists_drop_links: bool = True
    lists_link_words: Count = 5
    lists_drop_bullets: bool = True
    lists_every_number: bool = False
    lists_flatten: bool = True
    lists_flat_length: Count = 60
    lists_every_item: bool = False
    lists_every_comma: bool = False
    lists_repeat_triggers: bool = True
    tables_clauses: bool = True
    sentences_split: bool = True
    sentences_full_stops: bool = True
    sentences_join_breaks: bool = True
    sentences_expand_abbreviations: bool = True
    sentences_drop_options: bool = True
    sentences_drop_menus: bool = False
    limits: Limits = Limits()


def load_settings(source: str | Path = "kitten", overrides: tuple[str, ...] = ()) -> Settings:
    """Settings of a shipped name or a YAML file, changed by ``key=value`` overrides.

    Raises:
        ConfigError: as `victor.config.layers.load`.
    """
    return load_as(Settings, source, overrides)


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
