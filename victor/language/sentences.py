"""Sentences of texts: MorphoDiTa splits Czech and Slovak where it is installed, sentencex the rest.

What both do wrong is put right by one rule, `goes_on`, so texts without MorphoDiTa differ little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from victor.base import optional
from victor.language import tokens
from victor.language.sentence_ends import goes_on

_WINDOW: Final = 6_000
"""Characters of a text that are split at once: sentencex takes a time that grows with the square of
a text without spaces, and of one whose quotes are never closed."""
_SURE: Final = 4_000
"""Characters of these in which sentences end as they do in the whole text: a quotation that begins
there ends before the window, or it is no quotation."""


def sentences(text: str, language: str) -> list[str]:
    """The sentences of a text, without the white space between them.

    Args:
        text: without lone surrogates.
        language: its code in ISO 639.

    Raises:
        ConfigError: as `check`.
    """
    is_czech = language in tokens.CZECH and tokens.is_installed()
    cuts = _of_tokens(text, language) if is_czech else _of_sentencex(text, language)
    bounds = (0, *(cut for cut in cuts if not goes_on(text, cut, language)), len(text))
    parts = (text[start:end].strip() for start, end in pairwise(bounds))
    return [part for part in parts if part]


def check() -> None:
    """Refuse the call if the package that splits the texts of most languages is missing.

    Raises:
        ConfigError: it is.
    """
    _splitter()


def _of_tokens(text: str, language: str) -> Iterator[int]:
    """Where MorphoDiTa lets sentences begin, but the first."""
    starts = (spans[0][0] for spans in tokens.sentences(text, language))
    next(starts, None)
    return starts


def _of_sentencex(text: str, language: str) -> Iterator[int]:
    """Where sentencex lets sentences begin, in time that is linear."""
    split = _splitter()
    start = 0
    while len(text) - start > _WINDOW:
        end = start
        for part in split(language, text[start : start + _WINDOW]):
            if end + len(part) - start > _SURE:
                break
            end += len(part)
            yield end
        if end == start:  # no sentence ends here; words stay whole
            end = text.rfind(" ", start, start + _SURE) + 1 or start + _SURE
        start = end
    for part in split(language, text[start:]):
        start += len(part)
        yield start


def _splitter() -> Callable[[str, str], Iterable[str]]:
    sentencex = optional.load("sentencex", extra="crawl", task="splitting sentences")
    split: Callable[[str, str], Iterable[str]] = sentencex.segment
    return split
