"""Decide which pages of a crawl become documents, and name the reason for the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from victor.base.arrays import Chars
from victor.base.errors import ConfigError
from victor.base.lazy import cached_property
from victor.language.beesley import BeesleyIdentifier, sure_languages
from victor.language.cavnar import CavnarIdentifier
from victor.language.fasttext import FastTextDetector
from victor.language.profiles import UNDETERMINED, load_profiles
from victor.page.table.blocks import NEARLY_EMPTY
from victor.page.table.texts import text_of
from victor.sources.record import refused

if TYPE_CHECKING:
    from victor.api.cleaner import Refuse
    from victor.config.schema import Filter
    from victor.page.table.blocks import BlockTable
    from victor.page.verdict.verdict import Verdict
    from victor.sources.record import Record

REASONS: Final = (
    *("http-status", "not-html", "sitemap", "no-text", "frames", "invalid-characters"),
    *("error-page", "no-content", "too-little-text", "language", "language-uncertain"),
)
"""Why a page is dropped, in the order in which it is checked. With ``screen`` the last two are
checked before ``invalid-characters``, too."""
_REPLACEMENT: Final = 0xFFFD
_WIDE: Final = ("utf-16", "utf-32")
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - {*b"\t\n\f\r\x0e\x0f\x1b"})
"""Control characters that are no white space, and none of the three of ISO 2022."""
_SUCCESSES: Final = range(200, 300)
_CODE: Final = re.compile(r"\s*([A-Za-z]{2,3})(?=[-_\s]|$)")
"""The language in a language tag (BCP 47)."""
_LEAST_SURE: Final = 0.5
"""Of 2,982 texts in the languages of the profiles 98 % get theirs so, of 187 in others 32 % get one
of these; Cavnar's method gives 94 and 6 % (similarity of 0.35) and takes half as long again."""


class LanguageGuess(NamedTuple):
    """Language code of a text and its score, 0 to 1; None where nothing identified them."""

    language: str | None = None
    score: float | None = None


class PageFilter:
    """Drops pages as the section ``filter`` of a configuration says; each check gives a reason.

    A check returns why the page is dropped, or None if it passes. The filter can be pickled: a
    worker loads profiles and models again.

    Args:
        settings: the section.

    Raises:
        ConfigError: a target language is unknown to the identifier.
        ModelError: fastText is to identify languages and there is no model file.
    """

    def __init__(self, settings: Filter) -> None:
        self.settings = settings
        self._identify = _identifier(settings)

    def __reduce__(self) -> tuple[type[PageFilter], tuple[Filter]]:
        return type(self), (self.settings,)

    def check_record(self, record: Record) -> str | None:
        """Check what is known before cleaning: HTTP status and format.

        A page that comes with an HTTP error is about the error and not the one at the address.
        """
        status = record.metadata.get("http_status")
        if isinstance(status, int) and status not in _SUCCESSES:
            return "http-status"
        return None if record.is_text else refused(record)

    def check_characters(
        self, body: bytes | str, encoding: str, verdict: Verdict, page: int
    ) -> str | None:
        """Check that little of a page is damaged: U+FFFD in its visible text, control characters.

        `body` is the page of that number as it was read, in an encoding that
        `victor.page.decoding.decode` names.
        """
        chars = _characters(verdict.table, page)
        replaced = np.count_nonzero(chars == _REPLACEMENT) / max(len(chars), 1)
        share = max(replaced, control_share(body, encoding))
        return "invalid-characters" if share > self.settings.most_invalid else None

    def check_content(self, words: int) -> str | None:
        """Check that enough words were kept."""
        return "too-little-text" if words < self.settings.least_words else None

    def check_language(self, guess: LanguageGuess) -> str | None:
        """Check that the language is a target, with a sufficient score."""
        settings = self.settings
        if guess.language is None:
            return None
        if settings.languages and guess.language not in settings.languages:
            return "language"
        assert guess.score is not None, "a language comes with its score"
        return "language-uncertain" if guess.score < settings.least_probability else None

    @property
    def refuse(self) -> Refuse | None:
        """Says which pages of a batch need not be labelled; None if that is not asked for."""
        if not self.settings.screen:
            return None
        return lambda table: [self.check_visible(table, page) for page in range(table.n_pages)]

    def check_visible(self, table: BlockTable, page: int) -> str | None:
        """Check the language of the visible text of a page, if the pages are to be screened.

        A page with fewer than `NEARLY_EMPTY` characters passes: they say little of its language,
        and its content may be in its scripts.
        """
        text = text_of(_characters(table, page)) if self.settings.screen else ""
        return None if len(text) < NEARLY_EMPTY else self.check_language(self.identify(text))

    def identify(self, text: str) -> LanguageGuess:
        """Language of a whole text."""
        return LanguageGuess() if self._identify is None else LanguageGuess(*self._identify(text))

    def completed(self, guess: LanguageGuess, declared: object, text: str) -> LanguageGuess:
        """A guess that names a language, for no row is without one.

        Without an identifier it is the language that the page declares, with no score. Of a page
        that declares none, it is the one that Beesley's method names, or ``und``.
        """
        if guess.language is not None:
            return guess
        code = _CODE.match(declared) if isinstance(declared, str) else None
        if code is not None and code[1].lower() != UNDETERMINED:
            return LanguageGuess(code[1].lower())
        language, score = _best(self._beesley, text)
        return LanguageGuess(language if score >= _LEAST_SURE else UNDETERMINED, score)

    def paragraph_languages(self, texts: Sequence[str]) -> list[str | None]:
        """Languages of paragraphs; None where it is not sure."""
        return sure_languages(self._beesley, texts)

    def wanted(self, guess: LanguageGuess, text: str) -> frozenset[str]:
        """Languages that paragraphs of a page may be in: the targets, else that of the page.

        Empty if paragraphs in others stay, or if one of them has no profile, for any other language
        may resemble it then.

        Args:
            guess: language of the page; if nothing identified it, Beesley's method does.
            text: all that is kept of it.
        """
        if self.settings.paragraphs != "drop":
            return frozenset()
        page_language = guess.language or self._beesley.best([text])[0][0]
        wanted = frozenset(self.settings.languages or (page_language,))
        return wanted if wanted <= {*self._beesley.languages} else frozenset()

    @cached_property
    def _beesley(self) -> BeesleyIdentifier:
        return BeesleyIdentifier(load_profiles())


def _characters(table: BlockTable, page: int) -> Chars:
    """The characters of the blocks of a page and of the gaps between them.

    Gaps hold one code per tag; these matter as little as white space does.
    """
    first, end = table.page_starts[page : page + 2]
    return table.chars[table.start[first] : table.end[end - 1]] if first < end else table.chars[:0]


def control_share(body: bytes | str, encoding: str) -> float:
    """Share of control characters other than white space in a body, 0 to 1.

    They are counted in the bytes, because a parser turns them into white space. In UTF-16 and
    UTF-32 such bytes are parts of letters, so the share is 0.
    """
    raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
    if not raw or encoding.startswith(_WIDE):
        return 0.0
    return 1 - len(raw.translate(None, _CONTROLS)) / len(raw)


def _identifier(settings: Filter) -> Callable[[str], tuple[str, float]] | None:
    """Text to the code of its language and its score, 0 to 1, if anything is to tell them."""
    if settings.identifier == "none":
        return None
    if settings.identifier == "fasttext":
        return FastTextDetector(Path(settings.model) if settings.model else None).detect
    kind = BeesleyIdentifier if settings.identifier == "beesley" else CavnarIdentifier
    profiles = kind(load_profiles())
    if missing := [each for each in settings.languages if each not in profiles.languages]:
        raise ConfigError(
            f"filter.languages: {settings.identifier} knows {', '.join(profiles.languages)}, not "
            f"{', '.join(missing)}; correct the code or set filter.identifier to fasttext"
        )
    return partial(_best, profiles)


def _best(identifier: BeesleyIdentifier | CavnarIdentifier, text: str) -> tuple[str, float]:
    """The best language of a text; ``und`` if none scores above 0."""
    language, score = identifier.identify(text)[0]
    return (language, score) if score > 0 else (UNDETERMINED, 0.0)
