"""Sentences and tokens of texts.

MorphoDiTa splits Czech and Slovak where it is installed, sentencex the rest. What both do wrong is
put right by one rule, `goes_on`, so texts without MorphoDiTa differ little.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from victor.base import lazy
from victor.metadata.dates import month

_END: Final = re.compile(r"[.!?…][\"'”“»’)\]]*\s*$")
_LAST_WORD: Final = re.compile(r"(?<!\w)(\w+)\.\s*$")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_AROUND: Final = 40
"""Characters on either side of a cut that are read; no word that matters is longer."""
_LAST_DAY: Final = 31
_SHORTEST_MONTH: Final = 4  # letters; short names of months are other words, too, such as *pro*
_DOTTED_ORDINALS: Final = frozenset("bs cs da de et fi hr hu lv nb nn no pl sk sl sr".split())
"""Languages whose ordinal numbers, and so days, end with a full stop."""
_CZECH: Final = frozenset({"cs", "sk"})  # languages that the rules for Czech serve
_NEVER_LAST: Final = frozenset({"ph"})
_NEVER_LAST_IN_CZECH: Final = _NEVER_LAST | frozenset(
    "akad arch brig event gen kpt mil mj mjr mld nadpor nábř např nám npor obr odst plk popř por "
    "ppor pplk příp resp stržm str škpt tab thdr tis tj tř tzn tzv vč zvl č čl".split()
)
"""Abbreviations in Czech and Slovak of what stands before a name, a number or a unit."""


def begins_small(text: str) -> bool:
    """Does a text begin with a small letter, in a script that has capital ones.

    Georgian texts are written without capitals, although its letters count as small.
    """
    letter = text[:1]
    return letter.islower() and letter.title() != letter


def goes_on(text: str, cut: int, language: str | None = None) -> bool:
    """Does the sentence before a cut go on behind it.

    It does between a day and its month (``28. Října``) and after an abbreviation that never ends a
    sentence (``Ph. D.``). It does before a small letter, too: in languages whose ordinal numbers
    end with a full stop always, in others after a number or a single letter (``2. and``), as
    English sentences of forums often begin so.

    Args:
        text: what a splitter has split.
        cut: (character offset) where it lets a sentence begin.
        language: its code in ISO 639, if known.
    """
    before, after = text[max(0, cut - _AROUND) : cut], text[cut : cut + _AROUND].lstrip()
    if not after or not _END.search(before):
        return False
    if language in _DOTTED_ORDINALS and begins_small(after):
        return True
    last = _LAST_WORD.search(before)
    return last is not None and _belongs_before(last[1].lower(), after, language or "")


def _belongs_before(word: str, after: str, language: str) -> bool:
    if begins_small(after) and (len(word) == 1 or word.isdecimal()):
        return True
    if word.isdecimal():
        name = _FIRST_WORD.match(after)
        is_day = language in _DOTTED_ORDINALS and 1 <= int(word) <= _LAST_DAY
        return (
            is_day and name is not None and len(name[0]) >= _SHORTEST_MONTH and month(name[0]) > 0
        )
    return word in (_NEVER_LAST_IN_CZECH if language in _CZECH else _NEVER_LAST)


# --- Tokens by MorphoDiTa -------------------------------------------------------------------------

_PACKAGE: Final = "ufal.morphodita"
_LONGEST_RUN: Final = 500
_UNSPACED: Final = "\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
"""Scripts without spaces; their runs are texts."""
_LONG_RUN: Final = re.compile(rf"[^\s{_UNSPACED}]{{{_LONGEST_RUN + 1},}}+")
Span = tuple[int, int]
"""Where a token begins and ends, as offsets of characters."""


def check_tokenizer() -> Any:  # noqa: ANN401  (a module)
    """MorphoDiTa.

    Raises:
        ConfigError: it is missing.
    """
    return lazy.load(_PACKAGE, extra="crawl", task="splitting into tokens")


def tokens(text: str, language: str | None = None) -> Iterator[list[Span]]:
    """The tokens of every sentence of a text; none begins where `goes_on` says that one goes on.

    The tokenizers need no model.

    Args:
        text: without lone surrogates.
        language: its code, which selects the rules: those for Czech, for English, or generic ones.

    Raises:
        ConfigError: MorphoDiTa is missing.

    Source: Straková, Straka, Hajič (2014), Open-Source Tools for Morphology, Lemmatization, POS
        Tagging and Named Entity Recognition.
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
    library = check_tokenizer()
    tokenizer = _tokenizer(library, language)
    shown, gaps = _parted(text)
    tokenizer.setText(shown)
    forms, ranges = library.Forms(), library.TokenRanges()
    while tokenizer.nextSentence(forms, ranges):
        bounds = ((token.start, token.start + token.length) for token in ranges)
        yield [(a - bisect_left(gaps, a), b - bisect_left(gaps, b)) for a, b in bounds]


def _tokenizer(library: Any, language: str | None) -> Any:  # noqa: ANN401  (no types there)
    kinds = library.Tokenizer
    if language in _CZECH:
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


# --- Sentences ------------------------------------------------------------------------------------

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
    is_czech = language in _CZECH and lazy.is_installed(_PACKAGE)
    cuts = _of_tokens(text, language) if is_czech else _of_sentencex(text, language)
    bounds = (0, *(cut for cut in cuts if not goes_on(text, cut, language)), len(text))
    parts = (text[start:end].strip() for start, end in pairwise(bounds))
    return [part for part in parts if part]


def check() -> Callable[[str, str], Iterable[str]]:
    """What splits the texts of most languages, given the language and a text.

    Raises:
        ConfigError: the package is missing.
    """
    sentencex = lazy.load("sentencex", extra="crawl", task="splitting sentences")
    split: Callable[[str, str], Iterable[str]] = sentencex.segment
    return split


def _of_tokens(text: str, language: str) -> Iterator[int]:
    starts = (spans[0][0] for spans in tokens(text, language))
    next(starts, None)
    return starts


def _of_sentencex(text: str, language: str) -> Iterator[int]:
    split = check()
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
