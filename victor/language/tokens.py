"""Tokens and sentences by MorphoDiTa's tokenizers, which need no model.

Source: Straková, Straka, Hajič (2014), Open-Source Tools for Morphology, Lemmatization, POS Tagging
and Named Entity Recognition.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

from victor.base import optional
from victor.language.sentence_ends import goes_on

CZECH: Final = frozenset({"cs", "sk"})
"""Languages that the rules for Czech serve."""
_PACKAGE: Final = "ufal.morphodita"
_LONGEST_RUN: Final = 500
_UNSPACED: Final = "\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
"""Scripts without spaces; their runs are texts."""
_LONG_RUN: Final = re.compile(rf"[^\s{_UNSPACED}]{{{_LONGEST_RUN + 1},}}+")
Span = tuple[int, int]
"""Where a token begins and ends, as offsets of characters."""


def is_installed() -> bool:
    """Is MorphoDiTa there."""
    return optional.is_installed(_PACKAGE)


def check() -> None:
    """Refuse the call if MorphoDiTa is missing.

    Raises:
        ConfigError: it is.
    """
    _library()


def sentences(text: str, language: str | None = None) -> Iterator[list[Span]]:
    """The tokens of every sentence of a text; none begins where `goes_on` says that one goes on.

    Args:
        text: without lone surrogates.
        language: its code, which selects the rules: those for Czech, for English, or generic ones.

    Raises:
        ConfigError: MorphoDiTa is missing.
    """
    begun: list[Span] = []
    for spans in _split(text, language):
        if begun and not goes_on(text, spans[0][0], language):
            yield begun
            begun = []
        begun.extend(spans)
    if begun:
        yield begun


def _split(text: str, language: str | None) -> Iterator[list[Span]]:
    """The tokens of every sentence as the tokenizer splits them."""
    library = _library()
    tokenizer = _tokenizer(library, language)
    shown, gaps = _parted(text)
    tokenizer.setText(shown)
    forms, ranges = library.Forms(), library.TokenRanges()
    while tokenizer.nextSentence(forms, ranges):
        bounds = ((token.start, token.start + token.length) for token in ranges)
        yield [(a - bisect_left(gaps, a), b - bisect_left(gaps, b)) for a, b in bounds]


def _library() -> Any:  # noqa: ANN401  (a module)
    return optional.load(_PACKAGE, extra="crawl", task="splitting into tokens")


def _tokenizer(library: Any, language: str | None) -> Any:  # noqa: ANN401  (no types there)
    kinds = library.Tokenizer
    if language in CZECH:
        return kinds.newCzechTokenizer()
    return kinds.newEnglishTokenizer() if language == "en" else kinds.newGenericTokenizer()


def _parted(text: str) -> tuple[str, list[int]]:
    """A text with a space wherever a run of visible characters is too long, and where these are.

    The time that the tokenizer takes for a run such as ``1-1-1-`` is the square of its length.
    """
    parts: list[str] = []
    gaps: list[int] = []
    at = 0
    for run in _LONG_RUN.finditer(text):
        for cut in range(run.start() + _LONGEST_RUN, run.end(), _LONGEST_RUN):
            parts.append(text[at:cut])
            gaps.append(cut + len(gaps))
            at = cut
    return " ".join((*parts, text[at:])), gaps
