"""Which pages of a crawl become documents, and why the others do not.

Reasons, in the order in which they are looked for: ``http-status``, ``not-html``, ``sitemap``,
``no-text``, ``frames``, ``invalid-characters``, ``no-content``, ``too-little-text``,
``low-confidence``, ``language``, ``language-uncertain``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from victor.errors import ConfigError
from victor.language import (
    UNDETERMINED,
    BeesleyIdentifier,
    CavnarIdentifier,
    FastTextDetector,
    Identifier,
    load_profiles,
)
from victor.sources import sniff

if TYPE_CHECKING:
    from victor.config import Filter
    from victor.page.verdict import Verdict
    from victor.sources.record import Record

REASONS: Final = (
    *("http-status", "not-html", "sitemap", "no-text", "frames", "invalid-characters"),
    *("no-content", "too-little-text", "low-confidence", "language", "language-uncertain"),
)
"""Why a page is dropped; `victor.crawl.documents.filters` says in which order."""

_REPLACEMENT: Final = 0xFFFD
_CONTROLS: Final = bytes(c for c in (*range(32), 127) if c not in b"\t\n\f\r\x0e\x0f\x1b")
"""ISO 2022 encodings use the three that are left out beside white space."""
_WIDE: Final = ("utf-16", "utf-32")
_SUCCESSES: Final = range(200, 300)

Tell = Callable[[str], tuple[str, float]]


class Told(NamedTuple):
    """The language of a text: its code and the score of the identifier, 0 to 1."""

    language: str | None = None
    score: float | None = None


class PageFilter:
    """Says of pages why they are dropped, by the section ``filter`` of a configuration.

    It can be pickled: a worker loads profiles and models again.

    Args:
        settings: the section.

    Raises:
        ConfigError: a target language is unknown to the identifier.
        ModelError: fastText is to tell languages and there is no model file.
    """

    def __init__(self, settings: Filter) -> None:
        self.settings = settings
        self._tell: Tell | None = _teller(settings)

    def __reduce__(self) -> tuple[type[PageFilter], tuple[Filter]]:
        return type(self), (self.settings,)

    def before(self, record: Record) -> str | None:
        """Why a record is not even cleaned; None if it is to be.

        The page that comes with an HTTP error is about the error, not from the address.
        """
        status = record.metadata.get("http_status")
        if isinstance(status, int) and status not in _SUCCESSES:
            return "http-status"
        return sniff.refused(record)

    def characters(self, record: Record, encoding: str, verdict: Verdict, page: int) -> str | None:
        """Is too much of a page damaged: U+FFFD in its visible text or control characters.

        Args:
            record: the page as it was read.
            encoding: how it was decoded, as `victor.page.decode` names it.
            verdict: of its batch.
            page: its number there.
        """
        most = self.settings.most_invalid
        if replaced_share(verdict, page) > most or control_share(record.body, encoding) > most:
            return "invalid-characters"
        return None

    def content(self, words: int, confidence: float) -> str | None:
        """Is what was kept too little, or too doubtful to be content.

        Args:
            words: how many were kept.
            confidence: mean over them of the probability that their block is to be kept, 0 to 1.
                Pages of links and pictures that keep something keep it with low ones.
        """
        if words < self.settings.least_words:
            return "too-little-text"
        return "low-confidence" if confidence < self.settings.least_confidence else None

    def tell(self, text: str) -> Told:
        """Language of a whole kept text; nothing if nobody is to look."""
        return Told() if self._tell is None else Told(*self._tell(text))

    def language(self, told: Told) -> str | None:
        """Is the language none of the targets, or its score too low."""
        settings = self.settings
        if told.language is None:
            return None
        if settings.languages and told.language not in settings.languages:
            return "language"
        assert told.score is not None, "a language comes with its score"
        return "language-uncertain" if told.score < settings.least_probability else None


def replaced_share(verdict: Verdict, page: int) -> float:
    """Share of U+FFFD in the characters of the blocks of a page, 0 to 1."""
    table, own = verdict.table, verdict.page(page)
    if own.start == own.stop:
        return 0.0
    chars = table.chars[table.start[own.start] : table.end[own.stop - 1]]
    # Gaps between blocks hold one code for every tag: those count as little as white space does.
    return float(np.count_nonzero(chars == _REPLACEMENT) / len(chars))


def control_share(body: bytes | str, encoding: str) -> float:
    """Share of control characters in a body, 0 to 1; white space is none.

    They are counted in the bytes, for a parser makes white space of them. In UTF-16 and UTF-32
    such bytes are parts of letters, so nothing is counted.
    """
    raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
    if not raw or encoding.startswith(_WIDE):
        return 0.0
    return 1 - len(raw.translate(None, _CONTROLS)) / len(raw)


def _teller(settings: Filter) -> Tell | None:
    """What tells languages, as the settings say."""
    if settings.identifier == "none":
        return None
    if settings.identifier == "fasttext":
        return FastTextDetector(Path(settings.model) if settings.model else None).detect
    kind = BeesleyIdentifier if settings.identifier == "beesley" else CavnarIdentifier
    profiles = kind(load_profiles())
    _check_known(settings, profiles.languages)
    return _Best(profiles)


class _Best:
    """The best language of an identifier; ``und`` if none scores above 0."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier

    def __call__(self, text: str) -> tuple[str, float]:
        language, score = self._identifier.identify(text)[0]
        return (language, score) if score > 0 else (UNDETERMINED, 0.0)


def _check_known(settings: Filter, known: tuple[str, ...]) -> None:
    missing = [language for language in settings.languages if language not in known]
    if missing:
        raise ConfigError(
            f"filter.languages: {settings.identifier} knows {', '.join(known)}, not "
            f"{', '.join(missing)}; correct the code or set filter.identifier to fasttext"
        )
