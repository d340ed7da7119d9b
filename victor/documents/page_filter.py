"""Decide which pages of a crawl become documents, and name the reason for the others.

Reasons, in the order in which they are checked: ``http-status``, ``not-html``, ``sitemap``,
``no-text``, ``frames``, ``invalid-characters``, ``error-page``, ``no-content``,
``too-little-text``, ``language``, ``language-uncertain``. With ``screen`` the two of the language
are checked before ``invalid-characters``, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Chars
from victor.base.errors import ConfigError
from victor.base.lazy import cached_property
from victor.language.beesley import BeesleyIdentifier, sure_languages
from victor.language.cavnar import CavnarIdentifier
from victor.language.fasttext import FastTextDetector
from victor.language.profiles import UNDETERMINED, load_profiles
from victor.page.table.page_counts import NEARLY_EMPTY
from victor.page.table.texts import text_of
from victor.sources import sniff

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
"""Why a page is dropped, in the order in which it is checked."""

_REPLACEMENT: Final = 0xFFFD
"""Without white space, and without the three that ISO 2022 encodings use."""
_WIDE: Final = ("utf-16", "utf-32")
_SUCCESSES: Final = range(200, 300)
_CODE: Final = re.compile(r"\s*([A-Za-z]{2,3})(?=[-_\s]|$)")
"""The language in a language tag (BCP 47)."""
_LEAST_SIMILARITY: Final = 0.35
"""Of 2,281 pages in the languages of the profiles 96 % are as similar to the nearest one, of 91 in
other languages 7 % (benchmarks/fallback_language.py@fcbdf95)."""

Identify = Callable[[str], tuple[str, float]]
"""Text to the code of its language and its score, 0 to 1."""


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
        return None if record.is_text else sniff.refused(record)

    def check_characters(
        self, body: bytes | str, encoding: str, verdict: Verdict, page: int
    ) -> str | None:
        """Check that little of a page is damaged: U+FFFD in its visible text, control characters.

        Args:
            body: the page as it was read.
            encoding: how it was decoded, as `victor.page.decoding.decode` names it.
            verdict: of its batch.
            page: its number there.
        """
        most = self.settings.most_invalid
        if replaced_share(verdict, page) > most or control_share(body, encoding) > most:
            return "invalid-characters"
        return None

    def check_content(self, words: int) -> str | None:
        """Check that enough words were kept."""
        return "too-little-text" if words < self.settings.least_words else None

    def identify(self, text: str) -> LanguageGuess:
        """Language of a whole text."""
        return LanguageGuess() if self._identify is None else LanguageGuess(*self._identify(text))

    @property
    def drops_paragraphs(self) -> bool:
        """Do paragraphs in other languages go."""
        return self.settings.paragraphs == "drop"

    @property
    def tells_paragraphs(self) -> bool:
        """Did anybody ask for the languages of paragraphs."""
        return self.settings.paragraphs != "keep"

    def paragraph_languages(self, texts: Sequence[str]) -> list[str | None]:
        """Languages of paragraphs; None where it is not sure."""
        return sure_languages(self._beesley, texts)

    def wanted(self, guess: LanguageGuess, text: str) -> frozenset[str]:
        """Languages that paragraphs of a page may be in: the targets, else that of the page.

        Empty if one of them has no profile, for any other language may resemble it then.

        Args:
            guess: language of the page; if nothing identified it, Beesley's method does.
            text: all that is kept of it.
        """
        page_language = guess.language or self._beesley.best([text])[0][0]
        wanted = frozenset(self.settings.languages or (page_language,))
        return wanted if wanted <= {*self._beesley.languages} else frozenset()

    def completed(self, guess: LanguageGuess, declared: object, text: str) -> LanguageGuess:
        """A guess that names a language, for no row is without one.

        Without an identifier it is the language that the page declares, with no score. Of a page
        that declares none, it is the one of the shipped profiles that is nearest by Cavnar's
        method, or ``und`` if none is near.

        Args:
            guess: of the identifier.
            declared: what the page says, e.g. ``en-GB``.
            text: what was kept.
        """
        if guess.language is not None:
            return guess
        code = _CODE.match(declared) if isinstance(declared, str) else None
        if code is not None and code[1].lower() != UNDETERMINED:
            return LanguageGuess(code[1].lower())
        language, score = _best(self._nearest, text)
        return LanguageGuess(language if score >= _LEAST_SIMILARITY else UNDETERMINED, score)

    @cached_property
    def _beesley(self) -> BeesleyIdentifier:
        return BeesleyIdentifier(load_profiles())

    @cached_property
    def _nearest(self) -> CavnarIdentifier:
        return CavnarIdentifier(load_profiles())

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
        text = text_of(_characters(table, slice(*table.page_starts[page : page + 2])))
        if not self.settings.screen or len(text) < NEARLY_EMPTY:
            return None
        return self.check_language(self.identify(text))

    def check_language(self, guess: LanguageGuess) -> str | None:
        """Check that the language is a target, with a sufficient score."""
        settings = self.settings
        if guess.language is None:
            return None
        if settings.languages and guess.language not in settings.languages:
            return "language"
        assert guess.score is not None, "a language comes with its score"
        return "language-uncertain" if guess.score < settings.least_probability else None


def replaced_share(verdict: Verdict, page: int) -> float:
    """Share of U+FFFD in the characters of the blocks of a page, 0 to 1."""
    chars = _characters(verdict.table, verdict.page(page))
    return float(np.count_nonzero(chars == _REPLACEMENT) / max(len(chars), 1))


def _characters(table: BlockTable, blocks: slice) -> Chars:
    """The characters of consecutive blocks and of the gaps between them.

    Gaps hold one code per tag; these matter as little as white space does.
    """
    if blocks.start == blocks.stop:
        return table.chars[:0]
    return table.chars[table.start[blocks.start] : table.end[blocks.stop - 1]]


def control_share(body: bytes | str, encoding: str) -> float:
    """Share of control characters other than white space in a body, 0 to 1.

    They are counted in the bytes, because a parser turns them into white space. In UTF-16 and
    UTF-32 such bytes are parts of letters, so the share is 0.
    """
    raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
    if not raw or encoding.startswith(_WIDE):
        return 0.0
    n_controls: int = core.compiled.control_bytes(raw)
    return 1 - (len(raw) - n_controls) / len(raw)


def _identifier(settings: Filter) -> Identify | None:
    """The function that identifies languages, if one is configured."""
    if settings.identifier == "none":
        return None
    if settings.identifier == "fasttext":
        return FastTextDetector(Path(settings.model) if settings.model else None).detect
    kind = BeesleyIdentifier if settings.identifier == "beesley" else CavnarIdentifier
    profiles = kind(load_profiles())
    _check_known(settings, profiles.languages)
    return partial(_best, profiles)


def _best(identifier: BeesleyIdentifier | CavnarIdentifier, text: str) -> tuple[str, float]:
    """The best language of a text; ``und`` if none scores above 0."""
    language, score = identifier.identify(text)[0]
    return (language, score) if score > 0 else (UNDETERMINED, 0.0)


def _check_known(settings: Filter, known: tuple[str, ...]) -> None:
    missing = [language for language in settings.languages if language not in known]
    if missing:
        raise ConfigError(
            f"filter.languages: {settings.identifier} knows {', '.join(known)}, not "
            f"{', '.join(missing)}; correct the code or set filter.identifier to fasttext"
        )
